package injection

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
)

// keywords cannot be names, or would mislead as names.
var keywords = wordSet(`False None True and as assert async await break class continue def del elif else except finally for
	from global if import in is lambda nonlocal not or pass raise return try while with print exec match case type`)

// hashOf orders things by chance that is the same on every run.
func hashOf(parts ...any) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", parts))
	return sum[:]
}

// drawn sorts the items by the hash of their text and the salt.
func drawn(items []string, salt ...any) []string {
	out := slices.Clone(items)
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(bytes.Compare(hashOf(salt, a), hashOf(salt, b)), strings.Compare(a, b))
	})
	return out
}

// otherName gives what somebody else might have called the thing that has a name, as
// a renaming half done leaves it: without its first or its last part. It is none of
// the words and no slip of the pen away, which a spelling checker would find. "" if
// there is none.
func otherName(name string, taken map[string]bool, salt ...any) string {
	for _, other := range drawn(otherNames(name), append(salt, name)...) {
		if !taken[other] && !keywords[other] && !builtins()[other] {
			return other
		}
	}
	return ""
}

// minWord is the shortest name that anything is done to.
const minWord = 4

// otherNames lists other names for the thing. Only ASCII names are touched.
func otherNames(name string) []string {
	bare := strings.TrimLeft(name, "_")
	lead := name[:len(name)-len(bare)]
	if len(bare) < minWord || strings.HasSuffix(name, "__") || !isASCII(name) {
		return nil
	}
	join, parts := "_", strings.Split(bare, "_")
	if isUpper(bare[0]) && bare != strings.ToUpper(bare) {
		join, parts = "", humps(bare)
	}
	var out []string
	for _, kept := range [][]string{parts[1:], parts[:len(parts)-1]} {
		other := strings.Join(kept, join)
		if len(other) >= minWord && isLetter(other[0]) && len(bare)-len(other) != 1 {
			out = append(out, lead+other)
		}
	}
	return out
}

// humps are the words of a name such as RequestContext.
func humps(name string) []string {
	var out []string
	from := 0
	for i := 1; i < len(name); i++ {
		if isUpper(name[i]) && !isUpper(name[i-1]) {
			out, from = append(out, name[from:i]), i
		}
	}
	return append(out, name[from:])
}

// common counts the parts that two names have in common.
func common(a, b string) int {
	n := 0
	for _, part := range partsOf(a) {
		if slices.Contains(partsOf(b), part) {
			n++
		}
	}
	return n
}

func partsOf(name string) []string {
	var out []string
	for part := range strings.SplitSeq(name, "_") {
		if part != "" {
			for _, hump := range humps(part) {
				out = append(out, strings.ToLower(hump))
			}
		}
	}
	return out
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// HasWord reports whether a text has the name as a whole word.
func HasWord(text, name string) bool {
	for at := 0; name != ""; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(name)
		if (from == 0 || !isWord(text[from-1])) && (to == len(text) || !isWord(text[to])) {
			return true
		}
		at = from + 1
	}
	return false
}

func isWord(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' || c == '_' || c >= 0x80 }
