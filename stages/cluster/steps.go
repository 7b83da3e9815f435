package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/review"
	"github.com/prforge/prforge/stages/run"
)

// CollectReport is how a collection for a cluster went.
type CollectReport struct {
	Run       string        `json:"run"`
	Collected int           `json:"collected"` // repositories whose raw records are in the exchange now
	Missing   []string      `json:"missing"`   // those whose are not
	Failures  []run.Failure `json:"failures"`
	Cost      ghapi.Stats   `json:"cost"`
}

// Collect writes the raw records of every configured repository to the exchange, each as soon as it is complete. It
// skips a repository with a temporary failure, unless Env.AllowPartial: the same command retries it. Only one process
// may collect at a time, since GitHub's limits belong to its identity.
func (c *Cluster) Collect(ctx context.Context, s *run.Session) (*CollectReport, error) {
	refs := s.Repositories()
	plan := runPlan{}
	for _, ref := range refs {
		plan.Repositories = append(plan.Repositories, ref.String())
	}
	if err := c.put(ctx, c.planName(), func(w io.Writer) error { return json.NewEncoder(w).Encode(plan) }); err != nil {
		return nil, err
	}
	have, err := c.sizes(ctx)
	if err != nil {
		return nil, err
	}
	open := slices.DeleteFunc(slices.Clone(refs),
		func(ref model.RepoRef) bool { _, ok := have[c.rawName(ref)]; return ok })
	type collected struct {
		failures []run.Failure
		kept     bool
	}
	results,
		err := run.EachRepository(ctx, s, open, review.FetchSamples,
		func(ctx context.Context, ref model.RepoRef) (out collected, err error) {
			out.failures, out.kept, err = c.collectOne(ctx, s, ref)
			return out, err
		})
	if err != nil {
		return nil, err
	}
	report := &CollectReport{Run: c.run, Collected: len(refs) - len(open), Missing: []string{}, Failures: []run.Failure{},
		Cost: s.Collector.Cost()}
	for i, r := range results {
		report.Failures = append(report.Failures, r.failures...)
		if r.kept {
			report.Collected++
		} else {
			report.Missing = append(report.Missing, open[i].String())
		}
	}
	return report, nil
}

// collectOne collects one repository and puts its raw records into the exchange.
func (c *Cluster) collectOne(ctx context.Context, s *run.Session, ref model.RepoRef) (failed []run.Failure, kept bool,
	err error) {
	sh, err := collectRepository(ctx, s, ref)
	if err != nil {
		return nil, false, err
	}
	failed = run.Failures(run.TrailsOf([]*review.Shard{sh}))
	mayPass := slices.ContainsFunc(failed, func(f run.Failure) bool {
		return f.Code == string(verdict.NotAnswered) || f.Code == string(verdict.CollectionFailed)
	})
	if mayPass && !s.AllowPartial {
		s.Progress.Done(ref.String(), "something failed; left out")
		return failed, false, nil
	}
	err = c.put(ctx, c.rawName(ref), func(w io.Writer) error {
		if sh.Repo != nil {
			return errors.Join(sh.Repo.Export(ctx, w, sh.Used, nil), sh.Repo.Release())
		}
		records, err := s.Collector.Store().Shard(ref) // why it could not be collected
		if err != nil {
			return err
		}
		return errors.Join(records.Export(ctx, w, nil), records.Release())
	})
	s.Progress.Done(ref.String(), fmt.Sprintf("%d pull requests", len(sh.Items)))
	return failed, err == nil, err
}

// collectRepository takes one repository through everything that asks GitHub
// or git.
func collectRepository(ctx context.Context, s *run.Session, asked model.RepoRef) (sh *review.Shard, err error) {
	sh, err = run.OpenShard[*review.Finalist](s, asked)
	if err != nil || sh.Repo == nil {
		return sh, err
	}
	defer func() { err = errors.Join(err, sh.Repo.Release()) }()
	if err := review.Gate(ctx, s, sh); err != nil || !sh.Trail.Alive() {
		return sh, err
	}
	all := review.PullStages(s)
	last := slices.Index(pipeline.Names(all), verdict.StageFetchBase)
	_, err = sh.RunPulls(ctx, s, all[:last+1])
	return sh, err
}

