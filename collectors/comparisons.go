package collectors

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// compareRevisions compares, for every change, each commented commit with the final head. It also compares their fork
// points where these differ, because a change from the base branch does not answer a comment. It compares only files
// that have comments or that comments name.
func (r *Repository) compareRevisions(ctx context.Context, git *gitsource.Repo, changes []Change,
	bases []model.Base) ([][]model.RevisionDiff, error) {
	out := make([][]model.RevisionDiff, len(changes))
	var plan gitsource.Plan
	for i, ch := range changes {
		paths := comparedPaths(ch)
		for _, from := range slices.Sorted(maps.Keys(paths)) {
			rev, err := git.RevisionDiff(ctx, from, ch.Pull.HeadOid, paths[from])
			if err != nil {
				return nil, fmt.Errorf("compare %s with the head of %s: %w", from, ch.Pull.Ref, err)
			}
			out[i] = append(out[i], rev)
		}
		forks, err := git.ForkPoints(ctx, ch.Pull, usable(out[i]))
		if err != nil {
			return nil, err
		}
		for k := range out[i] {
			out[i][k].ForkPoint = forks[out[i][k].From]
		}
		for fork, names := range otherForks(out[i], bases[i].ForkPoint) {
			plan.Pairs = append(plan.Pairs, gitsource.Pair{From: fork, To: bases[i].ForkPoint, Paths: names})
		}
	}
	if err := git.Prepare(ctx, r.shard, plan); err != nil {
		return nil, err
	}
	for i, ch := range changes {
		for fork, names := range otherForks(out[i], bases[i].ForkPoint) {
			base, err := git.RevisionDiff(ctx, fork, bases[i].ForkPoint, names)
			if err != nil {
				return nil, fmt.Errorf("compare the fork points of %s: %w", ch.Pull.Ref, err)
			}
			out[i] = append(out[i], base)
		}
		slices.SortFunc(out[i], func(a, b model.RevisionDiff) int {
			return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
		})
	}
	return out, nil
}

// compareStanding compares every candidate revision with the earlier revisions whose comments still apply to it, in
// the files of these comments. It also compares the fork points of the two if the code changed.
func compareStanding(ctx context.Context, git *gitsource.Repo, p *model.PullRequest,
	candidates []model.RevisionCandidate) ([]model.RevisionDiff, error) {
	var out []model.RevisionDiff
	forks := map[string]bool{} // compared already, by the two commits
	keep := func(from, to string, paths []string, fork string) (bool, error) {
		d, err := git.RevisionDiff(ctx, from, to, paths)
		if err != nil || d.Text == "" {
			return false, err
		}
		d.ForkPoint = fork
		out = append(out, d)
		return true, nil
	}
	for k, to := range candidates {
		if to.Source != model.RevisionFromGit {
			continue
		}
		for _, from := range candidates[:k] {
			paths := standingPaths(p, from.Oid, to.Stands)
			if from.Source != model.RevisionFromGit || len(paths) == 0 {
				continue
			}
			changed, err := keep(from.Oid, to.Oid, paths, from.Base)
			if err == nil && changed && from.Base != to.Base && !forks[from.Base+to.Base] {
				forks[from.Base+to.Base] = true
				_, err = keep(from.Base, to.Base, commentedPaths(p), "")
			}
			if err != nil {
				return nil, fmt.Errorf("compare the revisions of %s: %w", p.Ref, err)
			}
		}
	}
	return out, nil
}

// standingPaths lists the files of the threads that were started on a commit and are in the standing set.
func standingPaths(p *model.PullRequest, oid string, stand []int64) []string {
	var paths []string
	for _, t := range p.Threads {
		if len(t.Comments) > 0 && t.Comments[0].OriginalOid == oid && slices.Contains(stand, t.Comments[0].ID) {
			paths = append(paths, t.Path)
		}
	}
	return paths
}

// comparedPaths lists, for each commit other than the head that a thread was
// started on, the paths commented on and those of the final diff that a first
// comment there may name, sorted.
func comparedPaths(ch Change) map[string][]string {
	paths := map[string][]string{}
	for _, t := range ch.Pull.Threads {
		if len(t.Comments) == 0 || t.Comments[0].OriginalOid == "" || t.Comments[0].OriginalOid == ch.Pull.HeadOid {
			continue
		}
		from := t.Comments[0].OriginalOid
		paths[from] = append(paths[from], t.Path)
		if ch.Parsed == nil {
			continue
		}
		for _, f := range ch.Parsed.Paths() {
			if strings.Contains(t.Comments[0].Body, path.Base(f)) {
				paths[from] = append(paths[from], f)
			}
		}
	}
	for from := range paths {
		slices.Sort(paths[from])
		paths[from] = slices.Compact(paths[from])
	}
	return paths
}

