package cli

import (
	"embed"
	"encoding/json"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/stages/config"
)

//go:embed jobs/*.tmpl
var jobFiles embed.FS

// jobs is the input for the job files of a cluster.
type jobs struct {
	Program, Config, At, Out string // quoted for a shell
	ConfigFile               string // likewise
	AtYAML                   string // quoted for YAML
	OutName                  string
	Image                    string
	Bucket                   bool
	Shares, Last, AtOnce     int
}

func (a *app) clusterCommand() *cobra.Command {
	var file, at, out, image string
	var shares, atOnce int
	c := &cobra.Command{
		Use:   "cluster slurm|kubernetes -c FILE --at EXCHANGE",
		Short: "Print the job files that spread a build over a cluster",
		Long: `cluster prints the three jobs of a build for the cluster's own batch scheduler:
collect, an array of shards, merge. The files are commented and yours to change.
docs/cluster.md says how many shares, what they cost and what to do when one fails.`,
		Example: "  prforge cluster slurm -c prforge.yaml --at /shared/run1 -o /shared/dataset > jobs.sh && bash jobs.sh",
		Args:    exactArgs("slurm|kubernetes"),
		RunE: func(c *cobra.Command, args []string) error {
			if _, err := config.Load(file); err != nil {
				return err
			}
			if shares < 1 || atOnce < 1 {
				return usagef("--shares and --at-once must be at least 1")
			}
			if _, err := a.exchange(at); err != nil {
				return err
			}
			name, ok := map[string]string{"slurm": "slurm.sh.tmpl", "kubernetes": "kubernetes.yaml.tmpl"}[args[0]]
			if !ok {
				return usagef("%q is no scheduler that prforge knows: slurm, kubernetes", args[0])
			}
			j := jobs{Image: yamlQuote(image), Shares: shares, Last: shares - 1, AtOnce: min(atOnce, shares), Bucket: strings.HasPrefix(at, "s3://")}
			program, err := programPath(a.program)
			if err != nil {
				return err
			}
			j.Program, j.ConfigFile, j.OutName = shellQuote(program), shellQuote(file), "dataset"
			if j.Config, j.At, j.Out, j.AtYAML, err = jobPaths(file, at, out); err != nil {
				return err
			}
			t, err := template.ParseFS(jobFiles, "jobs/"+name)
			if err != nil {
				return err
			}
			return t.Execute(a.raw, j)
		},
	}
	c.Flags().StringVarP(&file, "config", "c", defaultConfig, "configuration file")
	c.Flags().StringVar(&at, "at", "", "the exchange: a folder that every machine sees, or s3://BUCKET/PREFIX")
	c.Flags().StringVarP(&out, "output", "o", "dataset", "folder of the dataset, for slurm")
	c.Flags().IntVar(&shares, "shares", 16, "how many shares the repositories are divided into")
	c.Flags().IntVar(&atOnce, "at-once", 40, "how many of them run at once, at most")
	c.Flags().StringVar(&image, "image", "ghcr.io/prforge/prforge", "image of prforge, for kubernetes")
	return c
}

// programPath is the program in a job file: an absolute path if it was called by a path, else its name.
func programPath(called string) (string, error) {
	if !strings.ContainsRune(called, filepath.Separator) {
		return called, nil
	}
	return filepath.Abs(called)
}

// jobPaths makes the paths of a job absolute, since jobs run elsewhere, and
// quotes them.
func jobPaths(file, at, out string) (fileQ, atQ, outQ, atYAML string, err error) {
	abs := func(path string) string {
		if err != nil || strings.HasPrefix(path, "s3://") {
			return path
		}
		var full string
		full, err = filepath.Abs(path)
		return full
	}
	at = abs(at)
	return shellQuote(abs(file)), shellQuote(at), shellQuote(abs(out)), yamlQuote(at), err
}

// shellQuote makes one word of a text for a POSIX shell.
func shellQuote(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@%=") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// yamlQuote makes a YAML scalar of a text: a JSON string is one.
func yamlQuote(s string) string {
	b, _ := json.Marshal(s) // a string cannot fail
	return string(b)
}
