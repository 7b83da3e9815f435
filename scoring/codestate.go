package scoring

import (
	"github.com/prforge/prforge/internal/model"
)

// The methods of model.CommentState.
const (
	methodCommit = "commit" // the two commits were compared
	methodText   = "text"   // the commit is lost: search by the commented text
)

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
