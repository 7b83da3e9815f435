package filters

import (
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

func TestNotDependencyUpdate(t *testing.T) {
	by := func(login string, kind model.AccountType) func(*model.Candidate) {
		return func(c *model.Candidate) { c.Pull.Author = model.Account{Login: login, Type: kind} }
	}
	titled := func(title string, paths ...string) func(*model.Candidate) {
		return func(c *model.Candidate) {
			c.Pull.Title = title
			files(paths...)(c)
		}
	}
	table(t, "not-dependency-update", []check{
		{"dependabot", by("dependabot", model.Bot), verdict.OutcomeReject, verdict.DependencyUpdate},
		{"renovate as a user", by("renovate-bot", model.User), verdict.OutcomeReject, verdict.DependencyUpdate},
		{"pyup", by("pyup-bot", model.User), verdict.OutcomeReject, verdict.DependencyUpdate},
		{"another bot", by("copilot-swe-agent", model.Bot), verdict.OutcomePass, ""},
		{"dependabot's title", titled("Bump lodash from 4.17.20 to 4.17.21", "package.json", "package-lock.json"), verdict.OutcomeReject, verdict.DependencyUpdate},
		{"with a prefix", titled("build(deps-dev): bump the dev group with 3 updates", "yarn.lock"), verdict.OutcomeReject, verdict.DependencyUpdate},
		{"renovate's title", titled("chore(deps): update dependency eslint to v9", "package.json"), verdict.OutcomeReject, verdict.DependencyUpdate},
		{"renovate's digest", titled("Update actions/checkout digest to 1a2b3c4", ".github/workflows/ci.yml"), verdict.OutcomeReject, verdict.DependencyUpdate},
		{"lock file", titled("chore: lock file maintenance", "pnpm-lock.yaml"), verdict.OutcomeReject, verdict.DependencyUpdate},
		{"snyk's title", titled("[Snyk] Upgrade axios from 1.6.0 to 1.7.0", "package.json"), verdict.OutcomeReject, verdict.DependencyUpdate},
		{"pre-commit.ci", titled("[pre-commit.ci] pre-commit autoupdate", ".pre-commit-config.yaml"), verdict.OutcomeReject, verdict.DependencyUpdate},
		{"Go module", titled("go.mod: bump golang.org/x/net to v0.38.0", "go.mod", "go.sum"), verdict.OutcomeReject, verdict.DependencyUpdate},
		{"title over sources too", titled("Bump lodash from 4.17.20 to 4.17.21", "package.json", "src/app.js"), verdict.OutcomePass, ""},
		{"renovate's tag", func(c *model.Candidate) {
			titled("Update golang Docker tag to v1.21", "Dockerfile")(c)
			c.Pull.Author = model.Account{Login: "renovate", Type: model.Bot}
		}, verdict.OutcomeReject, verdict.DependencyUpdate},
		{"a person's edit of a Dockerfile under such a title", titled("Update python from 3.10 to 3.11", "Dockerfile", "requirements.txt"), verdict.OutcomePass, ""},
		{"a person's toolchain upgrade", titled("upgrade Golang to 1.21", "Dockerfile", "go.mod", ".github/workflows/ci.yml"), verdict.OutcomePass, ""},
		{"sources alone", titled("Upgrade to v2 of the protocol", "src/app.go"), verdict.OutcomePass, ""},
		{"dependency files by hand", titled("Drop the unused HTTP client", "go.mod", "go.sum"), verdict.OutcomePass, ""},
		{"a title on updates", titled("Update the cache when the key changes", "src/cache.go"), verdict.OutcomePass, ""},
		{"tool's branch", func(c *model.Candidate) {
			titled("Security fix", "package.json")(c)
			c.Pull.HeadRef = "renovate/npm-lodash-vulnerability"
		}, verdict.OutcomeReject, verdict.DependencyUpdate},
		{"person's branch of such a name", func(c *model.Candidate) { c.Pull.HeadRef = "update-cache" }, verdict.OutcomePass, ""},
		{"files unknown", func(c *model.Candidate) {
			titled("Bump lodash from 4.17.20 to 4.17.21")(c)
			without("files")(c)
		}, verdict.OutcomeUndetermined, verdict.FilesIncomplete},
	})
}
