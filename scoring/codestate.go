package scoring

import (
	"slices"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// The methods of model.CommentState.
const (
	methodCommit = "commit" // the two commits were compared
	methodText   = "text"   // the commit is lost: the commented text was searched
)

// Final is a pull request as it was merged: what the state of the code under
// its comments is told from.
type Final struct {
	Pull *model.PullRequest
	Diff *unidiff.Diff // fork point to head
	Base string        // the fork point of the head
	// Revisions holds the diffs from each commit commented on to the head, and
	// those between the fork points of the two.
	Revisions []model.RevisionDiff
	// Head reads a commented file at the head; false where it is not known.
	Head func(path string) ([]byte, bool)
}

// CommentStates says for every comment, in the order of the threads and their
// comments, what became of the code under it. Replies share the state of their
// thread.
func CommentStates(f Final) []model.CommentState {
	byCommit := map[string]*change{}
	for i := range f.Revisions {
		if c := f.change(&f.Revisions[i]); c != nil {
			byCommit[c.from] = c
		}
	}
	var out []model.CommentState
	for i := range f.Pull.Threads {
		t := &f.Pull.Threads[i]
		s := newStated(&f, byCommit, t).state()
		for _, c := range t.Comments {
			s.CommentID = c.ID
			out = append(out, s)
		}
	}
	return out
}

// change is the way from a commit commented on to the head, and what of it the
// base branch brought.
type change struct {
	from  string
	delta *unidiff.Diff
	base  *unidiff.Diff // fork point to fork point; nil where they are the same
	known bool          // whether base is what it says
	paths []string
}

// change parses the way from one commit; nil where it leads elsewhere or cannot
// be used.
func (f *Final) change(r *model.RevisionDiff) *change {
	if r.Problem != "" || r.To != f.Pull.HeadOid {
		return nil
	}
	d, err := unidiff.Parse(r.Text)
	if err != nil {
		return nil
	}
	c := &change{from: r.From, delta: d, paths: r.Paths, known: r.ForkPoint != "" && r.ForkPoint == f.Base}
	for _, b := range f.Revisions {
		if r.ForkPoint == "" || b.From != r.ForkPoint || b.To != f.Base || b.Problem != "" {
			continue
		}
		if base, err := unidiff.Parse(b.Text); err == nil {
			c.base, c.known = base, true
		}
	}
	return c
}

// stated finds the state of one thread.
type stated struct {
	final       *Final
	thread      *model.Thread
	target      target
	change      *change // nil where the commit is lost, or is the head
	atHead      bool
	first, last int           // the commented lines at the original commit
	ranged      bool          // whether they are known
	file        *unidiff.File // in the final diff; nil where it is not there
	moved       *unidiff.File // in the change; nil where the file did not change since
}

func newStated(f *Final, byCommit map[string]*change, t *model.Thread) *stated {
	t = oneSided(t)
	s := &stated{final: f, thread: t}
	original, hunk := "", ""
	for _, c := range t.Comments {
		if original == "" {
			original = c.OriginalOid
		}
		if hunk == "" {
			hunk = c.DiffHunk
		}
	}
	s.target = newTarget(t, hunk)
	s.atHead = original != "" && original == f.Pull.HeadOid
	if c := byCommit[original]; c != nil && slices.Contains(c.paths, t.Path) {
		s.change = c
		s.moved = c.delta.Old(t.Path)
	}
	switch {
	case s.target.trusted:
		s.last, s.ranged = s.target.line, true
	case t.OriginalLine != nil:
		s.last, s.ranged = *t.OriginalLine, true
	}
	s.first = s.last
	if start := t.OriginalStartLine; start != nil && *start < s.last && *start > s.last-maxRange {
		s.first = *start
	}
	s.file = s.finalFile()
	return s
}

// finalFile is the file in the final diff, followed through the renames since.
func (s *stated) finalFile() *unidiff.File {
	d := s.final.Diff
	if d == nil {
		return nil
	}
	if s.moved != nil && s.moved.NewPath != "" && s.moved.NewPath != s.thread.Path {
		if f := d.New(s.moved.NewPath); f != nil {
			return f
		}
	}
	return d.Lookup(s.thread.Path)
}

// state tries the states in their order.
func (s *stated) state() model.CommentState {
	out := model.CommentState{State: model.StateUnknown}
	if s.final.Diff == nil {
		return out
	}
	method := methodText
	if s.change != nil || s.atHead {
		method = methodCommit
	}
	switch {
	case s.applied():
		out.State, out.Method = model.StateApplied, method
	case s.file == nil:
		out.State, out.Method = model.StateFileGone, method
	case s.atHead:
		out.State, out.Method = model.StateAtHead, method
	case s.change != nil:
		out.State, out.Distance = s.compared()
		out.Method = method
	default:
		if out.State = s.searched(); out.State != model.StateUnknown {
			out.Method = method
		}
	}
	out.Elsewhere = s.elsewhere()
	return out
}

// compared goes by the change between the two commits.
func (s *stated) compared() (model.CodeState, *int) {
	runs := s.change.own(s.moved)
	switch {
	case s.thread.Side == model.Left && s.thread.Subject != model.SubjectFile && s.ranged:
		if s.deletedStill() {
			return model.StateUntouched, nil
		}
		zero := 0
		return model.StateEdited, &zero
	case len(runs) == 0:
		return model.StateUntouched, nil
	case !s.ranged:
		return model.StateUnknown, nil // a comment on the whole file, which changed somewhere
	}
	nearest := -1
	for _, r := range runs {
		if d := gap(r, s.first, s.last); nearest < 0 || d < nearest {
			nearest = d
		}
	}
	switch {
	case nearest == 0:
		return model.StateEdited, &nearest
	case nearest <= nearLines:
		return model.StateNear, &nearest
	case nearest <= aroundLines:
		return model.StateAround, &nearest
	}
	return model.StateFar, &nearest
}

// gap is how many lines lie from a change to the lines first to last: 0 where it
// deletes one of them, 1 directly beside them or between them.
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

// own lists the changes of a file of the delta that the base branch did not
// bring; none of nil.
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

// deletedStill reports whether the commented line of the old side is still
// deleted, its number carried over to the head's fork point.
func (s *stated) deletedStill() bool {
	line := s.last
	if b := s.change.base; b != nil {
		if f := b.Lookup(s.file.OldPath); f != nil {
			var ok bool
			if line, ok = f.ToNew(line); !ok {
				return false
			}
		}
	}
	if s.target.trusted && !s.target.marked() { // a context line: it must not be deleted now
		return !s.file.Deleted()[line]
	}
	return s.file.Deleted()[line]
}
