package scoring

import (
	"slices"

	"github.com/prforge/prforge/internal/model"
)

// ChooseRevisions picks the revisions that records show: first the one at which
// most of the substantive comments stand, the earliest among equals, since
// there the fewest had been answered. With all set it goes on with the comments
// left over (greedy cover) while a revision has at least minimum of them, so that
// no comment is in two records. The first revision is given whatever its number
// of comments; none is, where no comment stands anywhere.
func ChooseRevisions(set *model.RevisionSet, substantive []int64, minimum int, all bool) []model.Reviewed {
	left := slices.Clone(substantive)
	reachable := 0
	for _, c := range set.Candidates {
		if c.Source != "" && c.Problem == "" {
			reachable++
		}
	}
	var lost []int64
	for _, id := range substantive {
		if !slices.ContainsFunc(set.Candidates, func(c model.RevisionCandidate) bool { return slices.Contains(c.Stands, id) }) {
			lost = append(lost, id)
		}
	}
	var out []model.Reviewed
	for {
		best, standing := -1, []int64(nil)
		for i, c := range set.Candidates {
			var here []int64
			for _, id := range left {
				if slices.Contains(c.Stands, id) {
					here = append(here, id)
				}
			}
			if len(here) > len(standing) {
				best, standing = i, here
			}
		}
		if best < 0 || len(out) > 0 && len(standing) < max(1, minimum) {
			return out
		}
		slices.Sort(standing)
		out = append(out, model.Reviewed{
			Candidate: set.Candidates[best], Number: len(out) + 1, Standing: standing,
			Candidates: len(set.Candidates), Reachable: reachable, Lost: lost,
		})
		if !all {
			return out
		}
		left = slices.DeleteFunc(left, func(id int64) bool { return slices.Contains(standing, id) })
	}
}
