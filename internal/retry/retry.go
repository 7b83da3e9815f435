// Package retry repeats what may pass: the one loop of retries, and the waits
// of those that count otherwise.
package retry

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// Policy says how often something is tried and how long to wait in between.
type Policy struct {
	Attempts int // at most, the first one included; less than 1 is 1
	// Wait is the pause after the first failure; it doubles up to MaxWait.
	Wait, MaxWait time.Duration
	Sleep         func(context.Context, time.Duration) error // Sleep of this package, but in tests
	Log           *slog.Logger                               // is told of each failure that is tried again
}

// Again marks an error as one that may pass, after Wait at least.
type Again struct {
	Err  error
	Wait time.Duration
}

// Error implements error.
func (a *Again) Error() string { return a.Err.Error() }

// Unwrap gives the cause.
func (a *Again) Unwrap() error { return a.Err }

// Do calls try until it succeeds, fails with an error that is no *Again, or the
// attempts are used up. It reports the attempts made and the last error, without
// its mark. what names the work in the log.
func (p Policy) Do(ctx context.Context, what string, try func(ctx context.Context) error) (attempts int, err error) {
	for attempt := 1; ; attempt++ {
		err := try(ctx)
		var again *Again
		if !errors.As(err, &again) {
			return attempt, err
		}
		if ctx.Err() != nil {
			return attempt, ctx.Err()
		}
		if attempt >= p.Attempts {
			return attempt, again.Err
		}
		wait := max(Doubled(p.Wait, attempt-1, p.MaxWait), again.Wait)
		p.Log.Warn(what+" failed, trying again", "attempt", attempt, "wait", wait, "error", again.Err)
		if err := p.Sleep(ctx, wait); err != nil {
			return attempt, err
		}
	}
}

// Doubled is base doubled n times, at most limit.
func Doubled(base time.Duration, n int, limit time.Duration) time.Duration {
	for ; n > 0 && base < limit; n-- {
		base *= 2
	}
	return min(base, limit)
}

// Sleep waits for d, or until the context ends and then gives its error.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