// AnalyzeShare analyzes the repositories of one of n shares, index from 0, and writes a result for each. It needs no
// network and no credentials. It skips repositories with a result. It returns the names of the share's repositories.
func (c *Cluster) AnalyzeShare(ctx context.Context, s *run.Session, index, n int) ([]string, error) {
	if index < 0 || n < 1 || index >= n {
		return nil, fmt.Errorf("share %d of %d does not exist: they are counted from 0", index, n)
	}
	have, err := c.sizes(ctx)
	if err != nil {
		return nil, err
	}
	var missing []string
	for _, ref := range s.Repositories() {
		if _, ok := have[c.rawName(ref)]; !ok {
			missing = append(missing, ref.String())
		}
	}
	if len(missing) > 0 {
		return nil, &MissingError{"collect", missing}
	}
	share := shares(s.Repositories(), func(ref model.RepoRef) int64 { return have[c.rawName(ref)] }, n)[index]
	s.Progress.Phase("repositories", len(share))
	var names []string
	for _, ref := range share {
		if _, done := have[c.resultName(ref)]; !done {
			if err := c.analyze(ctx, s, ref); err != nil {
				return nil, fmt.Errorf("%s: %w", ref, err)
			}
		}
		s.Progress.Done(ref.String(), "analyzed")
		names = append(names, ref.String())
	}
	return names, nil
}

// analyze makes one repository's result from its raw records.
func (c *Cluster) analyze(ctx context.Context, s *run.Session, ref model.RepoRef) error {
	if err := c.importRaw(ctx, s, ref); err != nil {
		return err
	}
	if err := s.Collector.Survey(ctx, []model.RepoRef{ref}); err != nil {
		return err
	}
	sh, err := review.RunRepository(ctx, s, ref)
	if err != nil {
		return err
	}
	out := &repositoryResult{Shard: sh, Failed: map[string]*pipeline.Trail{}}
	r := &review.Merged{Shards: []*review.Shard{sh}}
	for _, f := range sh.Finalists {
		if f.RVS >= s.Selection.Floor { // what is below is never released
			r.Releases = append(r.Releases, &review.Release{Shard: sh, Finalist: f})
		}
	}
	r.AssignTaskIDs(s)
	kept, err := review.NewRenderedTasks(s)
	if err != nil {
		return err
	}
	var rendered []*review.Release
	err = review.RenderEach(ctx, s, kept, r.Releases, func(res *pipeline.Result[*review.Release]) {
		if res.Alive() {
			rendered = append(rendered, res.Item)
			return
		}
		why := new(pipeline.Trail)
		pipeline.Take(why, res)
		out.Failed[review.PullOf(res.Item.Entry)] = why
	})
	if err != nil {
		return err
	}
	if s.Published() != nil && sh.Repo != nil {
		if err := c.put(ctx, c.releasedName(ref),
			func(w io.Writer) error { return s.Export(ctx, w, sh.Repo, sh.Used) }); err != nil {
			return err
		}
	}
	return c.put(ctx, c.resultName(ref), func(w io.Writer) error { return writeResult(w, out, kept.Tasks(rendered)) })
}

// importRaw reads a repository's raw records from the exchange into the state.
func (c *Cluster) importRaw(ctx context.Context, s *run.Session, ref model.RepoRef) error {
	in, err := c.x.Open(ctx, c.rawName(ref))
	if err != nil {
		return err
	}
	defer in.Close()
	records, err := s.Collector.Store().Shard(ref)
	if err != nil {
		return err
	}
	return records.Import(ctx, in)
}

// Merge selects among the results of all repositories and freezes the dataset
// in Env.Out: the bytes that Build makes. Where results are missing the error is
// a *MissingError, unless Env.AllowPartial: those repositories then count as
// failed.
func (c *Cluster) Merge(ctx context.Context, s *run.Session) (*run.Report, error) {
	report, err := c.merge(ctx, s)
	return report, errors.Join(err, s.WriteReport(report))
}

