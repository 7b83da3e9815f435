package cli

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	prettytext "github.com/jedib0t/go-pretty/v6/text"

	"github.com/prforge/prforge/internal/text"
)

// textTable is a plain table for terminals and files. Strangers' text in its cells cannot control a terminal.
type textTable struct{ table.Writer }

// newTable makes a table with its column titles.
func newTable(header ...any) textTable {
	t := textTable{table.NewWriter()}
	style := table.StyleLight
	style.Format.Header = prettytext.FormatDefault
	style.Options = table.OptionsNoBordersAndSeparators
	t.SetStyle(style)
	t.AppendHeader(header)
	return t
}

// row adds a row.
func (t textTable) row(cells ...any) {
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
func (t textTable) Render() string { return lineEnds.ReplaceAllString(t.Writer.Render(), "") }

// render is the table as text, or as Markdown.
func (t textTable) render(markdown bool) string {
	if markdown {
		return t.RenderMarkdown()
	}
	return t.Render()
}

// blank returns "" for 0.
func blank(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// clip shortens a text for one line of a terminal.
func clip(s string, n int) string { return text.Clip(strings.Join(strings.Fields(s), " "), n) }

// terminal writes text for people. Only line feeds and tabs pass; other control characters, which strangers may have
// written, appear as \uXXXX. A Write must not end inside a character.
type terminal struct{ w io.Writer }

func (t terminal) Write(p []byte) (int, error) {
	lines := strings.Split(string(p), "\n")
	for i, line := range lines {
		lines[i] = text.Printable(line)
	}
	if _, err := io.WriteString(t.w, strings.Join(lines, "\n")); err != nil {
		return 0, err
	}
	return len(p), nil
}

// plural is a number with its unit in the singular: "1 request", "2 repositories".
func plural[N ~int | ~int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
