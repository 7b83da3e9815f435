package syntax_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/syntax"
)

// repository is this repository: Go that is known to compile.
const repository = "../.."

// goFiles reads the Go files of this repository.
func goFiles(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := filepath.WalkDir(repository, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(p) != ".go" {
			return err
		}
		src, err := os.ReadFile(p)
		out[p] = src
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestAgainstGoParser: top-level names, lines and imports are those of Go's own
// parser.
func TestAgainstGoParser(t *testing.T) {
	for path, src := range goFiles(t) {
		tree, err := parser.ParseFile(token.NewFileSet(), path, src, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		f := languages.Parse(path, src, syntax.DefaultOptions())
		if f.Errors > 0 {
			t.Logf("%s: %d places unknown to the grammar", path, f.Errors)
			continue
		}
		var got, want []string
		for _, d := range f.Definitions {
			if d.Parent < 0 && d.Name != "_" {
				got = append(got, d.Qualified)
			}
		}
		for _, d := range tree.Decls {
			want = append(want, declared(d)...)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: defined %v, want %v", path, got, want)
		}
		if len(f.Imports) != len(tree.Imports) || f.Package != tree.Name.Name {
			t.Errorf("%s: package %s with %d imports, want %s with %d", path, f.Package, len(f.Imports), tree.Name.Name, len(tree.Imports))
		}
	}
}

// declared are the names of a declaration, methods by their type.
func declared(d ast.Decl) []string {
	var out []string
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			name = receiver(d.Recv.List[0].Type) + "." + name
		}
		out = append(out, name)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				out = append(out, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					out = append(out, n.Name)
				}
			}
		}
	}
	return slices.DeleteFunc(out, func(n string) bool { return n == "_" })
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// TestFragmentsOfGo: every fragment of every Go file here is legal to Go's own
// parser, in every form.
func TestFragmentsOfGo(t *testing.T) {
	if testing.Short() {
		t.Skip("parses every definition of the repository four times")
	}
	for path, src := range goFiles(t) {
		f := languages.Parse(path, src, syntax.DefaultOptions())
		for i, d := range f.Definitions {
			if d.Broken {
				continue
			}
			for form := syntax.Stub; form <= syntax.Documented; form++ {
				text := f.Compose(src, syntax.Pick{Def: i, Form: form})
				if !syntax.Parses(f.Language, text) {
					t.Errorf("%s: %s in form %d does not parse:\n%s", path, d.Qualified, form, text)
				}
				if _, err := parser.ParseFile(token.NewFileSet(), path, "package p\n"+text, parser.SkipObjectResolution); err != nil {
					t.Errorf("%s: %s in form %d: %v\n%s", path, d.Qualified, form, err, text)
				}
			}
		}
	}
}

// TestMemory: nothing of a parse outlives it, in Go's heap or in C's.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("parses 10,000 times")
	}
	src := []byte(strings.Repeat("func f(a int) error {\n\treturn g(a, func() { h(\"x\") })\n}\n", 12))
	src = append([]byte("package p\n"), src...)
	grow := func(n int) uint64 {
		for range n {
			languages.Parse("a.go", src, syntax.DefaultOptions())
		}
		runtime.GC()
		return resident(t)
	}
	before := grow(1_000)
	after := grow(10_000)
	const slack = 32 << 20
	if after > before+slack {
		t.Errorf("resident memory went from %d to %d MB", before>>20, after>>20)
	}
}

// resident is the resident memory of this process in bytes; the test is skipped
// where the system does not say.
func resident(t *testing.T) uint64 {
	t.Helper()
	stat, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("no /proc/self/statm")
	}
	fields := bytes.Fields(stat)
	var pages uint64
	for _, c := range fields[1] {
		pages = pages*10 + uint64(c-'0')
	}
	return pages * uint64(os.Getpagesize())
}

// BenchmarkParse parses the Go files of this repository, and those under the
// folder of PRFORGE_SOURCES in any language when it is set.
func BenchmarkParse(b *testing.B) {
	bench := func(name string, files map[string][]byte) {
		b.Run(name, func(b *testing.B) {
			total := 0
			for _, src := range files {
				total += len(src)
			}
			b.SetBytes(int64(total))
			b.ReportAllocs()
			for b.Loop() {
				for path, src := range files {
					languages.Parse(path, src, syntax.DefaultOptions())
				}
			}
		})
	}
	bench("this repository", goFiles(b))
	if dir := os.Getenv("PRFORGE_SOURCES"); dir != "" {
		for lang, files := range sourcesUnder(b, dir) {
			bench(lang.ID, files)
		}
	}
}

func sourcesUnder(b *testing.B, dir string) map[*syntax.Language]map[string][]byte {
	b.Helper()
	out := map[*syntax.Language]map[string][]byte{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		lang := languages.Detect(p)
		if err != nil || !d.Type().IsRegular() || lang == nil {
			return err
		}
		src, err := os.ReadFile(p)
		if out[lang] == nil {
			out[lang] = map[string][]byte{}
		}
		out[lang][p] = src
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return out
}