// usable returns the commits that git has.
func usable(revisions []model.RevisionDiff) []string {
	var out []string
	for _, r := range revisions {
		if r.Problem == "" {
			out = append(out, r.From)
		}
	}
	return out
}

// otherForks returns the paths to compare for each fork point that is not the head's own.
func otherForks(revisions []model.RevisionDiff, head string) map[string][]string {
	out := map[string][]string{}
	if head == "" {
		return out
	}
	for _, r := range revisions {
		if r.ForkPoint != "" && r.ForkPoint != head {
			out[r.ForkPoint] = append(out[r.ForkPoint], r.Paths...)
			slices.Sort(out[r.ForkPoint])
			out[r.ForkPoint] = slices.Compact(out[r.ForkPoint])
		}
	}
	return out
}

// headRequest asks for the commented files at the final head, also under their later names.
func headRequest(ch Change, revisions []model.RevisionDiff) gitsource.Request {
	names := map[string]bool{}
	follow := func(d *unidiff.Diff, path string) {
		if f := d.Old(path); f != nil && f.NewPath != "" {
			names[f.NewPath] = true
		}
	}
	var since []*unidiff.Diff
	for _, r := range revisions {
		if d, err := unidiff.Parse(r.Text); err == nil && r.To == ch.Pull.HeadOid {
			since = append(since, d)
		}
	}
	for _, t := range ch.Pull.Threads {
		names[t.Path] = true
		if ch.Parsed != nil {
			follow(ch.Parsed, t.Path)
		}
		for _, d := range since {
			follow(d, t.Path)
		}
	}
	return gitsource.Request{Key: headKey(ch.Pull.Ref.Number), Commit: ch.Pull.HeadOid,
		Changed: slices.Sorted(maps.Keys(names)), Only: true}
}

// headKey is the key of the commented files at a pull request's head.
func headKey(n int) string { return fmt.Sprintf("head/%d", n) }

// Head reads the commented files at the final head; nil if they were not collected, as in a state of schema 1.
func (r *Repository) Head(n int) (model.Snapshot, error) {
	return r.snapshot(headKey(n))
}

// Change is a pull request with its diff. Both are needed to find its base.
type Change struct {
	Pull   *model.PullRequest
	Diff   *model.Diff   // nil where there is none: only the reviewed revision is looked at
	Parsed *unidiff.Diff // Diff.Text; nil where it cannot be parsed
	// Reviewed is the revision that is shown instead of what was merged, nil for none. Shown is its diff.
	Reviewed *model.RevisionCandidate
	Shown    *unidiff.Diff
}

// reviewedKey is the key of the reviewed revision; "" for none.
func (ch Change) reviewedKey() string {
	if ch.Reviewed == nil {
		return ""
	}
	return revisionKey(ch.Pull.Ref.Number, ch.Reviewed.Oid)
}

func commentedPaths(p *model.PullRequest) []string {
	var paths []string
	for _, t := range p.Threads {
		paths = append(paths, t.Path)
	}
	return paths
}

// noteStanding notes which threads' first comments apply to a revision's diff.
func noteStanding(p *model.PullRequest, c *model.RevisionCandidate, text string) {
	diff, err := unidiff.Parse(text)
	if err != nil {
		c.Problem = "its diff cannot be read: " + err.Error()
		return
	}
	for _, t := range p.Threads {
		if len(t.Comments) == 0 {
			continue
		}
		id := t.Comments[0].ID
		switch standing(diff, &t) {
		case unidiff.Stands:
			c.Stands = append(c.Stands, id)
		case unidiff.Shifted:
			c.Shifted = append(c.Shifted, id)
		}
	}
	slices.Sort(c.Stands)
	slices.Sort(c.Shifted)
}

// standing says how a diff contains a thread: by the whole hunk of its first comment or, for a comment on a whole
// file, by the file.
func standing(d *unidiff.Diff, t *model.Thread) unidiff.Standing {
	if t.Subject == model.SubjectFile {
		if d.Lookup(t.Path) != nil {
			return unidiff.Stands
		}
		return unidiff.Absent
	}
	h, err := unidiff.ParseExcerpt(t.Comments[0].DiffHunk)
	if err != nil {
		return unidiff.Absent
	}
	return d.Stands(t.Path, h)
}
