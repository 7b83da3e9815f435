package imports

import (
	"slices"
)

// words are the hashes of the identifiers in a blob, sorted. They tell cheaply
// that a file cannot mention a name; a hit may be a collision or a comment, so
// the parsed file decides.
type words []uint32

// has reports whether the word may be in the blob.
func (w words) has(word string) bool {
	_, ok := slices.BinarySearch(w, hashWord(word))
	return ok
}

// hasAll reports whether all of the words may be in the blob.
func (w words) hasAll(list []string) bool {
	for _, word := range list {
		if !w.has(word) {
			return false
		}
	}
	return true
}

// FNV-1a of 32 bits.
const (
	fnvOffset = 2166136261
	fnvPrime  = 16777619
)

func hashWord(s string) uint32 {
	h := uint32(fnvOffset)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(s[i])) * fnvPrime
	}
	return h
}

// isWordByte: letters, digits, underscore, dollar, and every byte of a character
// outside ASCII.
func isWordByte(c byte) bool {
	return c >= 0x80 || c == '_' || c == '$' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// dotsWord is the word for a string of dots and slashes alone, such as a script's
// import of its own directory; no identifier is equal to it.
const dotsWord = "."

// wildcardWord is the word for Python's "import *".
const wildcardWord = "*"

// isWildcard reports whether the next thing from i on is a star.
func isWildcard(src []byte, i int) bool {
	for i < len(src) && (src[i] == ' ' || src[i] == '\t') {
		i++
	}
	return i < len(src) && src[i] == '*'
}

// dotsEnd is the offset of the quote that closes a string of dots and slashes
// that the quote at i opens; 0 if it is no such string.
func dotsEnd(src []byte, i int) int {
	j := i + 1
	for j < len(src) && (src[j] == '.' || src[j] == '/') {
		j++
	}
	if j > i+1 && j < len(src) && src[j] == src[i] && src[i+1] == '.' {
		return j
	}
	return 0
}

// typeKeywords are the words that a declaration of a type begins with.
var typeKeywords = map[uint32]bool{
	hashWord("class"): true, hashWord("interface"): true, hashWord("enum"): true, hashWord("record"): true,
}

var importHash = hashWord("import")

// declares is the word for the declaration of a type by that name.
func declares(name string) string { return typeMark + name }

// typeMark is in no identifier.
const typeMark = "+"

// wordsOf hashes the words of a source.
func wordsOf(src []byte) words {
	seen := make(map[uint32]struct{}, 256)
	declared := false
	for i := 0; i < len(src); {
		if !isWordByte(src[i]) {
			if (src[i] == '"' || src[i] == '\'') && dotsEnd(src, i) > 0 {
				seen[hashWord(dotsWord)] = struct{}{}
			}
			i++
			continue
		}
		h, marked := uint32(fnvOffset), hashWord(typeMark)
		for ; i < len(src) && isWordByte(src[i]); i++ {
			h = (h ^ uint32(src[i])) * fnvPrime
			marked = (marked ^ uint32(src[i])) * fnvPrime
		}
		seen[h] = struct{}{}
		if declared {
			seen[marked] = struct{}{}
		}
		declared = typeKeywords[h]
		if h == importHash && isWildcard(src, i) {
			seen[hashWord(wildcardWord)] = struct{}{}
		}
	}
	out := make(words, 0, len(seen))
	for h := range seen {
		out = append(out, h)
	}
	slices.Sort(out)
	return out
}

// splitWords cuts a text into words, as wordsOf does.
func splitWords(s string) []string {
	var out []string
	start := -1
	for i := 0; i <= len(s); i++ {
		inside := i < len(s) && isWordByte(s[i])
		switch {
		case inside && start < 0:
			start = i
		case !inside && start >= 0:
			out = append(out, s[start:i])
			start = -1
		}
	}
	return out
}
