package archtest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/testenv"
)

// block is a fenced block of a page that says where it goes: into a new file,
// or after the line of a file that holds a text.
var block = regexp.MustCompile("(?ms)^ *```go file=(\\S+)(?: after=\"([^\n]*)\")?\n(.*?)^ *```$")

// apply does what a page says and gives the changed files by path.
func apply(t *testing.T, page string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, m := range block.FindAllStringSubmatch(string(text), -1) {
		path, after, code := m[1], m[2], m[3]
		if after == "" {
			files[path] = code
			continue
		}
		if files[path] == "" {
			data, err := os.ReadFile(filepath.Join(root, path))
			if err != nil {
				t.Fatal(err)
			}
			files[path] = string(data)
		}
		at := strings.Index(files[path], after)
		if at < 0 {
			t.Fatalf("%s: no line of %s holds %q", page, path, after)
		}
		end := at + strings.IndexByte(files[path][at:], '\n') + 1
		files[path] = files[path][:end] + code + files[path][end:]
	}
	return files
}

// overlay gives the changed files to the go command without touching the
// repository.
func overlay(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, replace := t.TempDir(), map[string]string{}
	for path, text := range files {
		whole, err := filepath.Abs(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		replace[whole] = filepath.Join(dir, strings.ReplaceAll(path, "/", "_"))
		if err := os.WriteFile(replace[whole], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// A contributor who does what docs/adding-a-filter.md says has a filter that
// runs. It builds the whole program once more, so it waits for CI.
func TestAddingAFilterAsThePageSays(t *testing.T) {
	files := apply(t, "docs/adding-a-filter.md")
	if len(files) != 5 {
		t.Fatalf("the page names %d files", len(files))
	}
	if os.Getenv("CI") != "true" {
		t.Skip("builds the program again: set CI=true")
	}
	testenv.Tool(t, "git")
	changed := overlay(t, files)
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run("test", "-overlay", changed, "./filters", "-run", "TestTellingTitle|TestMerged")
	program, dataset := filepath.Join(t.TempDir(), "prforge"), filepath.Join(t.TempDir(), "demo")
	run("build", "-overlay", changed, "-o", program, "./cmd/prforge")
	if out, err := exec.CommandContext(t.Context(), program, "demo", "-q", "-o", dataset).CombinedOutput(); err != nil {
		t.Fatalf("demo: %v\n%s", err, out)
	}
	funnel, err := os.ReadFile(filepath.Join(dataset, "audit", "funnel.json"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(funnel), `"telling-title"`) || !strings.Contains(string(funnel), `"not-ai-dominated"`) {
		t.Errorf("the new filter was not asked:\n%s", funnel)
	}
}
