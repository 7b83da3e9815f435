package collectors

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/sourcegraph/conc/pool"

	"github.com/prforge/prforge/collectors/github"
	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/unidiff"
	"github.com/prforge/prforge/internal/verdict"
)

// FetchDiffs fetches the diffs of pull requests that are not stored: GitHub's own, or git's if GitHub refuses. Diff
// reports what is unavailable; an error ends the run.
func (r *Repository) FetchDiffs(ctx context.Context, pulls []*model.PullRequest) error {
	missing, err := without(pulls, r.haveDiff)
	if err != nil || len(missing) == 0 {
		return err
	}
	client, err := r.c.github(ctx)
	if r.c.lacks(err) {
		for _, p := range missing {
			r.note(ErrNotCollected, diffKey(p.Ref.Number))
		}
		return nil
	}
	if err != nil {
		return err
	}
	refused := make([]error, len(missing))
	workers := pool.New().WithErrors().WithContext(ctx).WithCancelOnError().WithFirstError().WithMaxGoroutines(max(1,
		r.c.opts.Workers))
	for i, p := range missing {
		workers.Go(func(ctx context.Context) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			var err error
			refused[i], err = r.fetchDiff(ctx, client, p)
			return err
		})
	}
	if err := workers.Wait(); err != nil {
		return fmt.Errorf("fetch the diffs of %s: %w", r.facts.Ref, err)
	}
	return r.diffsFromGit(ctx, missing, refused)
}

// haveDiff reports whether a diff needs no request: it is stored for the pull request's head, or known to be
// unavailable.
func (r *Repository) haveDiff(p *model.PullRequest) (bool, error) {
	// Do not decode the diff here: Diff reads it again.
	known, ok, err := store.Get[struct {
		HeadOid string `json:"head_oid"`
	}](r.shard, store.Diff, strconv.Itoa(p.Ref.Number))
	if err != nil {
		return false, err
	}
	if ok {
		return known.HeadOid == p.HeadOid, nil
	}
	return r.isUnavailable(diffKey(p.Ref.Number))
}

// fetchDiff requests one diff from GitHub and stores it. The first error is GitHub's refusal, after which git may
// make the diff; the second ends the run.
func (r *Repository) fetchDiff(ctx context.Context, client *github.Client, p *model.PullRequest) (refused, err error) {
	diff, err := client.Diff(ctx, p)
	if isRefusal(err) {
		return err, nil
	}
	if err == nil {
		err = r.keepDiff(p.Ref.Number, diff)
	}
	return nil, r.fail(diffKey(p.Ref.Number), err)
}

// keepDiff stores a diff and removes the failure stored for it.
func (r *Repository) keepDiff(number int, diff *model.Diff) error {
	return r.shard.Batch(func(b *store.Batch) error {
		return errors.Join(
			store.Put(b, store.Diff, strconv.Itoa(number), *diff),
			store.Delete(b, store.Failure, diffKey(number)))
	})
}

// diffsFromGit makes the diffs that GitHub refused, against the fork point.
func (r *Repository) diffsFromGit(ctx context.Context, pulls []*model.PullRequest, refused []error) error {
	for i, p := range pulls {
		if refused[i] == nil {
			continue
		}
		diff, err := r.diffFromGit(ctx, p, refused[i])
		if err == nil {
			err = r.keepDiff(p.Ref.Number, diff)
		}
		if err := r.fail(diffKey(p.Ref.Number), err); err != nil {
			return err
		}
	}
	return nil
}

// diffFromGit makes a diff. The error is a *Failure if no later attempt can succeed.
func (r *Repository) diffFromGit(ctx context.Context, p *model.PullRequest, why error) (*model.Diff, error) {
	git, err := r.openGit(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := git.FetchCommits(ctx, gitsource.Commits(p)); err != nil {
		return nil, err
	}
	base, err := git.ForkPoint(ctx, p, "")
	if err != nil {
		return nil, err
	}
	if base.ForkPoint == "" {
		return nil, &Failure{verdict.DiffMissing, refusal(why) + ", and git finds no fork point: " + base.Problem}
	}
	text, err := git.Diff(ctx, base.ForkPoint, p.HeadOid)
	if err != nil {
		return nil, err
	}
	if err := sameCounts(p, text); err != nil {
		return nil,
			&Failure{verdict.DiffMissing, fmt.Sprintf("%s, and git's diff against %s is another: %v", refusal(why),
				base.ForkPoint, err)}
	}
	return &model.Diff{HeadOid: p.HeadOid, Source: model.DiffFromGit, Why: refusal(why), Text: string(text)}, nil
}

// sameCounts checks git's diff against GitHub's counts. This verifies the fork point when GitHub has no diff. Renames
// may be paired differently, so the diff may have more files and lines than GitHub counts, but never fewer.
func sameCounts(p *model.PullRequest, text []byte) error {
	d, err := unidiff.Parse(string(text))
	if err != nil {
		return err
	}
	if d.AddedLines-d.DeletedLines != p.Additions-p.Deletions || len(d.Files) < p.ChangedFiles ||
		d.AddedLines < p.Additions {
		return fmt.Errorf("%d files, +%d -%d instead of %d files, +%d -%d", len(d.Files), d.AddedLines, d.DeletedLines,
			p.ChangedFiles, p.Additions, p.Deletions)
	}
	return nil
}

// Diff is a diff that FetchDiffs fetched; nil without an error if neither GitHub nor git has one. The error is a
// *Failure if a retry may help or the pull request itself is gone.
func (r *Repository) Diff(n int) (*model.Diff, error) {
	why := r.noted(diffKey(n)) // what an earlier run learnt is out of date then
	if why == nil {
		d, ok, err := store.Get[model.Diff](r.shard, store.Diff, strconv.Itoa(n))
		if err != nil {
			return nil, err
		}
		if ok {
			return &d, nil
		}
		if why, err = r.knownFailure(diffKey(n)); err != nil {
			return nil, err
		}
	}
	var f *Failure
	switch {
	case errors.As(why, &f) && f.Code == verdict.DiffMissing:
		return nil, nil
	case why != nil:
		return nil, why
	}
	return nil,
		&Failure{Code: verdict.NotAnswered, Detail: "the diff of " + r.ref(n).String() +
			" could not be fetched; run the same command again"}
}

func diffKey(n int) string { return fmt.Sprintf("diff/%d", n) }
