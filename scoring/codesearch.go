package scoring

import (
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/markdown"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// searched uses the commented text alone.
func (s *stated) searched() model.CodeState {
	if !s.target.trusted || letters([]string{s.target.text()}) < minTextLetters {
		return model.StateUnknown
	}
	var lines []string
	if s.thread.Side == model.Left && s.target.marked() {
		for _, r := range s.file.Runs() {
			lines = append(lines, r.Deleted...)
		}
	} else {
		text, ok := s.head()
		if !ok {
			return model.StateUnknown
		}
		lines = text
	}
	found := 0
	for _, l := range lines {
		if sameCode(l, s.target.text()) {
			found++
		}
	}
	switch found {
	case 0:
		return model.StateEditedText
	case 1:
		return model.StateUntouchedText
	}
	return model.StateUnknown
}

// head reads the commented file at the head.
func (s *stated) head() ([]string, bool) {
	if s.file == nil || s.file.NewPath == "" || s.final.Head == nil {
		return nil, false
	}
	data, ok := s.final.Head(s.file.NewPath)
	return strings.Split(string(data), "\n"), ok
}

// applied reports whether a suggestion of the thread's first comment is in the
// file at the head, near where it was made, and was not there before.
func (s *stated) applied() bool {
	if len(s.thread.Comments) == 0 || s.thread.Side == model.Left || !s.ranged {
		return false
	}
	suggested := markdown.Read(s.thread.Comments[0].Body).Suggested
	if len(suggested) == 0 {
		return false
	}
	now, ok := s.head()
	if !ok {
		return false
	}
	at := s.last
	if s.moved != nil {
		if to, survived := s.moved.ToNew(s.last); survived {
			at = to
		} else if to, survived := s.moved.ToNew(max(1, s.first-1)); survived {
			at = to + 1
		}
	}
	for _, block := range suggested {
		want := codeLines(strings.Split(block, "\n"))
		if len(want) == 0 || slices.Equal(want, codeLines(s.lines())) {
			continue
		}
		if inARow(now, want, at) && !inARow(s.before(now), want, s.last) {
			return true
		}
	}
	return false
}

// lines are the lines that the comment is about, as its hunk shows them.
func (s *stated) lines() []string {
	if !s.target.trusted {
		return nil
	}
	return s.target.texts[max(0, len(s.target.texts)-s.target.size):]
}

// before is the file at the commented commit: the head's lines with the change reverted, or the hunk's lines if the
// commit is lost.
func (s *stated) before(now []string) []string {
	if s.change == nil && !s.atHead {
		return s.target.texts
	}
	if s.moved == nil {
		return now
	}
	var old []string
	next := 1 // the new line to come
	for _, h := range s.moved.Hunks {
		start := h.NewStart
		if h.NewLines == 0 {
			start++
		}
		for ; next < start && next <= len(now); next++ {
			old = append(old, now[next-1])
		}
		for _, l := range h.Lines {
			if l.Kind != unidiff.Added {
				old = append(old, l.Text)
			}
			if l.Kind != unidiff.Deleted {
				next++
			}
		}
	}
	if next <= len(now) {
		old = append(old, now[next-1:]...)
	}
	return old
}

// codeLines are the lines that are not blank, trimmed.
func codeLines(lines []string) []string {
	var out []string
	for _, l := range lines {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// inARow reports whether the wanted lines follow one another, ignoring blank lines, beginning within aroundLines of a
// line.
func inARow(lines, want []string, at int) bool {
	for i := max(0, at-1-aroundLines-len(want)); i < len(lines) && i <= at-1+aroundLines; i++ {
		if !sameCode(lines[i], want[0]) {
			continue
		}
		k := 0
		for j := i; j < len(lines) && k < len(want); j++ {
			if strings.TrimSpace(lines[j]) == "" {
				continue
			}
			if !sameCode(lines[j], want[k]) {
				break
			}
			k++
		}
		if k == len(want) {
			return true
		}
	}
	return false
}

// Final is a merged pull request, the basis of the state of the code under its comments.
type Final struct {
	Pull *model.PullRequest
	Diff *unidiff.Diff // fork point to head
	Base string        // the fork point of the head
	// Revisions holds the diffs from each commit commented on to the head, and
	// those between the fork points of the two.
	Revisions []model.RevisionDiff
	// Head reads a commented file at the head; false if it is unknown.
	Head func(path string) ([]byte, bool)
}

// changes are the changes up to the head by their first commit, with those of the base branch in between.
func (f *Final) changes() map[string]*change {
	byCommit := changesTo(f.Pull.HeadOid, f.Revisions)
	for _, r := range f.Revisions {
		c := byCommit[r.From]
		if c == nil || r.To != f.Pull.HeadOid || r.ForkPoint == "" {
			continue
		}
		for _, b := range f.Revisions {
			if b.From != r.ForkPoint || b.To != f.Base || b.Problem != "" {
				continue
			}
			if base, err := unidiff.Parse(b.Text); err == nil {
				c.base = base
			}
		}
	}
	return byCommit
}

// stated finds the state of one thread.
type stated struct {
	commented
	final *Final
}

// gap is how many lines lie between a change and the lines first to last: 0 if it deletes one of them, 1 directly
// beside or between them.
func gap(r unidiff.Run, first, last int) int {
	from, to := r.After+1, r.After+len(r.Deleted)
	switch {
	case len(r.Deleted) > 0 && from <= last && to >= first:
		return 0
	case len(r.Deleted) == 0 && r.After >= first && r.After < last:
		return 1
	case r.After >= last: // it begins behind them
		return r.After + 1 - last
	}
	return first - max(to, r.After) // it ends before them
}

// own lists the changes of a file of the delta that do not come from the base branch; none of nil.
func (c *change) own(moved *unidiff.File) []unidiff.Run {
	if moved == nil {
		return nil
	}
	var brought []unidiff.Run
	if b := c.base; b != nil {
		for _, path := range []string{moved.OldPath, moved.NewPath} {
			if f := b.Lookup(path); f != nil {
				brought = append(brought, f.Runs()...)
			}
		}
	}
	return slices.DeleteFunc(moved.Runs(), func(r unidiff.Run) bool {
		return slices.ContainsFunc(brought, func(b unidiff.Run) bool {
			return slices.Equal(b.Deleted, r.Deleted) && slices.Equal(b.Added, r.Added)
		})
	})
}
