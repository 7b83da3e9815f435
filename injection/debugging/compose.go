package debugging

import (
	"slices"
	"strings"

	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// Member is a fault that may be put together with others of its script.
type Member struct {
	ID    string
	Edits []injection.Edit
	Label Label
}

// ComposeOptions say how many questions with several faults a script gives.
type ComposeOptions struct {
	Seed  int
	Sizes map[int]int // number of faults -> questions of a script
	Tries int         // compositions that are tried for one question
}

// MaxFaults is how many faults a question has at most.
const MaxFaults = 8

// DefaultCompose are two questions with two faults and one each with three, with
// four, and with as many from five on as go together.
func DefaultCompose() ComposeOptions {
	return ComposeOptions{Seed: 1, Sizes: map[int]int{2: 2, 3: 1, 4: 1, MaxFaults: 1}, Tries: 4}
}

// Compositions gives, for a number of faults, compositions in a drawn order: at
// most the wanted number times the tries. Each is sorted by the members' order.
func Compositions(members []Member, size int, o ComposeOptions) [][]int {
	wanted := o.Sizes[size] * o.Tries
	seen := map[string]bool{}
	var out [][]int
	for draw := 0; len(out) < wanted && draw < 10*wanted && size <= len(members); draw++ {
		order := make([]int, len(members))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int {
			x, y := rank(o.Seed+draw, members[a].ID), rank(o.Seed+draw, members[b].ID)
			if x < y {
				return -1
			}
			return 1
		})
		pick := slices.Clone(order[:size])
		slices.Sort(pick)
		var names []string
		for _, i := range pick {
			names = append(names, members[i].ID)
		}
		if key := strings.Join(names, " "); !seen[key] {
			seen[key] = true
			out = append(out, pick)
		}
	}
	return out
}

// Together says whether faults may be in one script: on different statements,
// none of them where another shows, and no two that show at one.
func Together(members []Member) verdict.Verdict {
	for i, a := range members {
		for _, b := range members[i+1:] {
			if a.Label.Cause.overlaps(b.Label.Cause) || a.Label.Cause.overlaps(b.Label.Effect) ||
				b.Label.Cause.overlaps(a.Label.Effect) {
				return verdict.Reject(verdict.PeelOverlap, "Two faults share a statement, or one is where the other shows.")
			}
			if a.Label.Effect == b.Label.Effect {
				return verdict.Reject(verdict.PeelAmbiguous, "Two faults show at the same statement.")
			}
		}
	}
	return verdict.Pass()
}

// ApplyAll makes the changes of all members.
func (s *Script) ApplyAll(members []Member) ([]byte, error) {
	var edits []injection.Edit
	for _, m := range members {
		edits = append(edits, m.Edits...)
	}
	slices.SortFunc(edits, func(a, b injection.Edit) int { return a.Offset - b.Offset })
	return injection.Apply(s.Source(), edits)
}

// Shows says which of the members' faults a run shows: the one whose signature
// is the crash's.
func Shows(members []Member, agrees bool, run *model.ScriptRun) (int, verdict.Verdict) {
	if !agrees {
		return 0, verdict.Reject(verdict.PeelChanged, "Runs of the faults together differ.")
	}
	got, crashed := SignatureOf(run)
	if !crashed {
		return 0, verdict.Reject(verdict.PeelLost, "The faults together raise nothing inside the script.")
	}
	found := -1
	for i, m := range members {
		if m.Label.signature() == got {
			if found >= 0 {
				return 0, verdict.Reject(verdict.PeelAmbiguous, "Two faults show in the same way.")
			}
			found = i
		}
	}
	if found < 0 {
		return 0, verdict.Reject(verdict.PeelChanged, "The faults together show as none of them does alone.",
			verdict.Evidence{What: "exception", Found: got.Type})
	}
	return found, verdict.Pass()
}
