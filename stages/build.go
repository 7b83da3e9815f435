package stages

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/sourcegraph/conc/iter"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/config"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
)

// Build is one run of the whole pipeline: what to build, from where, and how.
type Build struct {
	Config *config.Config
	State  string // folder of the raw store; the run goes on from what it holds
	Out    string // folder of the dataset
	// From is a frozen dataset whose raw records are read into the state first:
	// the way to rebuild it without GitHub. "" for none.
	From         string
	Refresh      bool // ask GitHub again for what may have changed
	AllowPartial bool // freeze although something failed
	Workers      int  // pull requests at once within a stage, and contexts at once
	Shards       int  // repositories at once

	Connect  func(context.Context) (*ghapi.Client, error) // signs in to GitHub, when first needed
	CloneURL func(model.RepoRef) string
	GitAuth  string              // token for git, "" for none; never written anywhere
	Getenv   func(string) string // for the keys that the configuration names by environment variable
	Log      *slog.Logger
	Progress Progress

	pause func(context.Context, time.Duration) error // between attempts of git; nil waits
}

// Failure is a repository or a pull request that could not be had.
type Failure struct {
	Name   string `json:"name"` // OWNER/NAME or OWNER/NAME#N
	Stage  string `json:"stage"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
	Error  string `json:"error"` // what went wrong, which differs from run to run
}

// Report is how a run went. It lives with the state and never in the dataset.
type Report struct {
	Frozen   bool           `json:"frozen"`
	Dataset  string         `json:"dataset"`
	Records  int            `json:"records"`
	LookedAt int            `json:"pull_requests_looked_at"`
	Funnel   verdict.Funnel `json:"funnel"`
	Cost     ghapi.Stats    `json:"cost"`
	Failures []Failure      `json:"failures"`
	// Unmatched are the entries of the account registry that matched nobody: in
	// a large run a sign of a misspelt or retired account.
	Unmatched []string `json:"registry_entries_never_seen"`
}

// ErrPartial says that something failed and that the dataset was therefore not
// frozen.
var ErrPartial = errors.New("some repositories or pull requests failed")

// Run builds the dataset. The report is given with every error that leaves
// something to report. An error that Is ErrPartial means that only the freeze
// was left out.
func (b *Build) Run(ctx context.Context) (*Report, error) {
	s, err := b.settings()
	if err != nil {
		return nil, err
	}
	if err := artifacts.CheckTarget(b.Out); err != nil {
		return nil, err
	}
	c, err := collectors.Open(b.collection(s))
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := b.importRaw(c); err != nil {
		return nil, err
	}
	if err := b.connectModels(s, c.Store().Answers()); err != nil {
		return nil, err
	}
	report, err := b.run(ctx, c, s)
	if report != nil {
		report.Cost = c.Cost()
		err = errors.Join(err, b.writeReport(report))
	}
	return report, err
}

func (b *Build) run(ctx context.Context, c *collectors.Collector, s *settings) (*Report, error) {
	shards, err := b.shards(ctx, c, s)
	if err != nil {
		return nil, err
	}
	run := &outcome{shards: shards, answers: c.Store().Answers(), encoder: s.encoder.Name()}
	run.choose(s)
	if err := b.render(ctx, s, run); err != nil {
		return nil, err
	}
	s.rendered()
	run.draw(s)
	if err := run.count(s); err != nil {
		return nil, err
	}
	report := run.report(s.registry)
	if len(report.Failures) > 0 && !b.AllowPartial {
		return report, ErrPartial
	}
	if err := b.freeze(ctx, s, run); err != nil {
		return report, err
	}
	report.Frozen, report.Dataset, report.Records = true, b.Out, len(run.releases)
	return report, nil
}

// shards runs every repository's stages, several at once, and answers in the
// order of the configuration.
func (b *Build) shards(ctx context.Context, c *collectors.Collector, s *settings) ([]*shard, error) {
	refs := s.repositories()
	b.Progress.Phase("repositories", len(refs))
	if err := c.Survey(ctx, refs); err != nil {
		return nil, err
	}
	if err := fetchSamples(ctx, c, s, refs); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	mapper := iter.Mapper[model.RepoRef, *shard]{MaxGoroutines: max(1, b.Shards)}
	shards := mapper.Map(refs, func(ref *model.RepoRef) *shard {
		if ctx.Err() != nil {
			return nil
		}
		sh, err := b.runShard(ctx, c, s, *ref)
		if err != nil {
			cancel(err)
			return nil
		}
		b.Progress.Done(ref.String(), sh.summary())
		return sh
	})
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	dropDuplicates(shards)
	return shards, nil
}

// summary is a shard in a few words.
func (sh *shard) summary() string {
	if sh.repository.Verdict.Outcome != "pass" {
		return string(sh.repository.Verdict.Code)
	}
	good := 0
	for _, p := range sh.pulls {
		if p.grade != nil {
			good++
		}
	}
	return fmt.Sprintf("%d pull requests, %d graded", len(sh.pulls), good)
}

// observer passes the engine's progress on.
func (b *Build) observer(ref model.RepoRef) pipeline.Observer {
	return shardObserver{b.Progress, ref.String()}
}

type shardObserver struct {
	progress Progress
	name     string
}

func (o shardObserver) StageStarted(stage string, n int) {
	o.progress.Doing(o.name, fmt.Sprintf("%s (%d)", stage, n))
}

func (shardObserver) StageDone(string, verdict.Counts) {}

// reportFile is the name of the run report below the state.
const reportFile = "report.json"

// writeReport keeps the report with the state.
func (b *Build) writeReport(r *Report) error {
	data, err := artifacts.Canonical(r)
	if err != nil {
		return fmt.Errorf("write the run report: %w", err)
	}
	path := filepath.Join(b.State, reportFile)
	if err := os.WriteFile(path+".tmp", data, 0o644); err != nil {
		return fmt.Errorf("write the run report: %w", err)
	}
	if err := os.Rename(path+".tmp", path); err != nil {
		return fmt.Errorf("write the run report: %w", err)
	}
	return nil
}
