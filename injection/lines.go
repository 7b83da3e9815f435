package injection

import (
	"bytes"

	"github.com/prforge/prforge/internal/syntax"
)

// line is a logical line: what Python's tokenizer ends with NEWLINE.
type line struct {
	first, last int    // physical lines
	from, to    int    // bytes, whole physical lines with the final line break
	start       int    // first byte of code
	indent      string // white space before the first token
	opens       bool   // ends in a colon: a block must follow
}

// joined reports whether the logical line has more than one physical line.
func (l *line) joined() bool { return l.last > l.first }

// logicalLines cuts the source at the line breaks that are not inside strings
// and brackets and not behind a backslash. Blank lines and lines with only a
// comment belong to none.
func logicalLines(tree *syntax.Tree) []line {
	src := tree.Source()
	inside := insideTokens(tree)
	var out []line
	depth, from, first, number := 0, 0, 1, 1 // of the current physical line
	start, end := -1, -1                     // first and last byte of code in the logical line
	for i, c := range src {
		switch {
		case inside[i] == comment:
		case inside[i] == text:
			end = i
			if start < 0 {
				start = i
			}
		case c == '(' || c == '[' || c == '{':
			depth++
		case (c == ')' || c == ']' || c == '}') && depth > 0:
			depth--
		}
		if inside[i] == code && !isSpace(c) && c != '\n' {
			end = i
			if start < 0 {
				start = i
			}
		}
		if c == '\n' || i == len(src)-1 {
			joins := c == '\n' && (inside[i] == text || depth > 0 || end >= 0 && src[end] == '\\' && inside[end] == code)
			if !joins {
				if start >= 0 {
					out = append(out, line{
						first: first, last: number, from: from, to: i + 1, start: start,
						indent: string(indentOf(src[from:start])), opens: src[end] == ':' && inside[end] == code,
					})
				}
				from, first, start, end = i+1, number+1, -1, -1
			}
			if c == '\n' {
				number++
			}
		}
	}
	return out
}

// indentOf is the white space that the tokenizer counts: a backslash line before
// it does not occur in what compiles.
func indentOf(before []byte) []byte { return bytes.TrimPrefix(before, []byte("\xEF\xBB\xBF")) }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\f' || c == '\r' }

// what a byte is part of.
const (
	code = iota
	text
	comment
)

// insideTokens says for every byte whether it lies in a string or a comment.
func insideTokens(tree *syntax.Tree) []byte {
	out := make([]byte, len(tree.Source()))
	tree.Root().Walk(func(n syntax.Node) bool {
		var kind byte
		switch n.Kind() {
		case "string":
			kind = text
		case "comment":
			kind = comment
		default:
			return true
		}
		for i := n.From(); i < n.To(); i++ {
			out[i] = kind
		}
		return false
	})
	return out
}
