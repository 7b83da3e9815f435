package run

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/card"
	"github.com/prforge/prforge/artifacts/convert"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/collectors/python"
	"github.com/prforge/prforge/collectors/sandbox"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/scoring"
	"github.com/prforge/prforge/stages/config"
)

// FileSeq yields files of a dataset, each with the error of making it.
type FileSeq = iter.Seq2[freeze.File, error]

// Failure is an item that could not be decided because of an error.
type Failure struct {
	Name   string `json:"name"` // OWNER/NAME, OWNER/NAME#N, ...
	Stage  string `json:"stage"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
	Error  string `json:"error"` // what went wrong, which differs from run to run
}

// Report says how a run went. It is part of the state and never of the dataset.
type Report struct {
	Benchmark artifacts.Benchmark `json:"benchmark"`
	Frozen    bool                `json:"frozen"`
	Dataset   string              `json:"dataset"`
	Records   int                 `json:"records"`
	LookedAt  int                 `json:"looked_at"` // items, of Benchmark.Unit
	Funnel    verdict.Funnel      `json:"funnel"`
	Cost      *ghapi.Stats        `json:"cost,omitempty"` // of asking GitHub; nil if the run asks only for code
	Parsed    imports.Parsed      `json:"parsed"`         // source files
	Failures  []Failure           `json:"failures"`
	Gone      []Failure           `json:"gone,omitempty"` // repositories that GitHub does not have, or that are empty
	// NotCollected is how many repositories and items were left out because the raw records that the run was built from
	// lack something.
	NotCollected int `json:"not_collected,omitempty"`
	// The actual and the requested counts of the review benchmark's records.
	Languages  map[string]int `json:"languages,omitempty"`
	Difficulty map[string]int `json:"difficulty,omitempty"`
	Target     int            `json:"target,omitempty"` // selection.target
	Split      *model.Split   `json:"split,omitempty"`
	// CopyleftShort is how many pull requests of copyleft repositories are missing for the configured minimum share.
	CopyleftShort int `json:"copyleft_short"`
	// Runs is what it took to run the scripts of the debugging benchmark and Sandbox how they were held; nil and "" if
	// nothing was run.
	Runs    *python.Stats `json:"runs,omitempty"`
	Sandbox sandbox.Way   `json:"sandbox,omitempty"`
	// Short are the groups of the bugs benchmark with too few questions.
	Short []model.BugShortage `json:"short,omitempty"`
	// Unmatched are the entries of the account registry that matched no account in a run of largeRun pull requests or
	// more. They hint at a misspelled or retired account.
	Unmatched []string `json:"registry_entries_never_seen,omitempty"`
}

// ErrPartial says that something failed and that the dataset was not frozen.
var ErrPartial = errors.New("some repositories or pull requests failed")

// ErrEmpty says that no item passed and that nothing was frozen.
var ErrEmpty = errors.New("nothing came through")

// largeRun is the number of pull requests from which an unmatched account of the registry means something.
const largeRun = 1000

// NewReport is the report of a run over repositories.
func NewReport[F any](s *Session, b artifacts.Benchmark, funnel *verdict.Funnel, shards []*Shard[F]) *Report {
	r := &Report{Benchmark: b, Funnel: *funnel, Failures: Failures(TrailsOf(shards))}
	for t := range TrailsOf(shards) {
		if t.Last().Code == verdict.NotCollected {
			r.NotCollected++
		}
	}
	for _, sh := range shards {
		if sh.gone() {
			r.Gone = append(r.Gone, Failure{Name: sh.Name(), Stage: sh.Trail.Last().Stage, Code: string(sh.Trail.Last().Code),
				Detail: sh.Trail.Last().Detail})
		}
	}
	var seen []string
	for _, sh := range shards {
		for _, t := range sh.Items {
			if t.Kind == string(artifacts.KindPullRequest) {
				r.LookedAt++
			}
		}
		seen = append(seen, sh.Accounts...)
	}
	if r.LookedAt < largeRun {
		return r
	}
	slices.Sort(seen)
	for _, entry := range s.Registry.Unmatched(slices.Compact(seen)) {
		r.Unmatched = append(r.Unmatched, entry.Login)
	}
	return r
}

// TrailsOf are the trails of repositories and their items, in order.
func TrailsOf[F any](shards []*Shard[F]) iter.Seq[*pipeline.Trail] {
	return func(yield func(*pipeline.Trail) bool) {
		for _, sh := range shards {
			if !yield(&sh.Trail) {
				return
			}
			for _, t := range sh.Items {
				if !yield(t) {
					return
				}
			}
		}
	}
}

// Failures lists what failed.
func Failures(trails iter.Seq[*pipeline.Trail]) []Failure {
	out := []Failure{}
	for t := range trails {
		if d := t.Last(); d.Outcome == verdict.OutcomeFailed {
			out = append(out, Failure{Name: t.Name(), Stage: d.Stage, Code: string(d.Code), Detail: d.Detail, Error: t.Error})
		}
	}
	return out
}

// AuditLines are the lines of audit/decisions.jsonl, one for each trail.
func AuditLines(trails iter.Seq[*pipeline.Trail]) iter.Seq2[artifacts.Rejection, error] {
	return func(yield func(artifacts.Rejection, error) bool) {
		for t := range trails {
			if !yield(auditLine(t), nil) {
				return
			}
		}
	}
}

func auditLine(t *pipeline.Trail) artifacts.Rejection {
	last, verdicts := t.Last(), t.Decisions
	d := artifacts.Decision{
		Kind: artifacts.Kind(t.Kind), Repo: t.Repo, Item: t.Item, Stage: last.Stage, Outcome: artifacts.FateOf(last.Outcome),
		Code: last.Code, Detail: last.Detail, Evidence: last.Evidence,
	}
	if t.Number != 0 {
		d.PRNumber = &t.Number
	}
	if d.Kind == artifacts.KindRepository {
		verdicts = verdicts[len(verdicts)-1:] // a successful collection needs no line
	}
	return artifacts.Rejection{Decision: d, Verdicts: artifacts.VerdictLines(verdicts)}
}

// RepositoryAudits are the lines of audit/repositories.jsonl.
func RepositoryAudits[F any](shards []*Shard[F]) []artifacts.RepositoryAudit {
	out := make([]artifacts.RepositoryAudit, len(shards))
	for i, sh := range shards {
		out[i] = sh.Audit()
	}
	return out
}

// Audit is the shard's line of audit/repositories.jsonl.
func (sh *Shard[F]) Audit() artifacts.RepositoryAudit {
	copyleft := sh.Facts != nil && scoring.IsCopyleft(sh.Facts.SPDX)
	return convert.NewRepositoryAudit(sh.Asked, sh.Facts, sh.Score, sh.Trail.Last().Verdict, copyleft)
}

// Dataset is what the datasets of all benchmarks have in common.
func (s *Session) Dataset(b artifacts.Benchmark) (freeze.Dataset, error) {
	c := s.Config
	text, err := c.Canonical(s.Takedowns.Tombstones())
	if err != nil {
		return freeze.Dataset{}, err
	}
	d := freeze.Dataset{
		Manifest: artifacts.Manifest{
			Benchmark: b, Name: c.Dataset.Name, PipelineVersion: c.Dataset.PipelineVersion,
			FreezeDate: c.Dataset.FreezeDate.String(),
			Tokenizer:  c.Contexts.Tokenizer, Encoder: s.encoder.Name(), NotForPublication: c.NotForPublication(),
			ConfigSHA256: fmt.Sprintf("%x", sha256.Sum256(text)),
		},
		Card: CardOf(c.Dataset), Config: text, Tombstones: s.Takedowns.Tombstones(),
		Workers: min(s.Shards, runtime.GOMAXPROCS(0)),
	}
	return d, nil
}

// CardOf is the configuration's description of the dataset and its makers.
func CardOf(c config.Dataset) card.Card {
	card := card.DefaultCard()
	card.Title = cmp.Or(c.Title, c.Name)
	card.Description = cmp.Or(c.Description, card.Description)
	card.Homepage = cmp.Or(c.Homepage, card.Homepage)
	card.Creator, card.Contact, card.License, card.Citation = c.Creator, c.Contact, c.License, c.Citation
	return card
}

// Freeze writes the dataset to Env.Out and notes it in the report. The error is ErrPartial if something failed and
// ErrEmpty if there is nothing to release, unless Env.AllowPartial allows it.
func (s *Session) Freeze(ctx context.Context, r *Report, d freeze.Dataset, records int) error {
	if len(r.Failures) > 0 && !s.AllowPartial {
		return ErrPartial
	}
	if records == 0 && !s.AllowPartial {
		return ErrEmpty
	}
	if err := s.Collector.Store().InUse(); err != nil {
		return err
	}
	s.Progress.Phase("writing and checking", 0)
	if err := freeze.Freeze(ctx, s.Out, d); err != nil {
		return err
	}
	r.Frozen, r.Dataset, r.Records = true, s.Out, records
	return nil
}

// ReportFile is the name of the run report below the state.
const ReportFile = "report.json"

// WriteReport writes the report to the state; nil is ignored.
func (s *Session) WriteReport(r *Report) error {
	if r == nil {
		return nil
	}
	cost := s.Collector.Cost()
	r.Cost, r.Parsed = &cost, s.Graphs.Parsed()
	return r.Write(s.State)
}

// Write keeps the report in the folder of a state.
func (r *Report) Write(state string) error {
	data, err := artifacts.Canonical(r)
	path := filepath.Join(state, ReportFile)
	if err == nil {
		err = os.WriteFile(path+".tmp", data, 0o600)
	}
	if err == nil {
		err = os.Rename(path+".tmp", path)
	}
	if err != nil {
		return fmt.Errorf("write the run report: %w", err)
	}
	return nil
}
