package review

import (
	"iter"
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

// Finalist is the part of a pull request that the global steps need, after it passed every stage of its repository: a
// few hundred bytes, so that thousands fit in memory.
type Finalist struct {
	scoring.Entry
	Item    int // index of its trail in the shard's Items
	First   int // that of its pull request's first record
	Summary model.PullSummary
	Merged  contamination.Merged
}

// patchID identifies the merged diff or, if that is unavailable, the shown one.
func patchID(c *model.Candidate) string {
	if c.Final.Parsed != nil {
		return unidiff.PatchID(c.Final.Parsed)
	}
	return unidiff.PatchID(c.Parsed)
}

func newFinalist(p run.Passed) *Finalist {
	pull, repo := p.Candidate.Pull, p.Candidate.Repo
	f := &Finalist{
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
		f.Merged.Body = pull.Body // only these bodies can name what they revert
	}
	return f
}

// Release is one selected pull request with the repository it is read from.
type Release struct {
	TaskID string
	Shard  *Shard
	*Finalist
	Reverts, RevertedBy []model.PullRef

	item *run.Item // from StageGrade to StageContexts: it is large

	// From StageGrade on.
	Difficulty model.Difficulty
	Language   string
}

// Trail is the decisions about it.
func (r *Release) Trail() *pipeline.Trail { return r.Shard.Items[r.Item] }

// Pass notes that it passed the stages after the selection.
func (r *Release) Pass() {
	r.Trail().Decide(verdict.StageGrade, verdict.Pass())
	r.Trail().Decide(verdict.StageContexts, verdict.Pass())
}

// Decisions are all decisions that led to its release: those about its pull request and, for a further record, those
// about its revision.
func (r *Release) Decisions() []verdict.Decision {
	own := r.Trail().Decisions
	if r.First == r.Item {
		return own
	}
	pull := r.Shard.Items[r.First].Decisions
	return slices.Concat(pull[:run.RevisionIndex(pull)], own)
}

// PullOf names a record by its pull request, as artifacts.NameOf does.
func PullOf(e scoring.Entry) string { return e.Ref.String() + artifacts.RecordMark(e.Record) }

// SelectPulls runs the global step: it decides what is released under which task ids, and links reverts to what they
// revert.
func (r *Merged) SelectPulls(s *run.Session) {
	candidates := map[string]*Release{}
	var refs []model.RepoRef
	var merged []contamination.Merged
	for _, sh := range r.Shards {
		for _, f := range sh.Finalists {
			candidates[PullOf(f.Entry)] = &Release{Shard: sh, Finalist: f}
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
		c := candidates[PullOf(picked.Entry)]
		c.Trail().Decide(verdict.StageSelect, picked.Verdict)
		if picked.Verdict.Outcome == verdict.OutcomePass {
			r.Releases = append(r.Releases, c)
		}
	}
	r.short = selection.Short
	r.AssignTaskIDs(s)
	r.linkReverts(merged)
}

// AssignTaskIDs assigns task ids to the released pull requests and sorts them by id. In a later edition an id depends
// on the list of repositories and not on which pull requests are released, so that no two editions share one.
func (r *Merged) AssignTaskIDs(s *run.Session) {
	var refs []model.RepoRef
	if s.Config.Dataset.After != "" {
		refs = s.Config.Refs()
	}
	for _, c := range r.Releases {
		refs = append(refs, c.Ref.Repo)
	}
	ids := artifacts.NewTaskIDs(refs)
	for _, c := range r.Releases {
		c.TaskID = ids.Of(c.Ref) + artifacts.RecordMark(c.Record)
	}
	slices.SortFunc(r.Releases, func(a, b *Release) int { return strings.Compare(a.TaskID, b.TaskID) })
}

// linkReverts finds reverts and what they revert among all that passed.
func (r *Merged) linkReverts(merged []contamination.Merged) {
	links := contamination.LinksOf(merged)
	for _, c := range r.Releases {
		c.Reverts, c.RevertedBy = links.Reverts[c.Ref], links.RevertedBy[c.Ref]
	}
}

// drawSplit draws the evaluation split.
func (r *Merged) drawSplit(s *run.Session) model.Split {
	records := make([]scoring.SplitRecord, len(r.Releases))
	for i, c := range r.Releases {
		records[i] = scoring.SplitRecord{TaskID: c.TaskID, Difficulty: c.Difficulty}
	}
	return scoring.Split(records, s.Split.Seed, s.Split.Strata())
}

// Shard is a shard of the review benchmark.
type Shard = run.Shard[*Finalist]

// Merged is the result of all shards and the global steps.
type Merged struct {
	Shards   []*Shard
	Releases []*Release // by task id
	short    int        // how many pull requests the minimum share of copyleft repositories lacks
}

// TaskSeq yields tasks, each with the error of making it.
type TaskSeq = iter.Seq2[*artifacts.Task, error]
