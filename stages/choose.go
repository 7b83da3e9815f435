package stages

import (
	"slices"
	"strings"
	"time"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/scoring"
	"github.com/prforge/prforge/scoring/contamination"
)

// finalist is what the global steps know of a pull request that passed every
// stage of its repository: a few hundred bytes, so that thousands fit.
type finalist struct {
	rvs           float64
	grade         model.Grade
	spdx, patchID string
	defaultBranch bool
	mergedAt      time.Time
	merged        contamination.Merged
}

func newFinalist(it *item) *finalist {
	pull, repo := it.c.Pull, it.c.Repo
	f := &finalist{
		rvs: it.c.RVS.Score, grade: *it.c.Grade, spdx: repo.SPDX, patchID: unidiff.PatchID(it.c.Parsed),
		defaultBranch: pull.BaseRef == repo.DefaultBranch, mergedAt: *pull.MergedAt,
		merged: contamination.Merged{Ref: it.ref, Title: pull.Title, Commits: []string{pull.HeadOid}},
	}
	if pull.MergeCommit != nil {
		f.merged.Commits = append(f.merged.Commits, pull.MergeCommit.Oid)
	}
	if strings.Contains(strings.ToLower(pull.Title+pull.Body), "revert") {
		f.merged.Body = pull.Body // no other body can say what it takes back
	}
	return f
}

// choose takes the global step: what is released, and under which task ids, and
// the links between reverts and what they revert.
func (run *outcome) choose(s *settings) {
	candidates := map[model.PullRef]*release{}
	var refs []model.RepoRef
	for _, sh := range run.shards {
		for _, p := range sh.pulls {
			if p.grade != nil {
				candidates[p.ref] = &release{shard: sh, pull: p}
				refs = append(refs, p.ref.Repo)
			}
		}
	}
	all := artifacts.NewTaskIDs(refs)
	var contenders []scoring.Contender
	for ref, r := range candidates {
		g := r.pull.grade
		contenders = append(contenders, scoring.Contender{
			Ref: ref, TaskID: all.Of(ref), RVS: g.rvs, SPDX: g.spdx, PatchID: g.patchID, DefaultBranch: g.defaultBranch, MergedAt: g.mergedAt,
		})
	}
	for _, picked := range scoring.Select(contenders, s.selection).All {
		r := candidates[picked.Ref]
		r.pull.decisions = append(r.pull.decisions, verdict.Decision{Stage: verdict.StageSelect, Verdict: picked.Verdict})
		if picked.Verdict.Outcome == "pass" {
			run.releases = append(run.releases, r)
		}
	}
	run.name()
	run.link()
}

// name gives the released pull requests their task ids and puts them in that
// order.
func (run *outcome) name() {
	var refs []model.RepoRef
	for _, r := range run.releases {
		refs = append(refs, r.pull.ref.Repo)
	}
	ids := artifacts.NewTaskIDs(refs)
	for _, r := range run.releases {
		r.taskID = ids.Of(r.pull.ref)
	}
	slices.SortFunc(run.releases, func(a, b *release) int { return strings.Compare(a.taskID, b.taskID) })
}

// link finds, among all that were graded, what takes back what.
func (run *outcome) link() {
	var merged []contamination.Merged
	for _, sh := range run.shards {
		for _, p := range sh.pulls {
			if p.grade != nil {
				merged = append(merged, p.grade.merged)
			}
		}
	}
	run.links = contamination.LinksOf(merged)
}

// draw draws the evaluation split.
func (run *outcome) draw(s *settings) {
	records := make([]scoring.SplitRecord, len(run.releases))
	for i, r := range run.releases {
		records[i] = scoring.SplitRecord{TaskID: r.taskID, Difficulty: r.pull.grade.grade.Difficulty}
	}
	split := scoring.Split(records, s.split)
	run.split = artifacts.EvalSplit{N: len(split.TaskIDs), Seed: int64(s.split.Seed), TaskIDs: append([]string{}, split.TaskIDs...)}
	for _, st := range split.Strata {
		run.split.Strata = append(run.split.Strata, artifacts.Stratum(st))
	}
}
