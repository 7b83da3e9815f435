package filters

import (
	"fmt"
	"strconv"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// substantiveComments is filter 2.
type substantiveComments struct{ min int }

func (substantiveComments) ID() string { return verdict.FilterSubstantiveComments }

// Check requires enough ground truth. Missing threads leave it undetermined even if enough were seen: they belong to
// the ground truth too.
func (f substantiveComments) Check(c *model.Candidate) verdict.Verdict {
	if missing := incomplete(c.Pull, "thread"); missing != "" {
		return verdict.Undetermined(verdict.ThreadsIncomplete, "GitHub did not give all review threads",
			verdict.Evidence{What: "incomplete", Found: missing})
	}
	if c.Labels == nil {
		return notLabeled()
	}
	found := verdict.Evidence{What: "substantive comments", Found: strconv.Itoa(c.Labels.Substantive),
		Limit: strconv.Itoa(f.min)}
	if c.Labels.Substantive < f.min {
		return verdict.Reject(verdict.TooFewSubstantive,
			fmt.Sprintf("%d of %d review comments are substantive, %d are needed", c.Labels.Substantive, len(c.Labels.Comments),
				f.min), found)
	}
	return verdict.Pass(found)
}
