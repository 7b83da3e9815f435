package stages

import (
	"context"
	"strconv"
	"time"

	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/config"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/scoring"
)

// revisionStage finds the revision at which most substantive comments stand, or
// for a further record that at which most of the rest do, and has everything after
// it look at that one: the candidate's pull request, diff, fork point and sources
// become the revision's. What was merged stays in Candidate.Final.
type revisionStage struct{ s *Session }

func (revisionStage) Name() string { return verdict.StageRevision }

// Prepare fetches the revisions of all pull requests, chooses, and fetches what
// the chosen ones need.
func (st revisionStage) Prepare(ctx context.Context, items []*item) error {
	pulls := make([]*model.PullRequest, len(items))
	for i, it := range items {
		pulls[i] = it.c.Final.Pull
	}
	repo := items[0].repo
	if err := repo.FetchCandidates(ctx, pulls, st.s.config.GroundTruth.MaxRevisions); err != nil {
		return err
	}
	var shown []collectors.Shown
	for _, it := range items {
		r, _, err := st.choose(it)
		if err == nil && r != nil && len(r.Standing) >= st.s.leastStanding() { // Run meets an error again
			shown = append(shown, collectors.Shown{Number: it.ref.Number, RevisionCandidate: r.Candidate})
		}
	}
	return repo.FetchReviewed(ctx, shown)
}

// choose is a pure function of the raw records and the labels. It notes how many
// further records there could be.
func (st revisionStage) choose(it *item) (*model.Reviewed, *model.RevisionSet, error) {
	set, err := it.repo.Candidates(it.ref.Number)
	if err != nil || set == nil {
		return nil, set, err
	}
	all := st.s.revisionsOf(set, it.c.Labels)
	if len(all) < it.record {
		return nil, set, nil
	}
	if st.s.config.Revisions == config.RevisionsAll {
		it.further = len(all) - 1
	}
	return all[it.record-1], set, nil
}

// leastStanding is how many substantive comments must stand at the revision of a
// record.
func (s *Session) leastStanding() int { return max(1, s.config.Filters.MinSubstantiveComments) }

// revisionsOf are the revisions that the records of a pull request show: first
// the one at which most substantive comments stand.
func (s *Session) revisionsOf(set *model.RevisionSet, labels *model.Labels) []*model.Reviewed {
	var substantive []int64
	for _, l := range labels.Comments {
		if l.Substantive {
			substantive = append(substantive, l.CommentID)
		}
	}
	return scoring.ChooseRevisions(set, substantive, s.leastStanding())
}

// reviewedRevision is what the evidence calls a revision that a record shows.
const reviewedRevision = "reviewed revision"

func (st revisionStage) Run(_ context.Context, it *item) (verdict.Verdict, error) {
	r, set, err := st.choose(it)
	if err != nil {
		return verdict.Verdict{}, err
	}
	if set == nil {
		return verdict.Undetermined(verdict.RevisionUnreachable, "its revisions were not collected"), nil
	}
	v := st.s.enoughStand(r)
	if v.Outcome != verdict.OutcomePass {
		return st.tooFew(it, set, v), nil
	}
	diff, base, sources, err := it.repo.Reviewed(it.ref.Number, r.Candidate.Oid)
	if err != nil {
		return verdict.Verdict{}, err
	}
	if diff == nil {
		return verdict.Undetermined(verdict.RevisionUnreachable, "the chosen revision was not collected"), nil
	}
	it.show(r, diff, base, sources)
	v.Evidence = append(v.Evidence, verdict.Evidence{What: reviewedRevision, Found: r.Candidate.Oid})
	return v, nil
}

// enoughStand is the verdict on how many substantive comments stand at the chosen
// revision; where there is none, too few do.
func (s *Session) enoughStand(r *model.Reviewed) verdict.Verdict {
	standing := 0
	if r != nil {
		standing = len(r.Standing)
	}
	return enough(standing, s.leastStanding())
}

// atRevision takes comments out of the ground truth that do not stand at a
// revision, or that an earlier record has.
func atRevision(labels *model.Labels, r *model.Reviewed) *model.Labels {
	labels = labels.Keep(model.RuleStands, verdict.OtherRecord, func(id int64) bool { return !r.Elsewhere(id) })
	return labels.Keep(model.RuleStands, verdict.OtherRevision, r.Stands)
}

// tooFew distinguishes a pull request whose comments are scattered from one whose
// reviewed commits are gone.
func (st revisionStage) tooFew(it *item, set *model.RevisionSet, v verdict.Verdict) verdict.Verdict {
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
	for _, t := range it.c.Pull.Threads {
		for _, c := range t.Comments {
			if it.c.Labels.Comments[i].Substantive && !standing[c.ID] && gone[c.OriginalOid] {
				lost++
			}
			i++
		}
	}
	if lost == 0 {
		return v
	}
	v.Evidence = append(v.Evidence, verdict.Evidence{What: "substantive comments on commits that are gone", Found: strconv.Itoa(lost)})
	return verdict.Undetermined(verdict.RevisionUnreachable, "commits that comments were written on cannot be had any more", v.Evidence...)
}

// show has the candidate show a revision.
func (it *item) show(r *model.Reviewed, diff *model.Diff, base *model.Base, sources bool) {
	c := it.c
	c.SetDiff(diff)
	c.Base, c.Sources, c.Reviewed = base, sources, r
	c.Labels = atRevision(c.Labels, r)
	if c.Parsed == nil {
		return // filter 7 says why
	}
	at, _ := scoring.FirstReview(c.Final.Pull, c.Labels)
	pull, known := scoring.AsReviewed(c.Final.Pull, r.Candidate, c.Parsed, at)
	c.Pull, r.Edited = pull, !known
	r.DescriptionAsOf = at.UTC().Format(time.RFC3339)
}

// sources reads the tree at the fork point of what the candidate shows; nil,
// without an error, where there is none.
func (it *item) sources() (model.Snapshot, error) {
	if r := it.c.Reviewed; r != nil {
		return it.repo.ReviewedSources(it.ref.Number, r.Candidate.Oid)
	}
	return it.repo.Sources(it.ref.Number)
}
