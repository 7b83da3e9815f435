package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// layered are the packages whose files use each other one way only: a reader can go from the bottom file up.
var layered = []string{
	"artifacts", "artifacts/verify", "cmd/prforge/internal/cli", "collectors", "collectors/gitsource", "contextbuilder", "evaluation", "injection",
	"internal/ghapi", "internal/imports", "internal/store", "internal/syntax", "scoring",
	"stages/bugs", "stages/config", "stages/debugging", "stages/escaped", "stages/evaluate", "stages/review", "stages/run",
}

// TestFiles_OneWay finds files of a package that use each other in a circle. It follows the names of types, functions,
// variables and constants of the package, not those of methods and fields.
func TestFiles_OneWay(t *testing.T) {
	for _, dir := range layered {
		uses := fileUses(t, filepath.Join("..", "..", dir))
		for _, from := range slices.Sorted(maps.Keys(uses)) {
			if circle := pathTo(uses, from, from, map[string]bool{}); circle != nil {
				t.Errorf("%s: files use each other in a circle: %s", dir, strings.Join(append([]string{from}, circle...), " -> "))
				break
			}
		}
	}
}

// TestPathTo_Circle holds the search itself to a circle of three.
func TestPathTo_Circle(t *testing.T) {
	uses := map[string][]string{"a.go": {"b.go"}, "b.go": {"c.go", "d.go"}, "c.go": {}, "d.go": {"a.go"}}
	if got := pathTo(uses, "a.go", "a.go", map[string]bool{}); !slices.Equal(got, []string{"b.go", "d.go", "a.go"}) {
		t.Errorf("a circle through %v", got)
	}
	if got := pathTo(uses, "c.go", "c.go", map[string]bool{}); got != nil {
		t.Errorf("a circle through %v, though c.go uses nothing", got)
	}
}

// fileUses lists for each file of a package the other files whose names it uses.
func fileUses(t *testing.T, dir string) map[string][]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: %d files, error %v", dir, len(paths), err)
	}
	declared, unresolved := map[string]string{}, map[string][]*ast.Ident{}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for declares := range f.Scope.Objects {
			declared[declares] = name
		}
		unresolved[name] = f.Unresolved
	}
	uses := map[string][]string{}
	for name, idents := range unresolved {
		set := map[string]bool{}
		for _, id := range idents {
			if to, ok := declared[id.Name]; ok && to != name {
				set[to] = true
			}
		}
		uses[name] = slices.Sorted(maps.Keys(set))
	}
	return uses
}

// pathTo is a way from a file to another along what files use; nil if there is none.
func pathTo(uses map[string][]string, from, to string, seen map[string]bool) []string {
	for _, next := range uses[from] {
		if next == to {
			return []string{to}
		}
		if seen[next] {
			continue
		}
		seen[next] = true
		if rest := pathTo(uses, next, to, seen); rest != nil {
			return append([]string{next}, rest...)
		}
	}
	return nil
}
