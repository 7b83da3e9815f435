package config

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/filters/substance"
	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/model"
)

// check finds the first impossible value, or nil.
func (c *Config) check() *fault {
	for _, f := range []*fault{
		c.checkDataset(), checkTags(c), c.checkPairs(), c.checkSnapshots(), c.checkWindow(), c.checkNames(),
		c.checkContexts(), c.checkEndpoints(),
		c.checkBugs(), c.checkEscaped(), c.checkTakedown(),
	} {
		if f != nil {
			return f
		}
	}
	return nil
}

func (c *Config) checkDataset() *fault {
	switch {
	case c.Version != 1:
		return &fault{"version", fmt.Sprintf("is %d; this prforge reads version 1", c.Version)}
	case c.Dataset.FreezeDate.IsZero():
		return &fault{"dataset.freeze_date", "is missing: the day that counts as now, YYYY-MM-DD"}
	case c.Dataset.Name == "":
		return &fault{"dataset.name", "must not be empty"}
	case c.Dataset.PipelineVersion == "":
		return &fault{"dataset.pipeline_version", "must not be empty"}
	case !isLink(c.Dataset.Homepage):
		return &fault{"dataset.homepage", fmt.Sprintf("%q is not the URL of a page", c.Dataset.Homepage)}
	case !isLink(c.Dataset.License):
		return &fault{"dataset.license",
			fmt.Sprintf("%q is not the URL of a license, such as https://creativecommons.org/licenses/by/4.0/",
				c.Dataset.License)}
	case c.Visibility != "" && c.Visibility != AnyVisibility:
		return oneOf("repositories_visibility", c.Visibility, "public", AnyVisibility)
	case len(c.Repositories) == 0:
		return &fault{"repositories", "is missing: list at least one OWNER/NAME"}
	}
	for _, s := range c.Repositories {
		if name, isURL := strings.CutPrefix(s, "https://github.com/"); isURL {
			return &fault{"repositories",
				fmt.Sprintf("%s is a link: write %s", s, strings.TrimSuffix(strings.TrimSuffix(name, "/"), ".git"))}
		}
		if _, err := model.ParseRepoRef(s); err != nil {
			return &fault{"repositories", err.Error()}
		}
	}
	return nil
}

