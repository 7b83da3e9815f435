package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/testenv"
)

// usingBlock is a code block of docs/using.md with the line before it, which
// says so where nothing here can run it.
var usingBlock = regexp.MustCompile("(?ms)^([^\n]*)\n\n```([a-z]+)\n(.*?)^```$")

// TestUsing runs every code block of docs/using.md on the built-in sample but
// those that the page says were not tried.
func TestUsing(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/using.md")
	if err != nil {
		t.Fatal(err)
	}
	made, err := made["demo"]()
	if err != nil {
		t.Fatal(err)
	}
	demo := filepath.Join(made, "out", "demo")
	blocks := usingBlock.FindAllStringSubmatch(string(page), -1)
	if n := strings.Count(string(page), "\n```") / 2; n != len(blocks) || n < 6 {
		t.Fatalf("%d blocks of %d are understood", len(blocks), n)
	}
	for _, b := range blocks {
		before, language, code := b[1], b[2], b[3]
		name, _, _ := strings.Cut(strings.TrimLeft(code, "-# "), "\n")
		t.Run(language+": "+name, func(t *testing.T) {
			if strings.HasPrefix(before, "Not tried:") {
				t.Skip(before)
			}
			for _, statement := range statements(language, code) {
				if out := runBlock(t, demo, language, statement); out == "" || out == "0" {
					t.Errorf("nothing came of\n%s", statement)
				}
			}
		})
	}
}

// statements are the queries of a block of SQL; other code is one.
func statements(language, code string) []string {
	if language != "sql" {
		return []string{code}
	}
	return strings.SplitAfter(strings.TrimSuffix(strings.TrimSpace(code), ";"), ";\n")
}

// runBlock runs a block where DATASET is the dataset, and gives what it printed.
func runBlock(t *testing.T, dataset, language, code string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Symlink(dataset, filepath.Join(dir, "DATASET")); err != nil {
		t.Fatal(err)
	}
	var cmd *exec.Cmd
	switch language {
	case "sql":
		here := filepath.Join("testdata", "duckdb")
		if _, err := os.Stat(filepath.Join(here, "node_modules", "@duckdb")); err != nil {
			testenv.Missing(t, "run npm ci in %s first", here)
		}
		cmd = exec.CommandContext(t.Context(), testenv.Tool(t, "node"), filepath.Join(here, "run.mjs"), dataset)
	case "python":
		cmd = exec.CommandContext(t.Context(), testenv.Tool(t, "/usr/bin/python3"), "-")
		cmd.Dir = dir
	case "sh":
		cmd = exec.CommandContext(t.Context(), "sh", "-eu")
		cmd.Dir = dir
	default:
		t.Fatalf("nothing runs %s", language)
	}
	cmd.Stdin = strings.NewReader(code)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, code, out)
	}
	return strings.TrimSpace(string(out))
}
