package stages

import (
	"context"
	"errors"
	"fmt"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/collectors"
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
	Evidence   *artifacts.Evidence       `json:"evidence"` // nil when the pull request could not be had
}

// ErrNotInCensus says that a pull request was neither merged nor closed since
// the beginning of the window, or does not exist.
var ErrNotInCensus = errors.New("not among the pull requests merged or closed since the window began")

// Explain evaluates one pull request of a configured or any other repository,
// collecting what the state lacks.
func (b *Build) Explain(ctx context.Context, ref model.PullRef) (*Explanation, error) {
	s, err := b.settings()
	if err != nil {
		return nil, err
	}
	c, err := collectors.Open(b.collection(s))
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := b.connectModels(s, c.Store().Answers()); err != nil {
		return nil, err
	}
	if err := c.Survey(ctx, []model.RepoRef{ref.Repo}); err != nil {
		return nil, err
	}
	repo, err := c.Repository(ref.Repo)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ref.Repo, err)
	}
	sh := &shard{asked: ref.Repo, facts: repo.Facts()}
	if err := b.gate(ctx, s, repo, sh); err != nil {
		return nil, err
	}
	for _, p := range repo.Census().Pulls {
		if p.Number == ref.Number {
			return b.explain(ctx, s, newItem(repo, p), sh)
		}
	}
	return nil, fmt.Errorf("%s: %w (%s)", ref, ErrNotInCensus, repo.Census().Since.Format("2006-01-02"))
}

func (b *Build) explain(ctx context.Context, s *settings, it *item, sh *shard) (*Explanation, error) {
	results, err := pipeline.Run(ctx, pullStages(s), []*item{it}, pipeline.Options{
		Workers: 1, Fatal: collectors.IsFatal, Failure: collectors.Reason, Exhaustive: true,
	})
	if err != nil {
		return nil, err
	}
	decisions := append([]verdict.Decision{windowDecision(it.summary, s)}, results[0].Decisions...)
	it.c.Decisions = decisions
	out := &Explanation{Repository: sh.audit(s), Verdicts: artifacts.VerdictLines(decisions)}
	if it.c.Pull == nil || it.c.Labels == nil {
		return out, nil
	}
	evidence, err := artifacts.NewEvidence(artifacts.Source{
		TaskID: artifacts.NewTaskIDs([]model.RepoRef{it.ref.Repo}).Of(it.ref), Candidate: it.c,
	})
	if err != nil {
		return nil, err
	}
	out.Evidence = &evidence
	return out, nil
}

// windowDecision says whether a pull request lies in the window.
func windowDecision(p model.PullSummary, s *settings) verdict.Decision {
	at := endedAt(p)
	found := verdict.Evidence{What: "merged or closed at", Found: "", Limit: s.since.Format(dateTime) + " to " + s.until.Format(dateTime)}
	if at != nil {
		found.Found = at.Format(dateTime)
	}
	v := verdict.Pass(found)
	if at == nil || at.Before(s.since) || !at.Before(s.until) {
		v = verdict.Reject(verdict.OutsideWindow, "it was not merged within the window", found)
	}
	return verdict.Decision{Stage: verdict.StageWindow, Verdict: v}
}

const dateTime = "2006-01-02T15:04:05Z"
