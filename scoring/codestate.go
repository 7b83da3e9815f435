package scoring

import (
	"slices"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// The methods of model.CommentState.
const (
	methodCommit = "commit" // the two commits were compared
	methodText   = "text"   // the commit is lost: search by the commented text
)

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

// CommentStates returns for every comment, in the order of the threads and their comments, the state of the code
// under it. Replies share the state of their thread.
func CommentStates(f Final) []model.CommentState {
	byCommit := f.changes()
	var out []model.CommentState
	for i := range f.Pull.Threads {
		t := &f.Pull.Threads[i]
		s := (&stated{newCommented(t, f.Pull.HeadOid, f.Diff, byCommit), &f}).state()
		for _, c := range t.Comments {
			s.CommentID = c.ID
			out = append(out, s)
		}
	}
	return out
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

// compared uses the change between the two commits.
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
