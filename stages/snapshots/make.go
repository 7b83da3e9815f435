package snapshots

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	conciter "github.com/sourcegraph/conc/iter"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/snapshot"
	"github.com/prforge/prforge/internal/model"
)

// All are the files of a dataset's snapshots.
type All struct {
	Made     []Made // by repository
	licenses map[string]map[string]bool
}

// List is what records of a dataset want.
type List struct {
	wanted   []Wanted
	licenses map[string]map[string]bool // by repository, the SPDX ids of its records
}

// Made is one repository's file.
type Made struct {
	Repo   model.RepoRef
	File   string // on disk
	Packed int64  // its bytes
	snapshot.Contents
}

// Make makes the files of all repositories of which records are wanted. A record
// without a snapshot has its problem in the stats; an error is about us, and leaves
// the files that are finished, so that another call goes on.
func Make(ctx context.Context, o Options, list List) (*All, error) {
	byRepo := map[model.RepoRef][]Wanted{}
	for _, w := range list.wanted {
		byRepo[w.Repo] = append(byRepo[w.Repo], w)
	}
	var repos []model.RepoRef
	for repo := range byRepo {
		repos = append(repos, repo)
	}
	slices.SortFunc(repos, func(a, b model.RepoRef) int { return cmp.Compare(a.FileName(), b.FileName()) })
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, err
	}
	o.Progress.Phase("snapshots", len(repos))
	several := conciter.Mapper[model.RepoRef, Made]{MaxGoroutines: max(1, o.Repositories)}
	made, err := several.MapErr(repos, func(repo *model.RepoRef) (Made, error) {
		m, err := o.make(ctx, *repo, byRepo[*repo])
		if err != nil {
			return m, fmt.Errorf("snapshots of %s: %w", repo, err)
		}
		o.Progress.Done(repo.String(), fmt.Sprintf("%d records, %d bytes", len(m.Stats), m.Packed))
		return m, nil
	})
	return &All{made, list.licenses}, err
}

// make makes one file, or finds it made.
func (o Options) make(ctx context.Context, repo model.RepoRef, wanted []Wanted) (Made, error) {
	if err := ctx.Err(); err != nil {
		return Made{}, err
	}
	m := Made{Repo: repo, File: filepath.Join(o.Dir, filepath.Base(artifacts.FileSnapshots(repo)))}
	slices.SortFunc(wanted, func(a, b Wanted) int { return cmp.Compare(a.TaskID, b.TaskID) })
	known, err := o.known(ctx, m.File, wanted)
	if err != nil {
		return m, err
	}
	if !known {
		if err := o.write(ctx, m, wanted); err != nil {
			return m, err
		}
	}
	return m, m.read(ctx)
}

// read checks the file and says what it holds.
func (m *Made) read(ctx context.Context) error {
	f, err := os.Open(m.File)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	m.Packed = info.Size()
	m.Contents, err = snapshot.Check(ctx, f, snapshot.DefaultLimits())
	for i, s := range m.Stats {
		if s.Problem == "" {
			m.Stats[i].File = artifacts.FileSnapshots(m.Repo)
		}
	}
	return err
}

// known reports whether there is a file of just these records, which is not
// damaged.
func (o Options) known(ctx context.Context, path string, wanted []Wanted) (bool, error) {
	m := Made{File: path}
	if err := m.read(ctx); err != nil {
		return false, ctx.Err()
	}
	same := slices.EqualFunc(m.Stats, wanted, func(s snapshot.Stat, w Wanted) bool {
		return s.TaskID == w.TaskID && s.Head == w.Head && s.Base == w.Base && (s.Problem == "" || !o.Refresh)
	})
	return same, nil
}

// write makes the file under another name and renames it.
func (o Options) write(ctx context.Context, m Made, wanted []Wanted) (err error) {
	from, err := o.Open(ctx, m.Repo)
	if err != nil {
		return err
	}
	defer from.Close()
	records, err := from.Records(ctx, wanted)
	if err != nil {
		return err
	}
	plan, err := snapshot.NewPlan(ctx, m.Repo.String(), records, from, snapshot.DefaultLimits())
	if err != nil {
		return err
	}
	f, err := os.Create(m.File + ".new")
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	err = plan.Write(ctx, w)
	if err == nil {
		err = errors.Join(w.Flush(), f.Sync())
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), m.File)
}
