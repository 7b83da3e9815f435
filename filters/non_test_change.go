package filters

import (
	"strconv"

	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/verdict"
)

// The requirements of filter 3 besides tests.
const (
	AnyLanguage        = "any"       // any file that is no test
	SupportedLanguages = "supported" // a production file in one of the languages that take part (spec section 7)
)

// nonTestChange is filter 3.
type nonTestChange struct {
	languages string
	supported *languages.Set
}

func (nonTestChange) ID() string { return verdict.FilterNonTestChange }

// Check rejects a change of tests alone and, with SupportedLanguages, one without a production file in a supported
// language. A pull request without any changed file passes here: filter 7 rejects its empty diff.
func (f nonTestChange) Check(c *model.Candidate) verdict.Verdict {
	paths, unknown := changedFiles(c.Pull)
	if unknown != nil {
		return *unknown
	}
	if all, other := every(paths, pathkind.IsTest); !all {
		return f.language(paths, other)
	}
	return verdict.Reject(verdict.OnlyTestsChanged, "only test files changed",
		verdict.Evidence{What: "test files", Found: strconv.Itoa(len(paths))},
		verdict.Evidence{What: "path", Found: paths[0]})
}

// language decides about a change that is not of tests alone; other is one of
// its files that is no test.
func (f nonTestChange) language(paths []string, other string) verdict.Verdict {
	passed := verdict.Pass(verdict.Evidence{What: "file that is no test", Found: other})
	if f.languages != SupportedLanguages || len(paths) == 0 {
		return passed
	}
	for _, p := range paths {
		if f.supported.Has(p) && pathkind.IsProduction(p) {
			return verdict.Pass(verdict.Evidence{What: "production file", Found: p})
		}
	}
	if all, _ := every(paths, pathkind.IsDocumentation); all {
		return passed // filter 4 says what it is
	}
	return verdict.Reject(verdict.NoSupportedLanguage, "no production file in a supported language changed",
		verdict.Evidence{What: "files", Found: strconv.Itoa(len(paths))}, verdict.Evidence{What: "path", Found: other})
}
