package scoring

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/scoring/contamination"
)

// SelectionOptions are the limits of the selection (spec section 8).
type SelectionOptions struct {
	Target           int `yaml:"target" json:"target" check:"1.."` // how many are released at most
	MaxPerRepository int `yaml:"max_per_repository" json:"max_per_repository" check:"1.."`
	// of what is selected; 0 asks for nothing
	MinCopyleftShare float64 `yaml:"min_copyleft_share" json:"min_copyleft_share" check:"0..1"`
	Floor            float64 `yaml:"-" json:"-"` // no pull request below this RVS is ever released (rvs.floor)
}

// DefaultSelectionOptions are the numbers of spec sections 6 and 8.
func DefaultSelectionOptions() SelectionOptions {
	return SelectionOptions{Floor: 0.35, Target: 350, MaxPerRepository: 30}
}

// Entry is a record that passed everything before the selection.
type Entry struct {
	Ref           model.PullRef
	Record        int    // which of its pull request's records it is, from 1
	TaskID        string // among all entries; breaks ties
	RVS           float64
	SPDX          string // of its repository; "" if unknown
	PatchID       string // unidiff.PatchID
	DefaultBranch bool   // merged into the default branch
	MergedAt      time.Time
}

// Selected is an entry with its decision.
type Selected struct {
	Entry
	Verdict verdict.Verdict
}

// Selection is all entries with their decisions.
type Selection struct {
	// All holds every entry by RVS, highest first, ties by task id; further
	// records of pull requests come behind. Those with a pass are released.
	All []Selected
	// Chosen, Copyleft and Short count the released ones, those of copyleft
	// repositories among them, and how many of these the minimum share lacks.
	Chosen, Copyleft, Short int
}

// Select chooses what is released, in this order: what is below the floor goes, then duplicates, then what exceeds
// the cap of its repository, then what exceeds the target; at last the lowest non-copyleft choices give way to the
// best copyleft pull requests left over, until the minimum share is reached or none is left. Further records of the
// chosen pull requests then fill what cap and target leave; the share counts pull requests. The order of the entries
// does not matter.
func Select(entries []Entry, o SelectionOptions) Selection {
	s, further := Selection{All: make([]Selected, 0, len(entries))}, Selection{}
	for _, c := range entries {
		if c.Record > 1 {
			further.All = append(further.All, Selected{Entry: c})
		} else {
			s.All = append(s.All, Selected{Entry: c})
		}
	}
	s.sort()
	s.dropBelow(o.Floor)
	s.dropDuplicates()
	s.capRepositories(o.MaxPerRepository, nil)
	s.cut(o.Target)
	s.favorCopyleft(o)
	further.follow(&s, o)
	return s
}

// follow decides about further records after the first ones, and adds them.
func (s *Selection) follow(first *Selection, o SelectionOptions) {
	chosen, taken := map[model.PullRef]bool{}, map[string]int{}
	for _, c := range first.All {
		if c.Verdict.Outcome == verdict.OutcomePass {
			chosen[c.Ref] = true
			taken[strings.ToLower(c.Ref.Repo.String())]++
		}
	}
	s.sort()
	s.dropBelow(o.Floor)
	for i := range s.All {
		if c := &s.All[i]; c.open() && !chosen[c.Ref] {
			c.Verdict = verdict.Reject(verdict.FirstNotSelected, "the first record of "+c.Ref.String()+" is not selected")
		}
	}
	s.capRepositories(o.MaxPerRepository, taken)
	s.cut(o.Target - first.Chosen)
	first.All, first.Chosen = append(first.All, s.All...), first.Chosen+s.Chosen
	first.Copyleft += s.Copyleft
}

func (s *Selection) sort() {
	slices.SortFunc(s.All, func(a, b Selected) int {
		return cmp.Or(cmp.Compare(b.RVS, a.RVS), cmp.Compare(a.TaskID, b.TaskID), cmp.Compare(a.Ref.String(), b.Ref.String()))
	})
}

// open reports whether the entry is undecided.
func (s *Selected) open() bool { return s.Verdict.Outcome == "" }

func (s *Selection) dropBelow(floor float64) {
	for i := range s.All {
		if c := &s.All[i]; c.RVS < floor {
			c.Verdict = verdict.Reject(verdict.BelowFloor, fmt.Sprintf("RVS %.3f is below the inclusion floor of %g", c.RVS,
				floor),
				verdict.Evidence{What: "RVS", Found: fmt.Sprintf("%.3f", c.RVS), Limit: fmt.Sprintf("%g", floor)})
		}
	}
}

