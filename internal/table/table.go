// Package table writes plain tables for terminals and files.
package table

import (
	"regexp"

	pretty "github.com/jedib0t/go-pretty/v6/table"
	prettytext "github.com/jedib0t/go-pretty/v6/text"

	"github.com/prforge/prforge/internal/text"
)

// Table is one table. Strangers' text in its cells cannot control a terminal.
type Table struct{ pretty.Writer }

// New makes a table with its column titles.
func New(header ...any) Table {
	t := Table{pretty.NewWriter()}
	style := pretty.StyleLight
	style.Format.Header = prettytext.FormatDefault
	style.Options = pretty.OptionsNoBordersAndSeparators
	t.SetStyle(style)
	t.AppendHeader(header)
	return t
}

// Row adds a row.
func (t Table) Row(cells ...any) {
	for i, c := range cells {
		if s, ok := c.(string); ok {
			cells[i] = text.Printable(s)
		}
	}
	t.AppendRow(cells)
}

var lineEnds = regexp.MustCompile(`(?m) +$`)

// Render is the table as text. No line is padded to the width of the table: on a
// narrower terminal each would be followed by an empty one.
func (t Table) Render() string { return lineEnds.ReplaceAllString(t.Writer.Render(), "") }

// Text is the table as text, or as Markdown.
func (t Table) Text(markdown bool) string {
	if markdown {
		return t.RenderMarkdown()
	}
	return t.Render()
}
