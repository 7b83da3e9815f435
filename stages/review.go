package stages

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/filters"
	"github.com/prforge/prforge/internal/config"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
)

// reviewStages is THE order of everything that happens to a repository and to a
// pull request of the review benchmark. Two steps around pullStages are about
// repositories, one about all pull requests that passed, two about those that it
// selected.
func reviewStages(s *Session) []string {
	return slices.Concat(
		[]string{verdict.StageCollectRepository, verdict.StageRepositoryScore}, // repositories: eachRepository, gate
		[]string{verdict.StageWindow},                                          // pull requests come in
		pipeline.Names(pullStages(s)),                                          // each pull request: runPulls
		[]string{verdict.StageSelect},                                          // all of them: selectPulls
		[]string{verdict.StageGrade, verdict.StageContexts},                    // each that is released: renderTasks
	)
}

// pullStages is the order of everything that happens to one pull request within
// its repository.
func pullStages(s *Session) []pipeline.Stage[*item] {
	return slices.Concat(
		[]pipeline.Stage[*item]{
			collectStage{}, // metadata, reviews, threads, comments, file list over GraphQL
			labelStage{s},
		},
		revisionStages(s, filterStages(filters.OfPull(s.registry, s.filters))),
		[]pipeline.Stage[*item]{diffStage{}}, // over REST, or by git
		filterStages(filters.OfDiff(s.filters)),
		[]pipeline.Stage[*item]{baseStage{}}, // by git
		filterStages(filters.OfBase(s.filters)),
		[]pipeline.Stage[*item]{stateStage{s}, scoreStage{s}},
		filterStages(filters.OfScore(s.filters)),
		[]pipeline.Stage[*item]{anchorStage{}, decontaminateStage{s}},
	)
}

// revisionStages puts the choice of the reviewed revision, where records show
// one, behind the first two filters: those after it look at the revision.
func revisionStages(s *Session, pull []pipeline.Stage[*item]) []pipeline.Stage[*item] {
	if s.config.Revision != config.RevisionReviewed {
		return pull
	}
	at := 1 + slices.IndexFunc(pull, func(st pipeline.Stage[*item]) bool { return st.Name() == verdict.FilterSubstantiveComments })
	return slices.Insert(pull, at, pipeline.Stage[*item](revisionStage{s}))
}

// Build makes the review benchmark and freezes it in Env.Out. The report is
// given with every error that leaves something to report. An error that Is
// ErrPartial means that only the freeze was left out.
func Build(ctx context.Context, s *Session) (*Report, error) {
	report, err := build(ctx, s)
	return report, errors.Join(err, s.writeReport(report))
}

func build(ctx context.Context, s *Session) (*Report, error) {
	shards, err := eachRepository(ctx, s, s.repositories(), s.fetchSamples, func(ctx context.Context, ref model.RepoRef) (*reviewShard, error) {
		sh, err := reviewRepository(ctx, s, ref)
		if err == nil {
			s.Progress.Done(sh.name(), summary(sh))
		}
		return sh, err
	})
	if err != nil {
		return nil, err
	}
	s.licenses.Drop()
	r := newReview(shards)
	r.selectPulls(s)
	rendered, err := r.renderTasks(ctx, s)
	if err != nil {
		return nil, err
	}
	return r.finish(ctx, s, rendered.tasks(r.releases), rawFiles(ctx, s, r.shards))
}

// reviewShard is a shard of the review benchmark.
type reviewShard = shard[*finalist]

// reviewRepository takes one repository through everything that needs it alone
// (spec section 1). The error is one that ends the run.
func reviewRepository(ctx context.Context, s *Session, asked model.RepoRef) (sh *reviewShard, err error) {
	sh, err = openShard[*finalist](s, asked)
	if err != nil || sh.repo == nil {
		return sh, err
	}
	defer func() { err = errors.Join(err, sh.repo.Release()) }()
	if err := sh.gate(ctx, s); err != nil || !sh.Trail.Alive() {
		return sh, err
	}
	return sh, reviewPulls(ctx, s, sh)
}

// reviewPulls takes the repository's pull requests through pullStages.
func reviewPulls(ctx context.Context, s *Session, sh *reviewShard) error {
	passed, err := sh.runPulls(ctx, s, pullStages(s))
	if err != nil {
		return err
	}
	s.tellLicenses(passed)
	sh.Finalists = make([]*finalist, len(passed))
	for i, p := range passed {
		sh.Finalists[i] = newFinalist(p)
	}
	return nil
}

// tellLicenses has the licenses told of what may be released, for the renderer to
// find them known: the classifier is large, and rendering holds much besides. What
// goes wrong the renderer meets again, and reports.
func (s *Session) tellLicenses(items []passed) {
	for _, p := range items {
		if sources, err := p.sources(); err == nil {
			_, _ = s.licenses.At(sources, p.c.Repo)
		}
	}
}

// summary is a shard in a few words.
func summary(sh *reviewShard) string {
	if !sh.Trail.Alive() {
		return string(sh.Trail.Last().Code)
	}
	return fmt.Sprintf("%d pull requests, %d passed", len(sh.Items), len(sh.Finalists))
}

// review is what all shards and the global steps came to.
type review struct {
	shards   []*reviewShard
	releases []*release // by task id
	short    int        // how many the minimum share of copyleft repositories lacks
}

// newReview puts the shards of a run together, in the order of the
// configuration.
func newReview(shards []*reviewShard) *review {
	dropDuplicates(shards)
	return &review{shards: shards}
}

// finish counts, reports, and freezes the dataset unless something failed.
func (r *review) finish(ctx context.Context, s *Session, tasks taskSeq, raw fileSeq) (*Report, error) {
	starts := []string{verdict.StageWindow}
	if s.config.Revisions == config.RevisionsAll {
		starts = append(starts, verdict.StageRevision) // further records come in
	}
	funnel, err := pipeline.Count(trailsOf(r.shards), reviewStages(s), starts...)
	if err != nil {
		return nil, err
	}
	report := newReport(s, artifacts.Review, funnel, r.shards)
	report.CopyleftShort, report.Target = r.short, s.selection.Target
	report.Languages, report.Difficulty = map[string]int{}, map[string]int{}
	for _, c := range r.releases {
		report.Languages[c.language]++
		report.Difficulty[string(c.difficulty)]++
	}
	d, err := s.dataset(artifacts.Review)
	if err != nil {
		return report, err
	}
	d.Tasks, d.Split, d.Raw, d.Funnel = tasks, r.drawSplit(s), raw, *funnel
	report.Split = &d.Split
	d.Decisions, d.Repositories = auditLines(trailsOf(r.shards)), repositoryAudits(r.shards)
	var comments []ruled
	for _, sh := range r.shards {
		comments = append(comments, sh.Ruled...)
	}
	d.Judged = s.judged(comments)
	return report, s.freeze(ctx, report, d, len(r.releases))
}

// reload reads a pull request again from the raw store and runs the stages that
// passed it before: they are pure, so they pass it again.
func reload(ctx context.Context, s *Session, it *item) error {
	for _, stage := range pullStages(s) {
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