func (s *Selection) dropDuplicates() {
	var changes []contamination.Change
	for _, c := range s.All {
		if c.open() {
			changes = append(changes, contamination.Change{Ref: c.Ref, PatchID: c.PatchID, DefaultBranch: c.DefaultBranch,
				MergedAt: c.MergedAt})
		}
	}
	kept := contamination.Twins(changes)
	for i := range s.All {
		c := &s.All[i]
		if twin, ok := kept[c.Ref]; ok && c.open() {
			c.Verdict = verdict.Reject(verdict.TwinChange, "the same change as "+twin.String(),
				verdict.Evidence{What: "patch id", Found: c.PatchID})
		}
	}
}

// capRepositories rejects entries beyond the cap of their repository, given the number already taken; nil means none.
func (s *Selection) capRepositories(limit int, taken map[string]int) {
	if taken == nil {
		taken = map[string]int{}
	}
	for i := range s.All {
		c := &s.All[i]
		if !c.open() {
			continue
		}
		repo := strings.ToLower(c.Ref.Repo.String())
		if taken[repo] >= limit {
			c.Verdict = verdict.Reject(verdict.OverRepositoryCap,
				fmt.Sprintf("%d pull requests of %s have a higher review value", limit, c.Ref.Repo),
				verdict.Evidence{What: "selected of the repository", Found: fmt.Sprint(limit), Limit: fmt.Sprint(limit)})
			continue
		}
		taken[repo]++
	}
}

// cut passes the best and rejects the rest.
func (s *Selection) cut(target int) {
	for i := range s.All {
		c := &s.All[i]
		switch {
		case !c.open():
		case s.Chosen < target:
			s.choose(c)
		default:
			c.Verdict = verdict.Reject(verdict.OverTarget, fmt.Sprintf("%d pull requests have a higher review value", target),
				verdict.Evidence{What: "selected", Found: fmt.Sprint(target), Limit: fmt.Sprint(target)})
		}
	}
}

func (s *Selection) choose(c *Selected) {
	c.Verdict = verdict.Pass(verdict.Evidence{What: "RVS", Found: fmt.Sprintf("%.3f", c.RVS)})
	s.Chosen++
	if IsCopyleft(c.SPDX) {
		s.Copyleft++
	}
}

// favorCopyleft replaces the lowest choices of other licenses by the best copyleft pull requests beyond the target.
func (s *Selection) favorCopyleft(o SelectionOptions) {
	need := int(math.Ceil(o.MinCopyleftShare*float64(s.Chosen) - 1e-9)) // 0.1 x 350 is 35, not 36
	var out, in []*Selected
	for i := range s.All {
		c := &s.All[i]
		switch {
		case c.Verdict.Outcome == verdict.OutcomePass && !IsCopyleft(c.SPDX):
			out = append(out, c)
		case c.Verdict.Code == verdict.OverTarget && IsCopyleft(c.SPDX):
			in = append(in, c)
		}
	}
	for s.Copyleft < need && len(in) > 0 && len(out) > 0 {
		leaving := out[len(out)-1]
		leaving.Verdict = verdict.Reject(verdict.CopyleftShare,
			fmt.Sprintf("%s took its place, to reach a share of %g", in[0].Ref, o.MinCopyleftShare),
			verdict.Evidence{What: "share of copyleft repositories", Found: fmt.Sprintf("%d of %d", s.Copyleft, s.Chosen),
				Limit: fmt.Sprintf("%g", o.MinCopyleftShare)})
		s.Chosen--
		s.choose(in[0])
		in, out = in[1:], out[:len(out)-1]
	}
	s.Short = max(0, need-s.Copyleft)
}

// copyleftFamilies are the beginnings of the SPDX ids of copyleft licenses,
// strong and weak alike, in lower case.
var copyleftFamilies = []string{
	"gpl-", "lgpl-", "agpl-", "mpl-", "epl-", "eupl-", "cddl-", "osl-", "cecill-1", "cecill-2", "cecill-c", "ms-rl",
	"cc-by-sa-",
	"cpl-", "ipl-", "rpl-", "apsl-", "nposl-", "parity-", "lgpllr", "sleepycat", "qpl-", "afpl-", "cern-ohl-s",
	"cern-ohl-w",
}

// IsCopyleft reports whether an SPDX id names a license that derived works must keep.
func IsCopyleft(spdx string) bool {
	id := strings.ToLower(spdx)
	return slices.ContainsFunc(copyleftFamilies, func(f string) bool { return strings.HasPrefix(id, f) })
}
