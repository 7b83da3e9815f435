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
