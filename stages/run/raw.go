package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"sync"

	conciter "github.com/sourcegraph/conc/iter"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
)

// importRaw reads the raw records of a frozen dataset into the state, for the configured repositories in it. It is an
// error if a file in the manifest is missing.
func (s *Session) importRaw(ctx context.Context) error {
	if s.From == "" {
		return nil
	}
	type result struct {
		found bool
		err   error
	}
	several := conciter.Mapper[model.RepoRef, result]{MaxGoroutines: max(1, s.Shards)}
	results := several.Map(s.Config.Refs(), func(ref *model.RepoRef) (r result) {
		shard, err := s.Collector.Store().Shard(*ref)
		if err != nil {
			return result{err: fmt.Errorf("open the state of %s: %w", ref, err)}
		}
		r.found, r.err = s.importFile(ctx, shard, artifacts.FileRaw(*ref))
		return r
	})
	manifest, err := load.ReadManifest(s.From)
	if err != nil {
		return err
	}
	found := false
	for i, r := range results {
		if r.err != nil {
			return r.err
		}
		ref := s.Config.Refs()[i]
		if _, listed := manifest.Files[artifacts.FileRaw(ref)]; listed && !r.found {
			return fmt.Errorf("%s lacks %s, the raw records of %s, which its manifest lists", s.From, artifacts.FileRaw(ref),
				ref)
		}
		found = found || r.found
	}
	if !found {
		return fmt.Errorf("%s holds no raw records of any configured repository", s.From)
	}
	answered, err := s.importFile(ctx, s.Collector.Store().Answers(), artifacts.FileAnswers)
	if _, listed := manifest.Files[artifacts.FileAnswers]; err == nil && listed && !answered {
		return fmt.Errorf("%s lacks %s, the answers of models, which its manifest lists", s.From, artifacts.FileAnswers)
	}
	return err
}

// importFile reads one file of raw records; false if the dataset has none.
func (s *Session) importFile(ctx context.Context, shard *store.Shard, name string) (bool, error) {
	f, err := load.OpenFile(s.From, name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read raw records: %w", err)
	}
	defer f.Close()
	if err := shard.Import(ctx, f); err != nil {
		return false, fmt.Errorf("read the raw records in %s: %w", f.Name(), err)
	}
	return true, nil
}

// RawFiles are the raw records of every collected repository, by name, and the answers of models.
func RawFiles[F any](ctx context.Context, s *Session, shards []*Shard[F]) iter.Seq2[freeze.File, error] {
	kept := slices.DeleteFunc(slices.Clone(shards), func(sh *Shard[F]) bool { return sh.Facts == nil && !sh.gone() })
	slices.SortFunc(kept, func(a, b *Shard[F]) int { return strings.Compare(a.Asked.FileName(), b.Asked.FileName()) })
	return func(yield func(freeze.File, error) bool) {
		if s.asksModels() {
			answers := freeze.File{Path: artifacts.FileAnswers,
				Open: Written(func(w io.Writer) error { return s.Collector.Store().Answers().Export(ctx, w, nil) })}
			if !yield(answers, nil) {
				return
			}
		}
		for _, sh := range kept {
			if !yield(freeze.File{Path: artifacts.FileRaw(sh.Asked),
				Open: Written(func(w io.Writer) error { return s.exportShard(ctx, w, sh.Asked, sh.Repo, sh.Used) })}, nil) {
				return
			}
		}
	}
}

// exportShard writes the raw records of a repository. If the repository is gone it writes only that fact, so that a
// rebuild does not ask again.
func (s *Session) exportShard(ctx context.Context, w io.Writer, asked model.RepoRef, repo *collectors.Repository,
	used collectors.Used) error {
	if repo != nil {
		return s.Export(ctx, w, repo, used)
	}
	shard, err := s.Collector.Store().Shard(asked)
	if err != nil {
		return err
	}
	return errors.Join(shard.Export(ctx, w, func(k store.Kind, _ string) bool { return k == store.Failure }),
		shard.Release())
}

// Export writes the raw records of a repository that a run used.
func (s *Session) Export(ctx context.Context, w io.Writer, repo *collectors.Repository, used collectors.Used) error {
	return errors.Join(repo.Export(ctx, w, used, s.Published()), repo.Release())
}

// Written turns a function that writes a file into one that opens it. Close waits until the writing has ended.
func Written(write func(io.Writer) error) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		r, w := io.Pipe()
		file := &writtenFile{PipeReader: r}
		file.writing.Go(func() { w.CloseWithError(write(w)) })
		return file, nil
	}
}

// writtenFile reads what a goroutine writes.
type writtenFile struct {
	*io.PipeReader
	writing sync.WaitGroup
}

// Close ends the writing and waits for that.
func (f *writtenFile) Close() error {
	err := f.PipeReader.Close()
	f.writing.Wait()
	return err
}

// BehaviorsKey is the name in the evidence for the key of what runs said.
const BehaviorsKey = "behaviors"

// ReviewedRevision is the name in the evidence for a revision that a record shows.
const ReviewedRevision = "reviewed revision"

// use notes the raw records that the decisions about a pull request used.
func use(used *collectors.Used, t *pipeline.Trail) {
	for _, d := range t.Decisions {
		switch d.Stage {
		case verdict.StageCollect:
			used.Pulls = append(used.Pulls, t.Number)
		case verdict.StageRevision:
			used.Candidates = append(used.Candidates, t.Number)
			for _, e := range d.Evidence {
				if e.What == ReviewedRevision {
					used.Reviewed = append(used.Reviewed, collectors.UsedRevision{Number: t.Number, Oid: e.Found})
				}
			}
		case verdict.StageInject:
			for _, e := range d.Evidence {
				if e.What == BehaviorsKey {
					used.Runs = append(used.Runs, e.Found)
				}
			}
		case verdict.StageFetchDiff:
			used.Diffs = append(used.Diffs, t.Number)
		case verdict.StageFetchBase:
			used.Bases = append(used.Bases, t.Number)
		}
	}
}
