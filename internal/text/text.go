// Package text has the rules for strangers' text: bytes that are not UTF-8, line breaks, characters that control a
// terminal, and length limits.
package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Valid makes s valid UTF-8: every maximal part of an ill-formed sequence
// becomes one U+FFFD, as the Unicode standard recommends (section 3.9) and as
// Python's "replace" and the WHATWG decoders do. Valid text is returned as is.
func Valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 {
			b.WriteRune(utf8.RuneError)
			size = illFormed(s)
		} else {
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
}

// illFormed is the length of the longest start of s that could have become a
// character, at least 1. s starts with an ill-formed sequence.
func illFormed(s string) int {
	size := 1
	for size < len(s) && size < utf8.UTFMax && startsRune(s[:size+1]) {
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
			if r, size := utf8.DecodeRuneInString(part + pad[:n]); size == len(part)+n && r != utf8.RuneError {
				return true
			}
		}
	}
	return false
}

// newlines are the line breaks of Unicode, and the separators at which Python's
// splitlines also cuts. Carriage returns come from GitHub's own form, the
// others from pasted text.
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n",
	"\x1c", "\n", "\x1d", "\n", "\x1e", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// Lines is valid text in which every line break is a line feed.
func Lines(s string) string { return newlines.Replace(Valid(s)) }

// Plain is Lines without control characters, except line feeds and tabs, and without those that change the direction
// of writing.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && steers(r) {
			return -1
		}
		return r
	}, Lines(s))
}

// OneLine is Plain with every run of white space as one space, none at the ends.
func OneLine(s string) string { return strings.Join(strings.Fields(Plain(s)), " ") }

// Clip shortens s to at most n characters; the last one is an ellipsis then.
// n must be at least 1.
func Clip(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

// Printable is valid text on one line that cannot control a terminal: every control character but the tab, and every
// character that changes the direction of writing, is written as \uXXXX.
func Printable(s string) string {
	if !strings.ContainsFunc(s, steers) {
		return Valid(s)
	}
	var b strings.Builder
	for _, r := range Valid(s) {
		if steers(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// steers reports whether r may do more on a terminal than appear.
func steers(r rune) bool {
	return r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}

// SplitJSON splits text that need not be UTF-8 into what a JSON string can hold
// and what it cannot: encoding/json silently replaces what is not UTF-8, so such
// a text goes whole as bytes beside an empty string. Text and bytes joined are
// the original.
func SplitJSON(s string) (text string, bytes []byte) {
	if utf8.ValidString(s) {
		return s, nil
	}
	return "", []byte(s)
}

// Head is the longest start of s that has at most n bytes and ends between two
// characters.
func Head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
