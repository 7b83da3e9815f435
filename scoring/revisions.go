package scoring

import (
	"maps"
	"slices"

	"github.com/prforge/prforge/internal/model"
)

// Answered lists, by candidate revision, the comments that apply to it and whose code was changed between the
// commented commit and that revision: each is the first of its thread. A comment's own hunk ends at its line, so the
// comment still applies if the answer is below.
func Answered(set *model.RevisionSet, threads []model.Thread) map[string][]int64 {
	out := map[string][]int64{}
	for _, c := range set.Candidates {
		byCommit := (&Final{Pull: &model.PullRequest{HeadOid: c.Oid}, Base: c.Base, Revisions: set.Since}).changes()
		if len(byCommit) == 0 {
			continue
		}
		for i := range threads {
			t := &threads[i]
			if len(t.Comments) == 0 || t.Side == model.Left || !slices.Contains(c.Stands, t.Comments[0].ID) {
				continue // a deletion that stands is there
			}
			code := newCommented(t, c.Oid, nil, byCommit)
			if code.change == nil {
				continue
			}
			if state, _ := (&stated{commented: code}).compared(); state.Addressed() {
				out[c.Oid] = append(out[c.Oid], t.Comments[0].ID)
			}
		}
	}
	return out
}

// ChooseRevisions picks the revisions for a pull request's records by greedy cover. The first is the one to which
// most of the substantive comments apply. Each further one covers most of the comments left, at least as many as
// least. Ties go to a revision on which an applying comment was written, then to one that a review names, then to the
// earliest, where the fewest comments had been answered. It is empty if no comment applies to any. The substantive
// comments are given by id with their commits. Comments that Answered lists for a candidate do not apply to it.
func ChooseRevisions(set *model.RevisionSet, written map[int64]string, answered map[string][]int64,
	least int) []*model.Reviewed {
	substantive := slices.Sorted(maps.Keys(written))
	reachable, lost := 0, slices.Clone(substantive)
	for _, c := range set.Candidates {
		if c.Source != "" && c.Problem == "" {
			reachable++
		}
		lost = slices.DeleteFunc(lost, func(id int64) bool { return slices.Contains(c.Stands, id) })
	}
	var out []*model.Reviewed
	open := slices.Clone(substantive)
	for {
		best, standing, because := mostStanding(set, open, written, answered)
		if best < 0 || len(out) > 0 && len(standing) < least {
			return out
		}
		out = append(out, &model.Reviewed{
			Candidate: set.Candidates[best], Standing: standing, Answered: answered[set.Candidates[best].Oid], Because: because,
			Candidates: len(set.Candidates), Reachable: reachable, Lost: lost,
		})
		open = slices.DeleteFunc(open, func(id int64) bool { return slices.Contains(standing, id) })
	}
}

// mostStanding is the best candidate, its comments by id, and the reason for the choice; -1 if none applies to any.
func mostStanding(set *model.RevisionSet, comments []int64, written map[int64]string,
	answered map[string][]int64) (best int, standing []int64, because model.RevisionReason) {
	best = -1
	equals := 0
	for i, c := range set.Candidates {
		var here []int64
		why := model.RevisionEarliest
		for _, id := range comments {
			if slices.Contains(c.Stands, id) && !slices.Contains(answered[c.Oid], id) {
				here = append(here, id)
				if written[id] == c.Oid {
					why = model.RevisionCommented
				}
			}
		}
		if why == model.RevisionEarliest && slices.Contains(c.Why, "review") {
			why = model.RevisionNamed
		}
		switch {
		case len(here) == 0 || len(here) < len(standing):
			continue
		case len(here) > len(standing):
			equals = 0
		}
		if equals++; equals == 1 || why.Rank() < because.Rank() {
			best, standing, because = i, here, why
		}
	}
	if equals == 1 {
		because = model.RevisionMost
	}
	return best, standing, because
}
