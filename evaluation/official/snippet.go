package official

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/prforge/prforge/evaluation/internal/python"
)

// maxDiffCharacters is how many characters of the diff the judge sees in the harness.
const maxDiffCharacters = 12000

// logicWords are the words that make a part of a diff weigh more.
var logicWords = []string{"if ", "switch ", "case ", "return ", "error", "panic", "parse", "timeout", "duration"}

// diffPart is one file's part of a diff.
type diffPart struct {
	file    string // new path
	text    string
	changed int // lines that begin with + or -, headers left out
	logic   int // how many of the logicWords occur
	test    bool
}

// snippet is the part of the diff that the judge sees: whole files while they fit, tests last, those with more
// changed lines and words of logic first. It silently skips files that do not fit. If none fits, it cuts the diff.
func snippet(diff string, maxCharacters int) string {
	parts := diffParts(diff)
	slices.SortStableFunc(parts, func(a, b diffPart) int {
		return cmp.Or(compareBool(a.test, b.test), cmp.Compare(b.changed+3*b.logic, a.changed+3*a.logic))
	})
	var shown []string
	used := 0
	for _, p := range parts {
		size := utf8.RuneCountInString(p.text)
		if len(shown) > 0 {
			size += 2 // the empty line between two parts
		}
		if used+size <= maxCharacters {
			shown = append(shown, p.text)
			used += size
		}
	}
	if len(shown) == 0 {
		return firstCharacters(diff, maxCharacters)
	}
	return strings.Join(shown, "\n\n")
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func firstCharacters(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// diffParts splits a diff at its lines "diff --git"; what comes before the
// first is dropped.
func diffParts(diff string) []diffPart {
	var parts []diffPart
	var lines []string
	flush := func() {
		if lines != nil {
			parts = append(parts, newDiffPart(lines))
		}
		lines = nil
	}
	for _, line := range python.Lines(diff) {
		if strings.HasPrefix(line, "diff --git ") {
			flush()
			lines = []string{line}
		} else if lines != nil {
			lines = append(lines, line)
		}
	}
	flush()
	return parts
}

func newDiffPart(lines []string) diffPart {
	p := diffPart{text: strings.Join(lines, "\n")}
	if _, file, ok := strings.Cut(lines[0], " b/"); ok {
		p.file = file
	}
	lower := python.Lower(p.file)
	for _, hint := range []string{"test/", "tests/", "_test.", ".test.", ".spec.", "__tests__/"} {
		p.test = p.test || strings.Contains(lower, hint)
	}
	for _, line := range lines {
		if strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "+++") || strings.HasPrefix(line, "-") &&
			!strings.HasPrefix(line, "---") {
			p.changed++
		}
	}
	lower = python.Lower(p.text)
	for _, word := range logicWords {
		if strings.Contains(lower, word) {
			p.logic++
		}
	}
	return p
}
