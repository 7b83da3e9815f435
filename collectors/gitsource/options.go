package gitsource

import (
	"context"
	"log/slog"
	"time"

	"github.com/prforge/prforge/internal/retry"
)

// Options are the limits and dependencies of a Repo.
type Options struct {
	// Git is the git program: a name looked up in PATH, or a path.
	Git string
	// Token is called before each transfer and returns the token for basic authentication. Git gets it through the
	// environment, never on a command line. "" or a nil function sends none.
	Token func(context.Context) (string, error)
	// Fetching, if set, is called before a transfer with the number of objects: commits with their history if commits
	// is true, else files. It must not call the Repo.
	Fetching func(objects int, commits bool)
	// Attempts is how often a transfer is tried while the network fails.
	Attempts int
	// Backoff is the wait after the first failure; it doubles up to MaxBackoff.
	Backoff, MaxBackoff time.Duration
	// IdleTimeout ends a transfer that receives nothing for this long.
	IdleTimeout time.Duration
	// MaxAbsent is how many objects of one transfer a server may lack before the whole transfer counts as failed.
	MaxAbsent int
	// MaxRebuilds is how often a damaged repository is rebuilt in one run.
	MaxRebuilds int
	// MaxOutput bounds a diff in bytes, MaxTree the files of one tree.
	MaxOutput int64
	MaxTree   int
	Limits
	// MaxConfig is the largest stored configuration file, in bytes, that no known build tool reads.
	MaxConfig int64
	// MaxWalk is how many ancestors of the head are tried as fork point when merge bases fail. MaxRenames is how many
	// files are compared to find a commented file that was renamed.
	MaxWalk, MaxRenames int
	// Cache bounds, in bytes, git's cache of delta bases. Batch is how many bytes of files one commit to the store holds.
	Cache, Batch int
	// MaxTreeCache is how many entries of trees are kept decoded, about 100
	// bytes each.
	MaxTreeCache int
	// Sleep waits, or ends early with the context's error.
	Sleep func(context.Context, time.Duration) error
	// Compare asks the API for a merge base that git cannot find; nil asks nobody. It returns "" if the API does not
	// know.
	Compare func(ctx context.Context, base, head string) (string, error)
	// InUse returns an error if the folder is no longer ours to write to. Nil skips the check.
	InUse func() error
	// Log receives waits and repairs.
	Log *slog.Logger
	// Protocols are what git may speak, with colons between.
	Protocols string
}

// Limits bound what is stored of one commit: the section sources of a configuration. When they are reached, changed
// files come first, then build files, the directories of changed files, and files of their language by distance.
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

// retries configures the retries of a transfer.
func (o Options) retries() retry.Policy {
	return retry.Policy{Attempts: o.Attempts, Wait: o.Backoff, MaxWait: o.MaxBackoff, Sleep: o.Sleep, Log: o.Log}
}
