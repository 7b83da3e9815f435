// Package escaped has what people and models say of a defect that review let through, and whether the review noticed
// it. The rule that finds the defects is in scoring/fixes.
package escaped

import (
	"fmt"
	"slices"

	"github.com/prforge/prforge/scoring/fixes"
)

// What a reviewer needs to find a fault. Outside is knowledge that neither the change nor
// the repository has.
const (
	FindableDiff       = "diff"
	FindableRepository = "repository"
	FindableOutside    = "outside"
	FindableUnknown    = "unknown" // nobody said, or not two alike
)

var findables = []string{FindableDiff, FindableRepository, FindableOutside, FindableUnknown}

// Answer is what a person or a model says of a link from a fix to a pull request.
type Answer struct {
	Repo     string `yaml:"repo" json:"repo"` // OWNER/NAME
	PRNumber int    `yaml:"pr_number" json:"pr_number"`
	Fix      string `yaml:"fix" json:"fix"` // the commit
	By       string `yaml:"by" json:"by"`   // the person or the model
	// Maker is who made the model; "" for a person.
	Maker string `yaml:"maker,omitempty" json:"maker,omitempty"`
	// Introduced says that the pull request brought the fault in, and did not move it.
	Introduced bool `yaml:"introduced" json:"introduced"`
	// Findable is what a reviewer needs to find it.
	Findable string `yaml:"findable" json:"findable"`
}

// Check refuses an answer that says too little; the message begins with the key.
func (a Answer) Check() error {
	switch {
	case a.Repo == "" || a.PRNumber < 1 || len(a.Fix) != 40 || a.By == "":
		return fmt.Errorf("repo, pr_number, fix and by: say which pull request, which commit of 40 digits, and who says so")
	case !slices.Contains(findables, a.Findable):
		return fmt.Errorf("findable: is %q, want one of %v", a.Findable, findables)
	}
	return nil
}

// String is what the answer says.
func (a Answer) String() string {
	if !a.Introduced {
		return "not introduced here"
	}
	return "introduced here, findable: " + a.Findable
}

// AnswersTo are the answers about a link.
func AnswersTo(all []Answer, repo string, number int, l fixes.Link) []Answer {
	var out []Answer
	for _, a := range all {
		if a.Repo == repo && a.PRNumber == number && a.Fix == l.Fix.Oid {
			out = append(out, a)
		}
	}
	return out
}

// Confirmed reports whether two independent answers say that the pull request introduced
// the fault and that a reviewer could have found it without knowledge from outside, and
// none says that it did not introduce it.
func Confirmed(answers []Answer) bool {
	return !slices.ContainsFunc(answers, func(a Answer) bool { return !a.Introduced }) &&
		independent(answers, func(a Answer) bool { return a.Findable == FindableDiff || a.Findable == FindableRepository })
}

// Findable is what two independent answers say alike; FindableUnknown where none do, or
// two others say something else.
func Findable(answers []Answer) string {
	found := FindableUnknown
	for _, f := range findables[:3] {
		if !independent(answers, func(a Answer) bool { return a.Introduced && a.Findable == f }) {
			continue
		}
		if found != FindableUnknown {
			return FindableUnknown
		}
		found = f
	}
	return found
}

// independent reports whether two people, a person and a model, or models of two makers
// say what is asked for.
func independent(answers []Answer, says func(Answer) bool) bool {
	for i, a := range answers {
		for _, b := range answers[:i] {
			if says(a) && says(b) && a.By != b.By && (a.Maker == "" || a.Maker != b.Maker) {
				return true
			}
		}
	}
	return false
}
