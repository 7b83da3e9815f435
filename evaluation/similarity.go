package evaluation

import (
	"regexp"
	"strings"
)

// word is a run of letters, digits and underscores.
var word = regexp.MustCompile(`[\p{L}\p{N}_]+`)

// wordsOf is the set of a text's words in lower case.
func wordsOf(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range word.FindAllString(strings.ToLower(s), -1) {
		set[w] = true
	}
	return set
}

// jaccard is the share of common words, in [0,1]; 0 where a set is empty.
func jaccard(a, b map[string]bool) float64 {
	common := 0
	for w := range a {
		if b[w] {
			common++
		}
	}
	if common == 0 {
		return 0
	}
	return float64(common) / float64(len(a)+len(b)-common)
}

// SharedWords is the share of words that two texts have in common, in [0,1].
func SharedWords(a, b string) float64 { return jaccard(wordsOf(a), wordsOf(b)) }

// similarity only orders candidates: the share of common words, and half as much again for the same file and a near
// line.
func similarity(c Comment, h Truth) float64 {
	s := jaccard(wordsOf(c.Body), wordsOf(h.Body))
	if sameFile(c.File, h.File) {
		s += 0.25
		if c.Line != nil && h.Line != nil && abs(*c.Line-*h.Line) <= 3 {
			s += 0.25
		}
	}
	return s
}
