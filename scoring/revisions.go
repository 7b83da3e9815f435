package scoring

import (
	"maps"
	"slices"

	"github.com/prforge/prforge/internal/model"
)

// Answered lists, by candidate revision, the comments that stand there and whose
// code was changed between the commit that they were written on and that revision:
// each is the first of its thread. A comment's own hunk ends at its line, so that it
// stands where the answer is below.
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

// ChooseRevisions picks the revisions that the records of a pull request show, by
// greedy cover. The first is the one at which most of the substantive comments
// stand; each further one is that at which most of those stand that no record
// before has, at least as many as least. Among equals one that a comment which
// stands there was written on wins, then one that a review names, then the
// earliest, since there the fewest comments had been answered. It is empty where no
// comment stands anywhere. The substantive comments are given by id with the commits
// that they were written on. Comments that Answered lists for a candidate do not stand
// there.
func ChooseRevisions(set *model.RevisionSet, written map[int64]string, answered map[string][]int64, least int) []*model.Reviewed {
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

// mostStanding is the best candidate at which most of the comments stand, those, by
// id, and why it is the best; -1 where none stands at any.
func mostStanding(set *model.RevisionSet, comments []int64, written map[int64]string, answered map[string][]int64) (best int, standing []int64, because model.RevisionReason) {
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
