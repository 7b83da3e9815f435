package scoring

import (
	"slices"

	"github.com/prforge/prforge/internal/model"
)

// ChooseRevisions picks the revisions that the records of a pull request show, by
// greedy cover. The first is the one at which most of the substantive comments
// stand; each further one is that at which most of those stand that no record
// before has, at least as many as least. The earliest wins among equals, since
// there the fewest comments had been answered. It is empty where no comment
// stands anywhere.
func ChooseRevisions(set *model.RevisionSet, substantive []int64, least int) []*model.Reviewed {
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
		best, standing := mostStanding(set, open)
		if best < 0 || len(out) > 0 && len(standing) < least {
			return out
		}
		out = append(out, &model.Reviewed{Candidate: set.Candidates[best], Standing: standing, Candidates: len(set.Candidates), Reachable: reachable, Lost: lost})
		open = slices.DeleteFunc(open, func(id int64) bool { return slices.Contains(standing, id) })
	}
}

// mostStanding is the first candidate at which most of the comments stand, and
// those, by id; -1 where none stands at any.
func mostStanding(set *model.RevisionSet, comments []int64) (best int, standing []int64) {
	best = -1
	for i, c := range set.Candidates {
		var here []int64
		for _, id := range comments {
			if slices.Contains(c.Stands, id) {
				here = append(here, id)
			}
		}
		if len(here) > len(standing) {
			best, standing = i, here
		}
	}
	slices.Sort(standing)
	return best, standing
}
