package pathkind

import (
	"regexp/syntax"
	"slices"
	"testing"
)

// TestHintsCoverThePatterns writes out what the patterns for tests can match,
// one path for each choice in them, and checks the hints against it.
func TestHintsCoverThePatterns(t *testing.T) {
	for _, pattern := range []string{testDirectory.String(), testFile.String()} {
		re, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		paths := written(re)
		if len(paths) < 20 {
			t.Fatalf("%d paths written out of %s", len(paths), pattern)
		}
		for _, p := range paths {
			if !isTest(p) {
				t.Fatalf("%q was written out of a pattern that it does not match", p)
			}
			if !IsTest(p) {
				t.Errorf("IsTest(%q) = false: no hint is in it", p)
			}
		}
	}
}

// written gives the shortest texts that an expression matches, one for each of
// its choices. A class of characters stands for its first and its last one.
func written(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{string(re.Rune)}
	case syntax.OpCharClass:
		return []string{string(re.Rune[0]), string(re.Rune[len(re.Rune)-1])}
	case syntax.OpCapture, syntax.OpPlus:
		return written(re.Sub[0])
	case syntax.OpQuest:
		return append(written(re.Sub[0]), "")
	case syntax.OpConcat:
		out := []string{""}
		for _, sub := range re.Sub {
			var longer []string
			for _, tail := range written(sub) {
				for _, head := range out {
					longer = append(longer, head+tail)
				}
			}
			out = longer
		}
		return out
	case syntax.OpAlternate:
		var out []string
		for _, sub := range re.Sub {
			out = append(out, written(sub)...)
		}
		return slices.Compact(out)
	}
	return []string{""} // anchors, and what may be left out
}
