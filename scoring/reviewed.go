package scoring

import (
	"cmp"
	"slices"
	"time"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// AsReviewed returns a pull request as reviewers saw it at a revision: its head, files and counts are those of the
// revision's diff, title and description those before the time at, and threads that apply to it have their original
// lines; others have none. It does not change p. The second result is false if the description was edited after that
// time and its former text is unknown.
func AsReviewed(p *model.PullRequest, c model.RevisionCandidate, diff *unidiff.Diff, at time.Time) (*model.PullRequest,
	bool) {
	out := *p
	out.Title = p.TitleAt(at)
	body, known := p.DescriptionAt(at)
	out.Body = body
	out.HeadOid = c.Oid
	out.Additions, out.Deletions, out.ChangedFiles = diff.AddedLines, diff.DeletedLines, len(diff.Files)
	out.Files = nil
	for _, f := range diff.Files {
		out.Files = append(out.Files, model.ChangedFile{Path: f.Path(), Additions: f.AddedLines, Deletions: f.DeletedLines,
			Change: changeOf(f)})
	}
	slices.SortStableFunc(out.Files, func(a, b model.ChangedFile) int { return cmp.Compare(a.Path, b.Path) })
	out.Incomplete = slices.DeleteFunc(slices.Clone(p.Incomplete), func(list string) bool { return list == "files" })
	out.Threads = nil
	for _, t := range p.Threads {
		t.Line, t.StartLine = nil, nil
		if t.Subject != model.SubjectFile && len(t.Comments) > 0 && slices.Contains(c.Stands, t.Comments[0].ID) {
			one := oneSided(&t)
			if target := newTarget(one, t.Comments[0].DiffHunk); target.trusted {
				t.Line, t.StartLine = &target.line, one.OriginalStartLine
			}
		}
		out.Threads = append(out.Threads, t)
	}
	return &out, known
}

// changeOf is a file's change as GitHub's list has it.
func changeOf(f *unidiff.File) model.ChangeType {
	switch {
	case f.IsCopy:
		return model.FileCopied
	case f.IsRename:
		return model.FileRenamed
	case f.OldPath == "":
		return model.FileAdded
	case f.NewPath == "":
		return model.FileDeleted
	}
	return model.FileModified
}

// FirstReview is the time of the first review comment by a person other than the author according to the labels, or
// else by anybody; false without a comment. The labels are in the order of the comments.
func FirstReview(p *model.PullRequest, l *model.Labels) (time.Time, bool) {
	var first, anybody time.Time
	i := 0
	for _, t := range p.Threads {
		for _, c := range t.Comments {
			if anybody.IsZero() || c.CreatedAt.Before(anybody) {
				anybody = c.CreatedAt
			}
			if l.Comments[i].Class == model.ClassHuman && (first.IsZero() || c.CreatedAt.Before(first)) {
				first = c.CreatedAt
			}
			i++
		}
	}
	if first.IsZero() {
		first = anybody
	}
	return first, !first.IsZero()
}
