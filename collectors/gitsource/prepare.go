package gitsource

import (
	"context"
	"errors"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// Plan is a pull request whose base is to be found, with the sources that will
// be asked for at its fork point.
type Plan struct {
	Pull    *model.PullRequest
	Sources Request // without its Commit, which is not known yet
}

// Prepare transfers at once what ForkPoint, Diff, RevisionDiff and Collect of
// many pull requests would transfer one by one, into three transfers: commits,
// the trees of the heads, the probable fork points and the commits commented on,
// and blobs. It decides nothing: what it could not get, or did not foresee, the
// operation that needs it meets again and reports.
func (r *Repo) Prepare(ctx context.Context, shard *store.Shard, plans []Plan) error {
	return r.withRepair(ctx, func() error { return r.prepare(ctx, shard, plans) })
}

func (r *Repo) prepare(ctx context.Context, shard *store.Shard, plans []Plan) error {
	var commits []string
	for _, plan := range plans {
		p := plan.Pull
		commits = append(commits, p.HeadOid)
		if p.MergeCommit != nil {
			commits = append(commits, p.MergeCommit.Oid)
		}
		if p.MergeCommit == nil || p.MergeCommit.Oid == p.HeadOid {
			commits = append(commits, p.BaseRefOid)
		}
		for original := range commented(p) {
			commits = append(commits, original)
		}
	}
	missing, err := r.ensure(ctx, wantCommits, commits)
	if err != nil {
		return err
	}
	var pairs []pair
	var sources []Request
	for _, plan := range plans {
		p := plan.Pull
		if missing[p.HeadOid] != nil {
			continue
		}
		some, base, err := r.pairs(ctx, p, missing)
		if err != nil {
			return err
		}
		pairs = append(pairs, some...)
		if base != "" {
			q := plan.Sources
			q.Commit = base
			sources = append(sources, q, commentedFiles(p))
		}
	}
	return r.fetchPairs(ctx, pairs, func(oids map[string]bool) error {
		k := newBlobWriter(r, shard)
		for _, q := range sources {
			if err := k.plan(ctx, q, oids); err != nil && !errors.Is(err, ErrAbsent) && !errors.Is(err, ErrTooLarge) {
				return err
			}
		}
		return nil
	})
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
// it also gives alone, and each commit commented on, with its head; and where
// those commits forked, with where the head did.
func (r *Repo) pairs(ctx context.Context, p *model.PullRequest, missing map[string]error) (list []pair, base string, err error) {
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
	for original, paths := range commented(p) {
		if missing[original] != nil {
			continue
		}
		list = append(list, pair{from: original, to: p.HeadOid, paths: paths, most: r.opts.MaxTree})
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
			list = append(list, pair{from: fork, to: base, paths: paths, most: r.opts.MaxTree})
		}
	}
	return list, base, nil
}

// commented gives, for each commit other than the head that comments were
// written on, their paths.
func commented(p *model.PullRequest) map[string]map[string]bool {
	byCommit := map[string]map[string]bool{}
	for _, thread := range p.Threads {
		for _, c := range thread.Comments {
			if c.OriginalOid == "" || c.OriginalOid == p.HeadOid {
				continue
			}
			if byCommit[c.OriginalOid] == nil {
				byCommit[c.OriginalOid] = map[string]bool{}
			}
			byCommit[c.OriginalOid][thread.Path] = true
		}
	}
	return byCommit
}

// contents adds the blobs on both sides of what differs between two commits.
func (r *Repo) contents(ctx context.Context, p pair, oids map[string]bool) error {
	oldRoot, err := r.rootTree(ctx, p.from)
	if err != nil {
		return err
	}
	newRoot, err := r.rootTree(ctx, p.to)
	if err != nil {
		return err
	}
	changed, err := r.changes(ctx, oldRoot, newRoot)
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
