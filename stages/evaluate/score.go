package evaluate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/sourcegraph/conc/pool"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/report"
	"github.com/prforge/prforge/evaluation/usage"
	"github.com/prforge/prforge/internal/digest"
)

// scored holds the scores of a run's stored answers.
type scored struct {
	plan      evaluation.Plan
	benchmark evaluation.Benchmark
	results   []evaluation.Result
	items     map[string]evaluation.Item
	ledger    *ledger
	findings  []evaluation.Finding
	cheats    *evaluation.Table // below the models; nil of a benchmark without
	seal      []byte            // digests.jsonl; nil of several runs
}

// scored scores the stored answers.
func (s *session) scored(ctx context.Context) (*scored, error) {
	a, err := s.connect(true, 0)
	if err != nil {
		return nil, err
	}
	results, err := s.each(ctx, a, func(evaluation.Result) {})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(s.beside(results), s.labels(results)); err != nil {
		return nil, err
	}
	c := &scored{plan: s.plan, benchmark: s.benchmark.Benchmark, results: results, items: s.items, ledger: a.ledger}
	if c.findings, err = s.pool(ctx, a, results); err != nil {
		return nil, err
	}
	known, err := s.cheats()
	if err != nil {
		return nil, err
	}
	if known != nil {
		table := s.benchmark.Cheats.Table(known)
		c.cheats = &table
	}
	c.seal, err = s.seal(a, c.findings)
	return c, err
}

// report summarizes it.
func (c *scored) report() (evaluation.Report, error) {
	taken, costs := c.ledger.taken(c.plan)
	r := evaluation.NewReport(c.plan, c.benchmark.Metrics(), c.results, c.items, costs)
	r.Warn(taken)
	if c.seal != nil {
		r.Seal = digest.Bytes(c.seal)
	}
	if c.cheats != nil {
		r.Tables = append(r.Tables, *c.cheats)
	}
	r.Tables = append(r.Tables, evaluation.PoolTables(c.plan, c.results, c.items, c.findings)...)
	r.Tables = append(r.Tables, report.AgentTables(c.plan, c.results)...)
	b, ok := c.benchmark.(evaluation.Tabler)
	if !ok {
		return r, nil
	}
	tables, err := b.Tables(c.plan, c.items, c.results)
	if err != nil {
		return r, fmt.Errorf("make the tables of the report: %w", err)
	}
	r.Tables = append(r.Tables, tables...)
	return r, nil
}

// score makes every file of the run folder from the stored answers.
func (s *session) score(ctx context.Context) (*Outcome, error) {
	if err := s.measureCheats(ctx); err != nil {
		return nil, err
	}
	c, err := s.scored(ctx)
	if err != nil {
		return nil, err
	}
	report, files, err := s.files(c)
	if err != nil {
		return nil, err
	}
	if err := s.folder.put(runSeal+".new", c.seal); err != nil {
		return nil, err
	}
	for _, f := range files {
		if err := s.folder.put(f.name, f.data); err != nil {
			return nil, err
		}
	}
	out := &Outcome{Failures: failuresOf(c.results), Report: report}
	out.Usage, _ = c.ledger.taken(s.plan)
	out.USD = c.ledger.bill.USD
	if out.Booked, err = models.Booked(s.folder.store.Answers()); err != nil {
		return nil, err
	}
	if err := s.writeReports(out.Report, c.results); err != nil {
		return nil, err
	}
	return out, os.Rename(filepath.Join(s.folder.dir, runSeal+".new"), filepath.Join(s.folder.dir, runSeal))
}

// file is a file of the run folder.
type file struct {
	name string
	data []byte
}

// files are those that the plan and the stored answers determine, byte for byte, including the report.
func (s *session) files(c *scored) (evaluation.Report, []file, error) {
	report, err := c.report()
	if err != nil {
		return report, nil, err
	}
	var out []file
	add := func(name string, v any) error {
		data, err := artifacts.Canonical(v)
		out = append(out, file{name, data})
		return err
	}
	var scores []scoreLine
	for _, r := range c.results {
		if r.Reading != nil {
			if err := add(recordFile(runReviews, r.RecordKey), reviewFile{r.RecordKey, r.Answers, r.Reading}); err != nil {
				return report, nil, err
			}
		}
		if r.Judgement != nil {
			if err := add(recordFile(runJudged, r.RecordKey), judgedFile{r.RecordKey, r.Judgement}); err != nil {
				return report, nil, err
			}
		}
		scores = append(scores, newScoreLine(r, s.items[r.Task].Groups))
	}
	data, err := artifacts.CanonicalLines(scores)
	if err != nil {
		return report, nil, err
	}
	out = append(out, file{runScores, data})
	asked := slices.DeleteFunc(slices.Clone(c.findings), func(f evaluation.Finding) bool { return f.Valid == "" })
	if len(asked) > 0 {
		if data, err = artifacts.CanonicalLines(asked); err != nil {
			return report, nil, err
		}
		out = append(out, file{runPool, data})
	}
	return report, out, add(runReport, report)
}

