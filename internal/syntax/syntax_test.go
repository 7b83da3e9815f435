package syntax_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/prforge/prforge/internal/syntax"
)

var update = flag.Bool("update", false, "rewrite the golden parts of testdata")

// TestGolden parses the sources of each archive and compares all that is known
// of them, and how their parts are shown, with the part "want" after each.
func TestGolden(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
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
	f := syntax.Parse(path, src, syntax.DefaultOptions())
	var b strings.Builder
	fmt.Fprintf(&b, "%s package=%q degraded=%q errors=%d lines=%d\n", f.Language, f.Package, f.Degraded, f.Errors, f.Lines)
	for _, d := range f.Definitions {
		describeDefinition(&b, f, d)
	}
	for _, i := range f.Imports {
		fmt.Fprintf(&b, "import %s %q level=%d alias=%q names=%v type=%v static=%v lines=%v def=%s\n",
			i.Kind, i.Module, i.Level, i.Alias, i.Names, i.TypeOnly, i.Static, i.Lines, nameOf(f, i.Def))
	}
	for _, e := range f.Exports {
		fmt.Fprintf(&b, "export %s = %q\n", e.Name, e.Local)
	}
	for _, c := range f.Calls {
		fmt.Fprintf(&b, "call %d %q.%s args=%d literal=%q local=%v type=%q in %s\n", c.Line, c.Receiver, c.Name, c.Args, c.Literal, c.Local, c.Type, nameOf(f, c.Def))
	}
	for _, u := range f.Uses {
		fmt.Fprintf(&b, "use %d %q.%s\n", u.Line, u.Receiver, u.Name)
	}
	for _, s := range f.Statements {
		fmt.Fprintf(&b, "statement %v\n", s)
	}
	b.WriteString(fragments(t, f, src))
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
		fmt.Fprintf(b, "  test %s fixtures=%v subtests=%q assertions=", d.Test.Role, d.Test.Fixtures, d.Test.Subtests)
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

// TestLineEndings: carriage returns, a byte order mark, UTF-16 and a missing
// final newline change nothing of what a file holds.
func TestLineEndings(t *testing.T) {
	const src = "import os\n\n\ndef f(a):\n    return g(a)\n"
	want := describe(t, "a.py", []byte(src))
	utf16 := []byte("\xFF\xFE")
	for _, c := range []byte(src) {
		utf16 = append(utf16, c, 0)
	}
	for name, variant := range map[string][]byte{
		"crlf":             []byte(strings.ReplaceAll(src, "\n", "\r\n")),
		"byte order mark":  []byte("\xEF\xBB\xBF" + src),
		"utf-16":           utf16,
		"no final newline": []byte(strings.TrimSuffix(src, "\n")),
	} {
		if diff := cmp.Diff(want, describe(t, "a.py", variant)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

// TestRefused: what must not reach the C parser, and what degrades behind it.
func TestRefused(t *testing.T) {
	small := syntax.DefaultOptions()
	small.MaxBytes = 100
	for _, test := range []struct {
		name, path, src string
		opts            syntax.Options
		want            syntax.Reason
	}{
		{"at the size", "a.py", strings.Repeat("x = 1\n", 16) + "y=1\n", small, ""},
		{"one over the size", "a.py", strings.Repeat("x = 1\n", 16) + "yy=1\n", small, syntax.ReasonTooLarge},
		{"unsupported", "a.rb", "def f; end\n", syntax.DefaultOptions(), syntax.ReasonUnsupported},
		{"no extension", "Makefile", "all:\n", syntax.DefaultOptions(), syntax.ReasonUnsupported},
		{"NUL", "a.go", "package a\x00\n", syntax.DefaultOptions(), syntax.ReasonBinary},
		{"5 MB on one line", "a.js", "f(" + strings.Repeat("1,", 5<<19) + "1)", syntax.DefaultOptions(), syntax.ReasonTooLarge},
		{"minified", "a.js", strings.Repeat("f(1);", 4_001), syntax.DefaultOptions(), syntax.ReasonMinified},
		{"long line in a longer file", "a.py", "x = '" + strings.Repeat("a", 30_000) + "'\n" + strings.Repeat("y = 1\n", 8_000), syntax.DefaultOptions(), ""},
		{"nested at the limit", "a.py", strings.Repeat("[", 1_000) + strings.Repeat("]", 1_000) + "\n", syntax.DefaultOptions(), ""},
		{"nested over the limit", "a.py", strings.Repeat("[", 1_001) + strings.Repeat("]", 1_001) + "\n", syntax.DefaultOptions(), syntax.ReasonTooDeep},
		{"100,000 brackets", "a.java", strings.Repeat("{\n", 100_000), syntax.DefaultOptions(), syntax.ReasonTooDeep},
		{"prose", "a.py", strings.Repeat("It was the best of times, it was the worst of times?\n", 40), syntax.DefaultOptions(), syntax.ReasonErrors},
		{"definitions at the limit", "a.py", strings.Repeat("x = 1\n", 20_000), syntax.DefaultOptions(), ""},
		{"one definition more", "a.py", strings.Repeat("x = 1\n", 20_001), syntax.DefaultOptions(), syntax.ReasonTooMany},
		{"latin-1 in a comment", "a.py", "# caf\xe9\nx = 1\n", syntax.DefaultOptions(), ""},
		{"empty", "a.py", "", syntax.DefaultOptions(), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := syntax.Parse(test.path, []byte(test.src), test.opts)
			if f.Degraded != test.want {
				t.Fatalf("degraded = %q, want %q", f.Degraded, test.want)
			}
			if f.Degraded == "" {
				return
			}
			if len(f.Definitions) > 0 || f.Enclosing(1) != -1 {
				t.Error("a degraded file has definitions")
			}
			if w := f.Window(1); w.Start != 1 || w.End < 1 {
				t.Errorf("window of line 1 is %v", w)
			}
			if f.Compose([]byte(test.src), syntax.Pick{}) != "" {
				t.Error("a degraded file was composed")
			}
		})
	}
}

// TestTimeLimit: a parser that ran out of time leaves nothing behind for the next
// source.
func TestTimeLimit(t *testing.T) {
	opts := syntax.DefaultOptions()
	opts.TimeLimit = 1_000 // a microsecond
	src := []byte(strings.Repeat("def f(a):\n    return [a, (a, {a: a})]\n", 20_000))
	if f := syntax.Parse("a.py", src, opts); f.Degraded != syntax.ReasonTimeLimit {
		t.Fatalf("degraded = %q, want the time limit", f.Degraded)
	}
	if got := describe(t, "b.py", []byte("x = 1\n")); !strings.Contains(got, "lines=1\n") {
		t.Errorf("after a time limit: %s", got)
	}
}

// TestNested: depth that no bracket shows must not exhaust the stack either.
func TestNested(t *testing.T) {
	for name, src := range map[string]string{
		"a.js":   "x = " + strings.Repeat("!\n", 40_000) + "1",
		"b.js":   "x = " + strings.Repeat("a =>\n", 40_000) + "1",
		"c.py":   "x = " + strings.Repeat("not \\\n", 40_000) + "1\n",
		"d.go":   "package a\nvar x = " + strings.Repeat("-\n", 40_000) + "1\n",
		"e.java": "class A { int x = " + strings.Repeat("1 +\n", 40_000) + "1; }",
		"f.tsx":  "const x = " + strings.Repeat("<a>\n", 20_000),
		"g.js":   strings.Repeat("if (a) b; else\n", 20_000) + "c;",
		"h.py":   "x = " + strings.Repeat("a.\\\n", 40_000) + "b\n",
		"i.ts":   "type T = " + strings.Repeat("A extends B ? C :\n", 20_000) + "D",
	} {
		f := syntax.Parse(name, []byte(src), syntax.DefaultOptions())
		t.Logf("%s: %d bytes, degraded %q, %d errors, %d definitions", name, len(src), f.Degraded, f.Errors, len(f.Definitions))
	}
}

func TestEnclosing(t *testing.T) {
	const src = `import os

# about A
class A:
    x = 1

    @property
    def m(self):
        def inner():
            return 1
        return inner()


if os:
    y = 2
`
	f := syntax.Parse("a.py", []byte(src), syntax.DefaultOptions())
	for line, want := range map[int]string{1: "-", 2: "-", 3: "A", 4: "A", 5: "A.x", 6: "A", 7: "A.m", 8: "A.m", 10: "A.m.inner", 11: "A.m", 12: "-", 14: "-", 99: "-"} {
		if got := nameOf(f, f.Enclosing(line)); got != want {
			t.Errorf("line %d is in %s, want %s", line, got, want)
		}
	}
	if got, want := f.StatementAt(15), (syntax.Span{Start: 14, End: 15}); got != want {
		t.Errorf("statement at 15 is %v, want %v", got, want)
	}
}

func TestWindow(t *testing.T) {
	opts := syntax.DefaultOptions()
	opts.WindowLines = 3
	f := syntax.Parse("a.txt", bytes.Repeat([]byte("x\n"), 7), opts)
	for line, want := range map[int]syntax.Span{0: {}, 1: {Start: 1, End: 3}, 3: {Start: 1, End: 3}, 4: {Start: 4, End: 6}, 7: {Start: 7, End: 7}, 8: {}} {
		if got := f.Window(line); got != want {
			t.Errorf("window of line %d is %v, want %v", line, got, want)
		}
	}
	if got := f.Text(bytes.Repeat([]byte("x\r\n"), 7), syntax.Span{Start: 6, End: 9}); got != "x\nx\n" {
		t.Errorf("text = %q", got)
	}
}

func TestParses(t *testing.T) {
	for _, test := range []struct {
		lang syntax.Language
		text string
		want bool
	}{
		{syntax.Python, "def f():\n    ...\n", true},
		{syntax.Python, "def f(:\n", false},
		{syntax.Python, "    def f(self):\n        pass\n", true}, // the grammar ignores leading indentation
		{syntax.Go, "func f() { /* ... */ }\n", true},
		{syntax.Go, "func f( {", false},
		{syntax.TypeScript, "const x = <T>y;\n", true},
		{syntax.TSX, "const x = <T>y;\n", false},
		{syntax.Java, "class A { void m() { /* ... */ } }\n", true},
		{syntax.JavaScript, "let x = \xff;\n", false},
		{syntax.TypeScript, "interface A<out T, in out U = V> { in: T; out(in: U): void }\n", true},
		{syntax.TypeScript, "export type * from './x';\nexport type * as y from './y';\n", true},
		{syntax.TypeScript, "export type out = 1, in = 2;\n", false},
		{"cobol", "", false},
	} {
		if got := syntax.Parses(test.lang, test.text); got != test.want {
			t.Errorf("Parses(%s, %q) = %v", test.lang, test.text, got)
		}
	}
}

// TestCompose: several members in one text, in source order whatever the order
// of the picks.
func TestCompose(t *testing.T) {
	const src = `class A {
  constructor() { this.x = 1; }

  // about m
  m(a) { return a; }

  n() {}
  o() { return 2; }
}
`
	const want = `class A {
  // ...
  // about m
  m(a) { return a; }
  // ...
  o() { /* ... */ }
}
`
	f := syntax.Parse("a.js", []byte(src), syntax.DefaultOptions())
	index := map[string]int{}
	for i, d := range f.Definitions {
		index[d.Name] = i
	}
	got := f.Compose([]byte(src), syntax.Pick{Def: index["o"], Form: syntax.Stub}, syntax.Pick{Def: index["m"], Form: syntax.Documented})
	if diff := cmp.Diff(want, got); !syntax.Parses(f.Language, got) || diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
