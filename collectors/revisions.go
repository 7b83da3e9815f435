package collectors

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// FetchCandidates finds the revisions of pull requests that reviewers may have read, and which comments apply to
// each: the commits of comments and reviews, the ends of force pushes, and the branch's own commits, at most limit
// per pull request. It uses as few transfers as possible. The set records what is unavailable; an error ends the run.
func (r *Repository) FetchCandidates(ctx context.Context, pulls []*model.PullRequest, limit int) error {
	var missing []*model.PullRequest
	for _, p := range pulls {
		set, ok, err := store.Get[model.RevisionSet](r.shard, store.Candidates, strconv.Itoa(p.Ref.Number))
		if err != nil {
			return err
		}
		if !ok || set.HeadOid != p.HeadOid {
			missing = append(missing, p)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	key := func(p *model.PullRequest) string { return candidatesKey(p.Ref.Number) }
	return collectAll(r, missing, key,
		func(some []*model.PullRequest) error { return r.collectCandidates(ctx, some, limit) })
}

// candidatesKey is the key of a pull request's candidates among the failures.
func candidatesKey(n int) string { return fmt.Sprintf("candidates/%d", n) }

func candidatesKeys(pulls []*model.PullRequest) []string {
	keys := make([]string, len(pulls))
	for i, p := range pulls {
		keys[i] = candidatesKey(p.Ref.Number)
	}
	return keys
}

func (r *Repository) collectCandidates(ctx context.Context, pulls []*model.PullRequest, limit int) error {
	git, err := r.openGit(ctx)
	if err != nil {
		return err
	}
	var all []string
	for _, p := range pulls {
		all = append(append(all, gitsource.Commits(p)...), gitsource.Upstream(p))
		for _, m := range mentions(p) {
			all = append(all, m.oid)
		}
	}
	if _, err := git.FetchCommits(ctx, all); err != nil {
		return fmt.Errorf("fetch the revisions of %s: %w", r.facts.Ref, err)
	}
	sets := make([]*model.RevisionSet, len(pulls))
	var plan gitsource.Plan
	for i, p := range pulls {
		set, err := candidates(ctx, git, p, limit)
		if err != nil {
			if err := r.alone(candidatesKey(p.Ref.Number), err); err != nil {
				return err
			}
			continue
		}
		sets[i] = &set
		for _, c := range sets[i].Candidates {
			if c.Base != "" {
				plan.Pairs = append(plan.Pairs, gitsource.Pair{From: c.Base, To: c.Oid})
			}
		}
	}
	// Fetch with the diffs what the chosen revision and the final head will need: this saves three transfers.
	if err := git.Prepare(ctx, r.shard, plan); err != nil {
		return err
	}
	for i, p := range pulls {
		if sets[i] == nil {
			continue
		}
		if err := r.alone(candidatesKey(p.Ref.Number), r.keepCandidates(ctx, git, p, sets[i])); err != nil {
			return r.tolerate(err, candidatesKeys(pulls[i:])) // those before it are kept
		}
	}
	return nil
}

// keepCandidates decides which comments apply to each revision of a pull request, and stores the result if no request
// is pending.
func (r *Repository) keepCandidates(ctx context.Context, git *gitsource.Repo, p *model.PullRequest,
	set *model.RevisionSet) error {
	if err := compareCandidates(ctx, git, p, set.Candidates); err != nil {
		return err
	}
	if err := r.askForLost(ctx, p, set); err != nil {
		return err
	}
	var err error
	if set.Since, err = compareStanding(ctx, git, p, set.Candidates); err != nil {
		return err
	}
	return store.Put(r.shard, store.Candidates, strconv.Itoa(p.Ref.Number), *set)
}

// mention is a commit with the reason why a reviewer may have read it.
type mention struct{ oid, why string }

// mentions lists the commits that GitHub's facts name, those that comments were
// written on first.
func mentions(p *model.PullRequest) []mention {
	var out []mention
	add := func(oid, why string) {
		if oid != "" && !slices.Contains(out, mention{oid, why}) {
			out = append(out, mention{oid, why})
		}
	}
	for _, t := range p.Threads {
		if len(t.Comments) > 0 {
			add(t.Comments[0].OriginalOid, "comment")
		}
	}
	for _, v := range p.Reviews {
		if v.SubmittedAt != nil {
			add(v.CommitOid, "review")
		}
	}
	for _, f := range p.ForcePushes {
		add(f.Before, "force_push")
		add(f.After, "force_push")
	}
	return out
}

// candidates lists the revisions of one pull request in topological order.
func candidates(ctx context.Context, git *gitsource.Repo, p *model.PullRequest, limit int) (model.RevisionSet, error) {
	set := model.RevisionSet{HeadOid: p.HeadOid, Candidates: []model.RevisionCandidate{}}
	found := mentions(p)
	branch, err := git.Branch(ctx, p, limit)
	if err != nil {
		return set, err
	}
	for _, oid := range branch {
		found = append(found, mention{oid, "branch"})
	}
	why := map[string][]string{}
	var oids []string
	for _, m := range found {
		if why[m.oid] == nil {
			if len(oids) == limit {
				continue
			}
			oids = append(oids, m.oid)
		}
		why[m.oid] = append(why[m.oid], m.why)
	}
	revisions, err := git.Revisions(ctx, p, oids)
	if err != nil {
		return set, err
	}
	for _, v := range revisions {
		c := model.RevisionCandidate{Oid: v.Oid, Why: slices.Compact(slices.Sorted(slices.Values(why[v.Oid]))), Base: v.Base}
		if v.Err != nil {
			c.Problem = v.Err.Error()
		} else {
			c.Source = model.RevisionFromGit
		}
		set.Candidates = append(set.Candidates, c)
	}
	return set, nil
}

// compareCandidates says which threads' first comments apply to each revision.
func compareCandidates(ctx context.Context, git *gitsource.Repo, p *model.PullRequest,
	candidates []model.RevisionCandidate) error {
	var pairs []gitsource.Pair
	var compared []*model.RevisionCandidate
	for i := range candidates {
		if c := &candidates[i]; c.Base != "" {
			pairs, compared = append(pairs, gitsource.Pair{From: c.Base, To: c.Oid}), append(compared, c)
		}
	}
	diffs, err := git.PathDiffs(ctx, pairs, commentedPaths(p))
	for i, d := range diffs {
		if d.Err != nil {
			compared[i].Problem = d.Err.Error()
		} else {
			noteStanding(p, compared[i], string(d.Text))
		}
	}
	return err
}

// Candidates is what FetchCandidates learnt about a pull request; nil without an error if it was never called for it.
// The error says why this run could not fetch it.
func (r *Repository) Candidates(n int) (*model.RevisionSet, error) {
	if failed := r.noted(candidatesKey(n)); failed != nil {
		return nil, failed
	}
	set, ok, err := store.Get[model.RevisionSet](r.shard, store.Candidates, strconv.Itoa(n))
	if err != nil || !ok {
		return nil, err
	}
	return &set, nil
}

// Shown is a revision of a pull request that a record shows.
type Shown struct {
	Number int
	model.RevisionCandidate
}

// FetchReviewed fetches the diff and the fork point of revisions. FetchBases fetches the sources of those that pass
// the filters. The base records what is unavailable; an error ends the run.
func (r *Repository) FetchReviewed(ctx context.Context, shown []Shown) error {
	missing,
		err := without(shown, func(v Shown) (bool, error) { return r.shard.Has(store.Base, revisionKey(v.Number, v.Oid)) })
	if err != nil || len(missing) == 0 {
		return err
	}
	key := func(v Shown) string { return revisionKey(v.Number, v.Oid) }
	return collectAll(r, missing, key, func(some []Shown) error { return r.collectReviewed(ctx, some) })
}

func (r *Repository) collectReviewed(ctx context.Context, shown []Shown) error {
	git, err := r.openGit(ctx)
	if err != nil {
		return err
	}
	for _, v := range shown {
		key := revisionKey(v.Number, v.Oid)
		diff, base, err := r.shownDiff(ctx, git, v)
		if err == nil {
			err = r.shard.Batch(func(b *store.Batch) error {
				return errors.Join(store.Put(b, store.Diff, key, diff), store.Put(b, store.Base, key, base))
			})
		}
		if err := r.alone(key, err); err != nil {
			return err
		}
	}
	return nil
}

// shownDiff is the diff of a revision with its fork point, compared with the trees
// that git has.
func (r *Repository) shownDiff(ctx context.Context, git *gitsource.Repo, v Shown) (model.Diff, model.Base, error) {
	if v.Source == model.RevisionFromAPI {
		diff, ok, err := store.Get[model.Diff](r.shard, store.Diff, revisionKey(v.Number, v.Oid))
		if err != nil || !ok {
			return diff, model.Base{Problem: "the API's diff was not kept"}, err
		}
		base, err := git.VerifyBase(ctx, v.Base, diff.Text)
		return diff, base, err
	}
	text, err := git.Diff(ctx, v.Base, v.Oid)
	if errors.Is(err, gitsource.ErrAbsent) || errors.Is(err, gitsource.ErrTooLarge) {
		return model.Diff{}, model.Base{Problem: err.Error()}, nil
	}
	if err != nil {
		return model.Diff{}, model.Base{}, fmt.Errorf("diff of revision %s: %w", v.Oid, err)
	}
	diff := model.Diff{HeadOid: v.Oid, Source: model.DiffFromGit, Why: "it is the diff of a reviewed revision",
		Text: string(text)}
	base, err := git.VerifyRevision(ctx, v.Base, v.Oid, diff.Text)
	return diff, base, err
}

// Reviewed is what FetchReviewed learnt about a revision; nil without an error if it was never called for it. It
// reports whether ReviewedSources has the tree at the fork point, which FetchBases fetches.
func (r *Repository) Reviewed(n int, oid string) (_ *model.Diff, _ *model.Base, sources bool, _ error) {
	key := revisionKey(n, oid)
	if failed := r.noted(key); failed != nil {
		return nil, nil, false, failed
	}
	base, ok, err := store.Get[model.Base](r.shard, store.Base, key)
	if err != nil || !ok {
		return nil, nil, false, err
	}
	diff, ok, err := store.Get[model.Diff](r.shard, store.Diff, key)
	if err != nil || !ok {
		return nil, nil, false, err
	}
	sources, err = r.shard.Has(store.Tree, key)
	return &diff, &base, sources, err
}

// ReviewedSources reads the tree at a revision's fork point; nil, without an
// error, where there is none.
func (r *Repository) ReviewedSources(n int, oid string) (model.Snapshot, error) {
	return r.snapshot(revisionKey(n, oid))
}