// beside adds a benchmark's additional figures.
func (s *session) beside(results []evaluation.Result) error {
	b, ok := s.benchmark.Benchmark.(evaluation.Besider)
	if !ok {
		return nil
	}
	group := pool.New().WithMaxGoroutines(s.workers()).WithErrors().WithFirstError()
	for i := range results {
		if r := &results[i]; r.Score != nil {
			group.Go(func() error { return b.Beside(s.plan, s.items[r.Task], r) })
		}
	}
	return group.Wait()
}

// writeUsage notes when the run ended, its usage and its failures. It never writes to the files that are compared.
func (s *session) writeUsage(o *Outcome) error {
	return s.folder.write(runUsage, struct {
		At  string  `json:"at"`
		USD float64 `json:"usd"` // of the answers
		// Booked is the possible cost of calls without an answer and of answers without usage figures.
		Booked   float64         `json:"usd_booked"`
		Usage    []usage.Taken   `json:"usage"`
		Failures []RecordFailure `json:"failures"`
	}{s.Now().UTC().Format(time.RFC3339), o.USD, o.Booked, o.Usage, o.Failures})
}

func sealedTask(it evaluation.Item) (sealed, error) {
	prompts, err := json.Marshal(it.Prompts)
	return sealed{Task: it.ID, Prompts: digest.Bytes(prompts), Key: digest.Bytes(it.Key)}, err
}

// seal lists the tasks of the plan, and the answers that a scoring used.
func (s *session) seal(a *askers, findings []evaluation.Finding) ([]byte, error) {
	var out bytes.Buffer
	add := func(l sealed) error {
		line, err := artifacts.CanonicalLine(l)
		out.Write(line)
		return err
	}
	for _, id := range s.plan.Tasks {
		l, err := sealedTask(s.items[id])
		if err != nil {
			return nil, err
		}
		if err := add(l); err != nil {
			return nil, err
		}
	}
	var at []usedKey
	for _, k := range s.records {
		at = append(at, usedKey{k, "reviewer"}, usedKey{k, "judge"})
	}
	for _, f := range findings {
		at = append(at, usedKey{s.poolKey(f), poolRole})
	}
	for _, k := range at {
		used := a.used[k]
		if len(used) == 0 {
			continue
		}
		l := sealed{Task: k.Task, Model: k.Model, Config: k.Config, Repeat: k.Repeat, Role: k.role}
		for _, u := range used {
			l.Keys, l.Answers = append(l.Keys, u.Key), append(l.Answers, digest.Bytes([]byte(u.Text)))
		}
		if err := add(l); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// failuresOf lists the failed records with their errors.
func failuresOf(results []evaluation.Result) []RecordFailure {
	var out []RecordFailure
	for _, r := range results {
		if r.Outcome == evaluation.Failed {
			f := RecordFailure{RecordKey: r.RecordKey, Code: r.Code}
			if r.Cause != nil {
				f.Error = r.Cause.Error()
			}
			out = append(out, f)
		}
	}
	return out
}

// writeReports writes the report in all its forms.
func (s *session) writeReports(r evaluation.Report, results []evaluation.Result) error {
	var page bytes.Buffer
	if err := report.HTML(&page, r, results, s.items); err != nil {
		return err
	}
	if err := s.folder.put("report.html", page.Bytes()); err != nil {
		return err
	}
	return s.writeReport("report", r)
}

// writeReport writes a report as Markdown.
func (s *session) writeReport(name string, r evaluation.Report) error {
	var md bytes.Buffer
	if err := report.Markdown(&md, r); err != nil {
		return err
	}
	return s.folder.put(name+".md", md.Bytes())
}
