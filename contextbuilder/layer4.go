package contextbuilder

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
	"github.com/prforge/prforge/internal/text"
)

// behaviorLayer is layer 4: the settings that the change touches, from their name to the field they fill and to the
// code that reads it.
type behaviorLayer struct {
	measure
	settings []*setting
	items    []string // of settings that are shown
	shown    []bool
	above    []layer // that may show the same lines
}

func newBehaviorLayer(m measure, p *pull, above ...layer) layer {
	return &behaviorLayer{
		measure: m, settings: p.settings, above: above,
		items: make([]string, len(p.settings)), shown: make([]bool, len(p.settings)),
	}
}

// untold lists the lines that read a setting and that the layers above do not show; all of them if only the line that
// defines it is left to say, where the user's name for it is another than the field's; none if nothing is.
func (l *behaviorLayer) untold(s *setting) []reader {
	seen := func(from *source, n int) bool {
		line := strings.TrimSpace(from.line(n))
		return slices.ContainsFunc(l.above, func(above layer) bool { return strings.Contains(above.text(), line) })
	}
	left := slices.DeleteFunc(slices.Clone(s.readers), func(r reader) bool { return seen(r.source, r.line) })
	if len(left) == 0 && s.options == "" && !seen(s.source, s.line) {
		return s.readers
	}
	return left
}

func (l *behaviorLayer) fill(limit int) {
	for i := range l.settings {
		if l.shown[i] {
			continue
		}
		readers := l.untold(l.settings[i])
		if len(readers) == 0 {
			continue
		}
		l.items[i], l.shown[i] = l.settings[i].item(readers), true
		if text := l.render(); l.size(text) <= limit {
			l.set(text)
		} else {
			l.shown[i] = false
		}
	}
}

func (l *behaviorLayer) hasMore() bool {
	_, left := l.report()
	return left > 0
}

func (l *behaviorLayer) report() (shown, left int) {
	shown = trues(l.shown)
	return shown, len(l.shown) - shown
}

func (l *behaviorLayer) render() string {
	var b strings.Builder
	for i, item := range l.items {
		if l.shown[i] {
			b.WriteString(item)
		}
	}
	return section(4, b.String())
}

// item is the setting as a list item: its name, its field, its position, and lines that read it.
func (s *setting) item(readers []reader) string {
	var b strings.Builder
	fmt.Fprintf(&b, "- %s %s", s.kind, code(s.name))
	if s.added {
		b.WriteString(" (changed)")
	}
	if s.field != "" && s.field != s.name && !strings.HasSuffix(s.name, "."+s.field) {
		fmt.Fprintf(&b, " fills %s", code(s.field))
	}
	fmt.Fprintf(&b, ": %s\n", place(s.source, s.line, s.name))
	for _, r := range readers {
		fmt.Fprintf(&b, "  - read in %s\n", place(r.source, r.line, ""))
	}
	return b.String()
}

// place names a line: its file, number and definition, unless that has the given name, and its text if that is a
// complete statement.
func place(s *source, n int, known string) string {
	where := fmt.Sprintf("%s:%d", shownPath(s.path), n)
	if def := s.enclosing(n); def >= 0 && s.file.Definitions[def].Qualified != known {
		where += ", " + code(text.OneLine(s.file.Definitions[def].Qualified))
	}
	if text := statementAt(s, n); text != "" {
		where += ": " + code(text)
	}
	return where
}

// statementAt is the shortest text from line n on that parses alone, on one line; "" if a few lines do not.
func statementAt(s *source, n int) string {
	const most = 3 // lines
	text := ""
	for i := range most {
		text += strings.TrimSpace(s.line(n+i)) + " "
		if len(text) > maxSettingLine {
			return ""
		}
		line := strings.TrimSpace(text)
		if line != "" && syntax.Parses(s.file.Language, line+"\n") {
			return line
		}
	}
	return ""
}
