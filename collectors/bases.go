package collectors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/unidiff"
	"github.com/prforge/prforge/internal/verdict"
)

// FetchBases fetches for every change the fork point, the sources at the fork points of the change and of its
// reviewed revision, and the line maps from earlier revisions. It uses as few transfers as possible. The Base records
// what is unavailable; an error ends the run.
func (r *Repository) FetchBases(ctx context.Context, changes []Change) error {
	missing, err := without(changes, r.haveBase)
	if err != nil || len(missing) == 0 {
		return err
	}
	key := func(ch Change) string { return baseKey(ch.Pull.Ref.Number) }
	return collectAll(r, missing, key, func(some []Change) error { return r.collectBases(ctx, some) })
}

// baseKey is the key of a pull request's base among the failures.
func baseKey(n int) string { return fmt.Sprintf("base/%d", n) }

// oldPaths are the paths of a diff's files at its base. A diff that filter 7 will reject has none.
func oldPaths(d *unidiff.Diff) []string {
	if d == nil {
		return nil
	}
	var out []string
	for _, f := range d.Files {
		if f.OldPath != "" {
			out = append(out, f.OldPath)
		}
	}
	return out
}

// haveBase reports whether a change's base was found and its sources kept. The base is written last, so that a run
// interrupted between the two fetches again.
func (r *Repository) haveBase(ch Change) (bool, error) {
	if ch.Diff == nil {
		return r.haveReviewedSources(ch)
	}
	key := strconv.Itoa(ch.Pull.Ref.Number)
	head, ok, err := store.Get[string](r.shard, store.Meta, "base-of/"+key)
	if err != nil {
		return false, err
	}
	has, err := r.shard.Has(store.Base, key)
	if err != nil || !has || ok && head != ch.Pull.HeadOid {
		return false, err
	}
	return r.haveReviewedSources(ch)
}

// haveReviewedSources reports whether the reviewed revision needs no fetch: its sources are stored, or its base says
// why there are none.
func (r *Repository) haveReviewedSources(ch Change) (bool, error) {
	base, err := r.reviewedBase(ch)
	if err != nil || base == nil || base.Problem != "" {
		return err == nil, err
	}
	return r.shard.Has(store.Tree, ch.reviewedKey())
}

// reviewedBase is the fork point that FetchReviewed stored for the reviewed revision; nil without such a revision.
func (r *Repository) reviewedBase(ch Change) (*model.Base, error) {
	if ch.Reviewed == nil {
		return nil, nil
	}
	base, ok, err := store.Get[model.Base](r.shard, store.Base, ch.reviewedKey())
	if err != nil || !ok {
		return nil, err
	}
	return &base, nil
}

// collectBases fetches history, finds fork points, and fetches sources.
func (r *Repository) collectBases(ctx context.Context, changes []Change) error {
	git, err := r.openGit(ctx)
	if err != nil {
		return err
	}
	reviewed, err := r.reviewedRequests(changes)
	if err != nil {
		return err
	}
	all, changes := changes, slices.DeleteFunc(slices.Clone(changes), func(ch Change) bool { return ch.Diff == nil })
	plan := gitsource.Plan{Sources: reviewed}
	for _, ch := range changes {
		plan.Pulls = append(plan.Pulls, gitsource.PullPlan{Pull: ch.Pull, Changed: oldPaths(ch.Parsed),
			Compared: comparedPaths(ch)})
	}
	if err := git.Prepare(ctx, r.shard, plan); err != nil {
		return fmt.Errorf("fetch the history of %s: %w", r.facts.Ref, err)
	}
	changes, bases, err := r.findBases(ctx, git, changes)
	if err != nil {
		return err
	}
	wanted := reviewed
	for i, ch := range changes {
		if bases[i].ForkPoint != "" {
			wanted = append(wanted, gitsource.Request{Key: pullKey(ch.Pull.Ref.Number), Commit: bases[i].ForkPoint,
				Changed: oldPaths(ch.Parsed)})
		}
	}
	comparisons, err := r.compareRevisions(ctx, git, changes, bases)
	if err != nil {
		return fmt.Errorf("compare the revisions of %s: %w", r.facts.Ref, err)
	}
	for i, ch := range changes {
		wanted = append(wanted, headRequest(ch, comparisons[i]))
	}
	absent, err := git.Collect(ctx, r.shard, wanted)
	if err != nil {
		return fmt.Errorf("fetch the sources of %s: %w", r.facts.Ref, err)
	}
	for _, ch := range all {
		if err := r.noteAbsent(ch, absent[ch.reviewedKey()]); err != nil {
			return err
		}
	}
	for i, ch := range changes {
		if why := absent[pullKey(ch.Pull.Ref.Number)]; why != nil {
			bases[i].Problem = why.Error()
		}
		if err := r.keepBase(ch, bases[i], comparisons[i]); err != nil {
			return err
		}
	}
	return nil
}

