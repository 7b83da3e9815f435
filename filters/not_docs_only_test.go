package filters

import (
	"testing"

	"github.com/prforge/prforge/internal/verdict"
)

func TestNotDocsOnly(t *testing.T) {
	table(t, "not-docs-only", []check{
		{"one page", files("README.md"), verdict.OutcomeReject, verdict.OnlyDocsChanged},
		{"pages and pictures", files("docs/a.rst", "docs/a.png", "CHANGELOG.md"), verdict.OutcomeReject, verdict.OnlyDocsChanged},
		{"a page and a source", files("docs/a.rst", "src/app.go"), verdict.OutcomePass, ""},
		{"a page and a test", files("docs/a.rst", "src/app_test.go"), verdict.OutcomePass, ""},
		{"code of a documentation site", files("docs/site/app.tsx"), verdict.OutcomeReject, verdict.OnlyDocsChanged},
		{"a package of a monorepo that is the site", files("packages/docs/components/menu.tsx", "packages/docs/package.json"), verdict.OutcomeReject, verdict.OnlyDocsChanged},
		{"generated reference pages", files("docs/reference/docker_compose_up.yaml", "docs/reference/compose_up.md"), verdict.OutcomeReject, verdict.OnlyDocsChanged},
		{"a package called docs deep in the sources", files("src/main/java/io/app/docs/Parser.java"), verdict.OutcomePass, ""},
		{"a site's page and a source", files("website/index.ts", "src/app.go"), verdict.OutcomePass, ""},
		{"no file at all", files(), verdict.OutcomePass, ""},
		{"list cut off", without("files"), verdict.OutcomeUndetermined, verdict.FilesIncomplete},
	})
}
