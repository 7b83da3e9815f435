package scoring

import (
	"strings"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// replacement is a line that replaced a commented one.
type replacement struct {
	line int
	edit bool // the line is the old one, edited; else its block was rewritten
}

// replaced finds the later replacement of the commented line: GitHub calls most threads outdated because exactly that
// line changed. It returns false if no revision shows it, or if the code was deleted without a replacement.
func (l *locator) replaced() (replacement, bool) {
	if !l.ranged || l.moved == nil || l.thread.Side == model.Left || l.moved.NewPath != l.file.NewPath {
		return replacement{}, false
	}
	line, edit, ok := substitute(l.moved, l.last)
	return replacement{line: line, edit: edit}, ok
}

// substitute finds the added line that replaced a deleted line: in the same block of changed lines, the most similar
// one or, without any, the one at the same relative position.
func substitute(f *unidiff.File, old int) (line int, edit, ok bool) {
	deleted, added := block(f, old)
	if len(deleted) == 0 || len(added) == 0 {
		return 0, false, false
	}
	at := old - deleted[0].Old
	position := at * len(added) / len(deleted)
	best, similarity := position, alike(deleted[at].Text, added[position].Text)
	for i, a := range added[:min(len(added), maxBlock)] {
		if s := alike(deleted[at].Text, a.Text); s > similarity {
			best, similarity = i, s
		}
	}
	if similarity < minAlike {
		return added[position].New, false, true
	}
	return added[best].New, true, true
}

// maxBlock and maxText bound the comparison of rewritten blocks and of long
// lines.
const (
	maxBlock = 500
	maxText  = 500
)

// block is the deleted and the added lines of the run of changes that deletes
// a line.
func block(f *unidiff.File, old int) (deleted, added []unidiff.Line) {
	for _, h := range f.Hunks {
		found := false
		deleted, added = nil, nil
		for _, l := range h.Lines {
			switch l.Kind {
			case unidiff.Deleted:
				deleted = append(deleted, l)
				found = found || l.Old == old
			case unidiff.Added:
				added = append(added, l)
			default:
				if found {
					return deleted, added
				}
				deleted, added = nil, nil
			}
		}
		if found {
			return deleted, added
		}
	}
	return nil, nil
}

// alike is the share of pairs of neighboring bytes that two lines have in
// common (Dice's coefficient), blanks left out: 1 for the same text.
func alike(a, b string) float64 {
	a, b = dense(a), dense(b)
	if a == b {
		return 1
	}
	pairs := make(map[string]int, len(a))
	for i := 0; i+1 < len(a); i++ {
		pairs[a[i:i+2]]++
	}
	common := 0
	for i := 0; i+1 < len(b); i++ {
		if pairs[b[i:i+2]] > 0 {
			pairs[b[i:i+2]]--
			common++
		}
	}
	if total := len(a) + len(b) - 2; total > 0 {
		return 2 * float64(common) / float64(total)
	}
	return 0
}

func dense(s string) string {
	return strings.Join(strings.Fields(s[:min(len(s), maxText)]), "")
}
