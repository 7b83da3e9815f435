package contextbuilder

import (
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/syntax"
	"github.com/prforge/prforge/internal/unidiff"
)

// TestOrdered_FilesAlternate: tiers come first, then the first snippet of each file,
// then the second of each.
func TestOrdered_FilesAlternate(t *testing.T) {
	var in []*snippet
	for _, s := range []struct {
		path string
		tier int
	}{{"a", 1}, {"a", 0}, {"a", 0}, {"a", 0}, {"b", 0}, {"b", 0}, {"c", 1}, {"b", 1}, {"c", 0}} {
		in = append(in, &snippet{source: &source{path: s.path}, tier: s.tier, def: len(in)})
	}
	var got []int
	for _, o := range ordered(in) {
		got = append(got, o.def)
	}
	if want := []int{1, 4, 8, 2, 5, 3, 0, 6, 7}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestCompare: a definition is neither added nor removed where the other side of the
// file could not be read.
func TestCompare(t *testing.T) {
	file := languages.Parse("a.py", []byte("def f():\n    return 1\n"), syntax.DefaultOptions())
	for name, tc := range map[string]struct {
		c    change
		want string
	}{
		"a new file":       {change{is: file, diff: &unidiff.File{NewPath: "a.py"}}, "; adds f"},
		"a deleted file":   {change{was: file, diff: &unidiff.File{OldPath: "a.py"}}, "; removes f"},
		"before not known": {change{is: file, diff: &unidiff.File{OldPath: "a.py", NewPath: "a.py"}}, ""},
		"after not known":  {change{was: file, diff: &unidiff.File{OldPath: "a.py", NewPath: "a.py"}}, ""},
		"another signature": {change{was: file, is: languages.Parse("a.py", []byte("def f(x):\n    return 1\n"), syntax.DefaultOptions()), diff: &unidiff.File{OldPath: "a.py", NewPath: "a.py"}},
			"; signature `def f()` becomes `def f(x)`"},
		"the same":      {change{was: file, is: file, diff: &unidiff.File{OldPath: "a.py", NewPath: "a.py"}}, ""},
		"neither known": {change{diff: &unidiff.File{OldPath: "a.py", NewPath: "a.py"}}, ""},
	} {
		if got := compare(&tc.c).describe(maxSummaryNames); strings.TrimSpace(got) != strings.TrimSpace(tc.want) {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}
