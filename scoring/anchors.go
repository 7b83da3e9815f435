package scoring

import (
	"fmt"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// Anchors finds the position of every review comment in the final diff, in the
// order of the threads and their comments. A thread has one position; its replies
// share it. Revisions may be empty and may have problems: what they cannot
// carry over is searched in the diff by the text of the comment's hunk.
//
// A line is given only where something confirms it: GitHub itself, a line
// map between two commits, or the commented text found again. Where nothing
// does the method is none, and Note says why.
//
// Path is the file's name in the final diff (unidiff.File.Path) on either side,
// so that every comment on a file has the same; numbers of the left side are
// those of the old file.
func Anchors(pull *model.PullRequest, diff *unidiff.Diff, revisions []model.RevisionDiff) []model.Anchor {
	byCommit := parseRevisions(pull.HeadOid, revisions)
	var anchors []model.Anchor
	for i := range pull.Threads {
		thread := &pull.Threads[i]
		anchor := newLocator(pull, diff, byCommit, thread).locate()
		for _, c := range thread.Comments {
			anchor.CommentID = c.ID
			anchors = append(anchors, anchor)
		}
	}
	return anchors
}

// revision is a parsed RevisionDiff.
type revision struct {
	diff  *unidiff.Diff
	paths map[string]bool // the paths that it was limited to
}

// parseRevisions indexes the usable revisions by the commit they start from.
// One that git could not make, that leads elsewhere or that does not parse is
// left out: its comments are searched by their hunk.
func parseRevisions(head string, revisions []model.RevisionDiff) map[string]revision {
	byCommit := make(map[string]revision)
	for _, r := range revisions {
		if r.Problem != "" || r.To != head {
			continue
		}
		d, err := unidiff.Parse(r.Text)
		if err != nil {
			continue
		}
		paths := make(map[string]bool, len(r.Paths))
		for _, p := range r.Paths {
			paths[p] = true
		}
		byCommit[r.From] = revision{d, paths}
	}
	return byCommit
}

// locator finds the position of one thread.
type locator struct {
	thread   *model.Thread
	original string // the commit commented on; "" if unknown
	atHead   bool   // that commit is the final head
	revision *revision
	file     *unidiff.File // in the final diff; nil if it is not there
	moved    *unidiff.File // in the revision; nil if it did not change since
	target   target
	anchor   model.Anchor
}

func newLocator(pull *model.PullRequest, diff *unidiff.Diff, byCommit map[string]revision, thread *model.Thread) *locator {
	l := &locator{thread: oneSided(thread), anchor: model.Anchor{Path: thread.Path, Side: thread.Side, OriginalLine: thread.OriginalLine}}
	thread = l.thread
	hunk := ""
	for _, c := range thread.Comments {
		if l.original == "" {
			l.original = c.OriginalOid
		}
		if hunk == "" {
			hunk = c.DiffHunk
		}
	}
	l.atHead = l.original != "" && l.original == pull.HeadOid
	if r, ok := byCommit[l.original]; ok && r.paths[thread.Path] && !l.atHead {
		l.revision = &r
		l.moved = r.diff.Old(thread.Path)
	}
	l.file = l.finalFile(diff)
	if l.file != nil {
		l.anchor.Path = l.file.Path()
	}
	l.target = newTarget(thread, hunk)
	if t := l.target; t.trusted {
		l.anchor.OriginalLine = &t.line
	}
	return l
}

// oneSided is the thread without the start of a range that begins on the other
// side: its number belongs to the other file and cannot be compared.
func oneSided(t *model.Thread) *model.Thread {
	if t.StartSide == "" || t.StartSide == t.Side {
		return t
	}
	one := *t
	one.StartLine, one.OriginalStartLine = nil, nil
	return &one
}

// finalFile finds the thread's file in the final diff: under its own name,
// under the name that a later commit gave it, or as the old name of a rename.
func (l *locator) finalFile(diff *unidiff.Diff) *unidiff.File {
	path := l.thread.Path
	if l.thread.Side == model.Left {
		if f := diff.Old(path); f != nil {
			return f
		}
	}
	if f := diff.New(path); f != nil {
		return f
	}
	if l.moved != nil && l.moved.NewPath != "" {
		if f := diff.New(l.moved.NewPath); f != nil {
			return f
		}
	}
	return diff.Old(path)
}

// locate tries the ways of spec section 4, best first.
func (l *locator) locate() model.Anchor {
	l.note(l.target.note)
	switch {
	case l.thread.Subject == model.SubjectFile:
		l.anchor.Method = model.AnchorFile
		l.note("a comment about the whole file")
	case l.thread.Line != nil:
		l.accept(model.AnchorExact, *l.thread.Line, l.thread.StartLine)
		if l.file == nil {
			l.note("the file is not in the final diff")
		}
	case l.file == nil:
		l.anchor.Method = model.AnchorNone
		l.note("the file left the pull request before the merge")
	case l.thread.OriginalLine == nil && !l.target.trusted:
		l.anchor.Method = model.AnchorNone
		l.note("GitHub gives neither a line nor a usable diff hunk")
	default:
		l.outdated()
	}
	return l.anchor
}

// outdated places a comment that GitHub itself no longer does: where its line
// survived, or else where its text is found again. Code that took its place is
// named as such and is not the comment's line.
func (l *locator) outdated() {
	if line, start, ok := l.remap(); ok {
		l.accept(model.AnchorRemapped, line, start)
		return
	}
	substitute, isReplaced := l.replaced()
	if isReplaced && substitute.edit {
		l.substitute(substitute.line, "the commented line was edited after the comment; the edited line is named beside")
		return
	}
	exact := search(l.file, l.thread.Side, l.target)
	if exact.line > 0 {
		l.accept(model.AnchorHunk, exact.line, exact.start)
		return
	}
	if isReplaced {
		l.substitute(substitute.line, "the commented code was rewritten after the comment; a line in its place is named beside")
		return
	}
	if line, ok := after(l.file, l.thread.Side, l.target); ok && exact.positions == 0 {
		l.substitute(line, "the commented line was changed; the line that follows the lines before it is named beside")
		return
	}
	l.nowhere(exact.positions)
}

// substitute names the line where people find what became of the commented one.
func (l *locator) substitute(line int, why string) {
	l.anchor.Method, l.anchor.Substitute = model.AnchorNone, &line
	l.note(why)
}

// nowhere says why an outdated comment has no line.
func (l *locator) nowhere(positions int) {
	l.anchor.Method = model.AnchorNone
	switch {
	case positions > 0:
		l.note("the commented text stands in the final diff in several places alike, or says too little to be recognized")
	case l.changed() || l.target.trusted && l.target.marked():
		// An added line that the final diff no longer adds, or a deleted one
		// that it no longer deletes, was changed, whatever the commit was.
		l.note("the commented code was changed before the merge and nothing in the final diff stands in its place")
	default:
		l.note("the commented text stands nowhere in the final diff")
	}
}

// accept sets the line and what follows from it.
func (l *locator) accept(method model.AnchorMethod, line int, start *int) {
	l.anchor.Method = method
	l.anchor.Line = &line
	if start != nil && *start < line {
		l.anchor.StartLine = start
	}
	if l.file == nil {
		return
	}
	if l.thread.Side == model.Left {
		l.anchor.InDiff = l.file.Deleted()[line]
	} else {
		l.anchor.InDiff = l.file.Added()[line]
	}
}

// note adds a sentence to the anchor's note.
func (l *locator) note(s string) {
	if s == "" {
		return
	}
	if l.anchor.Note != "" {
		s = fmt.Sprintf("%s; %s", l.anchor.Note, s)
	}
	l.anchor.Note = s
}
