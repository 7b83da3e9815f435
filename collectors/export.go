package collectors

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// Used says which raw records a run rested on, by pull request number. What
// else the state holds, from other runs, is no part of a dataset.
type Used struct {
	Tree  bool  // the repository's own files were looked at
	Pulls []int // read in full
	Diffs []int // of those, the ones whose diff was asked for
	Bases []int // of those, the ones whose base was asked for
	// Candidates are those whose reviewed revisions were looked for, Reviewed the
	// revisions that were shown of them.
	Candidates []int
	Reviewed   []UsedRevision
}

// UsedRevision is a revision of a pull request.
type UsedRevision struct {
	Number int
	Oid    string
}

// Export writes the raw records that a run rested on, in their canonical form
// (store.Shard.Export). Where rewrite is not nil, every pull request is written
// as it gives it back, and the census without what is hidden: the way to keep
// takedowns and account names out of raw records, too.
func (r *Repository) Export(w io.Writer, used Used, rewrite func(*model.PullRequest) *model.PullRequest) error {
	records, err := r.records(used)
	if err != nil {
		return err
	}
	keep := func(k store.Kind, key string) bool { return records[k][key] }
	if rewrite == nil {
		err = r.shard.Export(w, keep)
	} else {
		err = r.exportRewritten(w, used, keep, rewrite)
	}
	if err != nil {
		return fmt.Errorf("export the raw records of %s: %w", r.facts.Ref, err)
	}
	return nil
}

// exportRewritten exports from a copy, in which the records that name people
// or pull requests are replaced.
func (r *Repository) exportRewritten(w io.Writer, used Used, keep func(store.Kind, string) bool, rewrite func(*model.PullRequest) *model.PullRequest) error {
	dir, err := os.MkdirTemp(r.c.opts.State, "export-")
	if err != nil {
		return stateError(err)
	}
	defer os.RemoveAll(dir)
	copied, err := store.Open(dir, store.DefaultOptions())
	if err != nil {
		return stateError(err)
	}
	defer copied.Close()
	shard, err := copied.Shard(r.facts.Asked)
	if err != nil {
		return stateError(err)
	}
	from, to := io.Pipe()
	go func() { to.CloseWithError(r.shard.Export(to, keep)) }()
	if err := shard.Import(from); err != nil {
		return stateError(err)
	}
	if err := r.rewrite(shard, used.Pulls, rewrite); err != nil {
		return err
	}
	return shard.Export(w, nil)
}

// rewrite replaces the pull requests and the census in a copy of the shard; of
// what is hidden neither keeps anything.
func (r *Repository) rewrite(shard *store.Shard, pulls []int, rewrite func(*model.PullRequest) *model.PullRequest) error {
	census, err := r.Census()
	if err != nil {
		return err
	}
	for _, n := range pulls {
		pull, err := r.Pull(n)
		var known *Failure
		switch {
		case errors.As(err, &known):
			continue // there is no record to rewrite
		case errors.Is(err, ErrHidden):
			census.Pulls = withoutName(census.Pulls, n)
			err = store.Delete(shard, store.Pull, strconv.Itoa(n))
		case err == nil:
			err = store.Put(shard, store.Pull, strconv.Itoa(n), *rewrite(pull))
		}
		if err != nil {
			return stateError(err)
		}
	}
	return stateError(store.Put(shard, store.Census, r.c.censusKey(), *census))
}

// withoutName leaves of pull request n only that there was one and when: the
// repository score counts it, and must when it is computed again.
func withoutName(pulls []model.PullSummary, n int) []model.PullSummary {
	pulls = slices.Clone(pulls)
	for i, p := range pulls {
		if p.Number == n {
			pulls[i] = model.PullSummary{State: p.State, MergedAt: p.MergedAt, ClosedAt: p.ClosedAt}
		}
	}
	return pulls
}

// records are the keys of everything used, by kind.
func (r *Repository) records(used Used) (map[store.Kind]map[string]bool, error) {
	out := map[store.Kind]map[string]bool{}
	add := func(kind store.Kind, keys ...string) {
		if out[kind] == nil {
			out[kind] = map[string]bool{}
		}
		for _, k := range keys {
			out[kind][k] = true
		}
	}
	add(store.Repository, repositoryKey)
	add(store.Census, r.c.censusKey())
	var trees []string
	if used.Tree {
		trees = append(trees, treeKey)
	}
	for _, n := range used.Pulls {
		add(store.Pull, strconv.Itoa(n))
		add(store.Failure, pullKey(n))
	}
	for _, n := range used.Diffs {
		add(store.Diff, strconv.Itoa(n))
		add(store.Failure, diffKey(n))
	}
	for _, n := range used.Bases {
		add(store.Base, strconv.Itoa(n))
		add(store.Revisions, strconv.Itoa(n))
		trees = append(trees, pullKey(n), headKey(n))
	}
	for _, n := range used.Candidates {
		add(store.Candidates, strconv.Itoa(n))
	}
	for _, v := range used.Reviewed {
		key := revisionKey(v.Number, v.Oid)
		add(store.Diff, key)
		add(store.Base, key)
		trees = append(trees, key)
	}
	for _, key := range trees {
		read, err := r.shard.Records(key)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, stateError(err)
		}
		for kind, keys := range read {
			add(kind, keys...)
		}
	}
	return out, nil
}
