package scoring

import (
	"slices"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// maxRange bounds how many lines one comment can stand on. GitHub has no
// limit, but a hunk that it shows has far fewer.
const maxRange = 10_000

// change is the way from a commit commented on to the head, and what of it the
// base branch brought.
type change struct {
	delta *unidiff.Diff
	paths []string      // that it was limited to
	base  *unidiff.Diff // fork point to fork point; nil where they are the same, or nobody asks
}

// changesTo indexes the ways to the head by the commit that they start from. One
// that git could not make, that leads elsewhere or that does not parse is left
// out: its comments are searched by their hunk.
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

// commented is the code that a thread is about: what its comments say of it, and
// what became of its file.
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

// newCommented reads a thread, given the final diff, which may be nil, and the
// ways to the head by commit.
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
