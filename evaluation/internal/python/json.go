// Package python has the parts of Python that an exact reproduction of a published scorer needs: its JSON reader, its
// trimming, lower-casing and lines, and int() and str() of a value.
package python

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth is how deeply arrays and objects may be nested in one value; Python
// gives up at about 1,000.
const maxDepth = 200

// big is an integer beyond 64 bits, as written.
type big string

// JSON reads a whole text as one value with white space around it: nil, bool,
// int64, Big, float64, string, []any or map[string]any, the last of equal keys
// winning. As in Python NaN, Infinity and -Infinity are numbers, control
// characters in strings are refused, and so is a byte order mark. Half a
// surrogate pair becomes U+FFFD. ok is false where the text is no such value or
// nested too deeply.
func JSON(text string) (value any, ok bool) {
	r := reader{text: text}
	r.space()
	value, ok = r.value(0)
	r.space()
	return value, ok && r.at == len(text)
}

// JSONAt reads one value that begins at a byte of the text, whatever follows.
// end is where reading ended, also where it failed.
func JSONAt(text string, at int) (value any, end int, ok bool) {
	r := reader{text: text, at: at}
	value, ok = r.value(0)
	return value, r.at, ok
}

type reader struct {
	text string
	at   int
}

func (r *reader) space() {
	for r.at < len(r.text) && strings.IndexByte(" \t\n\r", r.text[r.at]) >= 0 {
		r.at++
	}
}

// next reports whether the text continues with the word, and skips it.
func (r *reader) next(word string) bool {
	if !strings.HasPrefix(r.text[r.at:], word) {
		return false
	}
	r.at += len(word)
	return true
}

func (r *reader) value(depth int) (any, bool) {
	if r.at >= len(r.text) || depth > maxDepth {
		return nil, false
	}
	switch r.text[r.at] {
	case '"':
		return r.str()
	case '[':
		return r.array(depth)
	case '{':
		return r.object(depth)
	case 'n':
		return nil, r.next("null")
	case 't':
		return true, r.next("true")
	case 'f':
		return false, r.next("false")
	}
	return r.number()
}

func (r *reader) array(depth int) (any, bool) {
	r.at++
	items := []any{}
	r.space()
	if r.next("]") {
		return items, true
	}
	for {
		v, ok := r.value(depth + 1)
		if !ok {
			return nil, false
		}
		items = append(items, v)
		r.space()
		if r.next("]") {
			return items, true
		}
		if !r.next(",") {
			return nil, false
		}
		r.space()
	}
}

func (r *reader) object(depth int) (any, bool) {
	r.at++
	fields := map[string]any{}
	r.space()
	if r.next("}") {
		return fields, true
	}
	for {
		if r.at >= len(r.text) || r.text[r.at] != '"' {
			return nil, false
		}
		key, ok := r.str()
		r.space()
		if !ok || !r.next(":") {
			return nil, false
		}
		r.space()
		v, ok := r.value(depth + 1)
		if !ok {
			return nil, false
		}
		fields[key.(string)] = v
		r.space()
		if r.next("}") {
			return fields, true
		}
		if !r.next(",") {
			return nil, false
		}
		r.space()
	}
}

// str reads a string; any is a string where ok.
func (r *reader) str() (any, bool) {
	r.at++
	start := r.at
	var b strings.Builder
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '"':
			b.WriteString(r.text[start:r.at])
			r.at++
			return b.String(), true
		case c < 0x20:
			return nil, false
		case c == '\\':
			b.WriteString(r.text[start:r.at])
			if !r.escape(&b) {
				return nil, false
			}
			start = r.at
		default:
			r.at++
		}
	}
	return nil, false
}

func (r *reader) escape(b *strings.Builder) bool {
	if r.at+1 >= len(r.text) {
		return false
	}
	c := r.text[r.at+1]
	if i := strings.IndexByte(`"\/bfnrt`, c); i >= 0 {
		b.WriteByte("\"\\/\b\f\n\r\t"[i])
		r.at += 2
		return true
	}
	high, ok := r.hex()
	if !ok {
		return false
	}
	r.at += 6
	if utf16.IsSurrogate(high) {
		low, ok := r.hex()
		if pair := utf16.DecodeRune(high, low); ok && pair != utf8.RuneError {
			r.at += 6
			high = pair
		} else {
			high = utf8.RuneError
		}
	}
	b.WriteRune(high)
	return true
}

// hex is the code unit of an escape \uXXXX at the current position.
func (r *reader) hex() (rune, bool) {
	if r.at+6 > len(r.text) || r.text[r.at:r.at+2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(r.text[r.at+2:r.at+6], 16, 32)
	return rune(n), err == nil
}

func (r *reader) number() (any, bool) {
	for _, word := range []string{"NaN", "Infinity", "-Infinity"} {
		if r.next(word) {
			f, err := strconv.ParseFloat(word, 64)
			return f, err == nil
		}
	}
	text := numeral.FindString(r.text[r.at:])
	if text == "" {
		return nil, false
	}
	r.at += len(text)
	if strings.ContainsAny(text, ".eE") {
		f, _ := strconv.ParseFloat(text, 64) // out of range is infinite, as in Python
		return f, true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return big(text), true
	}
	return n, true
}

// numeral is a number. An e without digits is not part of it, nor is a point.
var numeral = regexp.MustCompile(`^-?(?:0|[0-9]+)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?`)
