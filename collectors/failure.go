package collectors

import (
	"errors"
	"fmt"

	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/verdict"
)

// Failure is why something could not be had: kept in the raw store where asking
// again would give the same answer, so that a rebuild without network decides
// as the first run did.
type Failure struct {
	Code   verdict.Code `json:"code"`
	Detail string       `json:"detail"`
}

// Error is the detail.
func (f *Failure) Error() string { return f.Detail }

// failureOf gives an error its reason code. Permanent is true when GitHub will
// not answer otherwise on the next run.
func failureOf(err error) (f Failure, permanent bool) {
	var known *Failure
	if errors.As(err, &known) {
		return *known, true
	}
	f.Detail = err.Error()
	switch {
	case errors.Is(err, ghapi.ErrNotFound):
		f.Code, permanent = verdict.NotFound, true
	case errors.Is(err, ghapi.ErrBlocked):
		f.Code, permanent = verdict.Blocked, true
	case errors.Is(err, ghapi.ErrForbidden):
		f.Code, permanent = verdict.Forbidden, true
	case errors.Is(err, ghapi.ErrEmpty):
		f.Code, permanent = verdict.EmptyRepository, true
	case errors.Is(err, ghapi.ErrTimeout), errors.Is(err, ghapi.ErrResourceLimits), errors.Is(err, ghapi.ErrNotAvailable):
		f.Code = verdict.NotAnswered
	default:
		f.Code = verdict.CollectionFailed
	}
	return f, permanent
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
