package debugging

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// judgeFrom is the judge's score from which a message is right.
const judgeFrom = 0.75

// Compare says what a named error gets right about a true one.
func (s Sample) Compare(t Truth, n Named) Right {
	return Right{
		Cause:   s.sameLine(t.Cause, n.Cause, n.CauseNumber),
		Effect:  s.sameLine(t.Effect, n.Effect, n.EffectNumber),
		Type:    sameType(t, n),
		Message: sameMessage(t, n),
	}
}

// sameLine accepts a number within the statement, else the text of the
// statement or of one of its lines, if that text occurs once in the code.
func (s Sample) sameLine(want Line, text string, number int) bool {
	if number != 0 && want.First <= number && number <= want.Last {
		return true
	}
	return text != "" && (lineEqual(want.Text, text) || anyLineEqual(want.Text, text)) && s.occurrences(text) <= 1
}

func anyLineEqual(statement, text string) bool {
	lines := strings.Split(statement, "\n")
	for _, line := range lines {
		if len(lines) > 1 && strings.TrimSpace(line) != "" && lineEqual(line, text) {
			return true
		}
	}
	return false
}

// occurrences counts the lines of the code that are equal to a text.
func (s Sample) occurrences(text string) int {
	n := 0
	want := tokens(text)
	for line := range strings.Lines(s.Code) {
		if want != "" && tokens(line) == want {
			n++
		}
	}
	return n
}

// lineEqual reports whether two texts are the same line of Python: code marks,
// a line number before it, a comment after it, space and the kind of quotes do
// not count, except inside of strings; case does.
func lineEqual(a, b string) bool { return tokens(a) == tokens(b) }

// numbered is a line number before a line: "12: ", "Line 12 | ", "12  " as the
// numbered view has it.
var numbered = regexp.MustCompile(`^(?:[Ll]ine\s+)?[0-9]+(?:\s*[:|]\s*|\s{2,})`)

// tokens is a line without what does not count. A space is kept only between
// two letters, digits or underscores, where it separates words.
func tokens(line string) string {
	line = strings.Trim(strings.TrimSpace(line), "`")
	line = numbered.ReplaceAllString(strings.TrimSpace(line), "")
	var b strings.Builder
	var last rune // the last rune written outside of a string
	space := false
	for i := 0; i < len(line); {
		switch line[i] {
		case '#':
			end := strings.IndexByte(line[i:], '\n')
			if end < 0 {
				return b.String()
			}
			i += end
		case '\'', '"':
			i = writeString(&b, line, i)
			last, space = 0, false
		default:
			r, size := utf8.DecodeRuneInString(line[i:])
			i += size
			if unicode.IsSpace(r) {
				space = true
				continue
			}
			if space && isWord(last) && isWord(r) {
				b.WriteByte(' ')
			}
			b.WriteRune(r)
			last, space = r, false
		}
	}
	return b.String()
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// writeString writes the string that begins at a quote with one kind of quotes, with its content unchanged except for
// escaped quotes, and returns its end.
func writeString(b *strings.Builder, line string, at int) int {
	quote := line[at : at+1]
	if strings.HasPrefix(line[at:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	b.WriteByte('"')
	for i := at + len(quote); i < len(line); i++ {
		switch {
		case strings.HasPrefix(line[i:], quote):
			b.WriteByte('"')
			return i + len(quote)
		case line[i] == '\\' && i+1 < len(line):
			if c := line[i+1]; c != '\'' && c != '"' {
				b.WriteByte('\\')
			}
			i++
			b.WriteByte(line[i])
		default:
			b.WriteByte(line[i])
		}
	}
	return len(line) // an unterminated string stays unterminated
}

// lastPart is a type without its module.
func lastPart(name string) string {
	name = strings.TrimSpace(name)
	return name[strings.LastIndexByte(name, '.')+1:]
}

func sameType(t Truth, n Named) bool {
	name := n.Type
	if strings.TrimSpace(name) == "" {
		name, _, _ = strings.Cut(n.Message, ":")
	}
	return lastPart(name) != "" && lastPart(name) == lastPart(t.Type)
}

// sameMessage uses the judge's score if there is one; otherwise the normalized texts must be equal. If an exception
// has no message, its type must be right.
func sameMessage(t Truth, n Named) bool {
	if n.Judged != nil {
		return n.Judged[t.ID] >= judgeFrom
	}
	if normalized(t.Message, t.Type) == "" {
		return sameType(t, n) && (normalized(n.Message, t.Type) == "" || lastPart(n.Message) == lastPart(t.Type))
	}
	return n.Message != "" && normalized(n.Message, t.Type) == normalized(t.Message, t.Type)
}

var (
	address = regexp.MustCompile(`0x[0-9a-fA-F]+`)
	folders = regexp.MustCompile(`(?:[A-Za-z]:)?(?:[\\/][^\s'"\\/:]+)*[\\/]([^\s'"\\/:]+)`)
)

// normalized is a message without its type, memory addresses, folders of paths
// and extra space. Digits count.
func normalized(message, typeName string) string {
	if name, rest, ok := strings.Cut(message, ":"); ok && lastPart(name) == lastPart(typeName) {
		message = rest
	}
	message = address.ReplaceAllString(message, "0x")
	message = folders.ReplaceAllString(message, "$1")
	return strings.Join(strings.Fields(message), " ")
}
