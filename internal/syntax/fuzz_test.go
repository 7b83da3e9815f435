package syntax_test

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/prforge/prforge/internal/syntax"
)

func FuzzPython(f *testing.F)     { fuzz(f, "a_test.py", "testdata/python.txtar") }
func FuzzGo(f *testing.F)         { fuzz(f, "a_test.go", "testdata/golang.txtar") }
func FuzzJava(f *testing.F)       { fuzz(f, "ATest.java", "testdata/java.txtar") }
func FuzzJavaScript(f *testing.F) { fuzz(f, "a.test.js", "testdata/script.txtar") }
func FuzzTypeScript(f *testing.F) { fuzz(f, "a.test.ts", "testdata/script.txtar") }
func FuzzTSX(f *testing.F)        { fuzz(f, "a.test.tsx", "testdata/script.txtar") }

// fuzz parses any bytes as the language and holds the answer to what File
// promises. Its seeds are the sources of the golden archive, whole and by line.
func fuzz(f *testing.F, path, seeds string) {
	archive, err := txtar.ParseFile(seeds)
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range archive.Files {
		if strings.HasPrefix(file.Name, "want/") {
			continue
		}
		f.Add(file.Data)
		for _, part := range strings.SplitAfter(string(file.Data), "\n\n") {
			f.Add([]byte(part))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		got := syntax.Parse(path, src, syntax.DefaultOptions())
		if again := syntax.Parse(path, src, syntax.DefaultOptions()); !reflect.DeepEqual(got, again) {
			t.Fatal("two parses differ")
		}
		checkFile(t, got)
		for i := range got.Definitions {
			for form := syntax.Stub; form <= syntax.Documented; form++ {
				text := got.Compose(src, syntax.Pick{Def: i, Form: form})
				if !utf8.ValidString(text) || !strings.HasSuffix(text, "\n") {
					t.Fatalf("fragment of %s: %q", got.Definitions[i].Qualified, text)
				}
			}
		}
		for _, s := range got.Statements {
			got.Text(src, s)
		}
	})
}

// checkFile holds a file to the order and ranges that its fields promise.
func checkFile(t *testing.T, f *syntax.File) {
	t.Helper()
	inside := func(what string, s syntax.Span) {
		if s.Start < 1 || s.End < s.Start || s.End > f.Lines {
			t.Fatalf("%s has lines %v of %d", what, s, f.Lines)
		}
	}
	if f.Degraded != "" && len(f.Definitions)+len(f.Imports)+len(f.Calls)+len(f.Uses)+len(f.Statements) > 0 {
		t.Fatal("a degraded file holds facts")
	}
	for i, d := range f.Definitions {
		inside(d.Qualified, d.Lines)
		if d.Name == "" && !d.Broken {
			t.Fatalf("definition %d has no name", i)
		}
		if d.Parent >= i || d.Parent < -1 {
			t.Fatalf("definition %d has parent %d", i, d.Parent)
		}
		if d.Doc.Start > 0 && (d.Doc.End >= d.Lines.Start || d.Doc.Start > d.Doc.End) {
			t.Fatalf("doc %v of lines %v", d.Doc, d.Lines)
		}
		if d.Test != nil {
			for _, a := range d.Test.Assertions {
				inside("assertion", a.Lines)
			}
		}
	}
	for _, im := range f.Imports {
		inside(im.Module, im.Lines)
		if im.Def >= len(f.Definitions) {
			t.Fatal("import inside no definition")
		}
	}
	for _, c := range f.Calls {
		if c.Line < 1 || c.Line > f.Lines || c.Def >= len(f.Definitions) || c.Name == "" {
			t.Fatalf("call %+v", c)
		}
	}
	for _, s := range f.Statements {
		inside("statement", s)
	}
	byLine := f.EnclosingByLine()
	for line := 1; line <= min(f.Lines, 50); line++ {
		if got, want := append(byLine, -1)[min(line, len(byLine))], f.Enclosing(line); got != want {
			t.Fatalf("line %d is in definition %d, by line in %d", line, want, got)
		}
		if i := f.Enclosing(line); i >= 0 && !f.Definitions[i].Lines.Contains(line) && !f.Definitions[i].Doc.Contains(line) {
			t.Fatalf("line %d is not in %s", line, f.Definitions[i].Qualified)
		}
		if w := f.Window(line); !w.Contains(line) {
			t.Fatalf("line %d is not in its window %v", line, w)
		}
	}
}
