package gitsource

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
)

// ErrUnrelated says that a commit does not descend from another.
var ErrUnrelated = errors.New("the commits have no such history")

// Ends lists where the history of a pull request's commits ends, sorted: the parents of these commits that are none
// of them. The fork point is one; a merge of the base branch adds another. The commits are those reachable from head
// but not from upstream, a commit of the base branch; or not from base, if base is not a merge base of the two. The
// error is ErrAbsent if head or base is unavailable, ErrUnrelated if head does not descend from base, and ErrTooLarge
// if there are more commits than limit.
func (r *Repo) Ends(ctx context.Context, head, base, upstream string, limit int) (ends []string, err error) {
	err = r.withRepair(ctx, func() error {
		ends, err = r.ends(ctx, head, base, upstream, limit)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("commits from %s to %s: %w", base, head, err)
	}
	return ends, nil
}

func (r *Repo) ends(ctx context.Context, head, base, upstream string, limit int) ([]string, error) {
	missing, err := r.ensure(ctx, wantCommits, []string{head, base, upstream})
	if err != nil {
		return nil, err
	}
	if missing[head] != nil || missing[base] != nil {
		return nil, ErrAbsent
	}
	not := base
	if missing[upstream] == nil {
		bases, err := r.mergeBases(ctx, upstream, head)
		if err != nil {
			return nil, err
		}
		if slices.Contains(bases, base) {
			not = upstream
		}
	}
	own, err := r.branch(ctx, head, not, limit+1)
	if err != nil {
		return nil, err
	}
	if len(own) > limit {
		return nil, fmt.Errorf("more than %d commits: %w", limit, ErrTooLarge)
	}
	var ends []string
	for _, oid := range own {
		c, err := r.commit(ctx, oid)
		if err != nil {
			return nil, err
		}
		for _, parent := range c.parents {
			if !slices.Contains(own, parent) {
				ends = append(ends, parent)
			}
		}
	}
	slices.Sort(ends)
	if ends = slices.Compact(ends); !slices.Contains(ends, base) {
		return nil, ErrUnrelated
	}
	return ends, nil
}

// Need fetches those trees or blobs that are available, and returns their sizes in bytes. Trees come with everything
// below them. Commits must be local; see Ends.
func (r *Repo) Need(ctx context.Context, kind string, oids []string) (sizes map[string]int64, err error) {
	err = r.withRepair(ctx, func() error {
		if kind != "commit" {
			// ensure fails if the server lacks too many objects; here they merely count as unavailable.
			if _, err := r.ensure(ctx, wantObjects, oids); err != nil && !errors.Is(err, ErrAbsent) {
				return err
			}
		}
		sizes, err = r.sizes(ctx, kind, oids)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("fetch %d objects: %w", len(oids), err)
	}
	return sizes, nil
}

// sizes returns the sizes of local objects of the kind.
func (r *Repo) sizes(ctx context.Context, kind string, oids []string) (map[string]int64, error) {
	sizes := make(map[string]int64, len(oids))
	if len(oids) == 0 {
		return sizes, ctx.Err()
	}
	asked := catFile{dir: r.dir, opts: r.opts, batch: "--batch-check"}
	defer asked.close()
	err := asked.ask(ctx, oids, func(oid, says string, _ *bufio.Reader) error {
		if says == saysMissing {
			return nil
		}
		is, size, err := parseSays(says)
		if err == nil && is == kind {
			sizes[oid] = size
		}
		return err
	})
	return sizes, err
}

// Objects passes local objects to a function in the given order. It does not check their bytes against their ids.
func (r *Repo) Objects(ctx context.Context, oids []string,
	each func(oid, kind string, size int64, body io.Reader) error) error {
	r.use.RLock()
	defer r.use.RUnlock()
	if len(oids) == 0 {
		return ctx.Err()
	}
	var failed error // an error of the function, not of git
	err := r.read.ask(ctx, oids, func(oid, says string, out *bufio.Reader) error {
		kind, size, err := parseSays(says)
		if err != nil {
			return err
		}
		body := &io.LimitedReader{R: out, N: size}
		if failed = each(oid, kind, size, body); failed != nil {
			return failed
		}
		_, err = io.CopyN(io.Discard, out, body.N+int64(len("\n")))
		return err
	})
	if failed != nil {
		return failed
	}
	return err
}

// Objects is the mirror's repository, which is never written to or fetched into: what it lacks is unavailable.
func (m *Mirror) Objects() *Repo { return m.repo }
