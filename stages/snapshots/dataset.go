package snapshots

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/snapshot"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/run"
)

// Add adds what a record of the review benchmark wants.
func (l *List) Add(r *artifacts.Record, e *artifacts.Evidence) error {
	repo, err := model.ParseRepoRef(r.Repo)
	if err != nil {
		return fmt.Errorf("%s: %w", r.TaskID, err)
	}
	l.Want(Wanted{TaskID: r.TaskID, Repo: repo, Head: r.HeadCommit, Base: r.BaseCommit, Upstream: e.Diff.BaseRefOid},
		e.License)
	return nil
}

// Want adds what a record wants, and the license of its repository.
func (l *List) Want(w Wanted, license model.License) {
	l.wanted = append(l.wanted, w)
	repo := w.Repo.String()
	if l.licenses == nil {
		l.licenses = map[string]map[string]bool{}
	}
	if l.licenses[repo] == nil {
		l.licenses[repo] = map[string]bool{}
	}
	l.licenses[repo][spdx(license)] = true
}

// Benchmark is a folder of snapshots beside a dataset: it asks nothing.
func Benchmark() run.Benchmark {
	return run.Benchmark{
		Name: artifacts.Snapshot,
		Verify: func(ctx context.Context, dir string, _ *artifacts.Manifest) (*verify.Report, error) {
			return verify.Snapshots(ctx, dir, "", nil)
		},
	}
}

// Again makes each file of a folder of snapshots again from itself, and lists those
// that are not the same bytes.
func Again(ctx context.Context, dir string) (differ []string, err error) {
	set, err := snapshot.Open(dir)
	if err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp("", "prforge-snapshots-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	list := List{}
	for _, s := range set.Stats() {
		repo, err := model.ParseRepoRef(s.Repository)
		if err != nil {
			return nil, err
		}
		list.wanted = append(list.wanted, Wanted{TaskID: s.TaskID, Repo: repo, Head: s.Head, Base: s.Base})
	}
	open := func(ctx context.Context, repo model.RepoRef) (History, error) { return FromDataset(ctx, dir, repo) }
	all, err := Make(ctx, Options{Dir: work, Open: open, Progress: pipeline.Silent{}}, list)
	if err != nil {
		return nil, err
	}
	for _, m := range all.Made {
		same, err := sameBytes(dir, artifacts.FileSnapshots(m.Repo), m.File)
		if err != nil {
			return nil, err
		}
		if !same {
			differ = append(differ, artifacts.FileSnapshots(m.Repo))
		}
	}
	return differ, nil
}

// sameBytes compares a file of a dataset with another file.
func sameBytes(dir, path, other string) (bool, error) {
	was, err := load.OpenFile(dir, path)
	if err != nil {
		return false, err
	}
	defer was.Close()
	is, err := os.Open(other)
	if err != nil {
		return false, err
	}
	defer is.Close()
	var sums [2]hash.Hash
	for i, f := range []io.Reader{was, is} {
		sums[i] = sha256.New()
		if _, err := io.Copy(sums[i], f); err != nil {
			return false, err
		}
	}
	return bytes.Equal(sums[0].Sum(nil), sums[1].Sum(nil)), nil
}

func spdx(l model.License) string {
	if l.SPDX == nil {
		return "none found"
	}
	return *l.SPDX
}

// Stats covers all records, by task id.
func (a *All) Stats() []snapshot.Stat {
	var stats []snapshot.Stat
	for _, m := range a.Made {
		stats = append(stats, m.Stats...)
	}
	slices.SortFunc(stats, func(a, b snapshot.Stat) int { return cmp.Compare(a.TaskID, b.TaskID) })
	return stats
}

// Published is what a dataset holds of them.
func (a *All) Published() (*freeze.Snapshots, error) {
	out := &freeze.Snapshots{}
	for _, m := range a.Made {
		f := artifacts.SnapshotFigures{
			Repo: m.Repo.String(), License: strings.Join(slices.Sorted(maps.Keys(a.licenses[m.Repo.String()])), ", "),
			Records: len(m.Stats), Objects: m.Objects, Bytes: m.Bytes, Packed: m.Packed,
		}
		for _, s := range m.Stats {
			f.Later += len(s.Later)
			if s.Problem != "" {
				f.Without++
			}
		}
		out.Repositories = append(out.Repositories, f)
		out.Files = append(out.Files, freeze.File{
			Path: artifacts.FileSnapshots(m.Repo), Open: func() (io.ReadCloser, error) { return os.Open(m.File) },
		})
	}
	index, err := artifacts.CanonicalLines(a.Stats())
	if err != nil {
		return nil, err
	}
	out.Files = append(out.Files, freeze.FileOf(artifacts.FileSnapshotIndex, index))
	return out, nil
}

// Reviewed is what the records of a dataset of reviews want.
func Reviewed(dataset string) (list List, err error) {
	d, err := load.Open(dataset)
	if err != nil {
		return list, err
	}
	if b := d.Manifest.Benchmark; b != artifacts.Review && b != "" {
		return list, fmt.Errorf("%s is of the benchmark %s, whose questions have no snapshot", dataset, b)
	}
	for r, err := range d.Records() {
		if err != nil {
			return list, err
		}
		e, err := d.Evidence(r.TaskID)
		if err == nil {
			err = list.Add(r, e)
		}
		if err != nil {
			return list, err
		}
	}
	return list, nil
}

// Beside makes the snapshots that the records of a frozen dataset want and freezes them
// in a folder of their own, out. The dataset stays as it is.
func Beside(ctx context.Context, dataset, out string, list List, o Options) (*All, error) {
	d, err := load.Open(dataset)
	if err != nil {
		return nil, err
	}
	if err := freeze.CheckTarget(out); err != nil {
		return nil, err
	}
	all, err := Make(ctx, o, list)
	if err != nil {
		return nil, err
	}
	published, err := all.Published()
	if err != nil {
		return nil, err
	}
	sum, err := load.ManifestDigest(dataset)
	if err != nil {
		return nil, err
	}
	folder, err := published.Dataset(d.Manifest, sum)
	if err != nil {
		return nil, err
	}
	return all, freeze.Freeze(ctx, out, folder)
}
