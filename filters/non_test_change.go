package filters

import (
	"strconv"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/verdict"
)

// nonTestChange is filter 3.
type nonTestChange struct{}

func (nonTestChange) ID() string { return verdict.FilterNonTestChange }

// Check rejects a change of tests alone. A pull request without any changed
// file passes here: filter 7 rejects its empty diff.
func (nonTestChange) Check(c *model.Candidate) verdict.Verdict {
	paths, unknown := changedFiles(c.Pull)
	if unknown != nil {
		return *unknown
	}
	if all, other := every(paths, pathkind.IsTest); !all {
		return verdict.Pass(verdict.Evidence{What: "file that is no test", Found: other})
	}
	return verdict.Reject(verdict.OnlyTestsChanged, "only test files changed",
		verdict.Evidence{What: "test files", Found: strconv.Itoa(len(paths))},
		verdict.Evidence{What: "path", Found: paths[0]})
}
