package stages

import (
	"context"
	"fmt"
	"runtime"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/filters/authorship"
	"github.com/prforge/prforge/filters/substance"
	"github.com/prforge/prforge/internal/config"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/scoring"
	"github.com/prforge/prforge/stages/run"
)

// Verify checks a dataset against everything that can be recomputed from its
// files, in the layout named by one of verify's formats.
func Verify(ctx context.Context, dir, format string) (*verify.Report, error) {
	options, err := verifyOptions()
	if err != nil {
		return nil, err
	}
	if format == verify.FormatPublished {
		return verify.Published(ctx, dir, options)
	}
	m, err := artifacts.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	switch m.Benchmark {
	case artifacts.Debugging:
		return verifyDebugging(ctx, dir)
	case artifacts.Bugs:
		return verifyBugs(ctx, dir, m)
	case artifacts.Controls:
		return verify.Controls(dir, m)
	}
	return verify.Dataset(ctx, dir, options)
}

// Recheck decides about everything again in a dataset of the review benchmark,
// from its raw records and its configuration, and adds to the report of Verify
// what differs. With contexts, these are built again too. What has faults already
// is not built from: its report says so.
func Recheck(ctx context.Context, env run.Env, dir string, contexts bool, report *verify.Report) error {
	m, err := artifacts.ReadManifest(dir)
	if err != nil || m.Benchmark != artifacts.Review && !contexts {
		return err
	}
	if !report.OK() {
		report.Skipped = append(report.Skipped, "built again from itself: first fix the faults above")
		return nil
	}
	if !contexts {
		env.Contexts = dir
		report.Skipped = append(report.Skipped, "contexts built again, byte for byte: --rebuild does it")
	}
	again, err := rebuild(ctx, env, dir)
	if err != nil {
		report.Add(verify.NotRebuilt, err.Error())
		return ctx.Err()
	}
	report.Checks += again.Files
	for _, d := range again.Differ {
		report.Add(verify.RebuiltDiffers, d.String())
	}
	return nil
}

// verifyOptions are the rules of the packages that verify may not import.
func verifyOptions() (verify.Options, error) {
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
	return artifacts.Parameters{
		RVSWeights: artifacts.RVSBreakdown{
			ReviewDepth: artifacts.Float(rvs.DepthWeight), CodeComplexity: artifacts.Float(rvs.ComplexityWeight),
			DiscussionSignal: artifacts.Float(rvs.DiscussionWeight), TestChangeSignal: artifacts.Float(rvs.TestWeight),
			BugFixSignal: artifacts.Float(rvs.BugWeight),
		},
		RVSFloor: artifacts.Float(c.RVS.Floor), RVSHardFloor: artifacts.Float(c.RVS.HardFloor), RQSMinScore: artifacts.Float(c.RQS.MinScore),
		MinSubstantiveComments: c.Filters.MinSubstantiveComments, MinWords: c.Filters.MinWords, SuggestionCounts: c.Filters.SuggestionCounts, CommentRules: c.Filters.CommentRules, GroundTruthPolicy: c.GroundTruth.Policy, MinValidated: c.GroundTruth.MinValidated,
		MaxAIShare:    artifacts.Float(c.Filters.MaxAIShare),
		MaxAddedLines: c.Filters.MaxAddedLines, CountAdded: c.Filters.CountAdded, MaxPerRepository: c.Selection.MaxPerRepository,
		Budgets: c.Contexts.Budgets, ShowDifficulty: c.Contexts.ShowDifficulty,
	}
}
