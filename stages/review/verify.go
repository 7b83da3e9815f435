package review

import (
	"context"
	"fmt"
	"runtime"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/filters/authorship"
	"github.com/prforge/prforge/filters/substance"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/scoring"
	"github.com/prforge/prforge/stages/config"
)

// verifyReviews checks a dataset of reviewed pull requests.
func verifyDataset(ctx context.Context, dir string, _ *artifacts.Manifest) (*verify.Report, error) {
	options, err := VerifyOptions()
	if err != nil {
		return nil, err
	}
	return verify.Dataset(ctx, dir, options)
}

// verifyPublished checks a dataset in the published layout.
func verifyPublished(ctx context.Context, dir string) (*verify.Report, error) {
	options, err := VerifyOptions()
	if err != nil {
		return nil, err
	}
	return verify.Published(ctx, dir, options)
}

// VerifyOptions are the rules of the packages that verify may not import.
func VerifyOptions() (verify.Options, error) {
	registry, err := authorship.New(authorship.Options{})
	if err != nil {
		return verify.Options{}, fmt.Errorf("read the registry of accounts: %w", err)
	}
	counter, err := tokens.NewCounter()
	if err != nil {
		return verify.Options{}, fmt.Errorf("load the tokenizer: %w", err)
	}
	defaults := config.Default()
	return verify.Options{
		Workers:    runtime.GOMAXPROCS(0),
		Parameters: parameters(&defaults, scoring.DefaultRVSOptions()),
		Tokenizer:  tokens.Name, Tokens: counter.Count, Words: substance.Words,
		Bot: func(a model.Account) bool {
			_, is := registry.Bot(a)
			return is
		},
		SecondScore: secondScore,
		Score:       func(in model.RVSInputs) model.RVS { return scoring.RVS(in, scoring.DefaultRVSOptions()) },
	}, nil
}

// parameters are the options that the invariants of the review benchmark depend
// on.
func parameters(c *config.Config, rvs scoring.RVSOptions) artifacts.Parameters {
	p := artifacts.Parameters{
		RVSWeights: artifacts.RVSBreakdown{
			ReviewDepth: artifacts.Float(rvs.DepthWeight), CodeComplexity: artifacts.Float(rvs.ComplexityWeight),
			DiscussionSignal: artifacts.Float(rvs.DiscussionWeight), TestChangeSignal: artifacts.Float(rvs.TestWeight),
			BugFixSignal: artifacts.Float(rvs.BugWeight),
		},
		RVSFloor: artifacts.Float(c.RVS.Floor), RVSHardFloor: artifacts.Float(c.RVS.HardFloor),
		RQSMinScore:            artifacts.Float(c.RQS.MinScore),
		MinSubstantiveComments: c.Filters.MinSubstantiveComments, MinWords: c.Filters.MinWords,
		SuggestionCounts: c.Filters.SuggestionCounts, CommentRules: c.Filters.Refinements,
		GroundTruthPolicy: c.GroundTruth.Policy, MinValidated: c.GroundTruth.MinValidated,
		ConfirmedBy:   c.GroundTruth.ConfirmedBy,
		MaxAIShare:    artifacts.Float(c.Filters.MaxAIShare),
		MaxAddedLines: c.Filters.MaxAddedLines, CountAdded: c.Filters.CountAdded,
		MaxPerRepository: c.Selection.MaxPerRepository,
		Budgets:          c.Contexts.Budgets, ShowDifficulty: c.Contexts.ShowDifficulty,
	}
	if c.Contexts.Diff == config.DiffWhole {
		p.MaxDiffTokens, p.Around = c.Contexts.MaxDiffTokens, c.Contexts.Around
	}
	return p
}
