package gitsource

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/prforge/prforge/internal/unidiff"
)

// Open opens the repository in dir, or makes an empty one to fetch into from url. It removes the leftovers of a
// killed run. It rebuilds a folder that is not a repository or holds a damaged pack.
func Open(ctx context.Context, dir, url string, o Options) (*Repo, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open git repository: %w", err)
	}
	if err := checkURL(url, o.Protocols); err != nil {
		return nil, err
	}
	if _, err := CheckGit(ctx, o.Git); err != nil {
		return nil, err
	}
	r := newRepo(dir, url, o)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return r, r.create(ctx)
	}
	if err := r.clear(); err != nil {
		return nil, err
	}
	err = errors.Join(r.check(ctx), r.checkGraph())
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		o.Log.Warn("rebuilding a damaged git repository", "dir", dir, "error", err)
		return r, r.create(ctx)
	}
	return r, nil
}

// checkURL refuses what git could take for anything but a server.
func checkURL(text, protocols string) error {
	u, err := url.Parse(text)
	if err != nil {
		return fmt.Errorf("git server: %w", err)
	}
	if !strings.Contains(":"+protocols+":", ":"+u.Scheme+":") || u.User != nil {
		return fmt.Errorf("git server %s: want one of %s without a user", u.Redacted(), protocols)
	}
	return nil
}

// create replaces the folder by an empty repository. It builds the repository beside the folder and renames it, so
// that a killed run leaves all or nothing.
func (r *Repo) create(ctx context.Context) error {
	if r.opts.InUse != nil {
		if err := r.opts.InUse(); err != nil {
			return err
		}
	}
	fresh := r.dir + ".new"
	if err := os.RemoveAll(fresh); err != nil {
		return fmt.Errorf("%w: %w", ErrDisk, err)
	}
	if err := os.MkdirAll(filepath.Join(fresh, "info"), 0o755); err != nil {
		return fmt.Errorf("%w: %w", ErrDisk, err)
	}
	if _, err := r.run(ctx, fresh, nil, classifyLocal, nil, "init", "-q", "--bare", "--template=",
		"--initial-branch=main"); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(fresh, "info", "attributes"), []byte(unidiff.GitHubDrivers), 0o644); err != nil {
		return fmt.Errorf("%w: %w", ErrDisk, err)
	}
	if err := errors.Join(os.RemoveAll(r.dir), os.Rename(fresh, r.dir)); err != nil {
		return fmt.Errorf("%w: %w", ErrDisk, err)
	}
	return nil
}

// clear removes the locks and half-written packs of a killed run.
func (r *Repo) clear() error {
	err := filepath.WalkDir(r.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if !d.IsDir() && (strings.HasSuffix(name, ".lock") || strings.HasPrefix(name, "tmp_")) {
			return os.Remove(path)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("clear %s: %w", r.dir, err)
	}
	return nil
}

// withRepair runs an operation. If the repository is damaged, withRepair rebuilds it and runs the operation once
// more. The operation fetches what it needs itself.
func (r *Repo) withRepair(ctx context.Context, op func() error) error {
	r.use.RLock()
	seen, err := r.generation, op()
	r.use.RUnlock()
	if !errors.Is(err, ErrCorrupt) {
		return err
	}
	if err := r.rebuild(ctx, seen, err); err != nil {
		return err
	}
	r.use.RLock()
	defer r.use.RUnlock()
	return op()
}

// rebuild starts over with an empty repository, unless somebody else did since the generation that was seen damaged.
// A user's mirror is never removed.
func (r *Repo) rebuild(ctx context.Context, seen int, because error) error {
	if r.isMirror() {
		return because
	}
	r.use.Lock()
	defer r.use.Unlock()
	if r.generation != seen {
		return nil
	}
	if r.generation >= r.opts.MaxRebuilds {
		return fmt.Errorf("rebuilt %d times already: %w", r.generation, because)
	}
	r.opts.Log.Warn("rebuilding a damaged git repository", "dir", r.dir, "error", because)
	r.Close()
	if err := r.create(ctx); err != nil {
		return err
	}
	r.generation++
	r.transfer.Lock()
	r.stats.Rebuilds++
	r.transfer.Unlock()
	return nil
}
