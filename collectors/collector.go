// Package collectors collects facts about repositories and their pull requests and stores them. It asks GitHub and
// git only for what the raw store lacks: an interrupted run continues where it stopped, and a finished one asks
// nothing.
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

// ErrOffline says that the run needs GitHub but must not use the network.
var ErrOffline = errors.New("this run is offline, and something that it needs is neither in the state nor in the dataset")

// ErrNotCollected says that the raw records of a dataset lack something that a build from them alone needs: the build
// that collected them did not. It concerns one item.
var ErrNotCollected = errors.New("it is not among the raw records that this build makes do with")

// IsNotCollected reports whether an error is ErrNotCollected.
func IsNotCollected(err error) bool { return errors.Is(err, ErrNotCollected) }

// ErrNoToken says that the run needs GitHub but has no credentials.
var ErrNoToken = errors.New("no GitHub token: set GITHUB_TOKEN (a fine-grained token with public read access is enough)")

// Options say how to collect. The zero value of a function means "not allowed".
type Options struct {
	State   string    // folder of the raw store and the git repositories
	Since   time.Time // begin of the census: everything merged or closed since
	Refresh bool      // ask again for what may have changed
	// KeptOnly leaves out the pull requests for which the raw store lacks something, with ErrNotCollected, where
	// Connect returns ErrOffline. Without it that error ends the run.
	KeptOnly bool
	// Connect signs in to GitHub. It is called once, before the first request. It returns ErrNoToken if it has no
	// credentials.
	Connect func(ctx context.Context) (*ghapi.Client, error)
	// Listing, if set, is called before the pull requests of a repository are listed, Listed after that, and Fetching
	// before git fetches a number of its commits or other objects.
	Listing, Listed func(repo model.RepoRef)
	Fetching        func(repo model.RepoRef, objects int, commits bool)
	// CloneURL is where git fetches a repository from.
	CloneURL func(model.RepoRef) string
	GitHub   github.Options
	Git      gitsource.Options
	Workers  int // diffs asked for at once
	// Hidden reports whether a pull request must stay unknown: it is neither requested nor listed. Nil hides nothing.
	Hidden func(model.PullRef) bool
	// Redact removes from a pull request what must stay unknown. Nil removes nothing.
	Redact func(*model.PullRequest) *model.PullRequest
	// RedactLater removes the same from a later history and from what GitHub says of its commits. Nil removes nothing.
	RedactLater func(model.RepoRef, *model.LaterHistory, map[string]model.CommitPull)
	Log         *slog.Logger
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

// lacks reports whether an error says that a run which makes do with what is kept lacks something.
func (c *Collector) lacks(err error) bool { return c.opts.KeptOnly && errors.Is(err, ErrOffline) }

// gitToken gives git the credentials of the API: the user's token or that of the App's installation. Without one, git
// is anonymous.
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

// Store is the raw store. It also holds model answers and imports of a dataset's own raw records.
func (c *Collector) Store() *store.Store { return c.store }

// Cost is the cost of the run so far; zero without any request to GitHub.
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

// Repository holds the facts of one repository and of its pull requests. Fetch methods request facts that are not
// stored; the others only read.
type Repository struct {
	c     *Collector
	shard *store.Shard
	facts *model.Repository

	gitMu sync.Mutex
	git   *gitsource.Repo
}

// failureKey names what failed in this run: a repository, by its requested name, and the part of it.
type failureKey struct {
	asked model.RepoRef
	what  string
}

func (c *Collector) shard(ref model.RepoRef) (*store.Shard, error) {
	s, err := c.store.Shard(ref)
	return s, err
}
