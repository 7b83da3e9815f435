package contextbuilder

import (
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
	"github.com/prforge/prforge/internal/text"
	"github.com/prforge/prforge/internal/unidiff"
)

// depth is how finely a hunk may be cut.
type depth int

const (
	whole        depth = iota
	byGroup            // between groups of changed lines
	byDefinition       // between functions, methods and types
	byBlankLine        // inside a definition, at its blank lines
	byWindow           // every so many lines
	byLine             // every line
)

// cut is a range of lines [from, to) of a hunk.
type cut struct{ hunk, from, to int }

// split cuts a range at one depth into parts that each change something. Lines
// of context go with the part before them, at the start with the first.
func split(c *change, part cut, at depth, window int) []cut {
	lines := c.diff.Hunks[part.hunk].Lines[part.from:part.to]
	starts := boundaries(c, lines, at, window)
	var out []cut
	from := 0
	for i := 1; i <= len(lines); i++ {
		if i < len(lines) && !starts[i] {
			continue
		}
		if i == len(lines) && !changes(lines[from:i]) && len(out) > 0 {
			out[len(out)-1].to = part.from + i
			break
		}
		if changes(lines[from:i]) {
			out = append(out, cut{part.hunk, part.from + from, part.from + i})
			from = i
		}
	}
	return out
}

// boundaries marks the lines before which a range may be cut at a depth.
func boundaries(c *change, lines []unidiff.Line, at depth, window int) []bool {
	starts := make([]bool, len(lines))
	switch at {
	case byGroup:
		for i, j := 0, 0; i < len(lines); i = j {
			for j = i + 1; j < len(lines) && (lines[j].Kind == unidiff.Context) == (lines[i].Kind == unidiff.Context); j++ {
			}
			if lines[i].Kind == unidiff.Context && i > 0 && j < len(lines) {
				starts[(i+j+1)/2] = true // each side keeps half of the context between
			}
		}
	case byDefinition:
		before := ""
		for i, l := range lines {
			name := before
			if strings.TrimSpace(l.Text) != "" {
				name = c.unitAt(l)
			}
			starts[i] = name != before
			before = name
		}
	case byBlankLine:
		for i := 1; i < len(lines); i++ {
			starts[i] = strings.TrimSpace(lines[i-1].Text) == "" && strings.TrimSpace(lines[i].Text) != ""
		}
	case byWindow:
		for i := window; i < len(lines); i += window {
			starts[i] = true
		}
	case byLine:
		for i := range starts {
			starts[i] = true
		}
	}
	if at < byLine {
		keepReplacements(lines, starts)
	}
	return starts
}

// keepReplacements removes the boundaries before and inside deleted lines that others replace: these are shown with
// their replacement or not at all.
func keepReplacements(lines []unidiff.Line, starts []bool) {
	for i := 0; i < len(lines); i++ {
		if lines[i].Kind == unidiff.Context {
			continue
		}
		from := i
		for i+1 < len(lines) && lines[i].Kind == unidiff.Deleted && lines[i+1].Kind == unidiff.Deleted {
			i++
		}
		if lines[i].Kind == unidiff.Deleted && i+1 < len(lines) && lines[i+1].Kind == unidiff.Added {
			clear(starts[from+1 : i+2])
		}
		if lines[i].Kind == unidiff.Added && i+1 < len(lines) && lines[i+1].Kind == unidiff.Deleted {
			starts[i+1] = false
		}
	}
}

// worth is the value of a part of a hunk to a reviewer.
type worth int

const (
	worthNothing worth = iota // blank lines, brackets, notices of a license
	worthNotes                // imports and comments
	worthCode
)

// license matches a line of the notice at the beginning of a file.
var license = regexp.MustCompile(`(?i)licen[sc]e|copyright|warrant`)

// worth is that of the best line that a part changes.
func (c *change) worth(part cut) worth {
	best := worthNothing
	for _, l := range c.diff.Hunks[part.hunk].Lines[part.from:part.to] {
		if l.Kind != unidiff.Context {
			best = max(best, c.worthOf(l))
		}
	}
	return best
}

func (c *change) worthOf(l unidiff.Line) worth {
	line := strings.TrimSpace(l.Text)
	switch {
	case !strings.ContainsFunc(line, isWord):
		return worthNothing
	case isComment(c.language, line):
		if license.MatchString(line) {
			return worthNothing
		}
		return worthNotes
	case c.imports(l):
		return worthNotes
	}
	return worthCode
}

// imports reports whether a line belongs to an import.
func (c *change) imports(l unidiff.Line) bool {
	file, n := c.is, l.New
	if l.Kind == unidiff.Deleted {
		file, n = c.was, l.Old
	}
	return file != nil && inImports(file, n)
}

// inImports reports whether a line of a file belongs to an import.
func inImports(f *syntax.File, n int) bool {
	return slices.ContainsFunc(f.Imports, func(i syntax.Import) bool { return i.Lines.Contains(n) })
}

