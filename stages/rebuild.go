package stages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/debugging"
	"github.com/prforge/prforge/internal/config"
	"github.com/prforge/prforge/internal/model"
)

// Configuration is the configuration that a dataset was built by. The error
// says so where the dataset has none, as those of prforge before config.yaml.
func Configuration(dir string) (*config.Config, error) {
	data, err := artifacts.ReadBytes(dir, artifacts.FileConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no %s: name the configuration it was built by with -c", dir, artifacts.FileConfig)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	c, err := config.ParseFrozen(filepath.Join(dir, artifacts.FileConfig), data)
	return c, damagedConfiguration(dir, err)
}

// DebuggingConfiguration is the configuration that a dataset of scripts was built
// by.
func DebuggingConfiguration(dir string) (*config.Debugging, error) {
	c, err := config.LoadDebugging(filepath.Join(dir, debugging.FileConfig), DefaultDebugging())
	return c, damagedConfiguration(dir, err)
}

// damagedConfiguration is an error of a configuration that nobody wrote: no wrong
// usage, as a *config.Error would be.
func damagedConfiguration(dir string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the configuration of %s is damaged: %v", dir, err) //nolint:errorlint // see above
}

// rebuilt is what came of building a dataset again from itself.
type rebuilt struct {
	// Differ are the files that the second build lacks, has besides, or has with
	// other bytes, in the order of their paths. Empty means the same dataset.
	Differ []fileDifference
	Files  int // compared
}

// fileDifference is a file in which two datasets differ.
type fileDifference struct {
	Path string
	What string // the first difference
}

// String is "PATH: what differs".
func (d fileDifference) String() string { return d.Path + ": " + d.What }

// rebuild builds the dataset in dir again, from its own raw records and
// configuration, into a temporary folder, and compares every file. Nobody is
// asked anything. With Env.Contexts the dataset's own contexts are taken as they
// are, which leaves out most of the work: everything is decided again, nothing is
// rendered.
func rebuild(ctx context.Context, env Env, dir string) (*rebuilt, error) {
	cfg, err := Configuration(dir)
	if err != nil {
		return nil, err
	}
	was, err := artifacts.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	if was.Benchmark == artifacts.Debugging {
		return nil, fmt.Errorf("%s is of the debugging benchmark: --rerun runs its samples again", dir)
	}
	work, err := os.MkdirTemp("", "prforge-rebuild-")
	if err != nil {
		return nil, fmt.Errorf("rebuild %s: %w", dir, err)
	}
	defer os.RemoveAll(work)
	env.State, env.Out, env.From = filepath.Join(work, "state"), filepath.Join(work, "dataset"), dir
	env.Offline, env.AllowPartial, env.Refresh = true, true, false
	env.CloneURL = func(r model.RepoRef) string { return r.String() } // nobody is asked
	s, err := Open(ctx, env, cfg)
	if err != nil {
		return nil, err
	}
	switch was.Benchmark {
	case artifacts.Bugs:
		_, err = BuildBugs(ctx, s, nil)
	default:
		_, err = Build(ctx, s)
	}
	if err := errors.Join(err, s.Close()); err != nil {
		return nil, fmt.Errorf("rebuild %s: %w", dir, err)
	}
	return compare(was, dir, env.Out)
}

// compare reads the second manifest. That the first is true of its files is for
// verify to say.
func compare(was *artifacts.Manifest, dir, again string) (*rebuilt, error) {
	is, err := artifacts.ReadManifest(again)
	if err != nil {
		return nil, err
	}
	out := &rebuilt{Files: len(is.Files)}
	all := maps.Clone(was.Files)
	maps.Copy(all, is.Files)
	for _, path := range slices.Sorted(maps.Keys(all)) {
		if was.Files[path] != is.Files[path] {
			out.Differ = append(out.Differ, fileDifference{path, artifacts.FirstDifference(dir, again, path)})
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
		out.Differ = append(out.Differ, fileDifference{artifacts.FileManifest, artifacts.FirstDifference(dir, again, artifacts.FileManifest)})
	}
	return out, nil
}
