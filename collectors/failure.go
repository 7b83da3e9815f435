package collectors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"syscall"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/collectors/models/endpoint"
	"github.com/prforge/prforge/collectors/python"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/verdict"
)

// consequence is what follows from an error.
type consequence int

const (
	// failsItem is about one item in this run: the others go on, nothing is stored,
	// and the next run asks again. It follows from every error of no known kind.
	failsItem consequence = iota
	// failsRepository is the same for all items of the repository that are waiting.
	failsRepository
	// isFact is GitHub's answer about the item: it is stored, and asked again only by
	// a refresh.
	isFact
	// endsRun is for what no other item would fare better with. What was collected
	// is kept.
	endsRun
)

const (
	notAnswered  = "GitHub never answered for it, however little was asked at once"
	notCollected = "it could not be collected; the same command tries again"
)

// consequences says what follows from each kind of error, and by which code and
// sentence a failed item is known; by default collection_failed. The first that an
// error is decides, so what is about more comes before what is about less, and a
// fact comes last: an error that is something else as well is none.
var consequences = []struct {
	kind    error
	follows consequence
	code    verdict.Code
	detail  string
}{
	{kind: context.Canceled, follows: endsRun},
	{kind: context.DeadlineExceeded, follows: endsRun}, // the run's: an attempt's own is ghapi.ErrTimeout
	{kind: ErrNoToken, follows: endsRun},
	{kind: ErrOffline, follows: endsRun},
	{kind: ghapi.ErrAuth, follows: endsRun},
	{kind: ghapi.ErrToken, follows: endsRun},
	{kind: ghapi.ErrBudget, follows: endsRun},
	{kind: ghapi.ErrLimited, follows: endsRun},
	{kind: ghapi.ErrNetwork, follows: endsRun},
	{kind: ghapi.ErrQuery, follows: endsRun},
	{kind: gitsource.ErrNoGit, follows: endsRun},
	{kind: gitsource.ErrDisk, follows: endsRun},
	{kind: gitsource.ErrAuth, follows: endsRun},
	{kind: store.ErrState, follows: endsRun},
	{kind: syscall.ENOSPC, follows: endsRun}, // of temporary files
	{kind: endpoint.ErrReply, follows: endsRun},
	{kind: endpoint.ErrEnded, follows: endsRun},
	{kind: models.ErrNotKept, follows: endsRun},
	{kind: python.ErrNotKept, follows: endsRun},

	{kind: gitsource.ErrNetwork, follows: failsRepository},
	{kind: gitsource.ErrUnavailable, follows: failsRepository},
	{kind: gitsource.ErrCorrupt, follows: failsRepository},

	{kind: ghapi.ErrTimeout, follows: failsItem, code: verdict.NotAnswered, detail: notAnswered},
	{kind: ghapi.ErrResourceLimits, follows: failsItem, code: verdict.NotAnswered, detail: notAnswered},
	{kind: ghapi.ErrNotAvailable, follows: failsItem, code: verdict.NotAnswered, detail: notAnswered},
	{kind: ghapi.ErrForbidden, follows: failsItem, code: verdict.Forbidden, detail: "the token may not read it"}, // another token may

	{kind: ghapi.ErrNotFound, follows: isFact, code: verdict.NotFound, detail: "GitHub does not have it, or does not show it"},
	{kind: ghapi.ErrBlocked, follows: isFact, code: verdict.Blocked, detail: "GitHub has blocked access to it"},
	{kind: ghapi.ErrEmpty, follows: isFact, code: verdict.EmptyRepository, detail: "the repository has no commits"},
}

// consequenceOf is what follows from an error, and the failure that it is for an
// item. The sentence is the code's own: it enters the dataset, and an error's
// text differs from run to run.
func consequenceOf(err error) (consequence, Failure) {
	var known *Failure
	if errors.As(err, &known) {
		return isFact, *known
	}
	for _, c := range consequences {
		if errors.Is(err, c.kind) {
			return c.follows, Failure{Code: cmp.Or(c.code, verdict.CollectionFailed), Detail: cmp.Or(c.detail, notCollected) + because(err)}
		}
	}
	return failsItem, Failure{Code: verdict.CollectionFailed, Detail: notCollected}
}

// because is GitHub's own reason for blocking an item, such as " (dmca)", or "".
func because(err error) string {
	var e *ghapi.Error
	if errors.As(err, &e) && errors.Is(e.Kind, ghapi.ErrBlocked) && e.Reason != "" {
		return " (" + e.Reason + ")"
	}
	return ""
}

