package syntax

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/prforge/prforge/internal/text"
)

// Reason is why a file has no syntax, only line windows.
type Reason string

// The reasons, in the order in which they are looked for.
const (
	ReasonUnsupported Reason = "unsupported language"
	ReasonBinary      Reason = "binary content"
	ReasonTooLarge    Reason = "too large"
	ReasonMinified    Reason = "a line is too long"
	ReasonTooDeep     Reason = "nested too deeply"
	ReasonTimeLimit   Reason = "time limit"
	ReasonErrors      Reason = "too many syntax errors"
	ReasonTooMany     Reason = "too many definitions"
)

// refuse is why the source must not be handed to the C parser; "" if it may.
func refuse(src []byte, supported bool, opts Options) Reason {
	switch {
	case !supported:
		return ReasonUnsupported
	case bytes.IndexByte(src, 0) >= 0:
		return ReasonBinary
	case len(src) > opts.MaxBytes:
		return ReasonTooLarge
	case longestLine(src) > opts.MaxLineBytes && 2*longestLine(src) > len(src):
		return ReasonMinified
	case nesting(src) > opts.MaxNesting:
		return ReasonTooDeep
	}
	return ""
}

var (
	bomUTF8    = []byte("\xEF\xBB\xBF")
	bomUTF16LE = []byte("\xFF\xFE")
	bomUTF16BE = []byte("\xFE\xFF")
)

// Normalize returns the source as Parse sees it: UTF-8 without a byte order
// mark (UTF-16 is decoded by its mark), "\r\n" as "\n", invalid bytes as U+FFFD.
// Line numbers stay the same. The answer may be src itself.
func Normalize(src []byte) []byte {
	switch {
	case bytes.HasPrefix(src, bomUTF8):
		src = src[len(bomUTF8):]
	case bytes.HasPrefix(src, bomUTF16LE):
		src = decodeUTF16(src[2:], 0, 1)
	case bytes.HasPrefix(src, bomUTF16BE):
		src = decodeUTF16(src[2:], 1, 0)
	}
	if bytes.Contains(src, []byte("\r\n")) {
		src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	}
	if !utf8.Valid(src) {
		src = []byte(text.Valid(string(src)))
	}
	return src
}

// decodeUTF16 decodes two-byte units with their low and high bytes at the given
// places.
func decodeUTF16(src []byte, low, high int) []byte {
	units := make([]uint16, 0, len(src)/2)
	for i := 0; i+1 < len(src); i += 2 {
		units = append(units, uint16(src[i+low])|uint16(src[i+high])<<8)
	}
	return []byte(string(utf16.Decode(units)))
}

// countLines counts lines, a final unterminated one included.
func countLines(src []byte) int {
	n := bytes.Count(src, []byte{'\n'})
	if len(src) > 0 && src[len(src)-1] != '\n' {
		n++
	}
	return n
}

func longestLine(src []byte) int {
	longest, start := 0, 0
	for {
		i := bytes.IndexByte(src[start:], '\n')
		if i < 0 {
			return max(longest, len(src)-start)
		}
		longest = max(longest, i)
		start += i + 1
	}
}

// nesting is the deepest nesting of brackets, those inside one-line quotes left
// out. It needs no grammar: it is a rough guard before the C parser.
func nesting(src []byte) int {
	depth, deepest := 0, 0
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '(', '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ')', ']', '}':
			depth = max(depth-1, 0)
		case '"', '\'', '`':
			i = skipQuoted(src, i)
		}
	}
	return deepest
}

// maxQuoted is how far skipQuoted looks, so that a line of quotes costs no more
// than linear time.
const maxQuoted = 1_000

// skipQuoted is the offset of the quote that closes the one at i on the same
// line, or i when there is none near.
func skipQuoted(src []byte, i int) int {
	end := min(len(src), i+maxQuoted)
	for j := i + 1; j < end && src[j] != '\n'; j++ {
		switch src[j] {
		case '\\':
			j++
		case src[i]:
			return j
		}
	}
	return i
}
