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

func wordSet(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

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

// misspell gives a slip of the pen for a name that is none of the words and
// could not be another: letters exchanged, lost or doubled, a plural, a prefix
// left out. "" if there is none.
func misspell(name string, taken map[string]bool, salt ...any) string {
	for _, slip := range drawn(slipsOf(name), append(salt, name)...) {
		if !taken[slip] && !keywords[slip] && !builtins()[slip] {
			return slip
		}
	}
	return ""
}

// minWord is the shortest name in which a slip can still be told from another
// name.
const minWord = 4

// slipsOf lists the slips. Only ASCII names are touched.
func slipsOf(name string) []string {
	if len(name) < minWord || strings.Trim(name, "_") == "" || strings.HasPrefix(name, "__") || !isASCII(name) {
		return nil
	}
	var out []string
	add := func(s string) {
		if s != name && len(s) >= minWord-1 && !slices.Contains(out, s) && !(s[0] >= '0' && s[0] <= '9') && strings.Trim(s, "_") != "" {
			out = append(out, s)
		}
	}
	for i := 1; i < len(name); i++ {
		if i+1 < len(name) && isLetter(name[i]) && isLetter(name[i+1]) {
			add(name[:i] + string(name[i+1]) + string(name[i]) + name[i+2:])
		}
		if isLetter(name[i]) {
			add(name[:i] + name[i+1:])
			add(name[:i] + string(name[i]) + name[i:])
		}
	}
	if strings.HasSuffix(name, "s") {
		add(name[:len(name)-1])
	} else if c := name[len(name)-1]; isLetter(c) {
		add(name + map[bool]string{true: "s", false: "S"}['a' <= c])
	}
	if _, rest, ok := strings.Cut(strings.TrimLeft(name, "_"), "_"); ok {
		add(rest)
	}
	return out
}

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
