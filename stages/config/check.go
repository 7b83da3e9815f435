package config

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/filters"
	"github.com/prforge/prforge/filters/substance"
	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/model"
)

// fault is an impossible value: the dotted key and what is wrong with it.
type fault struct{ key, message string }

// check finds the first impossible value, or nil.
func (c *Config) check() *fault {
	for _, f := range []*fault{
		c.checkDataset(), c.checkGroundTruth(), c.checkWindow(), c.checkScores(), c.checkSelection(), c.checkContexts(), c.checkEndpoints(),
		c.checkBugs(), c.checkTakedown(),
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
		return &fault{"dataset.license", fmt.Sprintf("%q is not the URL of a license, such as https://creativecommons.org/licenses/by/4.0/", c.Dataset.License)}
	case len(c.Repositories) == 0:
		return &fault{"repositories", "is missing: list at least one OWNER/NAME"}
	}
	for _, s := range c.Repositories {
		if name, isURL := strings.CutPrefix(s, "https://github.com/"); isURL {
			return &fault{"repositories", fmt.Sprintf("%s is a link: write %s", s, strings.TrimSuffix(strings.TrimSuffix(name, "/"), ".git"))}
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

// maxMonths is a window of a hundred years.
const maxMonths = 1200

func (c *Config) checkGroundTruth() *fault {
	if c.Revisions == RevisionsAll && c.Revision == RevisionFinal {
		return &fault{"revisions", "all needs revision: reviewed: what was merged is one revision"}
	}
	return firstFault(
		oneOf("ground_truth.policy", c.GroundTruth.Policy, PolicyAll, PolicyStanding),
		atLeast("ground_truth.min_validated", c.GroundTruth.MinValidated, 1),
		atLeast("ground_truth.max_revisions", c.GroundTruth.MaxRevisions, 1),
		oneOf("profile", c.Profile, published, sound),
		oneOf("revision", c.Revision, RevisionFinal, RevisionReviewed),
		oneOf("revisions", c.Revisions, revisionsOne, RevisionsAll))
}

func (c *Config) checkWindow() *fault {
	if f := atMost("window.months", c.Window.Months, maxMonths); f != nil {
		return f
	}
	if !c.Since().Before(c.Until()) {
		return &fault{"window", fmt.Sprintf("is empty: %d months do not reach back beyond %d days", c.Window.Months, c.Window.MinAgeDays)}
	}
	return firstFault(
		atLeast("window.months", c.Window.Months, 1),
		atLeast("window.min_age_days", c.Window.MinAgeDays, 0),
		atLeast("window.max_pulls_per_repository", c.Window.MaxPullsPerRepository, 1))
}

func (c *Config) checkScores() *fault {
	for _, name := range c.Languages {
		if f := oneOf("languages", name, languages.Names()...); f != nil {
			return f
		}
	}
	for _, name := range c.Filters.CommentRules {
		if f := oneOf("filters.comment_rules", name, substance.AllRefinements()...); f != nil {
			return f
		}
	}
	return firstFault(
		within("rqs.min_score", c.RQS.MinScore, 0, 100),
		atLeast("rqs.reviewed_pulls", c.RQS.ReviewedPulls, 1),
		atLeast("rqs.recent_days", c.RQS.RecentDays, 1),
		within("rqs.full_culture_share", c.RQS.FullCultureShare, 0.01, 1),
		atLeast("rqs.full_recent_pulls", c.RQS.FullRecentPulls, 1),
		atLeast("rqs.volume_months", c.RQS.VolumeMonths, 1),
		within("rqs.full_monthly_pulls", c.RQS.FullMonthlyPulls, 0.01, 1e6),
		atLeast("rqs.min_test_files", c.RQS.MinTestFiles, 0),
		within("rqs.min_test_share", c.RQS.MinTestShare, 0, 1),
		atLeast("rqs.contamination_stars", c.RQS.ContaminationStars, 1),
		atLeast("filters.min_substantive_comments", c.Filters.MinSubstantiveComments, 0),
		atLeast("filters.min_words", c.Filters.MinWords, 0),
		within("filters.max_ai_share", c.Filters.MaxAIShare, 0, 1),
		oneOf("filters.languages", c.Filters.Languages, filters.AnyLanguage, filters.SupportedLanguages),
		atLeast("filters.max_added_lines", c.Filters.MaxAddedLines, 1),
		oneOf("filters.count_added", c.Filters.CountAdded, filters.CountAll, filters.CountProduction),
		oneOf("filters.comment_changes", c.Filters.CommentChanges, filters.CommentsAreDocumentation, filters.CommentsAreCode),
		within("rvs.hard_floor", c.RVS.HardFloor, 0, 1),
		within("rvs.floor", c.RVS.Floor, c.RVS.HardFloor, 1))
}

func (c *Config) checkSelection() *fault {
	return firstFault(
		atLeast("selection.target", c.Selection.Target, 1),
		atLeast("selection.max_per_repository", c.Selection.MaxPerRepository, 1),
		within("selection.min_copyleft_share", c.Selection.MinCopyleftShare, 0, 1),
		within("selection.max_similarity", c.Selection.MaxSimilarity, 0, 1),
		atLeast("eval_split.Type1_Direct", c.EvalSplit.Type1, 0),
		atLeast("eval_split.Type2_Contextual", c.EvalSplit.Type2, 0),
		atLeast("eval_split.Type3_Latent_Candidate", c.EvalSplit.Type3, 0))
}

// minBudget is the least that holds the task, a summary and one hunk.
const minBudget = 500

func (c *Config) checkContexts() *fault {
	if c.Contexts.Tokenizer != tokens.Name {
		return &fault{"contexts.tokenizer", fmt.Sprintf("%q is not known; %s is", c.Contexts.Tokenizer, tokens.Name)}
	}
	return firstFault(
		oneOf("contexts.diff", c.Contexts.Diff, DiffBudget, DiffWhole),
		atLeast("contexts.max_diff_tokens", c.Contexts.MaxDiffTokens, minBudget),
		atLeast("contexts.around.A", c.Contexts.Around.A, minBudget),
		atLeast("contexts.around.B", c.Contexts.Around.B, c.Contexts.Around.A),
		atLeast("contexts.around.C", c.Contexts.Around.C, c.Contexts.Around.B),
		atLeast("contexts.budgets.A", c.Contexts.Budgets.A, minBudget),
		// A richer context holds what a poorer one does, and more.
		atLeast("contexts.budgets.B", c.Contexts.Budgets.B, c.Contexts.Budgets.A),
		atLeast("contexts.budgets.C", c.Contexts.Budgets.C, c.Contexts.Budgets.B),
		atLeast("contexts.summary_tokens", c.Contexts.SummaryTokens, 50),
		atLeast("contexts.max_files", c.Contexts.MaxFiles, 1),
		atLeast("sources.max_file_bytes", int(c.Sources.MaxFileBytes), 1),
		atLeast("sources.max_files", c.Sources.MaxFiles, 1),
		atLeast("sources.max_bytes", int(c.Sources.MaxBytes), 1))
}

func (c *Config) checkEndpoints() *fault {
	return firstFault(
		endpoint("summary", c.Summary.Provider, "rules", c.Summary.Endpoint, c.Summary.Model),
		endpoint("encoder", c.Encoder.Provider, "builtin", c.Encoder.Endpoint, c.Encoder.Model))
}

func (c *Config) checkBugs() *fault {
	b := c.Bugs
	if b.Mode != "file" && b.Mode != "change" {
		return &fault{"bugs.mode", fmt.Sprintf("is %q, want file or change", b.Mode)}
	}
	for _, q := range []struct {
		name        string
		least, most int
	}{
		{"kind", b.Quotas.MinPerKind, b.Quotas.PerKind}, {"level", b.Quotas.MinPerLevel, b.Quotas.PerLevel}, {"repository", b.Quotas.MinPerRepository, b.Quotas.PerRepository},
	} {
		if q.most > 0 && q.least > q.most {
			return &fault{"bugs.quotas.min_per_" + q.name, fmt.Sprintf("is %d, more than per_%s, %d", q.least, q.name, q.most)}
		}
	}
	return firstFault(
		atLeast("bugs.min_bytes", b.MinBytes, 1),
		atLeast("bugs.max_bytes", b.MaxBytes, b.MinBytes),
		atLeast("bugs.min_lines", b.MinLines, 1),
		atLeast("bugs.max_lines", b.MaxLines, b.MinLines),
		atLeast("bugs.min_added_lines", b.MinAdded, 0),
		atLeast("bugs.context_bytes", b.ContextBytes, 0),
		atLeast("bugs.quotas.undeclared_name", b.Quotas.UndeclaredName, 0),
		atLeast("bugs.quotas.indentation", b.Quotas.Indentation, 0),
		atLeast("bugs.quotas.import", b.Quotas.Import, 0),
		atLeast("bugs.quotas.per_kind", b.Quotas.PerKind, 0),
		atLeast("bugs.quotas.per_level", b.Quotas.PerLevel, 0),
		atLeast("bugs.quotas.per_repository", b.Quotas.PerRepository, 0),
		atLeast("bugs.quotas.min_per_kind", b.Quotas.MinPerKind, 0),
		atLeast("bugs.quotas.min_per_level", b.Quotas.MinPerLevel, 0),
		atLeast("bugs.quotas.min_per_repository", b.Quotas.MinPerRepository, 0),
		atLeast("bugs.controls_every", b.ControlsEvery, 0),
		atLeast("bugs.split_per_level", b.SplitPerLevel, 0))
}

func (c *Config) checkTakedown() *fault {
	names, digest := len(c.Takedown.PullRequests)+len(c.Takedown.Repositories)+len(c.Takedown.Accounts) > 0, c.Takedown.SHA256 != "" || len(c.Takedown.Tombstones) > 0
	if c.Frozen && names || !c.Frozen && digest {
		return &fault{"takedown", "the lists are for a configuration of your own, sha256 and tombstones for that of a dataset"}
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
	}{{"pull_requests", c.Takedown.PullRequests}, {"repositories", c.Takedown.Repositories}, {"accounts", c.Takedown.Accounts}} {
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
func endpoint(key, provider, builtin, address, model string) *fault {
	if provider == builtin {
		return nil
	}
	if provider != "openai" {
		return &fault{key + ".provider", fmt.Sprintf("%q is not known: write %s or openai", provider, builtin)}
	}
	if address == "" || !isLink(address) {
		return &fault{key + ".endpoint", fmt.Sprintf("%q is not the address of an OpenAI-compatible endpoint", address)}
	}
	if model == "" {
		return &fault{key + ".model", "is missing"}
	}
	return nil
}

func oneOf(key, value string, known ...string) *fault {
	if !slices.Contains(known, value) {
		return &fault{key, fmt.Sprintf("%q is not known; %s are", value, strings.Join(known, " and "))}
	}
	return nil
}

func atLeast(key string, value, low int) *fault {
	if value < low {
		return &fault{key, fmt.Sprintf("is %d; the least possible is %d", value, low)}
	}
	return nil
}

func atMost(key string, value, high int) *fault {
	if value > high {
		return &fault{key, fmt.Sprintf("is %d; the most possible is %d", value, high)}
	}
	return nil
}

func within(key string, value, low, high float64) *fault {
	if !(value >= low && value <= high) {
		return &fault{key, fmt.Sprintf("is %g; it must lie between %g and %g", value, low, high)}
	}
	return nil
}

func firstFault(faults ...*fault) *fault {
	for _, f := range faults {
		if f != nil {
			return f
		}
	}
	return nil
}
