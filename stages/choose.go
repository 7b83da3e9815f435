package stages

import (
	"context"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// finalist is what the global steps know of a graded pull request.
type finalist struct {
	rvs        float64
	difficulty model.Difficulty
}

func newFinalist(it *item) *finalist {
	return &finalist{rvs: it.c.RVS.Score, difficulty: it.c.Grade.Difficulty}
}

// choose selects.
func (run *outcome) choose(ctx context.Context, s *settings) error {
	var refs []model.RepoRef
	for _, sh := range run.shards {
		for _, p := range sh.pulls {
			if p.grade == nil {
				continue
			}
			if p.grade.rvs < s.config.RVS.Floor {
				p.decisions = append(p.decisions, model.Decision{Stage: stageSelect, Verdict: verdict.No(verdict.BelowFloor, "below the floor")})
				continue
			}
			p.decisions = append(p.decisions, model.Decision{Stage: stageSelect, Verdict: verdict.OK()})
			run.releases = append(run.releases, &release{shard: sh, pull: p})
			refs = append(refs, p.ref.Repo)
		}
	}
	ids := artifacts.NewTaskIDs(refs)
	for _, r := range run.releases {
		r.taskID = ids.Of(r.pull.ref)
	}
	slices.SortFunc(run.releases, func(a, b *release) int { return strings.Compare(a.taskID, b.taskID) })
	run.encoder = "none"
	run.split.TaskIDs = []string{}
	return nil
}
