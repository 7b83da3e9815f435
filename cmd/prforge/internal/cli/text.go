package cli

import (
	"strings"
	"unicode"

	"github.com/jedib0t/go-pretty/v6/table"
)

// row makes a table's row.
func row(cells ...string) table.Row {
	out := make(table.Row, len(cells))
	for i, c := range cells {
		out[i] = c
	}
	return out
}

// printable takes out of a stranger's text what would steer a terminal:
// control characters and marks that turn the direction of writing.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return '\uFFFD'
		}
		return r
	}, s)
}
