package gitsource

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// errCut says that the history that is here does not tell what was asked; see
// covers.
var errCut = errors.New("history is cut off")

// infiniteDepth is git's own word for not cutting history off.
const infiniteDepth = 1<<31 - 1

// shallow lists the commits whose parents were cut off.
func (r *Repo) shallow() ([]string, error) {
	text, err := os.ReadFile(filepath.Join(r.dir, "shallow"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return strings.Fields(string(text)), nil
}

// near reports whether commits are fetched with a part of their history: into an
// empty repository, and into one where that was done before. It never is again
// once the whole is here.
func (r *Repo) near() (bool, error) {
	if r.opts.Depth == 0 || r.noDepth.Load() {
		return false, nil
	}
	at, err := r.shallow()
	if err != nil || len(at) > 0 {
		return len(at) > 0, err
	}
	packs, err := filepath.Glob(filepath.Join(r.dir, "objects", "pack", "*.pack"))
	return len(packs) == 0, err
}

// insufficient lists the objects that are not here, and those commits that are,
// but without the history that is wanted of them.
func (r *Repo) insufficient(ctx context.Context, w want, oids []string) ([]string, error) {
	wanted, err := r.lacking(ctx, oids)
	if err != nil || w.depth <= 1 {
		return wanted, err
	}
	at, err := r.shallow()
	for _, oid := range oids {
		if slices.Contains(at, oid) && !slices.Contains(wanted, oid) {
			wanted = append(wanted, oid)
		}
	}
	return wanted, err
}

// withHistory runs an operation, and once more with the whole history where it
// finds that the part that is here does not do.
func (r *Repo) withHistory(ctx context.Context, op func() error) error {
	err := op()
	if !errors.Is(err, errCut) {
		return err
	}
	if err := r.deepen(ctx); err != nil {
		return err
	}
	return op()
}

// deepen fetches the whole history of all commits that were asked for so far.
func (r *Repo) deepen(ctx context.Context) error {
	out, err := r.git(ctx, nil, "for-each-ref", "--format=%(objectname)", keepRef)
	if err != nil {
		return err
	}
	r.opts.Log.Debug("fetching the whole history", "dir", r.dir)
	// What the server has lost since is here.
	return r.fetchPart(ctx, want{filter: wantCommits.filter, commits: true, depth: infiniteDepth}, strings.Fields(string(out)), map[string]error{})
}

// cut is the part of history that is here.
type cut struct {
	parents map[string][]string // of each commit, those that are here
	// behind tells what is missing behind each commit: by number, as bits, the
	// commits at or below it whose parents were cut off.
	behind map[string][]uint64
}

// covers is errCut unless every commit at which history is cut off below the
// tips is also at or below each of the results. It is the proof that what is
// missing has no part in an answer:
//
//   - A commit that is not seen from a tip lies behind such a place, and so behind
//     every result: it cannot be a better merge base than they are, nor a commit
//     that one tip has and the other has not.
//   - A way from a tip to a result that is not seen would lead through such a
//     place, which is at or below the result already: a circle.
//
// Dates have no part in it, so clocks may be wrong. A result that is "" has
// nothing below it. The caller holds history.
func (r *Repo) covers(ctx context.Context, tips []string, results ...string) error {
	c, err := r.readCut(ctx)
	if err != nil || c == nil {
		return err
	}
	for _, tip := range tips {
		missing, ok := c.behind[tip]
		if !ok {
			return errCut
		}
		for _, result := range results {
			if !within(missing, c.behind[result]) {
				return errCut
			}
		}
	}
	return nil
}

// lists checks a list of git's of the commits that some have and upstream has not,
// and is errCut where it cannot be told, or is wrong: git stops looking some
// commits after the oldest date that it still has to do with, so that where
// clocks are wrong it may list one that upstream has. With a commit graph it goes
// by that alone, but reads none where history is cut off. The caller holds
// history.
func (r *Repo) lists(ctx context.Context, listed []string, upstream string) error {
	if err := r.covers(ctx, []string{upstream}, listed...); err != nil {
		return err
	}
	c, err := r.readCut(ctx)
	if err != nil || c == nil {
		return err
	}
	has := map[string]bool{upstream: true}
	for below := []string{upstream}; len(below) > 0; {
		last := len(below) - 1
		parents := c.parents[below[last]]
		below = below[:last]
		for _, parent := range parents {
			if !has[parent] {
				has[parent] = true
				below = append(below, parent)
			}
		}
	}
	if slices.ContainsFunc(listed, func(oid string) bool { return has[oid] }) {
		return errCut
	}
	return nil
}

// complete is errCut where a commit's history is cut off.
func (r *Repo) complete(ctx context.Context, commit string) error {
	r.history.RLock()
	defer r.history.RUnlock()
	return r.covers(ctx, []string{commit}, "")
}

// readCut walks the history that is here, once after each transfer of commits. It
// is nil where that is the whole.
func (r *Repo) readCut(ctx context.Context) (*cut, error) {
	at, err := r.shallow()
	if err != nil || len(at) == 0 {
		return nil, err
	}
	r.cutMu.Lock()
	defer r.cutMu.Unlock()
	if r.cut != nil {
		return r.cut, nil
	}
	out, err := r.git(ctx, nil, "rev-list", "--all", "--topo-order", "--reverse", "--parents")
	if errors.Is(err, ErrTooLarge) {
		return nil, errCut
	}
	if err != nil {
		return nil, err
	}
	number := make(map[string]int, len(at))
	for i, oid := range at {
		number[oid] = i
	}
	c := &cut{parents: map[string][]string{}, behind: map[string][]uint64{}}
	for line := range strings.Lines(string(out)) {
		commit := strings.Fields(line) // and its parents, which came before
		var bits []uint64
		for _, parent := range commit[1:] {
			bits = union(bits, c.behind[parent])
		}
		if i, ok := number[commit[0]]; ok {
			own := make([]uint64, i/64+1)
			own[i/64] = 1 << (i % 64)
			bits = union(bits, own)
		}
		c.parents[commit[0]], c.behind[commit[0]] = commit[1:], bits
	}
	r.cut = c
	return c, nil
}

func (r *Repo) forgetCut() {
	r.cutMu.Lock()
	defer r.cutMu.Unlock()
	r.cut = nil
}

// union gives the bits of both, one of the two itself where it has them all:
// nearly all commits share theirs with a parent.
func union(a, b []uint64) []uint64 {
	switch {
	case within(b, a):
		return a
	case within(a, b):
		return b
	}
	if len(a) < len(b) {
		a, b = b, a
	}
	both := slices.Clone(a)
	for i, word := range b {
		both[i] |= word
	}
	return both
}

// within reports whether all bits of a are in b.
func within(a, b []uint64) bool {
	for i, word := range a {
		if i >= len(b) && word != 0 || i < len(b) && word&^b[i] != 0 {
			return false
		}
	}
	return true
}
