package languages_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/syntax"
)

var update = flag.Bool("update", false, "rewrite the golden parts of testdata")

// TestGolden parses the sources of each archive and compares all that is known
// of them, and how their parts are shown, with the part "want" after each.
func TestGolden(t *testing.T) {
	archives, err := filepath.Glob("*/testdata/syntax.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		t.Run(filepath.Base(filepath.Dir(filepath.Dir(name))), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			out := &txtar.Archive{Comment: archive.Comment}
			for _, f := range archive.Files {
				if !strings.HasPrefix(f.Name, "want/") {
					got := describe(t, f.Name, f.Data)
					out.Files = append(out.Files, f, txtar.File{Name: "want/" + f.Name, Data: []byte(got)})
				}
			}
			if *update {
				if err := os.WriteFile(name, txtar.Format(out), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(txtar.Format(archive)), string(txtar.Format(out))); diff != "" {
				t.Errorf("-want +got, -update to accept:\n%s", diff)
			}
		})
	}
}

// describe writes a file down, one fact a line, then its fragments. It fails the
// test for a fragment that does not parse.
func describe(t *testing.T, path string, src []byte) string {
	t.Helper()
	f := languages.Parse(path, src, syntax.DefaultOptions())
	var b strings.Builder
	fmt.Fprintf(&b, "%s package=%q degraded=%q errors=%d lines=%d\n", f.Language.ID, f.Package, f.Degraded, f.Errors, f.Lines)
	for _, d := range f.Definitions {
		describeDefinition(&b, f, d)
	}
	for _, i := range f.Imports {
		fmt.Fprintf(&b, "import %s %q level=%d alias=%q names=%v static=%v lines=%v def=%s\n",
			i.Kind, i.Module, i.Level, i.Alias, i.Names, i.Static, i.Lines, nameOf(f, i.Def))
	}
	for _, e := range f.Exports {
		fmt.Fprintf(&b, "export %s = %q\n", e.Name, e.Local)
	}
	for _, c := range f.Calls {
		fmt.Fprintf(&b, "call %d %q.%s args=%d local=%v type=%q in %s\n", c.Line, c.Receiver, c.Name, c.Args, c.Local, c.Type, nameOf(f, c.Def))
	}
	for _, u := range f.Uses {
		fmt.Fprintf(&b, "use %d %q.%s\n", u.Line, u.Receiver, u.Name)
	}
	for _, s := range f.Statements {
		fmt.Fprintf(&b, "statement %v\n", s)
	}
	b.WriteString(fragments(t, f, src))
	reductions(t, f, src)
	return b.String()
}

func describeDefinition(b *strings.Builder, f *syntax.File, d syntax.Definition) {
	fmt.Fprintf(b, "%s %s lines=%v", d.Kind, d.Qualified, d.Lines)
	if d.Doc.Start > 0 {
		fmt.Fprintf(b, " doc=%v", d.Doc)
	}
	if d.Body.Start > 0 {
		fmt.Fprintf(b, " body=%v", d.Body)
	}
	if d.Exported {
		b.WriteString(" exported")
	}
	if d.Broken {
		b.WriteString(" broken")
	}
	if d.Parent >= 0 {
		fmt.Fprintf(b, " in %s", nameOf(f, d.Parent))
	}
	if len(d.Bases) > 0 {
		fmt.Fprintf(b, " bases=%v", d.Bases)
	}
	fmt.Fprintf(b, " | %s\n", d.Signature)
	if d.Test != nil {
		fmt.Fprintf(b, "  test %s fixtures=%v assertions=", d.Test.Role, d.Test.Fixtures)
		for _, a := range d.Test.Assertions {
			fmt.Fprintf(b, "%v", a.Lines)
		}
		b.WriteString("\n")
	}
}

func nameOf(f *syntax.File, def int) string {
	if def < 0 {
		return "-"
	}
	return f.Definitions[def].Qualified
}

