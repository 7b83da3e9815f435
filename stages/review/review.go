// Package review is the benchmark of reviews of real pull requests. It has the ordered list of stages (review.go),
// the stages of this benchmark, selection, contexts and freezing, verifying, explaining, the negative controls beside
// a dataset, and the tasks as an evaluation reads them (items.go). It coordinates; the packages filters, scoring and
// contextbuilder decide.
package review

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/filters"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
)

// reviewStages is the order of every step for a repository and a pull request of the review benchmark. Two steps
// around pullStages concern repositories, one concerns all pull requests that passed, two concern the selected ones.
func stepNames(s *run.Session) []string {
	return slices.Concat(
		[]string{verdict.StageCollectRepository, verdict.StageRepositoryScore}, // repositories: run.EachRepository, gate
		[]string{verdict.StageWindow},                                          // pull requests come in
		pipeline.Names(PullStages(s)),                                          // each pull request: Shard.RunPulls
		[]string{verdict.StageSelect},                                          // all of them: selectPulls
		[]string{verdict.StageGrade, verdict.StageContexts},                    // each that is released: renderTasks
	)
}

// PullStages is the order of the steps for one pull request within its repository.
func PullStages(s *run.Session) []pipeline.Stage[*run.Item] {
	return slices.Concat(
		[]pipeline.Stage[*run.Item]{
			run.CollectStage{}, // metadata, reviews, threads, comments, file list over GraphQL
			labelStage{s},
		},
		revisionStages(s, run.FilterStages(filters.OfPull(s.Registry, s.Filters))),
		[]pipeline.Stage[*run.Item]{run.DiffStage{}}, // over REST, or by git
		run.FilterStages(filters.OfDiff(s.Filters)),
		[]pipeline.Stage[*run.Item]{run.BaseStage{}}, // by git
		run.FilterStages(filters.OfBase(s.Filters)),
		[]pipeline.Stage[*run.Item]{stateStage{s}, anchorStage{}, shownStage{s}, scoreStage{s}},
		run.FilterStages(filters.OfScore(s.Filters)),
		[]pipeline.Stage[*run.Item]{s.Decontaminate()},
	)
}

// revisionStages inserts the choice of the reviewed revision, if records show one, after the first two filters: later
// filters read the revision.
func revisionStages(s *run.Session, pull []pipeline.Stage[*run.Item]) []pipeline.Stage[*run.Item] {
	if s.Config.Revision != config.RevisionReviewed {
		return pull
	}
	at := 1 + slices.IndexFunc(pull, func(st pipeline.Stage[*run.Item]) bool { return st.Name() == verdict.FilterSubstantiveComments })
	return slices.Insert(pull, at, pipeline.Stage[*run.Item](revisionStage{s}))
}

// Build makes the review benchmark and freezes it in Env.Out. It returns a report with every error after which there
// is something to report. An error that Is ErrPartial means that only the freeze is missing.
func Build(ctx context.Context, s *run.Session) (*run.Report, error) {
	report, err := build(ctx, s)
	return report, errors.Join(err, s.WriteReport(report))
}

func build(ctx context.Context, s *run.Session) (*run.Report, error) {
	shards, err := run.EachRepository(ctx, s, s.Repositories(), FetchSamples, func(ctx context.Context, ref model.RepoRef) (*Shard, error) {
		sh, err := RunRepository(ctx, s, ref)
		if err == nil {
			s.Progress.Done(sh.Name(), summary(sh))
		}
		return sh, err
	})
	if err != nil {
		return nil, err
	}
	s.Licenses.Drop()
	r := Merge(shards)
	r.SelectPulls(s)
	rendered, err := r.renderTasks(ctx, s)
	if err != nil {
		return nil, err
	}
	snapshots, err := r.snapshots(ctx, s, rendered.Tasks(r.Releases))
	if err != nil {
		return nil, err
	}
	return r.Finish(ctx, s, rendered.Tasks(r.Releases), run.RawFiles(ctx, s, r.Shards), snapshots)
}

