package tokens

import (
	"strings"
	"unicode/utf8"
)

// Clean makes text valid UTF-8: every maximal part of an ill-formed sequence
// becomes one U+FFFD, as the Unicode standard recommends (section 3.9) and as
// Python's "replace" and the WHATWG decoders do. Valid text comes back as it is.
func Clean(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 {
			b.WriteRune(utf8.RuneError)
			size = illFormed(text)
		} else {
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}

// illFormed is the length of the longest start of text that could have become
// a character, at least 1. Text starts with an ill-formed sequence.
func illFormed(text string) int {
	size := 1
	for size < len(text) && size < utf8.UTFMax && startsRune(text[:size+1]) {
		size++
	}
	return size
}

// startsRune reports whether some continuation bytes make part a character.
// The lowest and the highest continuations are enough to try: which bytes are
// allowed is an interval at every position.
func startsRune(part string) bool {
	for _, pad := range []string{"\x80\x80\x80", "\xbf\xbf\xbf"} {
		for n := range len(pad) + 1 {
			if r, size := utf8.DecodeRuneInString(part + pad[:n]); size > 1 && size == len(part)+n && r != utf8.RuneError {
				return true
			}
		}
	}
	return false
}
