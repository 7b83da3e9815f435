package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "write the golden files")

const madeByGolden = "\n\nMade from the program by `make golden`; do not edit.\n"

// TestGolden_Pages checks the pages that repeat the program's own
// words against it; -update writes them.
func TestGolden_Pages(t *testing.T) {
	root := (&app{}).root()
	checkPage(t, "commands.md", commandsPage(root))
	checkPage(t, "options.md", optionsPage(root))
}

func checkPage(t *testing.T, name, want string) {
	t.Helper()
	path := filepath.Join("..", "..", "..", "..", "docs", name)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("docs/%s differs from the program, run make golden (-want +got):\n%s", name, diff)
	}
}

// commandsPage has every command with its text and its flags.
func commandsPage(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("# Commands" + madeByGolden)
	fmt.Fprintf(&b, "\nEvery command has these flags:\n\n```\n%s```\n", root.PersistentFlags().FlagUsages())
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Runnable() && c != root {
			writeCommand(&b, c)
		}
		for _, child := range c.Commands() {
			if child.IsAvailableCommand() {
				walk(child)
			}
		}
	}
	walk(root)
	return b.String()
}

func writeCommand(b *strings.Builder, c *cobra.Command) {
	fmt.Fprintf(b, "\n## %s\n\n%s.\n\n```\n%s\n", c.CommandPath(), c.Short, c.UseLine())
	if c.Long != "" {
		fmt.Fprintf(b, "\n%s\n", c.Long)
	}
	if c.HasAvailableLocalFlags() {
		fmt.Fprintf(b, "\n%s", c.LocalNonPersistentFlags().FlagUsages())
	}
	b.WriteString("```\n")
}

// optionsPage has the commented configurations, the environment and the exit
// codes, as 'prforge help' prints them. Reasons have a page of their own.
func optionsPage(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("# Options" + madeByGolden)
	for _, c := range root.Commands() {
		if c.IsAdditionalHelpTopicCommand() && c.Name() != "reasons" {
			fmt.Fprintf(&b, "\n## %s\n\n`prforge help %s`: %s.\n\n```\n%s\n```\n", c.Name(), c.Name(), c.Short, strings.TrimSpace(c.Long))
		}
	}
	return b.String()
}
