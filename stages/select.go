package stages

import (
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/scoring"
	"github.com/prforge/prforge/scoring/contamination"
	"github.com/prforge/prforge/stages/run"
)

// finalist is what the global steps know of a pull request that passed every
// stage of its repository: a few hundred bytes, so that thousands fit.
type finalist struct {
	scoring.Entry
	Item    int // index of its trail in the shard's Items
	First   int // that of its pull request's first record
	Summary model.PullSummary
	Merged  contamination.Merged
}

// patchID identifies what was merged, or where its diff was unavailable what is
// shown.
func patchID(c *model.Candidate) string {
	if c.Final.Parsed != nil {
		return unidiff.PatchID(c.Final.Parsed)
	}
	return unidiff.PatchID(c.Parsed)
}

func newFinalist(p run.Passed) *finalist {
	pull, repo := p.Candidate.Pull, p.Candidate.Repo
	f := &finalist{
		Entry: scoring.Entry{
			Ref: p.Ref, Record: p.Record, RVS: p.Candidate.RVS.Score, SPDX: repo.SPDX, PatchID: patchID(p.Candidate),
			DefaultBranch: pull.BaseRef == repo.DefaultBranch, MergedAt: *pull.MergedAt,
		},
		Item: p.Index, First: p.First, Summary: p.Summary,
		Merged: contamination.Merged{Ref: p.Ref, Title: pull.Title, Commits: []string{p.Candidate.Final.Pull.HeadOid}},
	}
	if pull.MergeCommit != nil {
		f.Merged.Commits = append(f.Merged.Commits, pull.MergeCommit.Oid)
	}
	if strings.Contains(strings.ToLower(pull.Title+pull.Body), "revert") {
		f.Merged.Body = pull.Body // no other body can say what it takes back
	}
	return f
}

// release is one selected pull request with the repository it is read from.
type release struct {
	taskID string
	shard  *reviewShard
	*finalist
	reverts, revertedBy []model.PullRef

	item *run.Item // from StageGrade to StageContexts: it is large

	// From StageGrade on.
	difficulty model.Difficulty
	language   string
}

// trail is what was decided about it.
func (r *release) trail() *pipeline.Trail { return r.shard.Items[r.Item] }

// pass notes that it passed what is left after the selection.
func (r *release) pass() {
	r.trail().Decide(verdict.StageGrade, verdict.Pass())
	r.trail().Decide(verdict.StageContexts, verdict.Pass())
}

// decisions are all that led to its release: those about its pull request, and of
// a further record those about its revision.
func (r *release) decisions() []verdict.Decision {
	own := r.trail().Decisions
	if r.First == r.Item {
		return own
	}
	pull := r.shard.Items[r.First].Decisions
	return slices.Concat(pull[:run.RevisionIndex(pull)], own)
}

// pullOf names a record by its pull request, as artifacts.NameOf does.
func pullOf(e scoring.Entry) string { return e.Ref.String() + artifacts.RecordMark(e.Record) }

// selectPulls takes the global step: what is released, under which task ids, and
// the links between reverts and what they revert.
func (r *review) selectPulls(s *run.Session) {
	candidates := map[string]*release{}
	var refs []model.RepoRef
	var merged []contamination.Merged
	for _, sh := range r.shards {
		for _, f := range sh.Finalists {
			candidates[pullOf(f.Entry)] = &release{shard: sh, finalist: f}
			refs = append(refs, f.Ref.Repo)
			if f.Record == 1 {
				merged = append(merged, f.Merged)
			}
		}
	}
	ids := artifacts.NewTaskIDs(refs)
	var entries []scoring.Entry
	for _, c := range candidates {
		c.TaskID = ids.Of(c.Ref) + artifacts.RecordMark(c.Record)
		entries = append(entries, c.Entry)
	}
	selection := scoring.Select(entries, s.Selection)
	for _, picked := range selection.All {
		c := candidates[pullOf(picked.Entry)]
		c.trail().Decide(verdict.StageSelect, picked.Verdict)
		if picked.Verdict.Outcome == verdict.OutcomePass {
			r.releases = append(r.releases, c)
		}
	}
	r.short = selection.Short
	r.assignTaskIDs()
	r.linkReverts(merged)
}

// assignTaskIDs gives the released pull requests their task ids and puts them in
// that order.
func (r *review) assignTaskIDs() {
	var refs []model.RepoRef
	for _, c := range r.releases {
		refs = append(refs, c.Ref.Repo)
	}
	ids := artifacts.NewTaskIDs(refs)
	for _, c := range r.releases {
		c.taskID = ids.Of(c.Ref) + artifacts.RecordMark(c.Record)
	}
	slices.SortFunc(r.releases, func(a, b *release) int { return strings.Compare(a.taskID, b.taskID) })
}

// linkReverts finds, among all that passed, what takes back what.
func (r *review) linkReverts(merged []contamination.Merged) {
	links := contamination.LinksOf(merged)
	for _, c := range r.releases {
		c.reverts, c.revertedBy = links.Reverts[c.Ref], links.RevertedBy[c.Ref]
	}
}

// drawSplit draws the evaluation split.
func (r *review) drawSplit(s *run.Session) model.Split {
	records := make([]scoring.SplitRecord, len(r.releases))
	for i, c := range r.releases {
		records[i] = scoring.SplitRecord{TaskID: c.taskID, Difficulty: c.difficulty}
	}
	return scoring.Split(records, s.Split.Seed, s.Split.Strata())
}
