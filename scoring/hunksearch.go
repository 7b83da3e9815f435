package scoring

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// target is the end of a comment's diff hunk: the commented line and the lines before it on its side, at the time of
// the comment.
type target struct {
	trusted bool // the hunk was usable
	line    int  // the commented line at the original commit
	size    int  // how many lines the comment is about, at least 1
	kind    unidiff.Kind
	texts   []string // the side's lines, ending in the commented one
	note    string
}

// newTarget reads the hunk. GitHub ends it with the commented line, so its number can be counted. If that disagrees
// with originalLine the hunk wins, because its text can be checked and a number cannot.
func newTarget(thread *model.Thread, hunk string) target {
	t := target{size: 1}
	if hunk == "" {
		return t
	}
	h, err := unidiff.ParseExcerpt(hunk)
	if err != nil {
		t.note = "the diff hunk is unusable: " + err.Error()
		return t
	}
	for _, l := range h.Lines {
		if n := number(l, thread.Side); n > 0 {
			t.texts = append(t.texts, l.Text)
			t.line, t.kind, t.trusted = n, l.Kind, true
		}
	}
	if !t.trusted {
		return t
	}
	if given := thread.OriginalLine; given != nil && *given != t.line && thread.Subject != model.SubjectFile {
		t.note = fmt.Sprintf("the hunk ends at line %d, GitHub's original line is %d; the hunk is believed", t.line, *given)
	}
	if s := thread.OriginalStartLine; s != nil && *s > 0 && *s < t.line {
		t.size = min(t.line-*s+1, len(t.texts))
	}
	return t
}

// text is the commented line.
func (t target) text() string { return t.texts[len(t.texts)-1] }

// marked reports whether the commented line was an added or a deleted one.
func (t target) marked() bool { return t.kind != unidiff.Context }

// found is the result of search: a position that the text confirms, or line 0 and how many positions have the
// commented line.
type found struct {
	line      int
	run       int // how many equal lines end there
	start     *int
	whole     bool // all lines of the comment are there
	positions int
}

// position is a line of the final diff with the commented text, and how many lines before it equal the comment's
// hunk.
type position struct {
	line, run int
	kind      unidiff.Kind
}

// search looks for the end of the comment's hunk in the final diff. The
// longest run of equal lines wins; among equals a line of the same kind
// (added, deleted), then the nearest to the original.
func search(f *unidiff.File, side model.Side, t target) found {
	if !t.trusted {
		return found{}
	}
	all := positions(f, side, t)
	result := found{positions: len(all)}
	if len(all) == 0 {
		return result
	}
	slices.SortFunc(all, func(a, b position) int {
		return cmp.Or(rank(b, t)-rank(a, t), distance(a.line, t.line)-distance(b.line, t.line), a.line-b.line)
	})
	best := all[0]
	if len(all) > 1 && rank(all[1], t) == rank(best, t) {
		if best.run < minNearRun || distance(all[1].line, t.line) == distance(best.line, t.line) {
			return result
		}
	}
	need := minLetters
	if best.run == 1 {
		need = minLineLetters
	}
	if letters(t.texts[len(t.texts)-best.run:]) < need {
		return result
	}
	result.line, result.run = best.line, best.run
	result.whole = best.run >= t.size
	if t.size > 1 && result.whole {
		start := best.line - t.size + 1
		result.start = &start
	}
	return result
}

// after finds the final diff's line after the lines that were before the commented one: the position of a changed
// line when no revision shows it. The lines before it must match like a comment's own, at least minNearRun of them.
func after(f *unidiff.File, side model.Side, t target) (int, bool) {
	if len(t.texts) <= minNearRun {
		return 0, false
	}
	before := t
	before.texts, before.size, before.line = t.texts[:len(t.texts)-1], 1, t.line-1
	at := search(f, side, before)
	if at.run < minNearRun {
		return 0, false
	}
	_, shown := textAt(f, side, at.line+1)
	return at.line + 1, shown
}

// rank orders positions by the text alone: the run first, then the kind.
func rank(p position, t target) int {
	if p.kind == t.kind {
		return 2*p.run + 1
	}
	return 2 * p.run
}

// positions lists the lines of a side with the commented text. It ignores blanks at both ends, because moved code is
// often re-indented.
func positions(f *unidiff.File, side model.Side, t target) []position {
	var out []position
	for _, h := range f.Hunks {
		var texts []string
		for _, l := range h.Lines {
			n := number(l, side)
			if n == 0 {
				continue
			}
			texts = append(texts, l.Text)
			if sameCode(l.Text, t.text()) {
				out = append(out, position{line: n, run: runLength(texts, t.texts), kind: l.Kind})
			}
		}
	}
	return out
}

// runLength counts the equal lines at the end of two texts.
func runLength(a, b []string) int {
	n := 0
	for n < maxRun && n < len(a) && n < len(b) && sameCode(a[len(a)-1-n], b[len(b)-1-n]) {
		n++
	}
	return n
}

// sameCode compares lines without the blanks at their ends.
func sameCode(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }

func distance(a, b int) int { return max(a-b, b-a) }

// letters counts the letters, digits and underscores of lines.
func letters(lines []string) int {
	n := 0
	for _, l := range lines {
		for _, r := range l {
			if r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
				n++
			}
		}
	}
	return n
}

// textAt is the text of a line of one side if a hunk shows it.
func textAt(f *unidiff.File, side model.Side, line int) (string, bool) {
	for _, h := range f.Hunks {
		for _, l := range h.Lines {
			if number(l, side) == line {
				return l.Text, true
			}
		}
	}
	return "", false
}

// number is the line's number on a side; 0 if it is not there.
func number(l unidiff.Line, side model.Side) int {
	if side == model.Left {
		return l.Old
	}
	return l.New
}
