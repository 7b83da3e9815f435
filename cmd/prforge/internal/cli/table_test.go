package cli

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/freeze"
)

// TestTerminal writes escape sequences into every field of a dataset that a
// stranger can fill, and shows it with every command that reads a dataset.
func TestTerminal(t *testing.T) {
	const red = "\x1b[31m\u202e\u009b"
	tasks := artifactstest.Tasks()
	task := tasks[0]
	task.Record.Language += red
	task.Evidence.Language, task.Evidence.PRType.Because = red, red
	for i := range task.Evidence.Comments {
		c := &task.Evidence.Comments[i]
		c.Author, c.Path, c.Body, c.AnchorNote = red, red, red+"\n"+red, red
		for j := range c.Rules {
			c.Rules[j].Evidence = red
		}
	}
	for i := range task.Evidence.Verdicts {
		task.Evidence.Verdicts[i].Filter = red
	}
	dirs := [2]string{filepath.Join(t.TempDir(), "hostile"), filepath.Join(t.TempDir(), "plain")}
	for i, tasks := range [2][]*artifacts.Task{tasks, artifactstest.Tasks()} {
		if err := freeze.Freeze(t.Context(), dirs[i], artifactstest.Dataset(tasks)); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"explain", task.Record.Repo + "#1", "--dataset", dirs[0]}, {"audit", dirs[0]}, {"diff", dirs[0], dirs[1]}, {"verify", dirs[0]},
	} {
		var stdout, stderr bytes.Buffer
		Main(args, strings.NewReader(""), &stdout, &stderr)
		if strings.ContainsAny(stdout.String()+stderr.String(), "\x1b\u202e\u009b") {
			t.Errorf("%s writes escape sequences:\n%q", args[0], stdout.String())
		}
		if shown := strings.Contains(stdout.String(), `\u001b[31m\u202e\u009b`); !shown {
			t.Errorf("%s does not show the field:\n%s%s", args[0], stdout.String(), stderr.String())
		}
	}
}

func TestTables(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dataset")
	if err := freeze.Freeze(t.Context(), dir, artifactstest.Dataset(artifactstest.Tasks())); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if code := Main([]string{"audit", dir}, strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	for _, want := range []string{"3 pull requests released of 5 looked at", "base_missing 1", "tokens of config_C", "acme/quiet", "33.3 %"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("no %q in\n%s", want, stdout.String())
		}
	}
}
