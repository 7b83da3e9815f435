package filters

import (
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// merged is filter 1.
type merged struct{}

func (merged) ID() string { return verdict.FilterMerged }

// Check rejects a pull request that was never merged. The window uses the time of the merge, so a merged pull request
// without one counts as not merged.
func (merged) Check(c *model.Candidate) verdict.Verdict {
	if c.Pull.State != model.Merged || c.Pull.MergedAt == nil {
		return verdict.Reject(verdict.NotMerged, "the pull request is not merged",
			verdict.Evidence{What: "state", Found: string(c.Pull.State), Limit: string(model.Merged)})
	}
	return verdict.Pass(verdict.Evidence{What: "merged at", Found: c.Pull.MergedAt.UTC().Format("2006-01-02T15:04:05Z")})
}
