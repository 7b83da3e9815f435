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

// circular are the packages whose files may use each other in a circle, with the reason. In all others a reader can go
// from the bottom file up.
var circular = map[string]string{
	"internal/languages/script": "the walker descends from statements to classes, variables, exports and tests, and back",
}

// TestFiles_OneWay finds files of a package that use each other in a circle. It follows the names of types, functions,
// variables and constants of the package, and those of its methods and fields that are not exported and that one file
// alone declares.
func TestFiles_OneWay(t *testing.T) {
	for _, p := range packages(t) {
		dir := strings.TrimPrefix(p.ImportPath, module)
		if circular[dir] != "" || len(p.GoFiles) == 0 {
			continue
		}
		uses := fileUses(t, p.Dir, p.GoFiles)
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
func fileUses(t *testing.T, dir string, names []string) map[string][]string {
	t.Helper()
	declared, members, files := map[string]string{}, map[string]string{}, map[string]*ast.File{}
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = f
		for declares := range f.Scope.Objects {
			declared[declares] = name
		}
		for _, id := range membersOf(f) {
			if where, ok := members[id]; ok && where != name {
				members[id] = "" // which one a use means is not known
			} else {
				members[id] = name
			}
		}
	}
	uses := map[string][]string{}
	for name, f := range files {
		set := map[string]bool{}
		for _, id := range f.Unresolved {
			set[declared[id.Name]] = true
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && !s.Sel.IsExported() {
				set[members[s.Sel.Name]] = true
			}
			return true
		})
		delete(set, "")
		delete(set, name)
		uses[name] = slices.Sorted(maps.Keys(set))
	}
	return uses
}

// membersOf lists the names of the methods and fields that a file declares.
func membersOf(f *ast.File) []string {
	var out []string
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv != nil {
				out = append(out, n.Name.Name)
			}
		case *ast.StructType:
			for _, field := range n.Fields.List {
				for _, id := range field.Names {
					out = append(out, id.Name)
				}
				if id, ok := embedded(field); ok {
					out = append(out, id.Name)
				}
			}
		case *ast.InterfaceType:
			for _, method := range n.Methods.List {
				for _, id := range method.Names {
					out = append(out, id.Name)
				}
			}
		}
		return true
	})
	return out
}

// embedded is the type of an embedded field, whose name is that of the field.
func embedded(field *ast.Field) (*ast.Ident, bool) {
	of := field.Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	id, ok := of.(*ast.Ident)
	return id, ok && len(field.Names) == 0
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
