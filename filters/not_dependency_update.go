package filters

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/filters/authorship"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
	"github.com/prforge/prforge/internal/verdict"
)

// notDependencyUpdate is filter 5.
type notDependencyUpdate struct{ registry *authorship.Registry }

func (notDependencyUpdate) ID() string { return verdict.FilterNotDependencyUpdate }

// updateBranch matches the branches that update tools push to by default.
var updateBranch = regexp.MustCompile(`^(?:dependabot|renovate|renovate-bot|snyk-(?:fix|upgrade)|pyup|greenkeeper|depfu|whitesource-remediate|mend|scala-steward|update)[/-]`)

// updateTitle matches the titles that update tools give by default, with or
// without a conventional-commit prefix or an emoji before them.
var updateTitle = regexp.MustCompile(`(?i)^\W*(?:[\w./@-]+(?:\([^)]*\))?!?: *){0,2}(?:\[(?:security|snyk|pre-commit\.ci|renovate|dependabot)[^\]]*\] *)*(?:` +
	`(?:bump|upgrade|update|pin|lock|replace|roll ?back) .*(?:\bfrom \S+ to \S+|\bdigest to [0-9a-f]{6,}|\b(?:dependenc(?:y|ies)|updates?|group|lock ?files?|pre-?commit hooks?|submodules?)\b.*)` +
	`|bump .*\bto v?\d[\w.+-]*(?: \[security\])?$` +
	`|(?:update|pin) .*\bto v\d[\w.+-]*(?: \[security\])?$` +
	`|(?:lock file maintenance|pre-?commit autoupdate|weekly (?:dependency|lock).*update|configure renovate)` +
	`)`)

// Check rejects updates that a tool raised: by the account, by the tool's own branch name, or by a tool's title on a
// change of dependency files alone. The title alone is not enough: people title real changes "Upgrade to v2".
func (f notDependencyUpdate) Check(c *model.Candidate) verdict.Verdict {
	author := c.Pull.Author
	if bot, ok := f.registry.Bot(author); ok && bot.Kind == authorship.Dependency {
		return rejectUpdate("its author is a dependency tool", "author", author.Login+" ("+bot.Because+")")
	}
	paths, unknown := changedFiles(c.Pull)
	title := strings.TrimSpace(c.Pull.Title)
	titled := updateTitle.MatchString(title)
	branched := updateBranch.MatchString(c.Pull.HeadRef)
	if !titled && !branched {
		return verdict.Pass(verdict.Evidence{What: "title", Found: title})
	}
	if unknown != nil {
		return *unknown
	}
	all, other := every(paths, pathkind.IsDependencyFile)
	switch {
	case all && branched:
		return rejectUpdate("a dependency tool's branch that changes only dependency files", "branch", c.Pull.HeadRef)
	case all && titled && (f.byTool(c) || !slices.ContainsFunc(paths, isBaseImage)):
		return rejectUpdate("a dependency tool's title over nothing but dependency files", "title", title)
	}
	return verdict.Pass(verdict.Evidence{What: "file that pins no dependency", Found: other})
}

// byTool reports whether GitHub or the registry says that a program raised the
// pull request. People raise toolchains in a Dockerfile by hand, under the same
// titles.
func (f notDependencyUpdate) byTool(c *model.Candidate) bool {
	_, bot := f.registry.Bot(c.Pull.Author)
	return bot
}

// isBaseImage reports whether a file names a base image.
func isBaseImage(p string) bool {
	name := strings.ToLower(path.Base(p))
	return strings.HasPrefix(name, "dockerfile") || strings.HasSuffix(name, ".dockerfile")
}

func rejectUpdate(detail, what, found string) verdict.Verdict {
	return verdict.Reject(verdict.DependencyUpdate, detail, verdict.Evidence{What: what, Found: found})
}
