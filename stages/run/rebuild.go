package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/diff"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/model"
)

// Rebuilt is the result of building a dataset again from itself.
type Rebuilt struct {
	// Differ are the files that the second build lacks, adds or changes, in the order of their paths. Empty means the
	// same dataset.
	Differ []FileDifference
	Files  int // compared
}

// FileDifference is a file in which two datasets differ.
type FileDifference struct {
	Path string
	What string // the first difference
}

// String is "PATH: what differs".
func (d FileDifference) String() string { return d.Path + ": " + d.What }

// Rebuild builds the dataset in dir again, from its own raw records and configuration, into a temporary folder, and
// compares every file. It needs no network. With Env.Contexts it takes the dataset's own contexts, which saves most
// of the work: it repeats every decision but renders nothing.
func Rebuild(ctx context.Context, env Env, dir string,
	build func(context.Context, *Session) (*Report, error)) (*Rebuilt, error) {
	was, err := load.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	if build == nil {
		return nil, fmt.Errorf("%s is of the %s benchmark, which is not built again from its raw records", dir, was.Benchmark)
	}
	var out *Rebuilt
	err = Reopen(ctx, env, dir, func(s *Session) error {
		if _, err := build(ctx, s); err != nil {
			return fmt.Errorf("rebuild %s: %w", dir, err)
		}
		out, err = compare(was, dir, s.Out)
		return err
	})
	return out, err
}

// Reopen runs a function on a session with the raw records and the configuration of the dataset in dir. Its state and
// its output are in a temporary folder. It needs no network.
func Reopen(ctx context.Context, env Env, dir string, do func(*Session) error) error {
	cfg, err := Configuration(dir)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "prforge-rebuild-")
	if err != nil {
		return fmt.Errorf("reopen %s: %w", dir, err)
	}
	defer os.RemoveAll(work)
	env.State, env.Out, env.From = filepath.Join(work, "state"), filepath.Join(work, "dataset"), dir
	env.Offline, env.AllowPartial, env.Refresh = true, true, false
	env.CloneURL = func(r model.RepoRef) string { return "https://nobody.invalid/" + r.String() } // it is never asked
	s, err := Open(ctx, env, cfg)
	if err != nil {
		return err
	}
	return errors.Join(do(s), s.Close())
}

// compare reads the second manifest. Verify checks the first one against its files.
func compare(was *artifacts.Manifest, dir, again string) (*Rebuilt, error) {
	is, err := load.ReadManifest(again)
	if err != nil {
		return nil, err
	}
	out := &Rebuilt{Files: len(is.Files)}
	all := maps.Clone(was.Files)
	maps.Copy(all, is.Files)
	for _, path := range slices.Sorted(maps.Keys(all)) {
		if was.Files[path] != is.Files[path] {
			out.Differ = append(out.Differ, FileDifference{path, diff.FirstDifference(dir, again, path)})
		}
	}
	var heads [2][]byte
	for i, m := range []artifacts.Manifest{*was, *is} {
		m.Files = nil
		if heads[i], err = artifacts.Canonical(m); err != nil {
			return nil, err
		}
	}
	if !bytes.Equal(heads[0], heads[1]) {
		out.Differ = append(out.Differ,
			FileDifference{artifacts.FileManifest, diff.FirstDifference(dir, again, artifacts.FileManifest)})
	}
	return out, nil
}
