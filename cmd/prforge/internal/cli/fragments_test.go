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

// fragments are the blocks of a dataset's contexts of configuration C, by language.
func fragments(t *testing.T, dataset string) map[string][]fragment {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dataset, "contexts", "config_C", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d contexts, error %v", len(files), err)
	}
	out := map[string][]fragment{}
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
				out[m[3]] = append(out[m[3]], fragment{m[3], m[4], filepath.Base(path) + ": " + m[1]})
			}
		}
	}
	return out
}

// TestFragments asks a parser that is not ours about every block of code that
// the contexts of the built-in sample show, and of the dataset that
// PRFORGE_DATASET names: Go's own, python3's ast, TypeScript's, java-parser.
func TestFragments(t *testing.T) {
	datasets := []string{filepath.Join(t.TempDir(), "demo")}
	if out, err := exec.CommandContext(t.Context(), "prforge", "demo", "-q", "-o", datasets[0]).CombinedOutput(); err != nil {
		t.Fatalf("prforge demo: %v\n%s", err, out)
	}
	if further := os.Getenv("PRFORGE_DATASET"); further != "" {
		datasets = append(datasets, further)
	}
	all := map[string][]fragment{}
	for _, dataset := range datasets {
		for language, list := range fragments(t, dataset) {
			all[language] = append(all[language], list...)
		}
	}
	for _, language := range []string{"go", "python", "javascript", "typescript", "java"} {
		t.Run(language, func(t *testing.T) {
			list := all[language]
			if language == "typescript" {
				list = append(list, all["tsx"]...)
			}
			if len(list) == 0 {
				t.Fatal("the sample shows no code in it")
			}
			for i, problem := range problems(t, language, list) {
				if problem != "" {
					t.Errorf("%s: %s\n%s", list[i].where, problem, list[i].Text)
				}
			}
		})
	}
}

// problems says what a parser finds wrong with each fragment, "" for nothing.
func problems(t *testing.T, language string, list []fragment) []string {
	t.Helper()
	if language == "go" {
		out := make([]string, len(list))
		for i, f := range list {
			if _, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+f.Text, parser.SkipObjectResolution); err != nil {
				out[i] = err.Error()
			}
		}
		return out
	}
	cmd := exec.CommandContext(t.Context(), testenv.Tool(t, "node"), "testdata/parsers/parse.mjs")
	if language == "python" {
		cmd = exec.CommandContext(t.Context(), testenv.Tool(t, "python3"), "-I", "testdata/parsers/parse.py")
	} else if _, err := os.Stat("testdata/parsers/node_modules/java-parser"); err != nil {
		testenv.Missing(t, "the parsers are not installed: run npm ci in cmd/prforge/internal/cli/testdata/parsers")
	}
	in, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
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

// The parsers refuse what is no code: a test with readers that accept anything
// would hold nothing.
func TestParsersRefuse(t *testing.T) {
	for _, f := range []fragment{
		{"go", "func f() {", ""}, {"python", "def f(:\n  pass", ""}, {"javascript", "function ( {", ""},
		{"typescript", "interface { a: ", ""}, {"java", "class A { void f( }", ""},
	} {
		t.Run(f.Language, func(t *testing.T) {
			if problems(t, f.Language, []fragment{f})[0] == "" {
				t.Error("accepted")
			}
		})
	}
}
