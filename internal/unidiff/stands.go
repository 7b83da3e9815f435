package unidiff

import (
	"slices"
	"strings"
)

// Standing says how a diff contains a review comment's diff hunk.
type Standing int

// The standings.
const (
	Absent  Standing = iota
	Shifted          // equal lines in one hunk alone, at other line numbers
	Stands           // equal lines, and equal start numbers in the header
)

// Stands finds a hunk of the path that begins with a comment's whole excerpt, as ParseExcerpt reads it. A file has
// both its old and its new path. It ignores white space at the end of lines: GitHub removes it from some excerpts.
func (d *Diff) Stands(path string, excerpt Hunk) Standing {
	if len(excerpt.Lines) == 0 {
		return Absent
	}
	shifted := 0
	for _, f := range d.Files {
		if f.NewPath != path && f.OldPath != path {
			continue
		}
		for _, h := range f.Hunks {
			if !h.begins(excerpt) {
				continue
			}
			if h.OldStart == excerpt.OldStart && h.NewStart == excerpt.NewStart {
				return Stands
			}
			shifted++
		}
	}
	if shifted == 1 {
		return Shifted
	}
	return Absent
}

// begins reports whether the hunk's first lines are those of the excerpt.
func (h Hunk) begins(excerpt Hunk) bool {
	if len(h.Lines) < len(excerpt.Lines) {
		return false
	}
	for i, l := range excerpt.Lines {
		if h.Lines[i].Kind != l.Kind || trimmed(h.Lines[i].Text) != trimmed(l.Text) {
			return false
		}
	}
	return true
}

func trimmed(s string) string { return strings.TrimRight(s, " \t\r\n\v\f") }

// Run is a change without context: lines that are deleted together and the
// lines that are at their position. After is the number of the old line that it
// follows; the deleted lines are After+1 to After+len(Deleted). New is the number
// of the first added line, or of the new line behind what was deleted.
type Run struct {
	After, New     int
	Deleted, Added []string
}

// Runs lists the file's changes without context, in order.
func (f *File) Runs() []Run {
	var out []Run
	for _, h := range f.Hunks {
		at := first(h.OldStart, h.OldLines) - 1 // the last old line passed
		next := first(h.NewStart, h.NewLines)   // the new line to come
		var run *Run
		for _, l := range h.Lines {
			if l.Kind == Context {
				run, at, next = nil, l.Old, l.New+1
				continue
			}
			if run == nil {
				out = append(out, Run{After: at, New: next})
				run = &out[len(out)-1]
			}
			if l.Kind == Deleted {
				run.Deleted = append(run.Deleted, l.Text)
				at = l.Old
			} else {
				run.Added = append(run.Added, l.Text)
				next = l.New + 1
			}
		}
	}
	return out
}

// Find finds changes of another diff among the file's own: each with equal deleted and added lines, in their order.
// It returns them with the file's numbers; false if one is missing.
func (f *File) Find(runs []Run) ([]Run, bool) {
	var out []Run
	for _, own := range f.Runs() {
		if len(out) < len(runs) && slices.Equal(own.Deleted, runs[len(out)].Deleted) &&
			slices.Equal(own.Added, runs[len(out)].Added) {
			out = append(out, own)
		}
	}
	return out, len(out) == len(runs)
}