// RunRepository runs every step that needs one repository alone (spec section 1). An error ends the run.
func RunRepository(ctx context.Context, s *run.Session, asked model.RepoRef) (sh *Shard, err error) {
	sh, err = run.OpenShard[*Finalist](s, asked)
	if err != nil || sh.Repo == nil {
		return sh, err
	}
	defer func() { err = errors.Join(err, sh.Repo.Release()) }()
	if err := Gate(ctx, s, sh); err != nil || !sh.Trail.Alive() {
		return sh, err
	}
	return sh, runPulls(ctx, s, sh)
}

// reviewPulls takes the repository's pull requests through pullStages.
func runPulls(ctx context.Context, s *run.Session, sh *Shard) error {
	passed, err := sh.RunPulls(ctx, s, PullStages(s))
	if err != nil {
		return err
	}
	readLicenses(s, passed)
	sh.Finalists = make([]*Finalist, len(passed))
	for i, p := range passed {
		sh.Finalists[i] = newFinalist(p)
	}
	return nil
}

// readLicenses reads the licenses of the repositories that may be released before rendering, because the license
// classifier needs much memory and rendering needs it too. The renderer reports any error.
func readLicenses(s *run.Session, items []run.Passed) {
	for _, p := range items {
		if sources, err := p.Sources(); err == nil {
			_, _ = s.Licenses.At(sources, p.Candidate.Repo)
		}
	}
}

// summary describes a shard in a few words.
func summary(sh *Shard) string {
	if !sh.Trail.Alive() {
		return string(sh.Trail.Last().Code)
	}
	return fmt.Sprintf("%d pull requests, %d passed", len(sh.Items), len(sh.Finalists))
}

// Merge puts the shards of a run together, in the order of the
// configuration.
func Merge(shards []*Shard) *Merged {
	run.DropDuplicates(shards)
	return &Merged{Shards: shards}
}

// Finish counts, reports, and freezes the dataset unless something failed. snapshots may be nil.
func (r *Merged) Finish(ctx context.Context, s *run.Session, tasks TaskSeq, raw run.FileSeq, snapshots *freeze.Snapshots) (*run.Report, error) {
	starts := []string{verdict.StageWindow}
	if s.Config.Revisions == config.RevisionsAll {
		starts = append(starts, verdict.StageRevision) // further records come in
	}
	funnel, err := pipeline.Count(run.TrailsOf(r.Shards), stepNames(s), starts...)
	if err != nil {
		return nil, err
	}
	report := run.NewReport(s, artifacts.Review, funnel, r.Shards)
	report.CopyleftShort, report.Target = r.short, s.Selection.Target
	report.Languages, report.Difficulty = map[string]int{}, map[string]int{}
	for _, c := range r.Releases {
		report.Languages[c.Language]++
		report.Difficulty[string(c.Difficulty)]++
	}
	d, err := s.Dataset(artifacts.Review)
	if err != nil {
		return report, err
	}
	c := s.Config
	sameDiff := c.Contexts.SameDiff || c.Contexts.Diff == config.DiffWhole
	d.Manifest.Parameters, d.Manifest.SameDiff, d.Manifest.ContextDiff = parameters(c, s.RVS), &sameDiff, c.Contexts.Diff
	d.Manifest.Profile, d.Manifest.Revision = c.Profile, c.Revision
	if c.Revisions == config.RevisionsAll {
		d.Manifest.Revisions = c.Revisions
	}
	d.Tasks, d.Split, d.Raw, d.Snapshots, d.Funnel = tasks, r.drawSplit(s), raw, snapshots, *funnel
	report.Split = &d.Split
	d.Decisions, d.Repositories = run.AuditLines(run.TrailsOf(r.Shards)), run.RepositoryAudits(r.Shards)
	var comments []run.Ruled
	for _, sh := range r.Shards {
		comments = append(comments, sh.Ruled...)
	}
	d.Judged = judged(s, comments)
	return report, s.Freeze(ctx, report, d, len(r.Releases))
}
