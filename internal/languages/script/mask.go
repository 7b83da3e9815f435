package script

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
func mask(src []byte) []byte {
	var found [][]int
	if mayVary(src) {
		found = variance.FindAllSubmatchIndex(src, -1)
	}
	if mayExportType(src) {
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

// mayVary reports whether variance could match, because a failed match takes long.
func mayVary(src []byte) bool {
	for i, c := range src {
		if c != '<' && c != ',' {
			continue
		}
		rest := behindComments(src[i+1 : min(i+1+maxComments, len(src))])
		if len(rest) < len("out ") {
			return true // it does not show here
		}
		for _, word := range []string{"in", "out"} {
			if after, ok := bytes.CutPrefix(rest, []byte(word)); ok && strings.IndexByte(blanks, after[0]) >= 0 {
				return true
			}
		}
	}
	return false
}

// maxComments is how far mayVary looks, so that comments full of commas cost no
// more than linear time.
const maxComments = 300

// behindComments is the text without the blanks and comments that it begins with;
// nothing when it ends in them.
func behindComments(text []byte) []byte {
	for {
		text = bytes.TrimLeft(text, blanks)
		end := "\n"
		switch {
		case bytes.HasPrefix(text, []byte("//")):
		case bytes.HasPrefix(text, []byte("/*")):
			text, end = text[2:], "*/"
		default:
			return text
		}
		_, text, _ = bytes.Cut(text, []byte(end))
	}
}

// mayExportType reports whether exportType could match.
func mayExportType(src []byte) bool {
	for {
		_, rest, ok := bytes.Cut(src, []byte("type"))
		if !ok {
			return false
		}
		if src = bytes.TrimLeft(rest, blanks); bytes.HasPrefix(src, []byte("*")) {
			return true
		}
	}
}

// blanks are what regular expressions call \s.
const blanks = "\t\n\f\r "
