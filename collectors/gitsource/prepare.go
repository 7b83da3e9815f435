package gitsource

import (
	"context"

	"github.com/prforge/prforge/internal/model"
)

// Prepare transfers at once what ForkPoint, Diff and RevisionDiff of many pull
// requests would transfer one by one: four transfers instead of one or two for
// each. It decides nothing: what it could not get, the operation that needs it
// meets again and reports.
func (r *Repo) Prepare(ctx context.Context, pulls []*model.PullRequest) error {
	return r.healing(ctx, func() error { return r.prepare(ctx, pulls) })
}

func (r *Repo) prepare(ctx context.Context, pulls []*model.PullRequest) error {
	var commits []string
	for _, p := range pulls {
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
	for _, p := range pulls {
		if missing[p.HeadOid] != nil {
			continue
		}
		some, err := r.pairs(ctx, p, missing)
		if err != nil {
			return err
		}
		pairs = append(pairs, some...)
	}
	return r.fetchPairs(ctx, pairs)
}

// pair is two commits that will be compared.
type pair struct {
	from, to string
	paths    map[string]bool // nil is all
	most     int             // with more changes than these they are not the right two
}

// pairs lists the comparisons of a pull request: its probable fork point and
// each commit commented on, with its head.
func (r *Repo) pairs(ctx context.Context, p *model.PullRequest, missing map[string]error) ([]pair, error) {
	var list []pair
	for original, paths := range commented(p) {
		if missing[original] == nil {
			list = append(list, pair{from: original, to: p.HeadOid, paths: paths, most: r.opts.MaxTree})
		}
	}
	for _, way := range r.ways(p) {
		if way.method == MethodCompare || way.method == MethodAncestor {
			break
		}
		bases, err := way.find(ctx)
		if err != nil {
			return nil, err
		}
		for _, base := range bases {
			// A rename is two changes.
			list = append(list, pair{from: base, to: p.HeadOid, most: 2 * p.ChangedFiles})
		}
		if len(bases) > 0 {
			break
		}
	}
	return list, nil
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
