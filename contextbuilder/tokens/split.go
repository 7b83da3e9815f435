package tokens

import (
	"unicode"
	"unicode/utf8"
)

// class says what a character is to the splitter. A character may be both
// upper and lower: letters without case, modifiers and marks are.
type class uint8

const (
	upper  class = 1 << iota // Lu Lt Lm Lo M
	lower                    // Ll Lm Lo M
	number                   // N
	space                    // White_Space
	prefix                   // neither CR, LF, letter nor number: may lead a word
	symbol                   // neither space, letter nor number
)

// asciiClasses spares the ranges' search for nearly every character of code.
var asciiClasses = func() (t [utf8.RuneSelf]class) {
	for r := range t {
		t[r] = classify(rune(r))
	}
	return t
}()

func classOf(r rune) class {
	if r < utf8.RuneSelf {
		return asciiClasses[r]
	}
	return classify(r)
}

func classify(r rune) class {
	switch {
	case r == '\r' || r == '\n':
		return space
	case unicode.Is(unicode.White_Space, r):
		return space | prefix
	case unicode.In(r, unicode.Lu, unicode.Lt):
		return upper
	case unicode.Is(unicode.Ll, r):
		return lower
	case unicode.In(r, unicode.Lm, unicode.Lo):
		return upper | lower
	case unicode.Is(unicode.M, r):
		return upper | lower | prefix | symbol
	case unicode.Is(unicode.N, r):
		return number
	default:
		return prefix | symbol
	}
}

// run is the length of the longest start of text made of characters that have
// one of the classes want.
func run(text string, want class) int {
	n := 0
	for n < len(text) {
		r, size := utf8.DecodeRuneInString(text[n:])
		if classOf(r)&want == 0 {
			break
		}
		n += size
	}
	return n
}

// nextPiece is the length of the first piece of text, which is not empty. It
// tries the alternatives of o200k_base's pattern in their order:
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
func nextPiece(text string) int {
	first, size := utf8.DecodeRuneInString(text)
	is := classOf(first)
	for _, word := range []func(string) int{lowerWord, upperWord} {
		if is&prefix != 0 {
			if n := word(text[size:]); n > 0 {
				return size + n + contraction(text[size+n:])
			}
		}
		if is&(upper|lower) != 0 {
			if n := word(text); n > 0 {
				return n + contraction(text[n:])
			}
		}
	}
	if is&number != 0 {
		return numberPiece(text)
	}
	start := 0
	if first == ' ' {
		start = 1
	}
	if n := run(text[start:], symbol); n > 0 {
		n += start
		for n < len(text) && (text[n] == '\r' || text[n] == '\n' || text[n] == '/') {
			n++
		}
		return n
	}
	return spacePiece(text)
}

// lowerWord matches the pattern's upper* lower+; 0 if there is no match. The
// upper run gives back as little as lets one lower character follow.
func lowerWord(text string) int {
	end := run(text, upper)
	if n := run(text[end:], lower); n > 0 {
		return end + n
	}
	for end > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:end])
		if classOf(r)&lower != 0 {
			return end
		}
		end -= size
	}
	return 0
}

// upperWord matches the pattern's upper+ lower*; 0 if there is no match.
func upperWord(text string) int {
	end := run(text, upper)
	if end == 0 {
		return 0
	}
	return end + run(text[end:], lower)
}

// contraction is the length of an English contraction that starts text, or 0.
// Case folding lets the long s (U+017F) stand for an s.
func contraction(text string) int {
	if len(text) < 2 || text[0] != '\'' {
		return 0
	}
	switch text[1] | 0x20 {
	case 's', 't', 'm', 'd':
		return 2
	case 'r', 'v':
		if len(text) > 2 && text[2]|0x20 == 'e' {
			return 3
		}
	case 'l':
		if len(text) > 2 && text[2]|0x20 == 'l' {
			return 3
		}
	}
	if r, size := utf8.DecodeRuneInString(text[1:]); r == 'ſ' {
		return 1 + size
	}
	return 0
}

func numberPiece(text string) int {
	n := 0
	for range 3 {
		r, size := utf8.DecodeRuneInString(text[n:])
		if classOf(r)&number == 0 {
			break
		}
		n += size
	}
	return n
}

// spacePiece splits a run of white space: up to its last line break; else all
// of it at the end of the text; else all but the last character, which may
// lead the next piece; else that one character.
func spacePiece(text string) int {
	end := run(text, space)
	for n := end; n > 0; n-- {
		if text[n-1] == '\n' || text[n-1] == '\r' {
			return n
		}
	}
	if end == len(text) {
		return end
	}
	_, last := utf8.DecodeLastRuneInString(text[:end])
	if end > last {
		return end - last
	}
	return end
}