func (c *Cluster) merge(ctx context.Context, s *run.Session) (*run.Report, error) {
	var shards []*review.Shard
	failed := map[string]*pipeline.Trail{}
	missing := &MissingError{Step: "shard"}
	for _, ref := range s.Repositories() {
		one, err := c.readResult(ctx, ref, nil)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing.Repositories = append(missing.Repositories, ref.String())
			one = &repositoryResult{Shard: &review.Shard{Asked: ref,
				Trail: pipeline.Trail{Kind: string(artifacts.KindRepository)}}}
			one.Shard.Fail(verdict.StageCollectRepository,
				&collectors.Failure{Code: verdict.NotAnswered, Detail: ref.String() + " has not been analyzed"})
		case err != nil:
			return nil, err
		}
		shards = append(shards, one.Shard)
		maps.Copy(failed, one.Failed)
	}
	if len(missing.Repositories) > 0 && !s.AllowPartial {
		return nil, missing
	}
	r := review.Merge(shards)
	r.SelectPulls(s)
	kept, err := c.takeTasks(ctx, s, r, failed)
	if err != nil {
		return nil, err
	}
	return r.Finish(ctx, s, kept.Tasks(r.Releases), c.rawFiles(ctx, s, r.Shards), nil)
}

// takeTasks takes the tasks of the releases out of the results and gives them
// what only the whole dataset decides. Those that there is none of are no releases
// any more.
func (c *Cluster) takeTasks(ctx context.Context, s *run.Session, r *review.Merged,
	failed map[string]*pipeline.Trail) (*review.RenderedTasks, error) {
	kept, err := review.NewRenderedTasks(s)
	if err != nil {
		return nil, err
	}
	s.Progress.Phase(verdict.StageContexts, len(r.Releases))
	releases := map[*review.Shard]map[string]*review.Release{}
	var released []*review.Release
	for _, rel := range r.Releases {
		if why, ok := failed[review.PullOf(rel.Entry)]; ok {
			trail := rel.Trail()
			trail.Decisions, trail.Error = append(trail.Decisions, why.Decisions...), why.Error
			continue
		}
		if releases[rel.Shard] == nil {
			releases[rel.Shard] = map[string]*review.Release{}
		}
		releases[rel.Shard][review.PullOf(rel.Entry)] = rel
		released = append(released, rel)
	}
	for _, sh := range r.Shards {
		of := releases[sh]
		if of == nil {
			continue
		}
		_, err := c.readResult(ctx, sh.Asked, func(t *artifacts.Task) error {
			name := artifacts.NameOf(&t.Record)
			rel := of[name]
			if rel == nil {
				return nil
			}
			delete(of, name)
			t.Place(rel.TaskID, rel.Reverts, rel.RevertedBy, rel.Decisions())
			rel.Difficulty, rel.Language = t.Record.Difficulty, t.Record.Language
			s.Progress.Done(rel.TaskID, string(t.Record.Difficulty))
			return kept.Keep(t)
		})
		if err != nil {
			return nil, err
		}
		for _, rel := range of {
			return nil, fmt.Errorf("internal error: the result of %s has no task of %s", sh.Asked, review.PullOf(rel.Entry))
		}
	}
	for _, rel := range released {
		rel.Pass()
	}
	r.Releases = released
	return kept, nil
}

// rawFiles copies the raw records of the repositories that were collected, by
// name.
func (c *Cluster) rawFiles(ctx context.Context, s *run.Session, shards []*review.Shard) run.FileSeq {
	name := c.rawName
	if s.Published() != nil {
		name = c.releasedName
	}
	kept := slices.DeleteFunc(slices.Clone(shards), func(sh *review.Shard) bool { return sh.Facts == nil })
	slices.SortFunc(kept, func(a, b *review.Shard) int { return strings.Compare(a.Asked.FileName(), b.Asked.FileName()) })
	return func(yield func(freeze.File, error) bool) {
		for _, sh := range kept {
			open := func() (io.ReadCloser, error) { return c.x.Open(ctx, name(sh.Asked)) }
			if !yield(freeze.File{Path: artifacts.FileRaw(sh.Asked), Open: open}, nil) {
				return
			}
		}
	}
}
