package syntax_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/languages/golang"
	"github.com/prforge/prforge/internal/languages/java"
	"github.com/prforge/prforge/internal/languages/python"
	"github.com/prforge/prforge/internal/languages/script"
	"github.com/prforge/prforge/internal/syntax"
)

// describe writes down what is known of a file.
func describe(path string, src []byte) string {
	f := languages.Parse(path, src, syntax.DefaultOptions())
	f.Language = nil
	return cmp.Diff(nil, f, cmpopts.IgnoreUnexported(syntax.Definition{}, syntax.Assertion{}, syntax.File{}))
}

func nameOf(f *syntax.File, def int) string {
	if def < 0 {
		return "-"
	}
	return f.Definitions[def].Qualified
}

// TestLineEndings: carriage returns, a byte order mark, UTF-16 and a missing
// final newline change nothing of what a file holds.
func TestLineEndings(t *testing.T) {
	const src = "import os\n\n\ndef f(a):\n    return g(a)\n"
	want := describe("a.py", []byte(src))
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
		if diff := cmp.Diff(want, describe("a.py", variant)); diff != "" {
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
		{"unsupported", "a.f90", "end\n", syntax.DefaultOptions(), syntax.ReasonUnsupported},
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
			f := languages.Parse(test.path, []byte(test.src), test.opts)
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
	if f := languages.Parse("a.py", src, opts); f.Degraded != syntax.ReasonTimeLimit {
		t.Fatalf("degraded = %q, want the time limit", f.Degraded)
	}
	if f := languages.Parse("b.py", []byte("x = 1\n"), syntax.DefaultOptions()); f.Lines != 1 || len(f.Definitions) != 1 {
		t.Errorf("after a time limit: %+v", f)
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
		f := languages.Parse(name, []byte(src), syntax.DefaultOptions())
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
	f := languages.Parse("a.py", []byte(src), syntax.DefaultOptions())
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
	f := languages.Parse("a.txt", bytes.Repeat([]byte("x\n"), 7), opts)
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
		lang *syntax.Language
		text string
		want bool
	}{
		{python.Language, "def f():\n    ...\n", true},
		{python.Language, "def f(:\n", false},
		{python.Language, "    def f(self):\n        pass\n", true}, // the grammar ignores leading indentation
		{golang.Language, "func f() { /* ... */ }\n", true},
		{golang.Language, "func f( {", false},
		{script.TypeScript, "const x = <T>y;\n", true},
		{script.TSX, "const x = <T>y;\n", false},
		{java.Language, "class A { void m() { /* ... */ } }\n", true},
		{script.JavaScript, "let x = \xff;\n", false},
		{script.TypeScript, "interface A<out T, in out U = V> { in: T; out(in: U): void }\n", true},
		{script.TypeScript, "export type * from './x';\nexport type * as y from './y';\n", true},
		{script.TypeScript, "export type out = 1, in = 2;\n", false},
		{nil, "", false},
	} {
		if got := syntax.Parses(test.lang, test.text); got != test.want {
			t.Errorf("Parses(%v, %q) = %v", test.lang, test.text, got)
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
	f := languages.Parse("a.js", []byte(src), syntax.DefaultOptions())
	index := map[string]int{}
	for i, d := range f.Definitions {
		index[d.Name] = i
	}
	got := f.Compose([]byte(src), syntax.Pick{Def: index["o"], Form: syntax.Stub}, syntax.Pick{Def: index["m"], Form: syntax.Documented})
	if diff := cmp.Diff(want, got); !syntax.Parses(f.Language, got) || diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
