package scoring

import (
	"slices"

	"github.com/prforge/prforge/internal/model"
)

// ChooseRevision picks the revision that a record shows: the one at which most
// of the substantive comments stand, the earliest among equals, since there the
// fewest had been answered. It is nil where no comment stands anywhere.
func ChooseRevision(set *model.RevisionSet, substantive []int64) *model.Reviewed {
	best, standing, reachable := -1, []int64(nil), 0
	lost := slices.Clone(substantive)
	for i, c := range set.Candidates {
		if c.Source != "" && c.Problem == "" {
			reachable++
		}
		var here []int64
		for _, id := range substantive {
			if slices.Contains(c.Stands, id) {
				here = append(here, id)
			}
		}
		if len(here) > len(standing) {
			best, standing = i, here
		}
		lost = slices.DeleteFunc(lost, func(id int64) bool { return slices.Contains(c.Stands, id) })
	}
	if best < 0 {
		return nil
	}
	slices.Sort(standing)
	return &model.Reviewed{Candidate: set.Candidates[best], Standing: standing, Candidates: len(set.Candidates), Reachable: reachable, Lost: lost}
}
