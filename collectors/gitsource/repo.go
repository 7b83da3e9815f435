package gitsource

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os/exec"
	"strings"
	"sync"

	"github.com/prforge/prforge/internal/child"
	"github.com/prforge/prforge/internal/memo"
)

// Repo is a partial bare repository and the server it comes from. It is safe for concurrent use; transfers go one at
// a time. At most one process may have a folder open, which the store's lock ensures.
type Repo struct {
	dir, url string
	opts     Options

	use        sync.RWMutex // held for reading by every operation, for writing to rebuild
	generation int          // counts rebuilds; under use

	transfer sync.Mutex // one transfer at a time
	stats    Stats      // under transfer

	history sync.RWMutex // held for writing by transfers of commits, for reading by questions about history
	graphMu sync.Mutex

	trees    *memo.Memo[[]node]   // by id; commits have nearly all of theirs in common
	merged   *memo.Memo[[]string] // merge bases, by the command; asked for before transfers and after
	selector selector
	present  catFile // which objects are here
	read     catFile // their bytes
	refusals refusals
}

// Stats is what a Repo has cost so far.
type Stats struct {
	Fetches  int   // transfers that were tried
	Retries  int   // of those, the ones after a network failure
	Rebuilds int   // damaged repositories cloned again
	Bytes    int64 // growth of the packs on disk
}

// refusals are the objects that the server reported missing. Each costs a transfer, so none is requested twice.
type refusals struct {
	mu   sync.Mutex
	oids map[string]bool
}

func (r *refusals) has(oid string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.oids[oid]
}

func (r *refusals) add(oid string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.oids == nil {
		r.oids = map[string]bool{}
	}
	r.oids[oid] = true
}

func newRepo(dir, url string, o Options) *Repo {
	return &Repo{
		dir: dir, url: url, opts: o, trees: memo.New[[]node](o.MaxTreeCache), merged: memo.New[[]string](o.MaxTreeCache),
		selector: selector{memo.New[class](o.MaxTreeCache)},
		present:  catFile{dir: dir, opts: o, batch: "--batch-check=%(objectname)"},
		read:     catFile{dir: dir, opts: o, batch: "--batch"},
	}
}

// Stats is what the repository has cost so far.
func (r *Repo) Stats() Stats {
	r.transfer.Lock()
	defer r.transfer.Unlock()
	return r.stats
}

// Close ends the git processes. The repository may be used again.
func (r *Repo) Close() {
	r.present.close()
	r.read.close()
	r.trees.Drop()
	r.merged.Drop()
	r.selector.byPath.Drop()
}

// isMirror reports whether the repository is a user's clone, which is only read.
func (r *Repo) isMirror() bool { return r.url == "" }

// git runs a command without network.
func (r *Repo) git(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	return r.run(ctx, r.dir, nil, classifyLocal, stdin, args...)
}

// run runs git to its end. Its output is bounded by Options.MaxOutput; the
// process and its children are killed with the context.
func (r *Repo) run(ctx context.Context, dir string, settings []setting, classify func(string) error, stdin io.Reader,
	args ...string) ([]byte, error) {
	cmd := child.Command(ctx, r.opts.Git, args...)
	out, said := &bounded{limit: r.opts.MaxOutput}, &tail{limit: maxDetail}
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = environ(dir, r.opts.Protocols, settings), stdin, out, said
	err := child.Run(cmd)
	level := slog.LevelDebug
	if settings != nil { // a transfer
		level = slog.LevelInfo
	}
	r.opts.Log.Log(ctx, level, "git", "command", args[0], "arguments", len(args)-1, "repository", r.url, "error", err)
	switch {
	case err == nil:
		return out.buf.Bytes(), nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return nil, fmt.Errorf("%w: %w", ErrNoGit, err)
	case out.over:
		return nil, &Error{Op: args[0], Kind: ErrTooLarge, Detail: fmt.Sprintf("more than %d bytes", r.opts.MaxOutput),
			Err: err}
	}
	detail := strings.TrimSpace(said.String())
	return nil, &Error{Op: args[0], Kind: classify(detail), Detail: redact(detail, settings), Err: err}
}
