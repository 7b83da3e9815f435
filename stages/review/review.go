// Package review is the benchmark that asks for the review of a real pull request:
// its ordered list (review.go), the stages that are its own, selection, contexts and
// freezing, verifying, explaining, the negative controls beside a dataset, and the
// tasks as an evaluation reads them (items.go). It orders and passes on; what one
// could argue about is decided in filters, scoring and contextbuilder.
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

// reviewStages is THE order of everything that happens to a repository and to a
// pull request of the review benchmark. Two steps around pullStages are about
// repositories, one about all pull requests that passed, two about those that it
// selected.
func stepNames(s *run.Session) []string {
	return slices.Concat(
		[]string{verdict.StageCollectRepository, verdict.StageRepositoryScore}, // repositories: run.EachRepository, gate
		[]string{verdict.StageWindow},                                          // pull requests come in
		pipeline.Names(PullStages(s)),                                          // each pull request: Shard.RunPulls
		[]string{verdict.StageSelect},                                          // all of them: selectPulls
		[]string{verdict.StageGrade, verdict.StageContexts},                    // each that is released: renderTasks
	)
}

// PullStages is the order of everything that happens to one pull request within
// its repository.
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

// revisionStages puts the choice of the reviewed revision, where records show
// one, behind the first two filters: those after it look at the revision.
func revisionStages(s *run.Session, pull []pipeline.Stage[*run.Item]) []pipeline.Stage[*run.Item] {
	if s.Config.Revision != config.RevisionReviewed {
		return pull
	}
	at := 1 + slices.IndexFunc(pull, func(st pipeline.Stage[*run.Item]) bool { return st.Name() == verdict.FilterSubstantiveComments })
	return slices.Insert(pull, at, pipeline.Stage[*run.Item](revisionStage{s}))
}

// Build makes the review benchmark and freezes it in Env.Out. The report is
// given with every error that leaves something to report. An error that Is
// ErrPartial means that only the freeze was left out.
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

// Shard is a shard of the review benchmark.
type Shard = run.Shard[*Finalist]

// RunRepository takes one repository through everything that needs it alone
// (spec section 1). The error is one that ends the run.
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

// readLicenses finds the licenses of what may be released, so that the renderer
// has them: the classifier is large, and rendering holds much besides. The renderer
// meets and reports any error again.
func readLicenses(s *run.Session, items []run.Passed) {
	for _, p := range items {
		if sources, err := p.Sources(); err == nil {
			_, _ = s.Licenses.At(sources, p.Candidate.Repo)
		}
	}
}

// summary is a shard in a few words.
func summary(sh *Shard) string {
	if !sh.Trail.Alive() {
		return string(sh.Trail.Last().Code)
	}
	return fmt.Sprintf("%d pull requests, %d passed", len(sh.Items), len(sh.Finalists))
}

// Merged is what all shards and the global steps came to.
type Merged struct {
	Shards   []*Shard
	Releases []*Release // by task id
	short    int        // how many the minimum share of copyleft repositories lacks
}

// Merge puts the shards of a run together, in the order of the
// configuration.
func Merge(shards []*Shard) *Merged {
	run.DropDuplicates(shards)
	return &Merged{Shards: shards}
}

// Finish counts, reports, and freezes the dataset unless something failed. The
// snapshots may be nil.
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

// reload reads a pull request again from the raw store and runs the stages that
// passed it before: they are pure, so they pass it again.
func reload(ctx context.Context, s *run.Session, it *run.Item) error {
	for _, stage := range PullStages(s) {
		v, err := stage.Run(ctx, it)
		if err != nil {
			return fmt.Errorf("%s: %w", stage.Name(), err)
		}
		if v.Outcome != verdict.OutcomePass {
			return fmt.Errorf("internal error: %s passed it before and now says %s", stage.Name(), v.Code)
		}
	}
	return nil
}
