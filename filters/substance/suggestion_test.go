package substance

import (
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// TestSuggestionCounts checks which suggestions make up for words.
func TestSuggestionCounts(t *testing.T) {
	two, three := 2, 3
	for _, c := range []struct {
		name, path, hunk, suggested string
		first, last                 *int
		counts                      bool
	}{
		{"another condition", "requirements/sqs.txt", "@@ -1,2 +1,2 @@\n boto3>=1.9\n+pycurl; a != 'win32'; b", "pycurl; a != 'win32' and b", nil, nil, true},
		{"another string", "verify.sh", "@@ -1 +1 @@\n+  if [[ \"${k}\" == \"github.com/acme\"* ]]; then", "  if [[ \"${k}\" == \"github.com/other\"* ]]; then", nil, nil, true},
		{"a deleted line", "a.go", "@@ -1 +1 @@\n+\tx++", "", nil, nil, true},
		{"a mark inside a string", "a.go", "@@ -1 +1 @@\n+\tx := \"a//b\"", "\tx := \"a//c\"", nil, nil, true},
		{"white space", "a.go", "@@ -1 +1 @@\n+\tx  ++", "x++", nil, nil, false},
		{"a comment in Go", "a.go", "@@ -1 +1 @@\n+\tx++ // one", "\tx++ // two", nil, nil, false},
		{"a comment added in Java", "A.java", "@@ -1 +1 @@\n+\tx++;", "\t// as there is one more\n\tx++; /* it */", nil, nil, false},
		{"Javadoc", "A.java", "@@ -1 +1 @@\n+ * One.", " * Two.", nil, nil, false},
		{"a comment in Python", "a.py", "@@ -1 +1 @@\n+x = 1  # one", "x = 1  # two", nil, nil, false},
		{"a docstring", "a.py", "@@ -1,3 +1,3 @@\n+def f():\n+    \"\"\"One.\n+    Two.", "    Three.", nil, nil, false},
		{"below a docstring", "a.py", "@@ -1,3 +1,3 @@\n+def f():\n+    \"\"\"One.\"\"\"\n+    return 1", "    return 2", nil, nil, true},
		{"Markdown", "README.md", "@@ -1 +1 @@\n+x = 1", "x = 2", nil, nil, false},
		{"two lines of which the first stays", "a.go", "@@ -1,3 +1,3 @@\n+a()\n+b()\n+c()", "b()\nc()", &two, &three, false},
		{"a last line without a first", "a.go", "@@ -1,3 +1,3 @@\n+a()\n+b()\n+c()", "c()", nil, &three, false},
		{"two lines", "a.go", "@@ -1,3 +1,3 @@\n+a()\n+b()\n+c()", "b()", &two, &three, true},
		{"a deleted line under the comment", "a.go", "@@ -1 +0,0 @@\n-x++", "x--", nil, nil, false},
		{"an optional type in another notation", "a.py", "@@ -1 +1 @@\n+def f(x: Optional[Dict[str, int]] = None):", "def f(x: dict[str, int] | None = None):", nil, nil, false},
		{"another optional type", "a.py", "@@ -1 +1 @@\n+def f(x: Optional[Dict[str, int]] = None):", "def f(x: dict[str, str] | None = None):", nil, nil, true},
		{"a type for older versions", "a.py", "@@ -1 +1 @@\n+def f(x: int | None):", "def f(x: Optional[int]):", nil, nil, true},
		{"a blank line in JSON", "a.json", "@@ -1 +1,2 @@\n+{", "{\n\n", nil, nil, false},
		{"other quotes", "a.js", "@@ -1 +1 @@\n+f('a')", "f(\"a\")", nil, nil, false},
		{"a rune for a string", "a.go", "@@ -1 +1 @@\n+f('a')", "f(\"a\")", nil, nil, true},
		{"no hunk", "a.go", "", "x--", nil, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			comment := remark("```suggestion\n" + c.suggested + "\n```\nbetter")
			comment.DiffHunk = c.hunk
			pull := withThreads([]model.Comment{comment})
			pull.Threads[0].Path, pull.Threads[0].OriginalStartLine, pull.Threads[0].OriginalLine = c.path, c.first, c.last
			for counts, want := range map[bool]bool{true: c.counts, false: false} {
				o := DefaultOptions()
				o.SuggestionCounts, o.Refinements = counts, nil
				got := Label(pull, testRegistry(t), o).Comments[0]
				if got.Substantive != want || !want && got.Reason != string(verdict.TooFewWords) {
					t.Errorf("suggestion_counts %v: substantive %v, reason %q, want %v", counts, got.Substantive, got.Reason, want)
				}
			}
		})
	}
}

// TestNotation checks that another notation is style, unless a sentence names
// what it brings about.
func TestNotation(t *testing.T) {
	for body, want := range map[string]verdict.Code{
		"We write optional types with a bar in all the other modules of this package.":                 verdict.StyleOnly,
		"This fails on the oldest version that we support, where `typing` has no such name to import.": "",
	} {
		comment := remark(body + "\n```suggestion\ndef f(x: int | None):\n```")
		comment.DiffHunk = "@@ -1 +1 @@\n+def f(x: Optional[int]):"
		pull := withThreads([]model.Comment{comment})
		pull.Threads[0].Path = "a.py"
		if got := Label(pull, testRegistry(t), DefaultOptions()).Comments[0].Reason; got != string(want) {
			t.Errorf("%s: reason %q, want %q", body, got, want)
		}
	}
}
