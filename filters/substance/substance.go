// Package substance decides for every review comment whether it is ground
// truth: rule by rule, with the reason of the first one failed (spec section 4,
// "Substantive").
package substance

import (
	"github.com/prforge/prforge/filters/authorship"
	"github.com/prforge/prforge/internal/model"
)

// Options are the thresholds of the comment rules.
type Options struct {
	MinWords int // words of prose that a comment needs; 10 by spec section 4
}

// DefaultOptions are the numbers of spec section 4.
func DefaultOptions() Options { return Options{MinWords: 10} }

// Label holds every review comment of a pull request against the rules. It
// never fails and changes nothing: equal facts give equal labels, whatever the
// order of threads and comments, except that Labels.Comments follows it.
func Label(pull *model.PullRequest, registry *authorship.Registry, o Options) *model.Labels {
	return &model.Labels{}
}
