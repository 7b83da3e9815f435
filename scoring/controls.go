package scoring

import (
	"slices"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/unidiff"
)

// The reasons for which a finding counts as declined.
const (
	declinedByAuthor   = "author_declined"      // the author's last word refuses
	resolvedByReviewer = "resolved_by_reviewer" // its writer resolved it, and nothing was changed
)

// DeclinedFindings lists the substantive comments that the author refused, or whose writer gave in: resolved the
// thread although the code was merged unchanged. They are contested, not wrong.
func DeclinedFindings(c *model.Candidate) []model.DeclinedFinding {
	var out []model.DeclinedFinding
	for k := range c.ReviewComments() {
		if !k.Substantive() || k.State == nil {
			continue
		}
		by := k.Thread.ResolvedBy
		switch {
		case k.State.Valid == model.ValidDeclined:
			out = append(out, model.DeclinedFinding{CommentID: k.Comment.ID, Because: declinedByAuthor})
		case k.State.State.Standing() && k.State.Valid == model.ValidNone && k.Thread.IsResolved && by != nil &&
			sameAccount(*by, k.Comment.Author):
			out = append(out, model.DeclinedFinding{CommentID: k.Comment.ID, Because: resolvedByReviewer})
		}
	}
	return out
}

// Approvers are the people other than the author who approved the final head, by
// login.
func Approvers(c *model.Candidate) []string {
	p := c.Final.Pull
	var out []string
	for _, r := range p.Reviews {
		if r.State == model.Approved && r.CommitOid == p.HeadOid && slices.Contains(c.Labels.Reviewers, r.Author.Login) {
			out = append(out, r.Author.Login)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// ControlHunks lists the hunks of the shown diff's production files with the pull request's evidence against each: it
// changed before the merge, a person commented within aroundLines of it at any revision, or no approver of the final
// head commented on its file.
func ControlHunks(c *model.Candidate) []model.ControlHunk {
	if c.Parsed == nil || c.Final.Parsed == nil {
		return nil
	}
	approvers, spots := Approvers(c), spotsOf(c)
	var out []model.ControlHunk
	for _, f := range c.Parsed.Files {
		if !pathkind.IsProduction(f.Path()) || pathkind.IsGenerated(f.Path(), nil) {
			continue
		}
		final := c.Final.Parsed.Lookup(f.Path())
		for _, h := range f.Hunks {
			hunk := model.ControlHunk{Path: f.Path(), Hunk: h, Runs: (&unidiff.File{Hunks: []unidiff.Hunk{h}}).Runs()}
			if final == nil {
				hunk.Reason = model.ControlChanged
			} else {
				hunk.By, hunk.Reason = against(final, hunk.Runs, spots, approvers)
			}
			out = append(out, hunk)
		}
	}
	return out
}

// spot is the position of a thread by people in the merged diff.
type spot struct {
	anchor model.Anchor
	path   string // as the comment has it
	whole  bool   // it is about the whole file
	people []string
}

// on reports whether the thread is about a file of the merged diff.
func (p spot) on(f *unidiff.File) bool {
	return p.anchor.Path == f.Path() || p.path == f.NewPath || p.path == f.OldPath
}

// spotsOf finds the threads that a person wrote to. A deleted account may
// have been one.
func spotsOf(c *model.Candidate) []spot {
	anchors := Anchors(c.Final.Pull, c.Final.Parsed, c.Revisions)
	var out []spot
	i := 0
	for _, t := range c.Final.Pull.Threads {
		var people []string
		for k, comment := range t.Comments {
			if c.Labels.Comments[i+k].Class != model.ClassBot {
				people = append(people, comment.Author.Login)
			}
		}
		if len(people) > 0 {
			out = append(out, spot{anchors[i], t.Path, t.Subject == model.SubjectFile, people})
		}
		i += len(t.Comments)
	}
	return out
}

// against returns a pull request's evidence against shown changes, and which approvers commented on their file.
func against(f *unidiff.File, shown []unidiff.Run, spots []spot, approvers []string) ([]string, model.ControlReason) {
	runs, ok := f.Find(shown)
	if !ok {
		return nil, model.ControlChanged
	}
	var by []string
	unknown := false
	for _, p := range spots {
		if !p.on(f) {
			continue
		}
		for _, a := range approvers {
			if slices.Contains(p.people, a) && !slices.Contains(by, a) {
				by = append(by, a)
			}
		}
		line := p.anchor.Line
		if line == nil {
			line = p.anchor.Substitute
		}
		switch {
		case p.whole:
		case line == nil:
			unknown = true
		case slices.ContainsFunc(runs, func(r unidiff.Run) bool { return apart(r, p.anchor, *line) <= aroundLines }):
			return nil, model.ControlCommented
		}
	}
	slices.Sort(by)
	switch {
	case unknown:
		return nil, model.ControlPlaceUnknown
	case len(by) == 0:
		return nil, model.ControlNotReviewed
	}
	return by, ""
}

// apart is how many lines lie between a change and a commented position.
func apart(r unidiff.Run, a model.Anchor, last int) int {
	first := last
	if a.StartLine != nil && a.Line != nil {
		first = min(last, *a.StartLine)
	}
	from, to := r.New, max(r.New, r.New+len(r.Added)-1)
	if a.Side == model.Left {
		from, to = r.After+1, max(r.After+1, r.After+len(r.Deleted))
	}
	return max(0, first-to, from-last)
}
