package syntax

import (
	"bytes"
	"regexp"
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
	found := append(variance.FindAllSubmatchIndex(src, -1), exportType.FindAllSubmatchIndex(src, -1)...)
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
