package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/stages/config"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which prforge this is",
		Args:  exactArgs(),
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintln(a.stdout, versionLine())
			return nil
		},
	}
}

// versionLine is what 'version' and --version say.
func versionLine() string {
	return fmt.Sprintf("prforge %s (pipeline %s, %s %s/%s)", buildVersion(), config.Default().Dataset.PipelineVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// buildVersion is the module's version, or the commit it was built from.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return s.Value[:12]
		}
	}
	return info.Main.Version
}
