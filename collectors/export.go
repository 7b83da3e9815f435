package collectors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// Used lists the raw records that a run used, by pull request number. Other records of the state come from other runs
// and are not part of a dataset.
type Used struct {
	Tree  bool  // the repository's own files were looked at
	Pulls []int // read in full
	Diffs []int // of those, the ones whose diff was asked for
	Bases []int // of those, the ones whose base was asked for
	// Candidates are the pull requests whose reviewed revisions were searched for. Reviewed are the revisions shown.
	Candidates []int
	History    string // the key of the later history that was looked at; "" for none
	Reviewed   []UsedRevision
	Runs       []string // keys of what runs said (Behaviors)
}

// UsedRevision is a revision of a pull request.
type UsedRevision struct {
	Number int
	Oid    string
}

// Export writes the raw records that a run used, in their canonical form (store.Shard.Export). If rewrite is not nil,
// Export writes its result for every pull request, and the census without hidden ones. This keeps takedowns and
// account names out of raw records.
func (r *Repository) Export(ctx context.Context, w io.Writer, used Used,
	rewrite func(*model.PullRequest) *model.PullRequest) error {
	records, err := r.records(used)
	if err != nil {
		return err
	}
	keep := func(k store.Kind, key string) bool { return records[k][key] }
	if rewrite == nil {
		err = r.shard.Export(ctx, w, keep)
	} else {
		err = r.exportRewritten(ctx, w, used, keep, rewrite)
	}
	if err != nil {
		return fmt.Errorf("export the raw records of %s: %w", r.facts.Ref, err)
	}
	return nil
}

// exportRewritten exports with the pull requests and the census rewritten. Neither keeps anything hidden.
func (r *Repository) exportRewritten(ctx context.Context, w io.Writer, used Used, keep func(store.Kind, string) bool,
	rewrite func(*model.PullRequest) *model.PullRequest) error {
	census, err := r.Census()
	if err != nil {
		return err
	}
	for _, n := range used.Pulls {
		_, err := r.Pull(n)
		switch known := (*Failure)(nil); {
		case errors.Is(err, ErrHidden):
			census.Pulls = withoutName(census.Pulls, n)
		case err != nil && !errors.As(err, &known) && !IsNotCollected(err): // a failure has no record to rewrite
			return err
		}
	}
	var later *model.LaterHistory
	var texts map[string]model.CommitPull
	if used.History != "" {
		if later, texts, err = r.storedLater(used.History); err != nil {
			return err
		}
		r.redactLater(later, texts)
	}
	return r.shard.ExportRewritten(ctx, w, keep, func(kind store.Kind, key string, content []byte) (any, error) {
		switch kind {
		case store.History:
			if key == textsKey(used.History) {
				return texts, nil
			}
			return later, nil
		case store.Census:
			return census, nil
		case store.Pull:
			var pull model.PullRequest
			if err := json.Unmarshal(content, &pull); err != nil {
				return nil, err
			}
			shown, err := r.redacted(&pull)
			if errors.Is(err, ErrHidden) {
				return nil, store.ErrLeftOut
			}
			if err != nil {
				return nil, err
			}
			return rewrite(shown), nil
		}
		return nil, nil
	})
}

// withoutName keeps only the existence and the time of pull request n: the repository score counts it, also when it
// is computed again.
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
		add(store.Failure, treeFailure)
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
	if used.History != "" {
		add(store.History, used.History, textsKey(used.History))
	}
	add(store.Run, used.Runs...)
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
			return nil, err
		}
		for kind, keys := range read {
			add(kind, keys...)
		}
	}
	return out, nil
}
