package scoring

import (
	"fmt"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// Anchors finds the position of every review comment in the final diff, in the order of the threads and their
// comments. A thread has one position; its replies share it. Revisions may be empty and may have problems: a comment
// that they cannot map is searched in the diff by the text of its hunk.
//
// A line is set only if something confirms it: GitHub itself, a line map between two commits, or the commented text
// found again. Otherwise the method is none, and Note says why.
//
// Path is the file's name in the final diff (unidiff.File.Path) on either side,
// so that every comment on a file has the same; numbers of the left side are
// those of the old file.
func Anchors(pull *model.PullRequest, diff *unidiff.Diff, revisions []model.RevisionDiff) []model.Anchor {
	byCommit := changesTo(pull.HeadOid, revisions)
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

// outdated locates a comment that GitHub no longer locates: where its line survived, or else where its text is found
// again. Code that replaced it is noted as such and is not the comment's line.
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
		l.substitute(substitute.line,
			"the commented code was rewritten after the comment; a line in its place is named beside")
		return
	}
	if line, ok := after(l.file, l.thread.Side, l.target); ok && exact.positions == 0 {
		l.substitute(line, "the commented line was changed; the line that follows the lines before it is named beside")
		return
	}
	l.nowhere(exact.positions)
}

// substitute names the line that replaced the commented one, for people.
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
		// An added line that the final diff no longer adds, or a deleted one that it no longer deletes, was changed,
		// whatever the commit.
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
