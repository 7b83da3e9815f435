package stages

import (
	"fmt"
	"time"

	"github.com/prforge/prforge/artifacts/takedown"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/collectors/github"
	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/collectors/openai"
	"github.com/prforge/prforge/contextbuilder"
	"github.com/prforge/prforge/contextbuilder/imports"
	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/filters"
	"github.com/prforge/prforge/filters/authorship"
	"github.com/prforge/prforge/filters/substance"
	"github.com/prforge/prforge/internal/config"
	"github.com/prforge/prforge/scoring"
	"github.com/prforge/prforge/scoring/contamination"
)

// cacheBytes bounds what is kept of parsed files between pull requests of one
// repository, which share most of them.
const cacheBytes = 128 << 20

// settings is the configuration as the domain packages take it, made once for
// a run.
type settings struct {
	config       *config.Config
	since, until time.Time
	registry     *authorship.Registry
	substance    substance.Options
	filters      filters.Options
	rvs          scoring.RVSOptions
	rqs          scoring.RQSOptions
	contexts     *contextbuilder.Builder
	counter      *tokens.Counter
	graphs       *imports.Cache
	licenses     *licenses

	instances     *contamination.Instances
	contamination contamination.Options
	encoder       contamination.Encoder
	summary       *openai.Client // nil where rules write layer 1
	selection     scoring.SelectionOptions
	split         scoring.SplitOptions

	takedowns  *takedown.List
	pseudonyms *takedown.Pseudonyms // nil where names stay
}

// settings makes the domain packages' options from the configuration.
func (b *Build) settings() (*settings, error) {
	c := b.Config
	registry, err := authorship.New(authorship.Options{ExtraAutomation: c.Accounts.Bots, ExtraAIReview: c.Accounts.Reviewers})
	if err != nil {
		return nil, &config.Error{File: c.File, Key: "accounts", Message: err.Error()}
	}
	counter, err := tokens.NewCounter()
	if err != nil {
		return nil, fmt.Errorf("load the tokenizer: %w", err)
	}
	instances, err := contamination.Known()
	if err != nil {
		return nil, fmt.Errorf("read the list of benchmark instances: %w", err)
	}
	s := &settings{
		instances: instances, contamination: contamination.DefaultOptions(), encoder: contamination.Builtin{},
		selection: scoring.SelectionOptions{
			Floor: c.RVS.Floor, Target: c.Selection.Target, MaxPerRepository: c.Selection.MaxPerRepository, MinCopyleftShare: c.Selection.MinCopyleftShare,
		},
		split:  scoring.SplitOptions{Seed: c.EvalSplit.Seed, Type1: c.EvalSplit.Type1, Type2: c.EvalSplit.Type2, Type3: c.EvalSplit.Type3},
		config: c, since: c.Since(), until: c.Until(), registry: registry, counter: counter,
		graphs: imports.NewCache(cacheBytes), licenses: newLicenses(),
		substance: substance.DefaultOptions(), filters: filters.DefaultOptions(), rvs: scoring.DefaultRVSOptions(), rqs: scoring.DefaultRQSOptions(),
	}
	s.substance.MinWords = c.Filters.MinWords
	s.filters.MinSubstantiveComments = c.Filters.MinSubstantiveComments
	s.filters.MaxAIShare = c.Filters.MaxAIShare
	s.filters.MaxAddedLines = c.Filters.MaxAddedLines
	s.filters.MinReviewValue = c.RVS.HardFloor
	s.contamination.MaxSimilarity = c.Selection.MaxSimilarity
	s.rqs.MinScore = c.RQS.MinScore
	s.rqs.FullCultureShare = c.RQS.FullCultureShare
	s.rqs.FullRecentPulls = float64(c.RQS.FullRecentPulls)
	s.rqs.FullMonthlyPulls = c.RQS.FullMonthlyPulls
	s.rqs.MinTestFiles, s.rqs.MinTestShare = c.RQS.MinTestFiles, c.RQS.MinTestShare
	s.rqs.ContaminationStars = float64(c.RQS.ContaminationStars)
	s.contexts = contextbuilder.NewBuilder(contextOptions(c), counter, s.graphs)
	return s, b.privacy(s)
}

// rendered lets go of what only rendering needs, which may be hundreds of
// megabytes: the tokenizer, parsed files, the license classifier.
func (s *settings) rendered() {
	s.contexts, s.counter, s.graphs, s.licenses = nil, nil, nil, nil
}

func contextOptions(c *config.Config) contextbuilder.Options {
	o := contextbuilder.DefaultOptions()
	o.Budgets = contextbuilder.Budgets(c.Contexts.Budgets)
	o.SameDiff = c.Contexts.SameDiff
	o.ShowDifficulty = c.Contexts.ShowDifficulty
	o.SummaryTokens = c.Contexts.SummaryTokens
	o.MaxFiles = c.Contexts.MaxFiles
	return o
}

// collection is how this run collects.
func (b *Build) collection(s *settings) collectors.Options {
	git := gitsource.DefaultOptions()
	git.Token, git.Log = b.GitAuth, b.Log
	if b.pause != nil {
		git.Sleep = b.pause
	}
	git.MaxFile, git.MaxFiles, git.MaxBytes = s.config.Sources.MaxFileBytes, s.config.Sources.MaxFiles, s.config.Sources.MaxBytes
	return collectors.Options{
		State: b.State, Since: censusSince(s), Refresh: b.Refresh, Connect: b.Connect, CloneURL: b.CloneURL,
		GitHub: github.DefaultOptions(), Git: git, Workers: b.Workers, Log: b.Log,
		Hidden: s.takedowns.Pull, Redact: s.redact,
	}
}

// censusSince is how far back the census must reach: to the beginning of the
// window and of what the repository score counts.
func censusSince(s *settings) time.Time {
	freeze := s.config.Dataset.FreezeDate
	since := s.since
	for _, t := range []time.Time{freeze.AddDate(0, 0, -s.config.RQS.RecentDays), freeze.AddDate(0, -s.config.RQS.VolumeMonths, 0)} {
		if t.Before(since) {
			since = t
		}
	}
	return since
}
