package stages

import (
	"context"
	"errors"
	"fmt"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/injection/bugs"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
)

// Explanation is everything that is known and was decided about one pull
// request. Every filter has answered, also those after a rejection, as far as
// the facts allowed.
type Explanation struct {
	Repository artifacts.RepositoryAudit `json:"repository"`
	Verdicts   []artifacts.VerdictLine   `json:"verdicts"`
	Weights    artifacts.RVSBreakdown    `json:"rvs_weights"` // of the parts of the review value
	Evidence   *artifacts.Evidence       `json:"evidence"`    // nil when the pull request was unavailable
	// Records is how many records its revisions could give, or a dataset has; 0
	// where that is not known.
	Records int `json:"records,omitempty"`
	// Pull is what was said in it; nil when that is not known. Evidence, where
	// there is some, has its comments with more.
	Pull *artifacts.Seen `json:"pull"`
	// Questions are those that a dataset of files with one fault has of it.
	Questions []bugs.Draft `json:"questions,omitempty"`
}

// errNotInCensus says that a pull request was neither merged nor closed since
// the beginning of the window, or does not exist.
var errNotInCensus = errors.New("not among the pull requests merged or closed since the window began")

// Explain evaluates one pull request of a configured or any other repository,
// for its first record or a further one, collecting what the state lacks.
func Explain(ctx context.Context, s *Session, ref model.PullRef, record int) (*Explanation, error) {
	if err := s.collector.Survey(ctx, []model.RepoRef{ref.Repo}); err != nil {
		return nil, err
	}
	repo, err := s.collector.Repository(ref.Repo)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ref.Repo, err)
	}
	sh, err := openShard[*finalist](s, ref.Repo)
	if err == nil {
		err = sh.gate(ctx, s)
	}
	if err != nil {
		return nil, err
	}
	census, err := repo.Census()
	if err != nil {
		return nil, err
	}
	for _, p := range census.Pulls {
		if p.Number == ref.Number {
			it := newItem(repo, p)
			it.record = record
			return explain(ctx, s, it, sh)
		}
	}
	return nil, fmt.Errorf("%s: %w (%s)", ref, errNotInCensus, census.Since.Format("2006-01-02"))
}

func explain(ctx context.Context, s *Session, it *item, sh *reviewShard) (*Explanation, error) {
	results, err := pipeline.Run(ctx, append(pullStages(s), gradeStage{s}), []*item{it}, pipeline.Options{
		Workers: 1, Fatal: collectors.IsFatal, Failure: collectors.Reason, Exhaustive: true,
	})
	if err != nil {
		return nil, err
	}
	window := verdict.Decision{Stage: verdict.StageWindow, Verdict: s.window.Verdict(it.summary)}
	it.c.Decisions = append([]verdict.Decision{window}, results[0].Decisions...)
	out := &Explanation{Repository: sh.audit(), Verdicts: artifacts.VerdictLines(it.c.Decisions), Weights: parameters(s.config, s.rvs).RVSWeights}
	if it.c.Pull == nil || it.c.Labels == nil {
		return out, nil
	}
	evidence, err := artifacts.NewEvidence(artifacts.Source{
		TaskID: artifacts.NewTaskIDs([]model.RepoRef{it.ref.Repo}).Of(it.ref) + artifacts.RecordMark(it.record), Candidate: it.c,
	})
	if err != nil {
		return nil, err
	}
	out.Evidence, out.Records = &evidence, 1+it.further
	out.Pull, err = artifacts.NewSeen(it.c.Pull, it.c.Labels)
	return out, err
}
