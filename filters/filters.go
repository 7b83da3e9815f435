// Package filters holds the ten filters that a pull request must pass (spec
// section 5). Each is a pure function of what was learnt about the candidate:
// no context, no I/O, no error. Missing facts give an undetermined verdict.
package filters

import (
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"

	"github.com/prforge/prforge/filters/authorship"
)

// Filter is one yes-or-no question about a pull request.
type Filter interface {
	// ID is the filter's stable name, kebab-case: the name of its stage in the
	// funnel.
	ID() string
	// Check answers from the candidate's facts, which it never changes.
	Check(*model.Candidate) verdict.Verdict
}

// Options are the thresholds of the filters.
type Options struct {
	MinSubstantiveComments int     // filter 2; 2 by spec section 5
	MaxAIShare             float64 // filter 6, in [0,1]; 0.30
	MaxAddedLines          int     // filter 7; 800
	MinReviewValue         float64 // filter 10, in [0,1]; 0.30 (rvs.hard_floor)
}

// DefaultOptions are the numbers of spec section 5.
func DefaultOptions() Options {
	return Options{MinSubstantiveComments: 2, MaxAIShare: 0.30, MaxAddedLines: 800, MinReviewValue: 0.30}
}

// All lists the ten filters in the order in which a run asks them.
func All(registry *authorship.Registry, o Options) []Filter {
	return []Filter{
		merged{},
		substantiveComments{min: o.MinSubstantiveComments},
		nonTestChange{},
		notDocsOnly{},
		notDependencyUpdate{registry: registry},
		notAIDominated{max: o.MaxAIShare},
		diffParseable{maxAdded: o.MaxAddedLines},
		baseAccessible{},
		repositoryPublic{},
		reviewValue{min: o.MinReviewValue},
	}
}
