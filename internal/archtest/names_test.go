package archtest

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// named are the languages, benchmarks and providers whose files docs/architecture.md counts.
var named = []string{"java", "bugs", "debugging", "escaped", "openai", "anthropic", "program", "agent"}

// support are the packages that serve tests alone.
var support = []string{"internal/fakegithub", "stages/run/runtest", "artifacts/artifactstest"}

// TestArchitecture_CountsFilesThatNameOneThing holds the numbers of the page to the code: production files outside of
// its own folders that import a package of a thing or, for Java, hold the word.
func TestArchitecture_CountsFilesThatNameOneThing(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]string{}
	for _, p := range packages(t) {
		dir := strings.TrimPrefix(p.ImportPath, module)
		if withinAny(dir, support) {
			continue
		}
		for _, name := range p.GoFiles {
			for _, thing := range thingsOf(t, filepath.Join(p.Dir, name)) {
				if !slices.Contains(strings.Split(dir, "/"), thing) {
					files[thing] = append(files[thing], dir+"/"+name)
				}
			}
		}
	}
	for _, thing := range named {
		if row := fmt.Sprintf("| `%s` | %d |", thing, len(files[thing])); !strings.Contains(string(page), row) {
			t.Errorf("docs/architecture.md has no row %q: %s", row, strings.Join(files[thing], ", "))
		}
	}
}

var wordJava = regexp.MustCompile(`(?i)\bjava\b`)

// thingsOf lists what a file names.
func thingsOf(t *testing.T, file string) []string {
	t.Helper()
	code, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, code, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{"java": wordJava.Match(code)}
	for _, imp := range f.Imports {
		if what := strings.Trim(imp.Path.Value, `"`); strings.HasPrefix(what, module) {
			found[path.Base(what)] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(named), func(thing string) bool { return !found[thing] })
}
