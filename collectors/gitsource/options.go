package gitsource

import (
	"context"
	"log/slog"
	"time"

	"github.com/prforge/prforge/internal/retry"
)

// Options are the limits and the surroundings of a Repo.
type Options struct {
	// Git is the git program: a name looked up in PATH, or a path.
	Git string
	// Token is asked before each transfer for what goes to the server as basic
	// authentication, by the environment and never on a command line; "" sends
	// none, and neither does a nil function.
	Token func(context.Context) (string, error)
	// Fetching, where set, is called before a transfer of so many objects: commits with
	// their history where commits is true, else files. It must not call back.
	Fetching func(objects int, commits bool)
	// Attempts is how often a transfer is tried while the network fails.
	Attempts int
	// Backoff is the wait after the first failure; it doubles up to MaxBackoff.
	Backoff, MaxBackoff time.Duration
	// IdleTimeout ends a transfer that receives nothing for so long.
	IdleTimeout time.Duration
	// MaxAbsent is how many objects of one transfer a server may refuse to
	// have before the whole transfer counts as failed.
	MaxAbsent int
	// MaxRebuilds is how often a damaged repository is rebuilt in one run.
	MaxRebuilds int
	// MaxOutput bounds a diff in bytes, MaxTree the files of one tree.
	MaxOutput int64
	MaxTree   int
	Limits
	// MaxConfig is the largest file kept of configuration that no build tool is
	// known to read, in bytes.
	MaxConfig int64
	// MaxWalk is how many ancestors of the head are tried as fork point when
	// merge bases do not tell. MaxRenames is how many files are compared to
	// find where a commented file went.
	MaxWalk, MaxRenames int
	// Cache bounds, in bytes, what git keeps of objects that others are deltas of, and
	// the diffs that PathDiffs keeps. Batch is how many bytes of files are committed to
	// the store at a time.
	Cache, Batch int
	// MaxTreeCache is how many entries of trees are kept decoded, about 100
	// bytes each.
	MaxTreeCache int
	// Sleep waits, or ends early with the context's error.
	Sleep func(context.Context, time.Duration) error
	// Compare asks the API for the merge base of two commits where git does
	// not tell; nil asks nobody. "" means that it does not know.
	Compare func(ctx context.Context, base, head string) (string, error)
	// InUse is an error where the folder is no longer ours to write to; nil is asked
	// nothing.
	InUse func() error
	// Log receives waits and repairs.
	Log *slog.Logger
	// Protocols are what git may speak, with colons between.
	Protocols string
}

// Limits bound what is kept of one commit: the section sources of a configuration.
// Over them, changed files come first, then build files, the directories of
// changed files, and their language by nearness.
type Limits struct {
	MaxFile  int64 `yaml:"max_file_bytes" json:"max_file_bytes" check:"1.."` // of one file
	MaxFiles int   `yaml:"max_files" json:"max_files" check:"1.."`
	MaxBytes int64 `yaml:"max_bytes" json:"max_bytes" check:"1.."` // of all files
}

// DefaultOptions gives options for github.com.
func DefaultOptions() Options {
	return Options{
		Git:          "git",
		Attempts:     6,
		Backoff:      2 * time.Second,
		MaxBackoff:   time.Minute,
		IdleTimeout:  2 * time.Minute,
		MaxAbsent:    200,
		MaxRebuilds:  3,
		MaxOutput:    64 << 20,
		MaxTree:      500_000,
		Limits:       Limits{MaxFile: 1 << 20, MaxFiles: 20_000, MaxBytes: 512 << 20},
		MaxConfig:    64 << 10,
		MaxWalk:      100,
		MaxRenames:   200,
		Cache:        32 << 20,
		Batch:        8 << 20,
		MaxTreeCache: 100_000,
		Sleep:        retry.Sleep,
		Log:          slog.New(slog.DiscardHandler),
		Protocols:    "http:https",
	}
}

// retries are the transfer's.
func (o Options) retries() retry.Policy {
	return retry.Policy{Attempts: o.Attempts, Wait: o.Backoff, MaxWait: o.MaxBackoff, Sleep: o.Sleep, Log: o.Log}
}
