package scoring

import (
	"slices"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// maxRange bounds the lines of one comment. GitHub has no limit, but its hunks have far fewer.
const maxRange = 10_000

// change is the change from a commented commit to the head, with the base branch's part of it.
type change struct {
	delta *unidiff.Diff
	paths []string      // that it was limited to
	base  *unidiff.Diff // fork point to fork point; nil where they are the same, or nobody asks
}

// changesTo indexes the changes to the head by their first commit. It drops those that git could not make, that lead
// elsewhere or that do not parse: their comments are searched by their hunk.
func changesTo(head string, revisions []model.RevisionDiff) map[string]*change {
	byCommit := map[string]*change{}
	for _, r := range revisions {
		if r.Problem != "" || r.To != head {
			continue
		}
		if d, err := unidiff.Parse(r.Text); err == nil {
			byCommit[r.From] = &change{delta: d, paths: r.Paths}
		}
	}
	return byCommit
}

// commented is the code that a thread is about: its comments' facts, and the changes of its file.
type commented struct {
	thread      *model.Thread // of one side
	target      target
	atHead      bool          // it was written on the final head
	change      *change       // since the commit commented on; nil where that is the head, is lost or was not compared
	moved       *unidiff.File // in the change; nil where the file did not change since
	file        *unidiff.File // in the final diff; nil where it is not there
	first, last int           // the commented lines at the original commit
	ranged      bool          // whether they are known
}

// newCommented reads a thread, given the final diff, which may be nil, and the changes to the head by commit.
func newCommented(t *model.Thread, head string, diff *unidiff.Diff, byCommit map[string]*change) commented {
	t = oneSided(t)
	original, hunk := "", ""
	for _, c := range t.Comments {
		if original == "" {
			original = c.OriginalOid
		}
		if hunk == "" {
			hunk = c.DiffHunk
		}
	}
	c := commented{thread: t, target: newTarget(t, hunk), atHead: original != "" && original == head}
	if way := byCommit[original]; way != nil && !c.atHead && slices.Contains(way.paths, t.Path) {
		c.change, c.moved = way, way.delta.Old(t.Path)
	}
	if diff != nil {
		c.file = c.finalFile(diff)
	}
	switch {
	case c.target.trusted:
		c.last, c.ranged = c.target.line, true
	case t.OriginalLine != nil:
		c.last, c.ranged = *t.OriginalLine, true
	}
	c.first = c.last
	if start := t.OriginalStartLine; start != nil && *start < c.last && *start > c.last-maxRange {
		c.first = *start
	}
	return c
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

// finalFile finds the thread's file in the final diff. A line of the old side is
// in the file that had the name before, a line that GitHub still gives in the
// file of that name; any other follows the rename that came after the comment,
// since another file may have taken the name.
func (c *commented) finalFile(diff *unidiff.Diff) *unidiff.File {
	path := c.thread.Path
	var ways []*unidiff.File
	if c.thread.Side == model.Left {
		ways = append(ways, diff.Old(path))
	}
	if c.thread.Line != nil {
		ways = append(ways, diff.New(path))
	}
	if c.moved != nil {
		ways = append(ways, diff.New(c.moved.NewPath))
	}
	ways = append(ways, diff.New(path), diff.Old(path))
	if i := slices.IndexFunc(ways, func(f *unidiff.File) bool { return f != nil }); i >= 0 {
		return ways[i]
	}
	return nil
}

// locator finds the position of one thread.
type locator struct {
	commented
	anchor model.Anchor
}

func newLocator(pull *model.PullRequest, diff *unidiff.Diff, byCommit map[string]*change,
	thread *model.Thread) *locator {
	l := &locator{newCommented(thread, pull.HeadOid, diff, byCommit), model.Anchor{Path: thread.Path, Side: thread.Side}}
	if l.file != nil {
		l.anchor.Path = l.file.Path()
	}
	if l.ranged {
		l.anchor.OriginalLine = &l.last
	}
	return l
}