// IsFatal reports whether no other item would fare better with an error: bad
// credentials, a limit or a budget that is spent, an interruption, a state that
// cannot be read or written, a model that does not answer.
func IsFatal(err error) bool {
	follows, _ := consequenceOf(err)
	return err != nil && follows == endsRun
}

// Reason is the reason code and the sentence for an error.
func Reason(err error) (verdict.Code, string) {
	_, f := consequenceOf(err)
	return f.Code, f.Detail
}

// Failure is why something is unavailable: kept in the raw store where it is a
// fact, so that a rebuild without network decides as the first run did.
type Failure struct {
	Code   verdict.Code `json:"code"`
	Detail string       `json:"detail"`
}

// Settled reports whether the failure is a fact about the repository or the pull
// request, which running again cannot change: it is gone, blocked or empty.
func (f *Failure) Settled() bool {
	return f.Code == verdict.NotFound || f.Code == verdict.Blocked || f.Code == verdict.EmptyRepository
}

// Error is the detail.
func (f *Failure) Error() string { return f.Detail }

// failureKey is what failed in this run: a repository by the name asked for, and
// what of it.
type failureKey struct {
	asked model.RepoRef
	what  string
}

// note remembers for this run why parts of a repository are unavailable, so that
// it asks for none of them twice.
func (c *Collector) note(asked model.RepoRef, err error, what ...string) {
	if len(what) == 0 {
		return
	}
	c.opts.Log.Warn("could not be collected", "repository", asked.String(), "what", what[0], "others", len(what)-1, "error", err)
	c.failedMu.Lock()
	defer c.failedMu.Unlock()
	for _, w := range what {
		c.failed[failureKey{asked, w}] = err
	}
}

// noted is what note remembers; nil where nothing failed.
func (c *Collector) noted(asked model.RepoRef, what string) error {
	c.failedMu.Lock()
	defer c.failedMu.Unlock()
	return c.failed[failureKey{asked, what}]
}

// fail notes why a part of a repository is unavailable, and stores it where that is
// a fact. The error is one that ends the run; of nil it makes nothing.
func (c *Collector) fail(asked model.RepoRef, what string, err error) error {
	if err == nil {
		return nil
	}
	follows, f := consequenceOf(err)
	if follows == endsRun {
		return err
	}
	if follows != isFact {
		c.note(asked, err, what)
		return nil
	}
	c.note(asked, &f, what)
	shard, err := c.shard(asked)
	if err != nil {
		return err
	}
	return store.Put(shard, store.Failure, what, f)
}

// knownFailure is why a part of a repository is unavailable as a fact of the state;
// nil where it has none. The second error is the state's.
func (c *Collector) knownFailure(asked model.RepoRef, what string) (why, err error) {
	shard, err := c.shard(asked)
	if err != nil {
		return nil, err
	}
	f, ok, err := store.Get[Failure](shard, store.Failure, what)
	if err != nil || !ok {
		return nil, err
	}
	return &f, nil
}

// isUnavailable reports whether a part of a repository need not be asked for: it
// failed in this run, or is known to be gone since an earlier one.
func (c *Collector) isUnavailable(asked model.RepoRef, what string) (bool, error) {
	if c.noted(asked, what) != nil {
		return true, nil
	}
	shard, err := c.shard(asked)
	if err != nil {
		return false, err
	}
	known, err := shard.Has(store.Failure, what)
	return known && !c.opts.Refresh, err
}

// The same for this repository.

func (r *Repository) fail(what string, err error) error { return r.c.fail(r.facts.Asked, what, err) }

func (r *Repository) knownFailure(what string) (why, err error) {
	return r.c.knownFailure(r.facts.Asked, what)
}

func (r *Repository) isUnavailable(what string) (bool, error) {
	return r.c.isUnavailable(r.facts.Asked, what)
}

func (r *Repository) noted(what string) error { return r.c.noted(r.facts.Asked, what) }

func (r *Repository) note(err error, what ...string) { r.c.note(r.facts.Asked, err, what...) }

// alone notes an error that is about one part alone, for which the others go on.
// Any other comes back.
func (r *Repository) alone(what string, err error) error {
	if follows, _ := consequenceOf(err); err == nil || follows == endsRun || follows == failsRepository {
		return err
	}
	r.note(err, what)
	return nil
}

// tolerate notes an error that is about these parts of the repository, for which
// the run goes on. One that ends the run comes back.
func (r *Repository) tolerate(err error, what []string) error {
	if err == nil || IsFatal(err) {
		return err
	}
	r.note(err, what...)
	return nil
}

func pullKey(n int) string { return fmt.Sprintf("pull/%d", n) }
