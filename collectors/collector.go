// Package collectors learns about repositories and their pull requests and
// keeps what it learnt: it asks GitHub and git only for what the raw store
// does not hold yet, so that an interrupted run goes on where it stopped and a
// finished one asks nothing.
package collectors

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/prforge/prforge/collectors/github"
	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// ErrOffline says that GitHub would have to be asked and that the run must not.
var ErrOffline = errors.New("this run is offline, and something that it needs is neither in the state nor in the dataset")

// ErrNoToken says that GitHub must be asked something and that there is nothing
// to sign in with.
var ErrNoToken = errors.New("no GitHub token: set GITHUB_TOKEN (a fine-grained token with public read access is enough)")

// Options say how to collect. The zero value of a function means "not allowed".
type Options struct {
	State   string    // folder of the raw store and the git repositories
	Since   time.Time // begin of the census: everything merged or closed since
	Refresh bool      // ask again for what may have changed
	// Connect signs in to GitHub. It is called once, when GitHub must first be
	// asked; ErrNoToken is for when it cannot.
	Connect func(ctx context.Context) (*ghapi.Client, error)
	// Listing, where set, is called before the pull requests of a repository are
	// listed, Listed when they are, and Fetching before git fetches so many of its
	// commits, or other objects.
	Listing, Listed func(repo model.RepoRef)
	Fetching        func(repo model.RepoRef, objects int, commits bool)
	// CloneURL is where git fetches a repository from.
	CloneURL func(model.RepoRef) string
	GitHub   github.Options
	Git      gitsource.Options
	Workers  int // diffs asked for at once
	// Hidden reports what must not be known of: such pull requests are neither
	// asked for nor listed. Nil hides nothing.
	Hidden func(model.PullRef) bool
	// Redact takes out of a pull request what must not be known of. Nil takes
	// out nothing.
	Redact func(*model.PullRequest) *model.PullRequest
	Log    *slog.Logger
}

// Collector collects for one run. It is safe for concurrent use by several
// repositories' goroutines.
type Collector struct {
	opts  Options
	store *store.Store

	connect sync.Mutex
	api     *ghapi.Client
	client  *github.Client

	failedMu sync.Mutex
	failed   map[failureKey]error
}

// Open opens the state for collection. The caller closes the collector.
func Open(opts Options) (*Collector, error) {
	s, err := store.Open(filepath.Join(opts.State, "raw"), store.DefaultOptions())
	if err != nil {
		return nil, fmt.Errorf("open the state in %s: %w", opts.State, err)
	}
	c := &Collector{opts: opts, store: s, failed: map[failureKey]error{}}
	if opts.Git.Token == nil {
		c.opts.Git.Token = c.gitToken
	}
	return c, nil
}

// gitToken signs git in as the API is: by the user's token, or by that of the
// App's installation. Without any, git asks anonymously.
func (c *Collector) gitToken(ctx context.Context) (string, error) {
	if _, err := c.github(ctx); errors.Is(err, ErrNoToken) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	return c.api.Token(ctx)
}

// Close releases the state.
func (c *Collector) Close() error { return c.store.Close() }

// Store is the raw store, for what is kept beside the facts: model answers and
// imports of a dataset's own raw records.
func (c *Collector) Store() *store.Store { return c.store }

// Cost is what the run has cost so far; all zero when GitHub was not asked.
func (c *Collector) Cost() ghapi.Stats {
	c.connect.Lock()
	defer c.connect.Unlock()
	if c.api == nil {
		return ghapi.Stats{}
	}
	return c.api.Stats()
}

// github is the client, signed in when first needed.
func (c *Collector) github(ctx context.Context) (*github.Client, error) {
	c.connect.Lock()
	defer c.connect.Unlock()
	if c.client == nil {
		api, err := c.opts.Connect(ctx)
		if err != nil {
			return nil, err
		}
		c.api, c.client = api, github.New(api, c.opts.GitHub, c.opts.Log)
	}
	return c.client, nil
}
