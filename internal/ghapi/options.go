package ghapi

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/prforge/prforge/internal/retry"
)

// Options configure a Client. Start from DefaultOptions.
type Options struct {
	APIURL     string // REST root, "https://api.github.com"
	GraphQLURL string // "https://api.github.com/graphql"
	UserAgent  string // GitHub refuses requests without one
	// Tokens gives the credentials. Nil asks anonymously, which GraphQL refuses.
	Tokens TokenSource
	// App acts as a GitHub App's installation, in place of Tokens; nil does not.
	App *App

	// Concurrent is the number of requests in flight, at least 1; of GraphQL
	// there is never more than one. GitHub asks for serial requests, and only
	// serial ones can obey a Retry-After to the letter: a second request may
	// already be on its way when the first is refused.
	Concurrent int
	// Attempts is how often a request is sent before it fails, at least 1.
	// Waits for a limit do not count.
	Attempts int
	// CheckAttempts is the same for answers that fail only the caller's check: the answer may be right and GitHub's
	// count wrong.
	CheckAttempts int
	// LimitWaits is how often one request waits for a limit before it fails.
	LimitWaits int
	// RetryBudget is how many failed attempts, less the good ones, end the run with ErrBudget.
	RetryBudget int
	// Outage is how long failed connections are retried once GitHub has answered at all: DNS or TLS may fail for
	// minutes.
	Outage time.Duration

	AttemptTimeout time.Duration // one request with its whole body
	IdleTimeout    time.Duration // the longest silence within a body
	MaxBody        int64         // bytes of a body after decompression

	BackoffBase time.Duration // the first pause after a failure; it doubles, with jitter
	BackoffMax  time.Duration
	// SecondaryWait is the pause after a secondary limit that does not say how
	// long; it doubles.
	SecondaryWait time.Duration
	// MaxWait bounds every pause, whatever a Retry-After or a reset says.
	MaxWait time.Duration
	// ResetMargin is added to a reset: the clocks of GitHub's servers differ by a second.
	ResetMargin time.Duration

	Now    func() time.Time                                 // the clock
	Sleep  func(ctx context.Context, d time.Duration) error // waits, or returns the context's error
	Jitter func() float64                                   // in [0, 1)
	OnWait func(Wait)                                       // called at the start of each pause; may be nil
	Held   []Wait                                           // pauses of an earlier run that still apply
	Log    *slog.Logger                                     // retries and pauses; nil discards
	Base   http.RoundTripper                                // what sends; nil is a plain http.Transport
}

// Wait says why requests are paused.
type Wait struct {
	Resource string    // "GraphQL" or "REST" where only those are held; "" for everything
	Reason   string    // "GraphQL limit used up", "secondary limit", "HTTP 502"
	Until    time.Time // local time
}

// DefaultOptions are the values for github.com.
func DefaultOptions() Options {
	return Options{
		APIURL:         "https://api.github.com",
		GraphQLURL:     "https://api.github.com/graphql",
		UserAgent:      "prforge (+https://github.com/prforge/prforge)",
		Concurrent:     1,
		Attempts:       6,
		CheckAttempts:  4,
		LimitWaits:     8,
		RetryBudget:    100,
		Outage:         30 * time.Minute,
		AttemptTimeout: 90 * time.Second,
		IdleTimeout:    30 * time.Second,
		MaxBody:        64 << 20,
		BackoffBase:    time.Second,
		BackoffMax:     time.Minute,
		SecondaryWait:  time.Minute,
		MaxWait:        time.Hour + 5*time.Minute,
		ResetMargin:    time.Second,
		Now:            time.Now,
		Sleep:          retry.Sleep,
		Jitter:         rand.Float64,
	}
}

// App is a GitHub App's installation to act as, instead of a user's token.
type App struct {
	ID           string // the App's id or client id
	Installation int64
	Key          []byte // the App's private key in PEM, PKCS #1 or #8
}
