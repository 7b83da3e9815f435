package contamination

import (
	"cmp"
	"slices"
	"time"

	"github.com/prforge/prforge/internal/model"
)

// Change holds the facts that identify duplicates.
type Change struct {
	Ref           model.PullRef
	PatchID       string // unidiff.PatchID; "" has no duplicate
	DefaultBranch bool   // merged into the repository's default branch
	MergedAt      time.Time
}

// Twins finds the pull requests that make the same change as another one: backports and re-submissions. It keeps one
// of each group: the one on the default branch, else the earliest merged, else the first by name. The others map to
// it.
func Twins(changes []Change) map[model.PullRef]model.PullRef {
	groups := make(map[string][]Change)
	for _, c := range changes {
		if c.PatchID != "" {
			groups[c.PatchID] = append(groups[c.PatchID], c)
		}
	}
	kept := make(map[model.PullRef]model.PullRef)
	for _, group := range groups {
		slices.SortFunc(group, func(a, b Change) int {
			return cmp.Or(boolOrder(b.DefaultBranch, a.DefaultBranch), a.MergedAt.Compare(b.MergedAt), compareRefs(a.Ref, b.Ref))
		})
		for _, c := range group[1:] {
			if c.Ref != group[0].Ref {
				kept[c.Ref] = group[0].Ref
			}
		}
	}
	return kept
}

// boolOrder sorts false before true.
func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func compareRefs(a, b model.PullRef) int {
	return cmp.Or(cmp.Compare(a.Repo.String(), b.Repo.String()), cmp.Compare(a.Number, b.Number))
}
