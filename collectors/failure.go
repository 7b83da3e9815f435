package collectors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
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
	// failsItem concerns one item in this run: the others continue, nothing is stored, and the next run asks again.
	// It is the default for unknown errors.
	failsItem consequence = iota
	// failsRepository is the same for all items of the repository that are waiting.
	failsRepository
	// isFact is GitHub's answer about the item: it is stored, and only a refresh asks again.
	isFact
	// endsRun is for errors that every other item would meet too. Collected facts are kept.
	endsRun
)

const (
	notAnswered  = "GitHub never answered for it, however little was asked at once"
	notCollected = "it could not be collected; the same command tries again"
	notKept      = "the raw records that the dataset was built from lack what the decision needs"
)

// consequences maps each kind of error to its consequence, reason code and sentence; the default is
// collection_failed. The first match decides, so wider errors come before narrower ones. Facts come last: an error
// that also matches another kind is not a fact.
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

	{kind: ErrNotCollected, follows: failsItem, code: verdict.NotCollected, detail: notKept},

	{kind: ghapi.ErrTimeout, follows: failsItem, code: verdict.NotAnswered, detail: notAnswered},
	{kind: ghapi.ErrResourceLimits, follows: failsItem, code: verdict.NotAnswered, detail: notAnswered},
	{kind: ghapi.ErrNotAvailable, follows: failsItem, code: verdict.NotAnswered, detail: notAnswered},
	// another token may
	{kind: ghapi.ErrForbidden, follows: failsItem, code: verdict.Forbidden, detail: "the token may not read it"},

	{kind: ghapi.ErrNotFound, follows: isFact, code: verdict.NotFound,
		detail: "GitHub does not have it, or does not show it"},
	{kind: ghapi.ErrBlocked, follows: isFact, code: verdict.Blocked, detail: "GitHub has blocked access to it"},
	{kind: ghapi.ErrEmpty, follows: isFact, code: verdict.EmptyRepository, detail: "the repository has no commits"},
}

// consequenceOf returns an error's consequence and an item's failure. The sentence depends on the code alone: it
// enters the dataset, and an error's text differs from run to run.
func consequenceOf(err error) (consequence, Failure) {
	if known, ok := errors.AsType[*Failure](err); ok {
		return isFact, *known
	}
	for _, c := range consequences {
		if errors.Is(err, c.kind) {
			return c.follows, Failure{Code: cmp.Or(c.code, verdict.CollectionFailed), Detail: cmp.Or(c.detail, notCollected) +
				because(err)}
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

// IsFatal reports whether an error would hit every other item too: bad credentials, a spent limit or budget, an
// interruption, a state that cannot be read or written, a model that does not answer.
func IsFatal(err error) bool {
	follows, _ := consequenceOf(err)
	return err != nil && follows == endsRun
}

// Reason is the reason code and the sentence for an error.
func Reason(err error) (verdict.Code, string) {
	_, f := consequenceOf(err)
	return f.Code, f.Detail
}

// Failure says why something is unavailable. A failure that is a fact is stored, so that a rebuild without network
// decides as the first run did.
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

// note records for this run why parts of a repository are unavailable, so that none is requested twice.
func (c *Collector) note(asked model.RepoRef, err error, what ...string) {
	if len(what) == 0 {
		return
	}
	level := slog.LevelWarn
	if IsNotCollected(err) {
		level = slog.LevelInfo // the report counts them
	}
	c.opts.Log.Log(context.Background(), level, "could not be collected", "repository", asked.String(), "what", what[0],
		"others", len(what)-1, "error", err)
	c.failedMu.Lock()
	defer c.failedMu.Unlock()
	for _, w := range what {
		c.failed[failureKey{asked, w}] = err
	}
}

// noted returns what note recorded; nil if nothing failed.
func (c *Collector) noted(asked model.RepoRef, what string) error {
	c.failedMu.Lock()
	defer c.failedMu.Unlock()
	return c.failed[failureKey{asked, what}]
}

// fail notes why a part of a repository is unavailable, and stores it where that is a fact. An error that ends the
// run is returned; nil is ignored.
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

// knownFailure returns the stored failure of a part of a repository; nil if there is none. The second error is the
// state's.
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

// isUnavailable reports whether a part of a repository needs no request: it failed in this run, or an earlier run
// found it gone.
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

// alone notes an error that concerns one part only. It returns any other error.
func (r *Repository) alone(what string, err error) error {
	if follows, _ := consequenceOf(err); err == nil || follows == endsRun || follows == failsRepository {
		return err
	}
	r.note(err, what)
	return nil
}

// tolerate notes an error that concerns these parts of the repository. It returns an error that ends the run.
func (r *Repository) tolerate(err error, what []string) error {
	if err == nil || IsFatal(err) {
		return err
	}
	r.note(err, what...)
	return nil
}

func pullKey(n int) string { return fmt.Sprintf("pull/%d", n) }

// isRefusal reports whether GitHub refused a diff or returned a wrong one, so that git may make it. If GitHub did not
// answer, the next run asks again.
func isRefusal(err error) bool {
	return errors.Is(err, ghapi.ErrTooLarge) || errors.Is(err, ghapi.ErrNotAvailable) || errors.Is(err, ghapi.ErrMismatch)
}

// refusal says why GitHub gave no diff, in words that are the same in every run.
func refusal(err error) string {
	switch {
	case errors.Is(err, ghapi.ErrTooLarge):
		return "GitHub refuses the diff for its size"
	case errors.Is(err, ghapi.ErrNotAvailable):
		return "GitHub could not make the diff"
	default:
		return "GitHub's diff was unusable every time"
	}
}
