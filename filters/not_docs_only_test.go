package filters

import (
	"testing"

	"github.com/prforge/prforge/internal/verdict"
)

func TestNotDocsOnly(t *testing.T) {
	table(t, "not-docs-only", []check{
		{"one page", files("README.md"), verdict.Reject, verdict.OnlyDocsChanged},
		{"pages and pictures", files("docs/a.rst", "docs/a.png", "CHANGELOG.md"), verdict.Reject, verdict.OnlyDocsChanged},
		{"a page and a source", files("docs/a.rst", "src/app.go"), verdict.Pass, ""},
		{"a page and a test", files("docs/a.rst", "src/app_test.go"), verdict.Pass, ""},
		{"code of a documentation site", files("docs/site/app.tsx"), verdict.Pass, ""},
		{"no file at all", files(), verdict.Pass, ""},
		{"list cut off", without("files"), verdict.Undetermined, verdict.FilesIncomplete},
	})
}