// unitAt names the unit of a line: its outermost definition that is not a container of others; "" if there is none.
func (c *change) unitAt(l unidiff.Line) string {
	file, line := c.is, l.New
	if l.Kind == unidiff.Deleted {
		file, line = c.was, l.Old
	}
	if file == nil {
		return ""
	}
	unit := -1
	for def := file.Enclosing(line); def >= 0; def = file.Definitions[def].Parent {
		if !isContainer(file, def) {
			unit = def
		}
	}
	return unitName(file, unit)
}

// isContainer reports whether a definition is a class or the like that holds functions with bodies: the functions are
// the units, not the class.
func isContainer(f *syntax.File, def int) bool {
	if isFunction(f.Definitions[def].Kind) {
		return false
	}
	for i := def + 1; i < len(f.Definitions); i++ {
		if d := &f.Definitions[i]; d.Parent == def && isFunction(d.Kind) && d.HasBody() {
			return true
		}
	}
	return false
}

func unitName(file *syntax.File, def int) string {
	if def < 0 {
		return ""
	}
	d := &file.Definitions[def]
	return string(d.Kind) + " " + d.Qualified
}

func changes(lines []unidiff.Line) bool {
	for _, l := range lines {
		if l.Kind != unidiff.Context {
			return true
		}
	}
	return false
}

// inOnePiece reports whether the marked lines of each run of added lines are next to each other. Two parts of one run
// would insert at the same position of the old file, which a diff cannot express. In a new file every hunk does.
func inOnePiece(h unidiff.Hunk, marked []bool) bool {
	if h.OldLines == 0 {
		return true
	}
	ended := false // the piece shown of this run has come to an end
	for i, l := range h.Lines {
		switch {
		case l.Kind != unidiff.Added:
			ended = false
		case marked[i] && ended:
			return false
		case !marked[i] && i > 0 && marked[i-1] && h.Lines[i-1].Kind == unidiff.Added:
			ended = true
		}
	}
	return true
}

// shownHunks are the hunks that show the marked lines of a hunk. A part of a run of added lines gets the line of
// context next to that run, since git rejects a hunk that ends in a change before the end of the file. Next to a
// deleted line there is none, and the part stays unchanged.
func shownHunks(c *change, hunk int, marked []bool) []unidiff.Hunk {
	h := c.diff.Hunks[hunk]
	var out []unidiff.Hunk
	used := -1 // last line of the hunk that is in out
	for from := 0; from < len(marked); from++ {
		if !marked[from] || from <= used {
			continue
		}
		to := from + 1
		for to < len(marked) && marked[to] {
			to++
		}
		part := h.Slice(from, to)
		if from > 0 {
			part.Section = sectionAt(c, part)
		}
		if i := contextBefore(h, from); i > used && part.Lines[0].Kind == unidiff.Added {
			part.Lines = append([]unidiff.Line{h.Lines[i]}, part.Lines...)
			grow(&part, 1)
		}
		used = to - 1
		if i := contextAfter(h, to); i >= 0 && part.Lines[len(part.Lines)-1].Kind == unidiff.Added {
			part.Lines = append(part.Lines[:len(part.Lines):len(part.Lines)], h.Lines[i])
			grow(&part, 0)
			used = i
		}
		out = append(out, part)
		from = to - 1
	}
	return out
}

// contextBefore is the index of the line of context before the run of added
// lines that goes up to from; -1 if there is none.
func contextBefore(h unidiff.Hunk, from int) int {
	for from > 0 && h.Lines[from-1].Kind == unidiff.Added {
		from--
	}
	if from > 0 && h.Lines[from-1].Kind == unidiff.Context {
		return from - 1
	}
	return -1
}

// contextAfter is the index of the line of context after the run of added lines
// that goes on at to; -1 if there is none.
func contextAfter(h unidiff.Hunk, to int) int {
	for to < len(h.Lines) && h.Lines[to].Kind == unidiff.Added {
		to++
	}
	if to < len(h.Lines) && h.Lines[to].Kind == unidiff.Context {
		return to
	}
	return -1
}

// sectionAt is the text after the second @@ for a hunk that starts inside
// another: the signature of the definition of the base that it starts in.
func sectionAt(c *change, part unidiff.Hunk) string {
	if c.was == nil || part.OldLines == 0 {
		return ""
	}
	def := c.was.Enclosing(part.OldStart)
	if def < 0 || c.was.Definitions[def].Lines.Start >= part.OldStart {
		return ""
	}
	return text.OneLine(c.was.Definitions[def].Signature)
}

// grow counts one more line of context, before or after the others.
func grow(h *unidiff.Hunk, before int) {
	if h.OldLines == 0 {
		h.OldStart += 1 - before // an empty range names the line before it
	} else {
		h.OldStart -= before
	}
	if h.NewLines > 0 {
		h.NewStart -= before
	}
	h.OldLines++
	h.NewLines++
}

func trues(values []bool) int {
	n := 0
	for _, v := range values {
		if v {
			n++
		}
	}
	return n
}
