package syntax

import (
	"bytes"
	"regexp"
	"strings"
)

// What the TypeScript grammar does not know yet, and what can be blanked out
// without changing what the rest means: variance marks on type parameters
// ("interface Box<out T>") and "export type *".
var (
	variance   = regexp.MustCompile(`[<,]\s*(?:/\*(?:[^*]|\*+[^*/])*\*+/\s*|//[^\n]*\n\s*)*((?:in\s+out|in|out)\s)\s*[A-Za-z_$]`)
	exportType = regexp.MustCompile(`\bexport\s+(type)\s*\*`)
)

// mask is the source with blanks in place of such words, for the parser alone:
// every offset stays, and text is taken from the source itself.
func mask(lang Language, src []byte) []byte {
	if lang != TypeScript && lang != TSX {
		return src
	}
	var found [][]int
	if mayVary(src) {
		found = variance.FindAllSubmatchIndex(src, -1)
	}
	if bytes.Contains(src, []byte("type")) {
		found = append(found, exportType.FindAllSubmatchIndex(src, -1)...)
	}
	if len(found) == 0 {
		return src
	}
	out := bytes.Clone(src)
	for _, m := range found {
		for i := m[2]; i < m[3]; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	return out
}

// mayVary reports whether variance could match: it takes long to find that it
// does not.
func mayVary(src []byte) bool {
	for i, c := range src {
		if c != '<' && c != ',' {
			continue
		}
		rest := bytes.TrimLeft(src[i+1:], blanks)
		if bytes.HasPrefix(rest, []byte("/")) {
			return true // a comment, or not; either is rare
		}
		for _, word := range []string{"in", "out"} {
			after, ok := bytes.CutPrefix(rest, []byte(word))
			if ok && len(after) > 0 && strings.IndexByte(blanks, after[0]) >= 0 {
				return true
			}
		}
	}
	return false
}

// blanks are what regular expressions call \s.
const blanks = "\t\n\f\r "