// reviewedRequests ask for the sources at the fork points of reviewed revisions.
func (r *Repository) reviewedRequests(changes []Change) ([]gitsource.Request, error) {
	var out []gitsource.Request
	for _, ch := range changes {
		base, err := r.reviewedBase(ch)
		if err != nil {
			return nil, err
		}
		if base != nil && base.ForkPoint != "" {
			out = append(out, gitsource.Request{Key: ch.reviewedKey(), Commit: base.ForkPoint, Changed: oldPaths(ch.Shown)})
		}
	}
	return out, nil
}

// noteAbsent notes why the sources of the reviewed revision are absent; nil where
// they are not.
func (r *Repository) noteAbsent(ch Change, why error) error {
	base, err := r.reviewedBase(ch)
	if err != nil || base == nil || why == nil {
		return err
	}
	base.Problem = why.Error()
	return store.Put(r.shard, store.Base, ch.reviewedKey(), *base)
}

// findBases finds the fork points of changes. It returns the changes that it could examine.
func (r *Repository) findBases(ctx context.Context, git *gitsource.Repo, changes []Change) ([]Change, []model.Base,
	error) {
	var found []Change
	var bases []model.Base
	for _, ch := range changes {
		base, err := git.ForkPoint(ctx, ch.Pull, ch.Diff.Text)
		if err != nil {
			if err := r.alone(baseKey(ch.Pull.Ref.Number), err); err != nil {
				return nil, nil, fmt.Errorf("find the fork point of %s: %w", ch.Pull.Ref, err)
			}
			continue
		}
		found, bases = append(found, ch), append(bases, base)
	}
	return found, bases, nil
}

func (r *Repository) keepBase(ch Change, base model.Base, revisions []model.RevisionDiff) error {
	key := strconv.Itoa(ch.Pull.Ref.Number)
	return r.shard.Batch(func(b *store.Batch) error {
		return errors.Join(
			store.Put(b, store.Base, key, base),
			store.Put(b, store.Revisions, key, revisions),
			store.Put(b, store.Meta, "base-of/"+key, ch.Pull.HeadOid))
	})
}

// Base is what FetchBases learnt about a pull request; nil without an error if it was never called for it. It reports
// whether Sources has the tree at the fork point. The error says why this run could not fetch it.
func (r *Repository) Base(n int) (_ *model.Base, _ []model.RevisionDiff, sources bool, _ error) {
	if failed := r.noted(baseKey(n)); failed != nil {
		return nil, nil, false, failed
	}
	key := strconv.Itoa(n)
	base, ok, err := store.Get[model.Base](r.shard, store.Base, key)
	if err != nil || !ok {
		return nil, nil, false, err
	}
	revisions, _, err := store.Get[[]model.RevisionDiff](r.shard, store.Revisions, key)
	if err != nil || base.ForkPoint == "" {
		return &base, revisions, false, err
	}
	sources, err = r.shard.Has(store.Tree, pullKey(n))
	return &base, revisions, sources, err
}

// Sources reads the tree at a pull request's fork point. It is nil, without an error, if there is none. It grows with
// the repository's files: drop it before reading the next pull request's.
func (r *Repository) Sources(n int) (model.Snapshot, error) {
	return r.snapshot(pullKey(n))
}

// treeKey is the key of the snapshot that the repository score reads.
const treeKey = "repository"

// treeFailure is the key of the failure to fetch it.
const treeFailure = "tree"

// FetchTree reads the tree after a pull request's merge with its configuration files, and fetches it if needed. The
// error is fs.ErrNotExist if the commit is unavailable.
func (r *Repository) FetchTree(ctx context.Context, p *model.PullRequest) (model.Snapshot, error) {
	commit := p.HeadOid
	if p.MergeCommit != nil {
		commit = p.MergeCommit.Oid
	}
	known, _, err := r.shard.TreeCommit(treeKey)
	if err == nil && known != commit {
		err = r.collectTree(ctx, commit)
	}
	if err != nil {
		return nil, err
	}
	return r.shard.Snapshot(treeKey)
}

// collectTree fetches the tree of a commit. It stores that the commit is gone, so that no later run asks for it again.
func (r *Repository) collectTree(ctx context.Context, commit string) error {
	detail := fmt.Sprintf("git does not have commit %s, whose tree the repository score reads", commit)
	gone := &Failure{Code: verdict.NotFound, Detail: detail}
	unavailable := fmt.Errorf("%w: %w", gone, fs.ErrNotExist)
	known, err := r.knownFailure(treeFailure)
	if err != nil {
		return err
	}
	if known != nil && known.Error() == detail && !r.c.opts.Refresh {
		return unavailable
	}
	git, err := r.openGit(ctx)
	if err != nil {
		return err
	}
	absent, err := git.Collect(ctx, r.shard, []gitsource.Request{{Key: treeKey, Commit: commit, BuildFiles: true}})
	if err != nil {
		return fmt.Errorf("fetch the tree of %s: %w", r.facts.Ref, err)
	}
	if absent[treeKey] == nil {
		return nil
	}
	if errors.Is(absent[treeKey], gitsource.ErrAbsent) {
		err = r.fail(treeFailure, gone)
	}
	return cmp.Or(err, unavailable)
}
