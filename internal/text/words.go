package text

import (
	"regexp"
	"strings"
)

// word is a run of letters, digits and underscores.
var word = regexp.MustCompile(`[\p{L}\p{N}_]+`)

// Words is the set of a text's words in lower case.
func Words(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range word.FindAllString(strings.ToLower(s), -1) {
		set[w] = true
	}
	return set
}

// Jaccard is the share of common words, in [0,1]; 0 where a set is empty.
func Jaccard(a, b map[string]bool) float64 {
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
func SharedWords(a, b string) float64 { return Jaccard(Words(a), Words(b)) }
