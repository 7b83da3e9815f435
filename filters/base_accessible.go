package filters

import (
	"fmt"
	"strconv"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// baseAccessible is filter 8.
type baseAccessible struct{}

func (baseAccessible) ID() string { return verdict.FilterBaseAccessible }

// Check requires the commit that the diff is against, a readable tree, and every changed file's old content.
func (baseAccessible) Check(c *model.Candidate) verdict.Verdict {
	if c.Base == nil {
		return verdict.Undetermined(verdict.BaseMissing, "the base commit was not looked up")
	}
	commit := verdict.Evidence{What: "base commit", Found: c.Base.ForkPoint}
	switch {
	case c.Base.ForkPoint == "" || !c.Sources:
		return verdict.Reject(verdict.BaseUnreadable, "the base commit cannot be found or read", commit,
			verdict.Evidence{What: "problem", Found: c.Base.Problem})
	case !c.Base.Verified:
		return verdict.Undetermined(verdict.BaseUnverified, "the diff does not fit the base commit that was found", commit,
			verdict.Evidence{What: "problem", Found: c.Base.Problem})
	case len(c.Base.Missing) > 0:
		return verdict.Reject(verdict.BaseFileUnreadable,
			fmt.Sprintf("%d changed files cannot be read at the base commit", len(c.Base.Missing)), commit,
			verdict.Evidence{What: "files not readable", Found: strconv.Itoa(len(c.Base.Missing)), Limit: "0"},
			verdict.Evidence{What: "path", Found: c.Base.Missing[0]})
	}
	return verdict.Pass(commit, verdict.Evidence{What: "found by", Found: c.Base.Method})
}
