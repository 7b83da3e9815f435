package stages

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/filters/authorship"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/scoring/contamination"
)

// outcome is what all shards and the global steps came to.
type outcome struct {
	shards   []*shard
	releases []*release // by task id
	split    artifacts.EvalSplit
	funnel   verdict.Funnel
	encoder  string
	answers  *store.Shard // what models answered
	links    contamination.Links
}

// repositories are the lines of audit/repositories.jsonl.
func (run *outcome) repositories(s *settings) []artifacts.RepositoryAudit {
	out := make([]artifacts.RepositoryAudit, len(run.shards))
	for i, sh := range run.shards {
		out[i] = sh.audit(s)
	}
	return out
}

// decisions are one line for every repository and every pull request looked at,
// in the order of the configuration, the newest number first.
func (run *outcome) decisions() iter.Seq2[artifacts.Rejection, error] {
	return func(yield func(artifacts.Rejection, error) bool) {
		for _, sh := range run.shards {
			if !yield(decision(artifacts.KindRepository, sh.name(), nil, []verdict.Decision{sh.repository}), nil) {
				return
			}
			for _, p := range sh.pulls {
				if !yield(decision(artifacts.KindPullRequest, p.ref.Repo.String(), pullNumber(p.ref), p.decisions), nil) {
					return
				}
			}
		}
	}
}

func decision(kind artifacts.Kind, repo string, number *int, trail []verdict.Decision) artifacts.Rejection {
	last := trail[len(trail)-1]
	return artifacts.Rejection{
		Decision: artifacts.Decision{
			Kind: kind, Repo: repo, PRNumber: number, Stage: last.Stage, Outcome: fate(last.Outcome),
			Code: last.Code, Detail: last.Detail, Evidence: last.Evidence,
		},
		Verdicts: artifacts.VerdictLines(trail),
	}
}

// count makes the funnel of all decisions and proves its conservation.
func (run *outcome) count(s *settings) error {
	funnel := verdict.NewFunnel(stageNames(s)...)
	for _, sh := range run.shards {
		if sh.repository.Stage == verdict.StageRQS {
			if err := funnel.Add(verdict.StageCollectRepository, verdict.Pass()); err != nil {
				return err
			}
		}
		if err := funnel.Add(sh.repository.Stage, sh.repository.Verdict); err != nil {
			return err
		}
		for _, p := range sh.pulls {
			for _, d := range p.decisions {
				if err := funnel.Add(d.Stage, d.Verdict); err != nil {
					return fmt.Errorf("%s: %w", p.ref, err)
				}
			}
		}
	}
	if err := funnel.Check(verdict.StageWindow); err != nil { // pull requests come in there
		return fmt.Errorf("the funnel does not add up, which is an internal error: %w", err)
	}
	run.funnel = *funnel
	return nil
}

// failures lists what could not be had, in the order of the decisions.
func (run *outcome) failures() []Failure {
	out := []Failure{}
	add := func(name string, d verdict.Decision, err error) {
		if d.Outcome == verdict.OutcomeFailed {
			out = append(out, Failure{Name: name, Stage: d.Stage, Code: string(d.Code), Detail: d.Detail, Error: err.Error()})
		}
	}
	for _, sh := range run.shards {
		add(sh.name(), sh.repository, sh.failure)
		for _, p := range sh.pulls {
			add(p.ref.String(), p.last(), p.failure)
		}
	}
	return out
}

// report is the run report of an outcome.
func (run *outcome) report(registry *authorship.Registry) *Report {
	r := &Report{Funnel: run.funnel, Failures: run.failures()}
	var seen []string
	for _, sh := range run.shards {
		r.LookedAt += len(sh.pulls)
		seen = slices.AppendSeq(seen, maps.Keys(sh.logins))
	}
	for _, entry := range registry.Unmatched(seen) {
		r.Unmatched = append(r.Unmatched, entry.Login)
	}
	return r
}
