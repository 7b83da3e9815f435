package review

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/scoring"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
)

// revisionStage finds the revision to which most substantive comments apply, or for a further record most of the
// remaining ones. Later stages see that revision: its pull request and diff replace the candidate's, and later its
// fork point and sources. Candidate.Final keeps what was merged.
type revisionStage struct{ s *run.Session }

func (revisionStage) Name() string { return verdict.StageRevision }

// Prepare fetches the revisions of all pull requests, chooses, and fetches what
// the chosen ones need.
func (st revisionStage) Prepare(ctx context.Context, items []*run.Item) error {
	pulls := make([]*model.PullRequest, len(items))
	for i, it := range items {
		pulls[i] = it.Candidate.Final.Pull
	}
	repo := items[0].Repo
	if err := repo.FetchCandidates(ctx, pulls, st.s.Config.GroundTruth.MaxRevisions); err != nil {
		return err
	}
	var shown []collectors.Shown
	for _, it := range items {
		r, _, err := st.choose(it)
		if err == nil && r != nil && len(r.Standing) >= leastStanding(st.s) { // Run meets an error again
			shown = append(shown, collectors.Shown{Number: it.Ref.Number, RevisionCandidate: r.Candidate})
		}
	}
	return repo.FetchReviewed(ctx, shown)
}

// choose is a pure function of the raw records and the labels. It notes how many further records are possible.
func (st revisionStage) choose(it *run.Item) (*model.Reviewed, *model.RevisionSet, error) {
	set, err := it.Repo.Candidates(it.Ref.Number)
	if err != nil || set == nil {
		return nil, set, err
	}
	all := revisionsOf(st.s, set, it.Candidate.Final.Pull, it.Candidate.Labels)
	if len(all) < it.Record {
		return nil, set, nil
	}
	if st.s.Config.Revisions == config.RevisionsAll {
		it.Further = len(all) - 1
	}
	return all[it.Record-1], set, nil
}

// leastStanding is how many substantive comments must apply to a record's revision.
func leastStanding(s *run.Session) int { return max(1, s.Config.Filters.MinSubstantiveComments) }

// revisionsOf returns the revisions that the records of a pull request show. The first is the one to which most
// substantive comments apply.
func revisionsOf(s *run.Session, set *model.RevisionSet, pull *model.PullRequest,
	labels *model.Labels) []*model.Reviewed {
	written := map[int64]string{}
	for _, t := range pull.Threads {
		for _, c := range t.Comments {
			written[c.ID] = c.OriginalOid
		}
	}
	for _, l := range labels.Comments {
		if !l.Substantive {
			delete(written, l.CommentID)
		}
	}
	return scoring.ChooseRevisions(set, written, scoring.Answered(set, pull.Threads), leastStanding(s))
}

func (st revisionStage) Run(_ context.Context, it *run.Item) (verdict.Verdict, error) {
	r, set, err := st.choose(it)
	if err != nil {
		return verdict.Verdict{}, err
	}
	if set == nil {
		return verdict.Undetermined(verdict.RevisionUnreachable, "its revisions were not collected"), nil
	}
	v := enoughStand(st.s, r)
	if v.Outcome != verdict.OutcomePass {
		return st.tooFew(it, set, v), nil
	}
	diff, _, _, err := it.Repo.Reviewed(it.Ref.Number, r.Candidate.Oid)
	if err != nil {
		return verdict.Verdict{}, err
	}
	if diff == nil {
		return verdict.Undetermined(verdict.RevisionUnreachable, "the chosen revision was not collected"), nil
	}
	show(it, r, diff)
	v.Evidence = append(v.Evidence, verdict.Evidence{What: run.ReviewedRevision, Found: r.Candidate.Oid})
	return v, nil
}

// enoughStand is the verdict on how many substantive comments apply to the chosen revision; without a revision there
// are too few.
func enoughStand(s *run.Session, r *model.Reviewed) verdict.Verdict {
	standing := 0
	if r != nil {
		standing = len(r.Standing)
	}
	return enough(standing, leastStanding(s))
}

// atRevision removes comments from the ground truth that do not apply to a revision, were answered before it, or
// belong to an earlier record.
func atRevision(labels *model.Labels, r *model.Reviewed) *model.Labels {
	labels = labels.Keep(model.RuleStands, verdict.AnsweredBefore,
		func(id int64) bool { return !slices.Contains(r.Answered, id) })
	labels = labels.Keep(model.RuleStands, verdict.OtherRecord, func(id int64) bool { return !r.Elsewhere(id) })
	return labels.Keep(model.RuleStands, verdict.OtherRevision, r.Stands)
}

// tooFew distinguishes a pull request whose comments are scattered from one whose
// reviewed commits are gone.
func (st revisionStage) tooFew(it *run.Item, set *model.RevisionSet, v verdict.Verdict) verdict.Verdict {
	gone := map[string]bool{}
	for _, c := range set.Candidates {
		if c.Source == "" || c.Problem != "" {
			gone[c.Oid] = true
		}
	}
	standing := map[int64]bool{}
	for _, c := range set.Candidates {
		for _, id := range c.Stands {
			standing[id] = true
		}
	}
	lost := 0
	i := 0
	for _, t := range it.Candidate.Pull.Threads {
		for _, c := range t.Comments {
			if it.Candidate.Labels.Comments[i].Substantive && !standing[c.ID] && gone[c.OriginalOid] {
				lost++
			}
			i++
		}
	}
	if lost == 0 {
		return v
	}
	v.Evidence = append(v.Evidence, verdict.Evidence{What: "substantive comments on commits that are gone",
		Found: strconv.Itoa(lost)})
	return verdict.Undetermined(verdict.RevisionUnreachable,
		"commits that comments were written on cannot be had any more", v.Evidence...)
}

// show makes the candidate show a revision.
func show(it *run.Item, r *model.Reviewed, diff *model.Diff) {
	c := it.Candidate
	c.SetDiff(diff)
	c.Reviewed = r
	c.Labels = atRevision(c.Labels, r)
	if c.Parsed == nil {
		return // filter 7 says why
	}
	at, _ := scoring.FirstReview(c.Final.Pull, c.Labels)
	pull, known := scoring.AsReviewed(c.Final.Pull, r.Candidate, c.Parsed, at)
	c.Pull, r.Edited = pull, !known
	r.DescriptionAsOf = at.UTC().Format(time.RFC3339)
}