// isLink reports whether a text is empty or the URL of a page.
func isLink(s string) bool {
	u, err := url.Parse(s)
	return s == "" || err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

// checkSnapshots refuses to publish, beside pseudonyms, the names behind them.
func (c *Config) checkSnapshots() *fault {
	if c.Snapshots && c.Privacy.Pseudonyms {
		return &fault{"snapshots",
			"is on with privacy.pseudonyms: commits hold the names and addresses of those who made them, and cannot be rewritten"}
	}
	return nil
}

// checkPairs checks pairs of values in which one bounds the other.
func (c *Config) checkPairs() *fault {
	if c.Revisions == RevisionsAll && c.Revision == RevisionFinal {
		return &fault{"revisions", "all needs revision: reviewed: what was merged is one revision"}
	}
	return within("rvs.floor", c.RVS.Floor, c.RVS.HardFloor, 1)
}

func (c *Config) checkWindow() *fault {
	if !c.Window.From.IsZero() && !c.Since().Before(c.Until()) {
		return &fault{"window.from", fmt.Sprintf("is %s, and the window ends with %s, %d days before the freeze date",
			c.Window.From, c.Until().Format(time.DateOnly), c.Window.MinAgeDays)}
	}
	if !c.Since().Before(c.Until()) {
		return &fault{"window", fmt.Sprintf("is empty: %d months do not reach back beyond %d days", c.Window.Months,
			c.Window.MinAgeDays)}
	}
	return nil
}

// checkNames checks the lists of names that a package knows.
func (c *Config) checkNames() *fault {
	for _, name := range c.Languages {
		if f := oneOf("languages", name, languages.Names()...); f != nil {
			return f
		}
	}
	for _, name := range c.Filters.Refinements {
		if f := oneOf("filters.comment_rules", name, substance.AllRefinements()...); f != nil {
			return f
		}
	}
	return nil
}

// minBudget is the least that holds the task, a summary and one hunk.
const minBudget = 500

func (c *Config) checkContexts() *fault {
	if c.Contexts.Tokenizer != tokens.Name {
		return &fault{"contexts.tokenizer", fmt.Sprintf("%q is not known; %s is", c.Contexts.Tokenizer, tokens.Name)}
	}
	return firstFault(
		atLeast("contexts.around.A", c.Contexts.Around.A, minBudget),
		atLeast("contexts.around.B", c.Contexts.Around.B, c.Contexts.Around.A),
		atLeast("contexts.around.C", c.Contexts.Around.C, c.Contexts.Around.B),
		atLeast("contexts.budgets.A", c.Contexts.Budgets.A, minBudget),
		// A richer context holds what a poorer one does, and more.
		atLeast("contexts.budgets.B", c.Contexts.Budgets.B, c.Contexts.Budgets.A),
		atLeast("contexts.budgets.C", c.Contexts.Budgets.C, c.Contexts.Budgets.B))
}

func (c *Config) checkEndpoints() *fault {
	return firstFault(
		endpoint("summary", c.Summary, "rules"),
		endpoint("encoder", c.Encoder, "builtin"),
		c.checkTrust("summary", c.Summary),
		c.checkTrust("encoder", c.Encoder))
}

// checkTrust keeps unpublished data from endpoints that are not configured as trusted.
func (c *Config) checkTrust(section string, m Model) *fault {
	if c.NotForPublication() && m.Provider == "openai" && !m.Trusted {
		return &fault{section + ".trusted",
			"is missing: with repositories_visibility: any texts may only go to an endpoint that you trust with them (trusted: true)"}
	}
	return nil
}

func (c *Config) checkBugs() *fault {
	b := c.Bugs
	for _, q := range []struct {
		name        string
		least, most int
	}{
		{"kind", b.Quotas.MinPerKind, b.Quotas.PerKind}, {"level", b.Quotas.MinPerLevel, b.Quotas.PerLevel},
		{"repository", b.Quotas.MinPerRepository, b.Quotas.PerRepository},
	} {
		if q.most > 0 && q.least > q.most {
			return &fault{"bugs.quotas.min_per_" + q.name, fmt.Sprintf("is %d, more than per_%s, %d", q.least, q.name, q.most)}
		}
	}
	return firstFault(
		atLeast("bugs.max_bytes", b.MaxBytes, b.MinBytes),
		atLeast("bugs.max_lines", b.MaxLines, b.MinLines))
}

func (c *Config) checkEscaped() *fault {
	for i, a := range c.Escaped.Answers {
		if err := a.Check(); err != nil {
			return &fault{fmt.Sprintf("escaped.answers[%d]", i), err.Error()}
		}
	}
	return nil
}

func (c *Config) checkTakedown() *fault {
	names, digest := len(c.Takedown.PullRequests)+len(c.Takedown.Repositories)+len(c.Takedown.Accounts) > 0,
		c.Takedown.SHA256 != "" || len(c.Takedown.Tombstones) > 0
	if c.Frozen && names || !c.Frozen && digest {
		return &fault{"takedown",
			"the lists are for a configuration of your own, sha256 and tombstones for that of a dataset"}
	}
	for i, e := range c.Takedown.PullRequests {
		if _, err := model.ParsePullRef(e.Name); err != nil {
			return &fault{fmt.Sprintf("takedown.pull_requests[%d].name", i), err.Error()}
		}
	}
	for i, e := range c.Takedown.Repositories {
		if _, err := model.ParseRepoRef(e.Name); err != nil {
			return &fault{fmt.Sprintf("takedown.repositories[%d].name", i), err.Error()}
		}
	}
	for _, list := range []struct {
		key     string
		entries []TakedownEntry
	}{{"pull_requests", c.Takedown.PullRequests}, {"repositories", c.Takedown.Repositories},
		{"accounts", c.Takedown.Accounts}} {
		for i, e := range list.entries {
			if e.Date.IsZero() {
				return &fault{fmt.Sprintf("takedown.%s[%d].date", list.key, i), "is missing: the day of the request, YYYY-MM-DD"}
			}
		}
	}
	if c.Privacy.Pseudonyms && c.Privacy.KeyEnv == "" {
		return &fault{"privacy.key_env", "is missing: name the environment variable that holds the key"}
	}
	return nil
}

// endpoint checks a provider: the one built in needs nothing, "openai" needs an
// address and a model.
func endpoint(key string, m Model, builtin string) *fault {
	if m.Provider == builtin {
		return nil
	}
	if m.Provider != "openai" {
		return &fault{key + ".provider", fmt.Sprintf("%q is not known: write %s or openai", m.Provider, builtin)}
	}
	if m.Endpoint == "" || !isLink(m.Endpoint) {
		return &fault{key + ".endpoint", fmt.Sprintf("%q is not the address of an OpenAI-compatible endpoint", m.Endpoint)}
	}
	if m.Model == "" {
		return &fault{key + ".model", "is missing"}
	}
	return nil
}
