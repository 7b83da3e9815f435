package collectors

import (
	"errors"
	"fmt"

	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/verdict"
)

// Failure is why something was unavailable: kept in the raw store where asking
// again would give the same answer, so that a rebuild without network decides
// as the first run did.
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

// failureOf gives an error its reason code and the code's own sentence: it
// enters the dataset, and an error's text differs from run to run. Permanent is true when GitHub
// will not answer otherwise on the next run.
func failureOf(err error) (f Failure, permanent bool) {
	var known *Failure
	if errors.As(err, &known) {
		return *known, true
	}
	switch {
	case errors.Is(err, ghapi.ErrNotFound):
		return Failure{verdict.NotFound, "GitHub does not have it, or does not show it"}, true
	case errors.Is(err, ghapi.ErrBlocked):
		return Failure{verdict.Blocked, "GitHub has blocked access to it" + because(err)}, true
	case errors.Is(err, ghapi.ErrForbidden):
		return Failure{verdict.Forbidden, "the token may not read it" + because(err)}, true
	case errors.Is(err, ghapi.ErrEmpty):
		return Failure{verdict.EmptyRepository, "the repository has no commits"}, true
	case errors.Is(err, ghapi.ErrTimeout), errors.Is(err, ghapi.ErrResourceLimits), errors.Is(err, ghapi.ErrNotAvailable):
		return Failure{verdict.NotAnswered, "GitHub never answered for it, however little was asked at once"}, false
	}
	return Failure{verdict.CollectionFailed, "it could not be collected; the same command tries again"}, false
}

// because is GitHub's own reason, such as " (dmca)", or "".
func because(err error) string {
	var e *ghapi.Error
	if errors.As(err, &e) && e.Reason != "" {
		return " (" + e.Reason + ")"
	}
	return ""
}

// Reason is the reason code and the sentence for an error of this package.
func Reason(err error) (verdict.Code, string) {
	f, _ := failureOf(err)
	return f.Code, f.Detail
}

// keepFailure records a permanent failure under a key ("repository", "pull/7").
func keepFailure(w store.Writer, key string, err error) error {
	f, permanent := failureOf(err)
	if !permanent {
		return nil
	}
	return stateError(store.Put(w, store.Failure, key, f))
}

// knownFailure is the failure recorded under a key, or nil.
func knownFailure(s *store.Shard, key string) (error, error) {
	f, ok, err := store.Get[Failure](s, store.Failure, key)
	if err != nil {
		return nil, stateError(err)
	}
	if !ok {
		return nil, nil
	}
	return &f, nil
}

func pullKey(n int) string { return fmt.Sprintf("pull/%d", n) }
