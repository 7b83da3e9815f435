// Package github reads facts from GitHub: repositories, the census of their pull requests, whole pull requests, and
// diffs. It decides nothing about them.
//
// Every query is in a file of its own. Pages shrink when GitHub cannot answer in time, and grow back. Lists are read
// to the end and compared with GitHub's counts. The facts name the lists that are incomplete.
package github

import (
	"log/slog"
	"time"

	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
)

// Options are the sizes of requests. Start from DefaultOptions.
type Options struct {
	Repositories int   // repositories in one request of a survey, 1 to 50
	Census       int   // pull requests of each repository in one request, 1 to 100
	Pulls        int   // pull requests in full in one request, 1 to 100
	Threads      int   // threads whose comments are asked for in one request, 1 to 100
	Items        int   // items of each list of a pull request or thread, 1 to 100
	Lists        int   // lists longer than that, continued in one request, 1 to 50
	Histories    int   // timelines, edited texts and reactions in one request, 1 to 100
	MaxRefresh   int   // how often the head of a list is read again for moved items
	MaxDiffBytes int64 // a larger diff is taken from git
}

// DefaultOptions are sizes that GitHub answers in time.
func DefaultOptions() Options {
	return Options{Repositories: 5, Census: 100, Pulls: 30, Threads: 100, Items: 100, Lists: 10, Histories: 50,
		MaxRefresh: 5, MaxDiffBytes: 8 << 20}
}

// Client asks GitHub for facts. It is safe for concurrent use.
type Client struct {
	api *ghapi.Client
	o   Options
	log *slog.Logger
	// The pages that shrink and grow back, one for each kind of request.
	repositories, pulls, threads, lists, histories *pager
}

// New makes a client over a transport. A nil log discards.
func New(api *ghapi.Client, o Options, log *slog.Logger) *Client {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Client{api: api, o: o, log: log, repositories: newPager(o.Repositories), pulls: newPager(o.Pulls),
		threads: newPager(o.Threads), lists: newPager(o.Lists), histories: newPager(o.Histories)}
}

// Want asks for a repository and the census of its pull requests.
type Want struct {
	Ref   model.RepoRef
	Since time.Time // merged or closed since; the zero time asks for no census
	// Known is the census of an earlier run, which is updated; nil asks for all. A census that begins later than
	// Since is not used.
	Known *model.Census
}

// Surveyed is the answer to a Want.
type Surveyed struct {
	Want       Want
	Repository *model.Repository // nil with Err
	Census     *model.Census     // nil with Err, or where none was asked for
	// Err says why the repository is unavailable: it Is ghapi.ErrNotFound,
	// ErrBlocked or ErrForbidden, or another failure of this repository alone.
	Err error
}

// PullAsk asks for one pull request in full.
type PullAsk struct {
	Ref    model.PullRef
	NodeID string
}

// PullError is one pull request that was unavailable; the others continue.
type PullError struct {
	Ref model.PullRef
	Err error
}

// Error names the pull request.
func (e *PullError) Error() string { return e.Ref.String() + ": " + e.Err.Error() }

// Unwrap gives the cause: ghapi.ErrNotFound, ErrForbidden, ErrTimeout, ...
func (e *PullError) Unwrap() error { return e.Err }

// Latest is the time of the newest change of a repository's merged and closed pull requests.
type Latest struct {
	NodeID     string            // of the repository, as asked
	Repository *model.Repository // today's facts; Asked is as given by GitHub; nil with Err
	UpdatedAt  *time.Time        // nil where it has no such pull request
	Err        error             // Is ghapi.ErrNotFound, ErrBlocked, ...
}
