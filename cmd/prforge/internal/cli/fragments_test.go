package cli

import (
	"bytes"
	"encoding/json"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/testenv"
)

// fragment is one block of code as a context shows it.
type fragment struct {
	Language string `json:"language"`
	Text     string `json:"text"`
	where    string
}

// codeBlock is a block of code below its path; ", lines " marks an excerpt of a
// file that no parser is asked about.
var codeBlock = regexp.MustCompile("(?ms)^### ([^\n]+)\n(````*)(python|javascript|typescript|tsx|go|java)\n(.*?)^````*$")

// fragments are the blocks of a dataset's contexts of configuration C.
func fragments(t *testing.T, dataset string) []fragment {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dataset, "contexts", "config_C", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d contexts, error %v", len(files), err)
	}
	var out []fragment
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var context struct{ Rendered string }
		if err := json.Unmarshal(data, &context); err != nil {
			t.Fatal(err)
		}
		for _, m := range codeBlock.FindAllStringSubmatch(context.Rendered, -1) {
			if !strings.Contains(m[1], ", lines ") {
				out = append(out, fragment{m[3], m[4], filepath.Base(path) + ": " + m[1]})
			}
		}
	}
	return out
}

// readers are the parsers that are not ours: Go's own, python3's ast, and
// TypeScript's and java-parser in one process of Node.js.
var readers = []struct {
	name      string
	languages []string
	problems  func(*testing.T, []fragment) []string // what is wrong with each fragment, "" for nothing
	wrong     []fragment
}{
	{"go", []string{"go"}, parseGo, []fragment{{"go", "func f() {", ""}}},
	{"python3", []string{"python"}, func(t *testing.T, list []fragment) []string {
		return answers(t, list, testenv.Tool(t, "python3"), "-I", "testdata/parsers/parse.py")
	}, []fragment{{"python", "def f(:\n  pass", ""}}},
	{"node", []string{"javascript", "typescript", "java"}, func(t *testing.T, list []fragment) []string {
		if _, err := os.Stat("testdata/parsers/node_modules/java-parser"); err != nil {
			testenv.Missing(t, "the parsers are not installed: run npm ci in cmd/prforge/internal/cli/testdata/parsers")
		}
		return answers(t, list, testenv.Tool(t, "node"), "testdata/parsers/parse.mjs")
	}, []fragment{{"javascript", "function ( {", ""}, {"typescript", "interface { a: ", ""}, {"tsx", "<a>{", ""}, {"java", "class A { void f( }", ""}}},
}

// TestFragments asks the readers about every block of code that the contexts of
// the built-in sample show, and of the dataset that PRFORGE_DATASET names. They
// refuse what is no code: readers that accept anything would hold nothing.
func TestFragments(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the parsers of all languages")
	}
	dir, err := made["demo"]()
	if err != nil {
		t.Fatal(err)
	}
	shown := fragments(t, filepath.Join(dir, "out", "demo"))
	if further := os.Getenv("PRFORGE_DATASET"); further != "" {
		shown = append(shown, fragments(t, further)...)
	}
	for _, r := range readers {
		t.Run(r.name, func(t *testing.T) {
			seen, list := map[string]bool{}, r.wrong
			for _, f := range shown {
				if language := strings.Replace(f.Language, "tsx", "typescript", 1); slices.Contains(r.languages, language) {
					seen[language] = true
					list = append(list, f)
				}
			}
			if len(seen) != len(r.languages) {
				t.Errorf("the sample shows code in %v alone", seen)
			}
			for i, problem := range r.problems(t, list) {
				if wrong := i < len(r.wrong); wrong && problem == "" {
					t.Errorf("accepted: %s: %s", list[i].Language, list[i].Text)
				} else if !wrong && problem != "" {
					t.Errorf("%s: %s\n%s", list[i].where, problem, list[i].Text)
				}
			}
		})
	}
}

func parseGo(_ *testing.T, list []fragment) []string {
	out := make([]string, len(list))
	for i, f := range list {
		if _, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+f.Text, parser.SkipObjectResolution); err != nil {
			out[i] = err.Error()
		}
	}
	return out
}

// answers are those of a program that reads the fragments and writes a problem
// for each.
func answers(t *testing.T, list []fragment, program string, args ...string) []string {
	t.Helper()
	in, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Stdin = bytes.NewReader(in)
	answer, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", cmd, err)
	}
	var out []string
	if err := json.Unmarshal(answer, &out); err != nil || len(out) != len(list) {
		t.Fatalf("%d answers to %d fragments, error %v", len(out), len(list), err)
	}
	return out
}
