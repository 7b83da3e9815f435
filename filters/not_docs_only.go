package filters

import (
	"strconv"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/verdict"
)

// notDocsOnly is filter 4.
type notDocsOnly struct{}

func (notDocsOnly) ID() string { return verdict.FilterNotDocsOnly }

// Check rejects a change of documentation alone.
func (notDocsOnly) Check(c *model.Candidate) verdict.Verdict {
	paths, unknown := changedFiles(c.Pull)
	if unknown != nil {
		return *unknown
	}
	if all, other := every(paths, pathkind.IsDocumentation); !all {
		return verdict.Pass(verdict.Evidence{What: "file that is no documentation", Found: other})
	}
	return verdict.Reject(verdict.OnlyDocsChanged, "only documentation changed",
		verdict.Evidence{What: "documentation files", Found: strconv.Itoa(len(paths))},
		verdict.Evidence{What: "path", Found: paths[0]})
}
