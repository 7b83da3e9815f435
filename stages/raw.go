package stages

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/verdict"
)

// rawFile is the name of a repository's raw records within a dataset.
func rawFile(asked model.RepoRef) string { return "raw/" + asked.FileName() + ".jsonl.zst" }

// rawAnswers is the name of the models' answers within a dataset.
const rawAnswers = "raw/answers.jsonl.zst"

// importRaw reads the raw records of a frozen dataset into the state, for the
// configured repositories that it has.
func (b *Build) importRaw(c *collectors.Collector) error {
	if b.From == "" {
		return nil
	}
	found := false
	for _, ref := range b.Config.Refs() {
		shard, err := c.Store().Shard(ref)
		if err != nil {
			return fmt.Errorf("open the state of %s: %w", ref, err)
		}
		ok, err := b.importFile(shard, rawFile(ref))
		if err != nil {
			return err
		}
		found = found || ok
	}
	if !found {
		return fmt.Errorf("%s holds no raw records of any configured repository", b.From)
	}
	_, err := b.importFile(c.Store().Answers(), rawAnswers)
	return err
}

// importFile reads one file of raw records; false where the dataset has none.
func (b *Build) importFile(shard *store.Shard, name string) (bool, error) {
	f, err := os.Open(filepath.Join(b.From, name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read raw records: %w", err)
	}
	defer f.Close()
	if err := shard.Import(f); err != nil {
		return false, fmt.Errorf("read the raw records in %s: %w", f.Name(), err)
	}
	return true, nil
}

// dropDuplicates rejects a repository that is listed twice, under a former and
// its present name. The present name counts, else the first.
func dropDuplicates(shards []*shard) {
	kept := map[int64]*shard{}
	for _, sh := range shards {
		if sh.facts == nil || sh.facts.ID == 0 {
			continue
		}
		if first := kept[sh.facts.ID]; first == nil || (first.asked != first.facts.Ref && sh.asked == sh.facts.Ref) {
			kept[sh.facts.ID] = sh
		}
	}
	for _, sh := range shards {
		if sh.facts == nil || sh.facts.ID == 0 || kept[sh.facts.ID] == sh {
			continue
		}
		sh.repository = verdict.Decision{Stage: verdict.StageCollectRepository, Verdict: verdict.Reject(verdict.DuplicateRepository,
			fmt.Sprintf("%s is %s, which is listed as %s, too", sh.asked, sh.facts.Ref, kept[sh.facts.ID].asked))}
		sh.pulls, sh.repo, sh.facts, sh.quality = nil, nil, nil, nil // the line goes by the name that was asked for
	}
}
