package filters

import (
	"fmt"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// reviewValue is filter 10.
type reviewValue struct{ min float64 }

func (reviewValue) ID() string { return verdict.FilterReviewValue }

// Check rejects a score below the floor; the floor itself passes. The score counts requests for changes, and only the
// whole timeline shows those of dismissed reviews.
func (f reviewValue) Check(c *model.Candidate) verdict.Verdict {
	if name := incomplete(c.Pull, "dismissed"); name != "" {
		return verdict.Undetermined(verdict.ReviewValueMissing, "GitHub did not tell what dismissed reviews had asked for",
			verdict.Evidence{What: "incomplete", Found: name})
	}
	if c.RVS == nil {
		return verdict.Undetermined(verdict.ReviewValueMissing, "the review value score was not computed")
	}
	score := verdict.Evidence{What: "RVS", Found: fmt.Sprintf("%.4f", c.RVS.Score), Limit: fmt.Sprintf("%.2f", f.min)}
	if c.RVS.Score < f.min {
		return verdict.Reject(verdict.ReviewValueTooLow, "the review value score is below the floor", score)
	}
	return verdict.Pass(score)
}
