package substance

import (
	"strings"
	"testing"

	"github.com/go-enry/go-enry/v2"

	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/unidiff"
)

// TestOnlyComments: the hunk of each row starts at the first line of the file.
func TestOnlyComments(t *testing.T) {
	cases := []struct {
		name, path string
		hunk       string
		want       bool
	}{
		{"a line comment", "a.go", " x := 1\n-// Old.\n+// New.", true},
		{"a comment behind code", "a.go", "-x := 1 // old\n+x := 1 // new", true},
		{"a new comment", "a.py", " x = 1\n+# Says why.\n+", true},
		{"code", "a.go", "-x := 1 // one\n+x := 2 // one", false},
		{"code that is commented out", "a.go", "-x := 1\n+// x := 1", false},
		{"a mark inside a string", "a.js", "-get('http://a')\n+get('http://b')", false},
		{"a block mark inside a string", "a.js", " glob('src/**')\n-one()\n+two()", false},
		{"documentation of Java", "A.java", " /**\n- * Old.\n+ * New.\n+ * More.\n  */\n void a() {}", true},
		{"documentation that begins above", "A.java", "- * Old.\n+ * New.\n  */\n void a() {}", true},
		{"text of a block that begins above", "a.c.ts", "-old words\n+new words\n */", false},
		{"a block", "a.ts", " /* one\n-   old\n+   new\n */\n a();", true},
		{"a docstring", "a.py", " def f(x):\n     \"\"\"Does it.\n-    Old.\n+    New.\n     \"\"\"\n     return x", true},
		{"a docstring that begins above", "a.py", "-    Old.\n+    New.\n     \"\"\"\n     return x", false},
		{"a string that is no docstring", "a.py", " query = \"\"\"\n-select a\n+select b\n \"\"\"", false},
		{"indentation", "a.py", " if x:\n     f()\n-    g()\n+g()", false},
		{"blank lines", "a.py", " f()\n+\n g()", true},
		{"a build constraint", "a.go", "-//go:build linux\n+//go:build darwin", false},
		{"a type for the checker", "a.py", "-x = f()  # old\n+x = f()  # new", true},
		{"an ignored error", "a.ts", "+// @ts-ignore\n f();", false},
		{"no source file", "a.yaml", "-# old\n+# new", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := &unidiff.File{OldPath: c.path, NewPath: c.path, Hunks: []unidiff.Hunk{{OldStart: 1, NewStart: 1}}}
			for line := range strings.SplitSeq(c.hunk, "\n") {
				kind := unidiff.Context
				switch {
				case strings.HasPrefix(line, "+"):
					kind = unidiff.Added
				case strings.HasPrefix(line, "-"):
					kind = unidiff.Deleted
				}
				text := ""
				if line != "" {
					text = line[1:]
				}
				f.Hunks[0].Lines = append(f.Hunks[0].Lines, unidiff.Line{Kind: kind, Text: text})
			}
			if got := OnlyComments(f); got != c.want {
				t.Errorf("got %v", got)
			}
		})
	}
	if OnlyComments(&unidiff.File{OldPath: "a.go", NewPath: "b.go"}) {
		t.Error("a file that is renamed changes no comment")
	}
}

// TestCommentMarks_EveryLanguage: a comment is found in the files of every
// language that prforge reads.
func TestCommentMarks_EveryLanguage(t *testing.T) {
	for _, name := range languages.Names() {
		for _, ext := range enry.GetLanguageExtensions(name) {
			l := languages.Detect("x" + ext)
			if l == nil || l.Name != name {
				continue
			}
			if got := commentMarks("x" + ext).code([]string{"code " + l.LineComment + " words"}); got != "code" {
				t.Errorf("%s: %q is left of a line with a comment", ext, got)
			}
		}
	}
}
