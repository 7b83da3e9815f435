package python

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// Trim is str.strip: Unicode white space and U+001C to U+001F.
func Trim(s string) string { return strings.TrimFunc(s, isSpace) }

func isSpace(r rune) bool { return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f }

// Lower is str.lower, with Unicode's special cases: U+0130 becomes two
// characters, a final sigma its own form.
func Lower(s string) string { return cases.Lower(language.Und).String(s) }

// Lines is str.splitlines: it also cuts at CR, VT, FF, U+001C to U+001E,
// U+0085, U+2028 and U+2029; a last empty line is none.
func Lines(s string) []string {
	var lines []string
	for s != "" {
		end := strings.IndexFunc(s, endsLine)
		if end < 0 {
			return append(lines, s)
		}
		lines = append(lines, s[:end])
		s = afterLine(s[end:])
	}
	return lines
}

func endsLine(r rune) bool {
	return '\n' <= r && r <= '\r' || 0x1c <= r && r <= 0x1e || r == 0x85 || r == 0x2028 || r == 0x2029
}

// afterLine is what follows the end of a line with which s begins.
func afterLine(s string) string {
	if strings.HasPrefix(s, "\r\n") {
		return s[2:]
	}
	for i := range s {
		if i > 0 {
			return s[i:]
		}
	}
	return ""
}

// Truthy is bool(v) of a value that JSON gave.
func Truthy(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case int64:
		return v != 0
	case float64:
		return v != 0
	case string:
		return v != ""
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	}
	return true
}

// Int is int(v): numbers are cut towards zero, true is 1, texts are read with
// sign, blanks around, single _ between digits, and any Unicode digits. It is
// false for what int() refuses and for what is beyond 64 bits.
func Int(v any) (int64, bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case int64:
		return v, true
	case float64:
		if math.Abs(v) < 1<<63 { // false for NaN
			return int64(v), true
		}
	case string:
		return intOfText(v)
	}
	return 0, false
}

func intOfText(s string) (int64, bool) {
	var b strings.Builder
	previous := '_' // no underscore before the first digit
	for i, r := range Trim(s) {
		switch {
		case i == 0 && (r == '+' || r == '-'):
			b.WriteRune(r)
			continue
		case unicode.IsDigit(r):
			b.WriteByte('0' + digitValue(r))
		case r != '_' || previous == '_':
			return 0, false
		}
		previous = r
	}
	if previous == '_' {
		return 0, false
	}
	n, err := strconv.ParseInt(b.String(), 10, 64)
	return n, err == nil
}

// digitValue is the value of a decimal digit: Unicode has them in runs of ten.
func digitValue(r rune) byte {
	for _, t := range unicode.Nd.R16 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return byte((r - rune(t.Lo)) % 10)
		}
	}
	for _, t := range unicode.Nd.R32 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return byte((r - rune(t.Lo)) % 10)
		}
	}
	return 0
}

// Text is str(v) of a value that JSON gave, but for the order of an object's keys,
// which are sorted.
func Text(v any) string {
	switch v := v.(type) {
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = repr(x)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case map[string]any:
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, repr(k)+": "+repr(v[k]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case int64:
		return strconv.FormatInt(v, 10)
	case big:
		return string(v)
	case float64:
		return Float(v)
	case string:
		return v
	}
	return ""
}

// repr is repr(v): as Text, but with quotes around a string.
func repr(v any) string {
	s, ok := v.(string)
	if !ok {
		return Text(v)
	}
	quote := "'"
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = `"`
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case string(r) == quote || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return quote + b.String() + quote
}

// Float is repr(x): the shortest digits that give x again, with an exponent
// below 1e-4 and from 1e16 on.
func Float(x float64) string {
	switch a := math.Abs(x); {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	case a != 0 && (a < 1e-4 || a >= 1e16):
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