// reductions fails the test for a reduced form that does not parse, of each
// definition around each of its lines.
func reductions(t *testing.T, f *syntax.File, src []byte) {
	t.Helper()
	r, ok := f.NewReducer(src, syntax.DefaultOptions())
	if !ok {
		return
	}
	defer r.Close()
	for i, d := range f.Definitions {
		for line := d.Lines.Start; line <= d.Lines.End; line++ {
			all := r.Reduce(i, []int{line})
			if heads, ok := r.Heads(i, []int{line}); ok {
				all = append(all, heads)
			}
			for n, reduction := range all {
				text := f.Compose(src, syntax.Pick{Def: i, Form: syntax.Reduced, Reduction: reduction})
				if !syntax.Parses(f.Language, text) {
					t.Errorf("%s: reduction %d of %s around line %d does not parse:\n%s", f.Path, n, d.Qualified, line, text)
				}
			}
		}
	}
}

// fragments shows each definition as a stub, each test with its assertions, each
// type as a skeleton.
func fragments(t *testing.T, f *syntax.File, src []byte) string {
	t.Helper()
	var b strings.Builder
	for i, d := range f.Definitions {
		for form := syntax.Stub; form <= syntax.Documented; form++ {
			text := f.Compose(src, syntax.Pick{Def: i, Form: form})
			if !d.Broken && !syntax.Parses(f.Language, text) {
				t.Errorf("%s: %s in form %d does not parse:\n%s", f.Path, d.Qualified, form, text)
			}
			if form == syntax.Stub || form == syntax.Asserted && d.Test != nil && len(d.Test.Assertions) > 0 {
				fmt.Fprintf(&b, "--- %s form %d\n%s", d.Qualified, form, text)
			}
		}
	}
	for _, s := range f.Statements {
		if text := f.Text(src, s); text == "" || !syntax.Parses(f.Language, text) {
			t.Errorf("%s: statement %v does not parse:\n%s", f.Path, s, text)
		}
	}
	return b.String()
}

// FuzzParse parses any bytes as a language and checks what File promises. Its
// seeds are the sources of the golden archives, whole and in parts.
func FuzzParse(f *testing.F) {
	archives, err := filepath.Glob("*/testdata/syntax.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if strings.HasPrefix(file.Name, "want/") {
				continue
			}
			f.Add(file.Name, file.Data)
			for _, part := range strings.SplitAfter(string(file.Data), "\n\n") {
				f.Add(file.Name, []byte(part))
			}
		}
	}
	f.Fuzz(func(t *testing.T, path string, src []byte) {
		got := languages.Parse(path, src, syntax.DefaultOptions())
		if again := languages.Parse(path, src, syntax.DefaultOptions()); !reflect.DeepEqual(got, again) {
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

// TestAssertions_Go counts what each statement of a test checks.
func TestAssertions_Go(t *testing.T) {
	for statement, want := range map[string]int{
		"Expect(x).To(Equal(1))": 1, "Eventually(f)": 1, "Consistently(f)": 1, "assertSame(x)": 1, "requireSame(x)": 1, "look(x)": 0,
		"assert.Equal(t, 1, x)": 1, "t.Fatal(x)": 1, "t.Log(x)": 0, "t.Equal(x)": 0, "c.Equal(x)": 1, "s.Require().NoError(x)": 1, "x.Expect(y)": 1, "x.Equal(y)": 0,
		"if x != 1 {\n\t\tt.Error(x)\n\t}": 1, "if x != 1 {\n\t\tt.Log(x)\n\t}": 0,
	} {
		f := languages.Parse("a_test.go", []byte("package a\n\nfunc TestA(t *testing.T) {\n\t"+statement+"\n}\n"), syntax.DefaultOptions())
		if len(f.Definitions) != 1 || f.Definitions[0].Test == nil || len(f.Definitions[0].Test.Assertions) != want {
			t.Errorf("%s: %+v, want %d assertions", statement, f.Definitions, want)
		}
	}
}
