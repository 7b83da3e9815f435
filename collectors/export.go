package collectors

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"

	"github.com/prforge/prforge/internal/store"
)

// Used says which raw records a run rested on, by pull request number. What
// else the state holds, from other runs, is no part of a dataset.
type Used struct {
	Pulls []int // read in full
	Diffs []int // of those, the ones whose diff was asked for
	Bases []int // of those, the ones whose base was asked for
}

// Export writes the raw records that a run rested on, in their canonical form
// (store.Shard.Export). Takedowns are the caller's: keep may refuse a record.
func (r *Repository) Export(w io.Writer, used Used, keep func(store.Kind, string) bool) error {
	records, err := r.records(used)
	if err != nil {
		return err
	}
	err = r.shard.Export(w, func(k store.Kind, key string) bool {
		return records[k][key] && (keep == nil || keep(k, key))
	})
	if err != nil {
		return fmt.Errorf("export the raw records of %s: %w", r.facts.Ref, err)
	}
	return nil
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
	trees := []string{treeKey}
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
		trees = append(trees, pullKey(n))
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
