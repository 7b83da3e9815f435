package filters

import (
	"fmt"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// notAIDominated is filter 6.
type notAIDominated struct{ max float64 }

func (notAIDominated) ID() string { return verdict.FilterNotAIDominated }

// Check rejects a conversation in which the share of machines exceeds the maximum; exactly the maximum passes.
func (f notAIDominated) Check(c *model.Candidate) verdict.Verdict {
	if name := incomplete(c.Pull, "comments", "thread", "reviews"); name != "" {
		return verdict.Undetermined(verdict.CommentsIncomplete, "GitHub did not give all comments and reviews",
			verdict.Evidence{What: "incomplete", Found: name})
	}
	if c.Labels == nil {
		return notLabeled()
	}
	limit := fmt.Sprintf("%.2f", f.max)
	if c.Labels.AIShare == nil {
		return verdict.Pass(verdict.Evidence{What: "AI share", Found: "no comments", Limit: limit})
	}
	share := verdict.Evidence{What: "AI share", Found: fmt.Sprintf("%.4f", *c.Labels.AIShare), Limit: limit}
	if *c.Labels.AIShare > f.max {
		return verdict.Reject(verdict.AIDominated, "AI wrote too much of the conversation", share)
	}
	return verdict.Pass(share)
}
