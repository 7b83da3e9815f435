package gitsource

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// The values of model.Base.Method for a revision that was reviewed.
const (
	methodReviewed = "merge-base of the merge commit's first parent and the reviewed commit"
	methodAsked    = "GitHub's merge base of the merge commit's first parent and the reviewed commit, which git does not have"
)

// maxRevisionFiles is how many files a revision may differ in from its fork point. A branch on top of another
// repository's history has thousands, which no reviewer read.
const maxRevisionFiles = 2000

// Revision is a commit that a pull request's branch was at.
type Revision struct {
	Oid  string
	Base string // its fork point; "" where it shares no history with the base branch
	Err  error  // why it cannot be compared: ErrAbsent, ErrTooLarge
}

// Upstream is the commit that a pull request's revisions are compared with: the
// first parent of the merge commit, or the base branch where the merge commit is
// lost or is the head itself.
func Upstream(p *model.PullRequest) string {
	if m := p.MergeCommit; m != nil && m.Oid != p.HeadOid && len(m.Parents) > 0 {
		return m.Parents[0]
	}
	return p.BaseRefOid
}

// Branch lists the commits of a pull request's head that the base branch did
// not have when it was merged, at most limit of them, the newest first. The head
// must be here.
func (r *Repo) Branch(ctx context.Context, p *model.PullRequest, limit int) (oids []string, err error) {
	err = r.withRepair(ctx, func() error {
		missing, err := r.ensure(ctx, wantCommits, []string{p.HeadOid, Upstream(p)})
		if err != nil || len(missing) > 0 {
			return err
		}
		oids, err = r.branch(ctx, p.HeadOid, Upstream(p), limit)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("commits of %s: %w", p.Ref, err)
	}
	return oids, nil
}

// branch lists the newest commits that a head has and the base branch has not.
func (r *Repo) branch(ctx context.Context, head, upstream string, limit int) ([]string, error) {
	r.history.RLock()
	defer r.history.RUnlock()
	if err := r.writeGraph(ctx); err != nil {
		return nil, err
	}
	out, err := r.git(ctx, nil, "rev-list", "--date-order", fmt.Sprintf("--max-count=%d", limit), head, "--not", upstream)
	if err != nil {
		return nil, err
	}
	return strings.Fields(string(out)), nil
}

// Revisions puts a pull request's commits into topological order, the earliest
// first and unrelated ones by time, and finds their fork points. Commits that
// are unavailable come last, by id, with Err set.
func (r *Repo) Revisions(ctx context.Context, p *model.PullRequest, oids []string) (out []Revision, err error) {
	err = r.withRepair(ctx, func() error {
		out, err = r.revisions(ctx, p, slices.Compact(slices.Sorted(slices.Values(oids))))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("revisions of %s: %w", p.Ref, err)
	}
	return out, nil
}

func (r *Repo) revisions(ctx context.Context, p *model.PullRequest, oids []string) ([]Revision, error) {
	upstream := Upstream(p)
	missing, err := r.ensure(ctx, wantCommits, append([]string{upstream}, oids...))
	if err != nil {
		return nil, err
	}
	var here, gone []Revision
	var have []string
	for _, oid := range oids {
		switch {
		case missing[oid] != nil:
			gone = append(gone, Revision{Oid: oid, Err: missing[oid]})
		case missing[upstream] != nil:
			gone = append(gone,
				Revision{Oid: oid, Err: fmt.Errorf("the base branch's commit %s: %w", upstream, missing[upstream])})
		default:
			have = append(have, oid)
		}
	}
	if len(have) == 0 {
		return gone, nil
	}
	listed, parents, err := r.ordered(ctx, have, upstream)
	if err != nil {
		return nil, err
	}
	for _, oid := range have { // what the base branch has already comes first
		if !slices.Contains(listed, oid) {
			here = append(here, Revision{Oid: oid})
		}
	}
	for _, oid := range listed {
		here = append(here, Revision{Oid: oid})
	}
	for i := range here {
		if here[i].Base, err = r.leftAt(ctx, here[i].Oid, parents, upstream); err != nil {
			return nil, err
		}
		if here[i].Base == "" {
			here[i].Err = fmt.Errorf("it shares no history with the base branch: %w", ErrAbsent)
		}
	}
	return append(here, gone...), nil
}

// ordered lists the commits that the base branch lacks, earliest first, and returns the parents of all commits at or
// below them that it lacks.
func (r *Repo) ordered(ctx context.Context, oids []string, upstream string) (listed []string,
	parents map[string][]string, err error) {
	r.history.RLock()
	defer r.history.RUnlock()
	if err := r.writeGraph(ctx); err != nil {
		return nil, nil, err
	}
	args := slices.Concat([]string{"rev-list", "--date-order", "--reverse", "--parents"}, oids,
		[]string{"--not", upstream})
	out, err := r.git(ctx, nil, args...)
	if err != nil {
		return nil, nil, err
	}
	parents = map[string][]string{}
	for line := range strings.Lines(string(out)) {
		commit := strings.Fields(line)
		parents[commit[0]] = commit[1:]
		if slices.Contains(oids, commit[0]) {
			listed = append(listed, commit[0])
		}
	}
	return listed, parents, nil
}

// leftAt is a commit's best merge base with the base branch, or "". The base branch has exactly the commits that
// parents lacks. A commit with one parent has the merge bases of that parent, so only merges need git.
func (r *Repo) leftAt(ctx context.Context, oid string, parents map[string][]string, upstream string) (string, error) {
	for {
		own, ok := parents[oid]
		if !ok {
			return oid, nil
		}
		if len(own) != 1 {
			return r.mergeBase(ctx, upstream, oid)
		}
		oid = own[0]
	}
}

// mergeBase is git's best merge base of two local commits, or "".
func (r *Repo) mergeBase(ctx context.Context, a, b string) (string, error) {
	found, err := r.mergeBases(ctx, a, b)
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0], nil
}

// mergeBases lists all merge bases of two local commits, newest first and those of the same second by id; none if
// they share no history.
func (r *Repo) mergeBases(ctx context.Context, a, b string) ([]string, error) {
	key := a + " " + b
	if found, ok := r.merged.Get(key); ok {
		return found, nil
	}
	r.history.RLock()
	defer r.history.RUnlock()
	if err := r.writeGraph(ctx); err != nil {
		return nil, err
	}
	out, err := r.git(ctx, nil, "merge-base", "--all", a, b)
	if err != nil && !(exitCode(err) == 1 && quiet(err)) {
		return nil, err
	}
	found := strings.Fields(string(out))
	if err := r.newestFirst(ctx, found); err != nil {
		return nil, err
	}
	r.merged.Put(key, found, 1)
	return found, nil
}

// newestFirst sorts commits. Git's order of commits of the same second depends on how much history it has.
func (r *Repo) newestFirst(ctx context.Context, commits []string) error {
	if len(commits) < 2 {
		return nil
	}
	made := map[string]time.Time{}
	for _, oid := range commits {
		c, err := r.commit(ctx, oid)
		if err != nil {
			return err
		}
		made[oid] = c.made
	}
	slices.SortFunc(commits, func(a, b string) int { return cmp.Or(made[b].Compare(made[a]), cmp.Compare(a, b)) })
	return nil
}

// ForkPoints finds where each local commit of a pull request left the base branch, and skips other commits.
func (r *Repo) ForkPoints(ctx context.Context, p *model.PullRequest, oids []string) (map[string]string, error) {
	revisions, err := r.Revisions(ctx, p, oids)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, v := range revisions {
		if v.Err == nil {
			out[v.Oid] = v.Base
		}
	}
	return out, nil
}

// VerifyRevision compares a diff with the trees of a revision and its fork
// point, as ForkPoint does for the final head.
func (r *Repo) VerifyRevision(ctx context.Context, base, oid string, diffText string) (out model.Base, err error) {
	pull := &model.PullRequest{HeadOid: oid}
	parsed, problem := parseDiff(diffText)
	if problem != "" {
		return model.Base{Problem: problem}, nil
	}
	err = r.withRepair(ctx, func() error {
		if missing, err := r.ensureTrees(ctx, []string{base, oid}); err != nil || len(missing) > 0 {
			out = model.Base{Problem: "its trees are not available"}
			return err
		}
		missing, problem, err := r.verify(ctx, base, pull, parsed)
		out = model.Base{ForkPoint: base, Method: methodReviewed, Verified: problem == "" && err == nil, Problem: problem,
			Missing: missing}
		return err
	})
	if err != nil {
		return model.Base{}, fmt.Errorf("verify the diff of %s and %s: %w", base, oid, err)
	}
	return out, nil
}

// VerifyBase compares the old side of a diff with the tree of its base, for a revision that git lacks.
func (r *Repo) VerifyBase(ctx context.Context, base, diffText string) (out model.Base, err error) {
	parsed, problem := parseDiff(diffText)
	if problem != "" {
		return model.Base{Problem: problem}, nil
	}
	err = r.withRepair(ctx, func() error {
		if missing, err := r.ensureTrees(ctx, []string{base}); err != nil || len(missing) > 0 {
			out = model.Base{Problem: "its tree is not available"}
			return err
		}
		missing, problem, err := r.verifyOld(ctx, base, parsed)
		out = model.Base{ForkPoint: base, Method: methodAsked, Verified: problem == "" && err == nil, Problem: problem,
			Missing: missing}
		return err
	})
	if err != nil {
		return model.Base{}, fmt.Errorf("verify the diff against %s: %w", base, err)
	}
	return out, nil
}

func (r *Repo) verifyOld(ctx context.Context, base string, diff *unidiff.Diff) (missing []string, problem string,
	err error) {
	root, err := r.rootTree(ctx, base)
	if err != nil {
		return nil, "", err
	}
	olds := map[string]change{}
	for _, f := range diff.Files {
		name := cmp.Or(f.OldPath, f.NewPath)
		have, err := r.at(ctx, root, name)
		switch {
		case err != nil:
			return nil, "", err
		case f.OldPath == "" && have != (node{}):
			return nil, fmt.Sprintf("old side: %q is there, and the diff adds it", name), nil
		case f.OldPath == "":
			continue
		}
		if problem := side(have, name, f.OldOid, f.OldMode); problem != "" {
			return nil, "old side: " + problem, nil
		}
		olds[name] = change{old: have}
	}
	return r.fit(ctx, olds, diff)
}
