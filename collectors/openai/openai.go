// Package openai asks an endpoint that speaks OpenAI's protocol for chat
// completions and embeddings. Every answer is kept in the store by the hash of
// what was asked, and asked for only once: a rebuild needs no network and gives
// the same bytes, whatever the model would say today.
package openai

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/prforge/prforge/internal/retry"
	"github.com/prforge/prforge/internal/store"
)

// Options are what is asked and within which limits.
type Options struct {
	// Endpoint is the base address, such as "https://api.openai.com/v1".
	Endpoint string
	// Model is the model's name at the endpoint.
	Model string
	// KeyEnv names the environment variable that holds the key; where it is
	// unset, no key is sent.
	KeyEnv string
	// Getenv reads the environment; nil is an empty one.
	Getenv func(string) string
	// What goes along with a chat; nil, 0 and "" are left out, for models that
	// refuse them. All are part of what an answer is kept by. MaxTokens and
	// MaxCompletionTokens are two names of one limit: endpoints take either.
	Temperature         *float64
	MaxTokens           int
	MaxCompletionTokens int
	Seed                *int64
	ReasoningEffort     string
	// Limiter spaces the requests of everybody who uses an endpoint; nil sets no
	// limit.
	Limiter *Limiter
	// Offline answers from the store alone: whatever is not kept is ErrNotKept.
	Offline bool
	// BatchSize is how many texts go into one request for embeddings.
	BatchSize int
	// Timeout ends one attempt; Attempts is how often one is made.
	Timeout  time.Duration
	Attempts int
	// Backoff is the wait after the first failure; it doubles up to MaxBackoff.
	Backoff, MaxBackoff time.Duration
	// MaxWait is the longest wait that a server may ask for (Retry-After): it is
	// kept to the second. A server that asks for more has refused.
	MaxWait time.Duration
	// MaxBody bounds an answer in bytes.
	MaxBody int64
	// Sleep waits, or ends early with the context's error; Now is the time, for
	// waits that are given as a date and to measure answers.
	Sleep func(context.Context, time.Duration) error
	Now   func() time.Time
	// Log receives waits.
	Log *slog.Logger
}

// DefaultOptions leaves the endpoint and the model to the caller.
func DefaultOptions() Options {
	zero := 0.0
	return Options{
		KeyEnv:      "OPENAI_API_KEY",
		Temperature: &zero,
		BatchSize:   64,
		Timeout:     2 * time.Minute,
		Attempts:    5,
		Backoff:     time.Second,
		MaxBackoff:  time.Minute,
		MaxWait:     time.Hour,
		MaxBody:     32 << 20,
		Sleep:       retry.Sleep,
		Now:         time.Now,
		Log:         slog.New(slog.DiscardHandler),
	}
}

// Client asks one model. It is safe for concurrent use.
type Client struct {
	opts    Options
	base    string
	key     string
	http    *http.Client
	answers *store.Shard

	chats  singleflight.Group // the same question is asked once
	encode sync.Mutex         // and so is the same text
}

// New makes a client that keeps its answers in the shard: Store.Answers. It
// sends nothing.
func New(answers *store.Shard, o Options) (*Client, error) {
	u, err := url.Parse(o.Endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return nil, fmt.Errorf("model endpoint: want an http or https address without a user")
	}
	if o.Model == "" {
		return nil, fmt.Errorf("model endpoint %s: no model is named", u.Redacted())
	}
	key := ""
	if o.Getenv != nil {
		key = o.Getenv(o.KeyEnv)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &Client{opts: o, base: strings.TrimSuffix(o.Endpoint, "/"), key: key, http: client, answers: answers}, nil
}

// Name identifies the model for the manifest: "openai:" and its name.
func (c *Client) Name() string { return "openai:" + c.opts.Model }
