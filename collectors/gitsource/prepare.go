package gitsource

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// Plan lists what later operations need.
type Plan struct {
	Pulls   []PullPlan
	Pairs   []Pair    // commits that will be compared
	Sources []Request // files that may be collected
}

// PullPlan is a pull request whose base and sources are needed, and whose earlier commits are compared with its head.
type PullPlan struct {
	Pull     *model.PullRequest
	Changed  []string            // as in Request
	Compared map[string][]string // by commit, the paths
}

// Prepare transfers at once what ForkPoint, Diff, RevisionDiff and Collect would transfer one by one: commits, the
// trees of those that matter, and blobs. It decides nothing: the operation that needs a missing object fetches it or
// reports the failure.
func (r *Repo) Prepare(ctx context.Context, shard *store.Shard, plan Plan) error {
	err := r.withRepair(ctx, func() error { return r.prepare(ctx, shard, plan) })
	if err != nil {
		return fmt.Errorf("prepare %d pull requests and %d comparisons: %w", len(plan.Pulls), len(plan.Pairs), err)
	}
	return nil
}

// Commits lists the commits that finding a pull request's base and comparing its
// revisions begin with.
func Commits(p *model.PullRequest) []string {
	commits := []string{p.HeadOid, p.BaseRefOid}
	if p.MergeCommit != nil {
		commits = append(commits, p.MergeCommit.Oid)
	}
	for _, t := range p.Threads {
		if len(t.Comments) > 0 && t.Comments[0].OriginalOid != "" {
			commits = append(commits, t.Comments[0].OriginalOid)
		}
	}
	return commits
}

func (r *Repo) prepare(ctx context.Context, shard *store.Shard, plan Plan) error {
	var commits []string
	for _, plan := range plan.Pulls {
		commits = append(commits, Commits(plan.Pull)...)
	}
	missing, err := r.ensure(ctx, wantCommits, commits)
	if err != nil {
		return err
	}
	pairs := plan.pairs(r.opts.MaxTree)
	sources := slices.Clone(plan.Sources)
	for _, plan := range plan.Pulls {
		p := plan.Pull
		if missing[p.HeadOid] != nil {
			continue
		}
		found, base, err := r.pairs(ctx, plan, missing)
		if err != nil {
			return err
		}
		pairs = append(pairs, found...)
		if base != "" {
			sources = append(sources, Request{Commit: base, Changed: plan.Changed}, commentedFiles(p))
		}
	}
	return r.fetchBlobs(ctx, shard, pairs, sources)
}

// fetchBlobs fetches the trees of commits that are here, and then in one transfer
// the blobs that differ between pairs and those of sources.
func (r *Repo) fetchBlobs(ctx context.Context, shard *store.Shard, pairs []pair, sources []Request) error {
	var trees []string
	for _, p := range pairs {
		trees = append(trees, p.from, p.to)
	}
	missing, err := r.ensureTrees(ctx, trees)
	if err != nil {
		return err
	}
	oids := map[string]bool{}
	for _, p := range pairs {
		if missing[p.from] != nil || missing[p.to] != nil {
			continue
		}
		if err := r.contents(ctx, p, oids); err != nil {
			return err
		}
	}
	k := newBlobWriter(r, shard)
	planned := map[string]bool{} // fork points come again and again
	for _, q := range sources {
		all := len(q.Changed) == 0 && !q.Only && !q.BuildFiles
		if all && planned[q.Commit] {
			continue
		}
		planned[q.Commit] = planned[q.Commit] || all
		if err := k.plan(ctx, q, oids); err != nil && !errors.Is(err, ErrAbsent) && !errors.Is(err, ErrTooLarge) {
			return err
		}
	}
	_, err = r.ensure(ctx, wantObjects, slices.Collect(maps.Keys(oids)))
	return err
}

// pairs are the plan's own comparisons.
func (p Plan) pairs(maxTree int) []pair {
	var list []pair
	for _, p := range p.Pairs {
		if p.Paths != nil {
			list = append(list, some(p, maxTree))
		} else {
			list = append(list, pair{from: p.From, to: p.To, most: maxRevisionFiles})
		}
	}
	return list
}

// some is a comparison of some paths alone.
func some(p Pair, most int) pair {
	paths := make(map[string]bool, len(p.Paths))
	for _, path := range p.Paths {
		paths[path] = true
	}
	return pair{from: p.From, to: p.To, paths: paths, most: most}
}

// Pair is two commits that will be compared, in all files or in some.
type Pair struct {
	From, To string
	Paths    []string // nil is all
}

// commentedFiles asks for the files that a pull request's threads are on, at its
// head.
func commentedFiles(p *model.PullRequest) Request {
	q := Request{Commit: p.HeadOid, Only: true}
	for _, t := range p.Threads {
		q.Changed = append(q.Changed, t.Path)
	}
	return q
}

// pair is two commits that will be compared.
type pair struct {
	from, to string
	paths    map[string]bool // nil is all
	most     int             // with more changes than these they are not the right two
}

// pairs lists the comparisons of a pull request: its probable fork point, which
// it also gives alone, and each earlier commit, with its head; and where those
// commits forked, with where the head did.
func (r *Repo) pairs(ctx context.Context, plan PullPlan, missing map[string]error) (list []pair, base string,
	err error) {
	p := plan.Pull
	for _, way := range r.ways(p) {
		if way.method == MethodCompare || way.method == MethodAncestor {
			break
		}
		bases, err := way.find(ctx)
		if err != nil {
			return nil, "", err
		}
		for _, base := range bases {
			// A rename is two changes.
			list = append(list, pair{from: base, to: p.HeadOid, most: 2 * p.ChangedFiles})
		}
		if len(bases) > 0 {
			base = bases[0]
			break
		}
	}
	for original, paths := range plan.Compared {
		if missing[original] != nil {
			continue
		}
		list = append(list, some(Pair{original, p.HeadOid, paths}, r.opts.MaxTree))
		gone, err := r.lacking(ctx, []string{Upstream(p)})
		if err != nil {
			return nil, "", err
		}
		if base == "" || len(gone) > 0 {
			continue
		}
		fork, err := r.mergeBase(ctx, Upstream(p), original)
		if err != nil {
			return nil, "", err
		}
		if fork != "" && fork != base {
			list = append(list, some(Pair{fork, base, paths}, r.opts.MaxTree))
		}
	}
	return list, base, nil
}

// contents adds the blobs on both sides of what differs between two commits.
func (r *Repo) contents(ctx context.Context, p pair, oids map[string]bool) error {
	changed, err := r.differ(ctx, p.from, p.to)
	if err != nil || len(changed) > p.most {
		return err
	}
	for name, c := range changed {
		if p.paths != nil && !p.paths[name] {
			continue
		}
		for _, n := range []node{c.old, c.new} {
			if n.oid != "" && n.mode != modeSubmodule {
				oids[n.oid] = true
			}
		}
	}
	return nil
}
