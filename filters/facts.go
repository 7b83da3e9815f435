package filters

import (
	"strconv"
	"strings"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// incomplete returns the first of the pull request's incomplete lists whose
// name begins with one of the prefixes, or "".
func incomplete(p *model.PullRequest, prefixes ...string) string {
	for _, name := range p.Incomplete {
		for _, prefix := range prefixes {
			if strings.HasPrefix(name, prefix) {
				return name
			}
		}
	}
	return ""
}

// notLabeled is the verdict of a filter whose labels are missing.
func notLabeled() verdict.Verdict {
	return verdict.Undetermined(verdict.NotLabeled, "the comments were not labeled")
}

// changedFiles returns the paths of the changed files, or an undetermined
// verdict when the list is missing or cut off.
func changedFiles(p *model.PullRequest) ([]string, *verdict.Verdict) {
	if name := incomplete(p, "files"); name != "" || len(p.Files) == 0 && p.ChangedFiles > 0 {
		v := verdict.Undetermined(verdict.FilesIncomplete, "the list of changed files is incomplete",
			countEvidence("changed files", len(p.Files), p.ChangedFiles))
		return nil, &v
	}
	paths := make([]string, len(p.Files))
	for i, f := range p.Files {
		paths[i] = f.Path
	}
	return paths, nil
}

// every reports whether all paths, and at least one, satisfy the predicate;
// else the first that does not.
func every(paths []string, is func(string) bool) (bool, string) {
	for _, p := range paths {
		if !is(p) {
			return false, p
		}
	}
	return len(paths) > 0, ""
}

func countEvidence(what string, found, limit int) verdict.Evidence {
	return verdict.Evidence{What: what, Found: strconv.Itoa(found), Limit: strconv.Itoa(limit)}
}
