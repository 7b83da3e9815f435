package collectors

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/prforge/prforge/collectors/github"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/verdict"
)

// Repository is a repository that Survey has looked at, by the name in the
// configuration. The error is a *Failure where it was unavailable.
func (c *Collector) Repository(asked model.RepoRef) (*Repository, error) {
	shard, err := c.shard(asked)
	if err != nil {
		return nil, err
	}
	facts, ok, err := c.repositoryRecord(asked)
	if err != nil {
		return nil, err
	}
	if failed := c.noted(asked, repositoryKey); failed != nil {
		return nil, failed
	}
	if !ok {
		why, err := c.knownFailure(asked, repositoryKey)
		if err == nil {
			err = why
		}
		if err == nil {
			err = &Failure{Code: verdict.NotAnswered, Detail: "GitHub did not answer for " + asked.String() +
				"; run the same command again"}
		}
		return nil, err
	}
	return &Repository{c: c, shard: shard, facts: &facts}, nil
}

// Release closes what is open of the repository until it is used again.
func (r *Repository) Release() error {
	r.gitMu.Lock()
	defer r.gitMu.Unlock()
	if r.git != nil {
		r.git.Close()
		r.git = nil
	}
	return r.shard.Release()
}

// Facts are what GitHub says of the repository.
func (r *Repository) Facts() *model.Repository { return r.facts }

// Census lists its pull requests since the beginning of the window, without
// those that are hidden. It is read again each time: a busy repository has
// thousands, and a run hundreds of repositories.
func (r *Repository) Census() (*model.Census, error) {
	census, _, err := store.Get[model.Census](r.shard, store.Census, r.c.censusKey())
	if err != nil {
		return nil, err
	}
	if r.c.opts.Hidden != nil {
		census.Pulls = slices.DeleteFunc(census.Pulls,
			func(p model.PullSummary) bool { return r.c.opts.Hidden(r.ref(p.Number)) })
	}
	return &census, nil
}

// Wanted names pull requests of one repository.
type Wanted struct {
	Repository *Repository
	Pulls      []model.PullSummary
}

// FetchPulls fetches whole pull requests that are not stored; several repositories share requests. Pull reports what
// is unavailable; an error ends the run.
func (c *Collector) FetchPulls(ctx context.Context, wanted ...Wanted) error {
	var asks []github.PullAsk
	of := map[model.RepoRef]*Repository{}
	for _, w := range wanted {
		of[w.Repository.facts.Ref] = w.Repository
		for _, s := range w.Pulls {
			have, err := w.Repository.havePull(s)
			if err != nil {
				return err
			}
			if !have {
				asks = append(asks, github.PullAsk{Ref: w.Repository.ref(s.Number), NodeID: s.NodeID})
			}
		}
	}
	if len(asks) == 0 {
		return nil
	}
	client, err := c.github(ctx)
	if c.lacks(err) {
		for _, a := range asks {
			of[a.Ref.Repo].note(ErrNotCollected, pullKey(a.Ref.Number))
		}
		return nil
	}
	if err != nil {
		return err
	}
	for pull, err := range client.Pulls(ctx, asks) {
		if err := keepPull(of, pull, err); err != nil {
			return fmt.Errorf("fetch pull requests: %w", err)
		}
	}
	return nil
}

// keepPull records one answer with its repository.
func keepPull(of map[model.RepoRef]*Repository, pull *model.PullRequest, err error) error {
	var one *github.PullError
	switch {
	case errors.As(err, &one) && of[one.Ref.Repo] != nil:
		return of[one.Ref.Repo].keepPull(nil, err)
	case err != nil:
		return err
	case of[pull.Ref.Repo] == nil:
		return fmt.Errorf("GitHub answered for %s, which was not asked for", pull.Ref)
	}
	return of[pull.Ref.Repo].keepPull(pull, nil)
}

// FetchPulls is Collector.FetchPulls for this repository alone.
func (r *Repository) FetchPulls(ctx context.Context, wanted []model.PullSummary) error {
	return r.c.FetchPulls(ctx, Wanted{Repository: r, Pulls: wanted})
}

// havePull reports whether a pull request needs no request: it is stored as of its last update, or known to be
// unavailable.
func (r *Repository) havePull(s model.PullSummary) (bool, error) {
	if s.Number == 0 { // withoutName: there is nothing to fetch
		return true, nil
	}
	// Do not decode the pull request here: Pull reads it again.
	pull, ok, err := store.Get[struct {
		UpdatedAt time.Time `json:"updated_at"`
	}](r.shard, store.Pull, strconv.Itoa(s.Number))
	if err != nil {
		return false, err
	}
	if ok {
		return !pull.UpdatedAt.Before(s.UpdatedAt), nil
	}
	return r.isUnavailable(pullKey(s.Number))
}

// keepPull records one answer about a pull request.
func (r *Repository) keepPull(pull *model.PullRequest, err error) error {
	if one, ok := errors.AsType[*github.PullError](err); ok {
		return r.fail(pullKey(one.Ref.Number), one.Err)
	}
	if err != nil {
		return err
	}
	key := strconv.Itoa(pull.Ref.Number)
	return r.fail(pullKey(pull.Ref.Number), r.shard.Batch(func(b *store.Batch) error {
		return errors.Join(store.Put(b, store.Pull, key, *pull), store.Delete(b, store.Failure, pullKey(pull.Ref.Number)))
	}))
}

// Pull is a pull request that FetchPulls fetched. The error is a *Failure if it was unavailable, and ErrHidden if
// nobody may know of it.
func (r *Repository) Pull(n int) (*model.PullRequest, error) {
	if n == 0 { // withoutName
		return nil, fmt.Errorf("a pull request of %s: %w", r.facts.Ref, ErrHidden)
	}
	if failed := r.noted(pullKey(n)); failed != nil { // what an earlier run learnt of it is out of date
		return nil, failed
	}
	pull, ok, err := store.Get[model.PullRequest](r.shard, store.Pull, strconv.Itoa(n))
	if err != nil {
		return nil, err
	}
	if ok {
		return r.redacted(&pull)
	}
	why, err := r.knownFailure(pullKey(n))
	if err == nil {
		err = why
	}
	if err == nil {
		err = &Failure{Code: verdict.NotAnswered, Detail: "GitHub did not answer for " + r.ref(n).String() +
			"; run the same command again"}
	}
	return nil, err
}

// ErrHidden says that nothing may be known of a pull request, not even that it
// was left out.
var ErrHidden = errors.New("on the takedown list")

func (r *Repository) redacted(p *model.PullRequest) (*model.PullRequest, error) {
	if r.c.opts.Redact == nil {
		return p, nil
	}
	if out := r.c.opts.Redact(p); out != nil {
		return out, nil
	}
	return nil, fmt.Errorf("%s: %w", p.Ref, ErrHidden)
}

func (r *Repository) ref(n int) model.PullRef {
	return model.PullRef{Repo: r.facts.Ref, Number: n}
}

// without are the values that have reports as not stored.
func without[T any](all []T, have func(T) (bool, error)) (missing []T, err error) {
	for _, v := range all {
		known, err := have(v)
		if err != nil {
			return nil, err
		}
		if !known {
			missing = append(missing, v)
		}
	}
	return missing, nil
}
