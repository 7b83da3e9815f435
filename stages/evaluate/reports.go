package evaluate

import (
	"context"
	"errors"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/report"
	"github.com/prforge/prforge/internal/reviewer"
)

// Runs is one or several runs in one report.
type Runs struct {
	Report  evaluation.Report
	results []evaluation.Result
	items   map[string]evaluation.Item
}

// HTML writes the page.
func (r *Runs) HTML(w io.Writer) error { return report.HTML(w, r.Report, r.results, r.items) }

// Markdown writes the report as Markdown.
func (r *Runs) Markdown(w io.Writer) error { return report.Markdown(w, r.Report) }

// CSV writes the report's figures as a table.
func (r *Runs) CSV(w io.Writer) error { return report.CSV(w, r.Report) }

// Reports makes one report of runs on the same dataset from their stored answers. A model id that several runs share
// gets the run's folder as a prefix. It asks no model.
func (e *Evaluation) Reports(ctx context.Context, runs []string) (*Runs, error) {
	var all *scored
	for _, run := range runs {
		one := *e
		one.Run = run
		c, err := one.reportOf(ctx)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = c
			continue
		}
		if err := all.join(run, c); err != nil {
			return nil, err
		}
	}
	r, err := all.report()
	if err != nil {
		return nil, err
	}
	return &Runs{Report: r, results: all.results, items: all.items}, nil
}

func (e *Evaluation) reportOf(ctx context.Context) (c *scored, err error) {
	s, err := e.reopen()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.folder.close()) }()
	return s.scored(ctx)
}

// join adds another run.
func (c *scored) join(run string, other *scored) error {
	c.seal = nil
	if c.plan.Dataset != other.plan.Dataset || c.plan.Benchmark != other.plan.Benchmark {
		return planErrorf("%s is on another dataset: runs are compared on one", run)
	}
	if !same(c.plan.Judge, other.plan.Judge) {
		return planErrorf("%s has another judge: its scores are not comparable; prforge eval agree compares judges", run)
	}
	for _, m := range other.plan.Models {
		was := m.ID
		if slices.ContainsFunc(c.plan.Models, func(o reviewer.Model) bool { return o.ID == m.ID }) {
			m.ID = filepath.Base(run) + ":" + m.ID
		}
		c.plan.Models = append(slices.Clone(c.plan.Models), m)
		for _, r := range other.results {
			if r.Model == was {
				r.Model = m.ID
				c.results = append(c.results, r)
			}
		}
		for _, role := range []string{"reviewer/", "judge/"} {
			c.ledger.totals[role+m.ID] = other.ledger.totals[role+was]
		}
	}
	c.findings = nil // they belong to one run's reviewers
	c.plan.Tasks, c.plan.Configs = union(c.plan.Tasks, other.plan.Tasks), union(c.plan.Configs, other.plan.Configs)
	maps.Copy(c.items, other.items)
	return nil
}

// Compare compares the reviewers of a new run with those of an old one on the same dataset, by the same judge: each
// with the one of its name, or the only one with the only one. evaluation.Changes defines what is worse. It asks no
// model.
func (e *Evaluation) Compare(ctx context.Context, before, after string, limit, confidence float64) ([]evaluation.Change,
	error) {
	var runs [2]*scored
	for i, run := range []string{before, after} {
		one := *e
		one.Run = run
		var err error
		if runs[i], err = one.reportOf(ctx); err != nil {
			return nil, err
		}
	}
	was, is := runs[0], runs[1]
	var pairs [][2]string
	for _, m := range is.plan.Models {
		if slices.ContainsFunc(was.plan.Models, func(o reviewer.Model) bool { return o.ID == m.ID }) {
			pairs = append(pairs, [2]string{m.ID, m.ID})
		}
	}
	if len(pairs) == 0 && len(was.plan.Models) == 1 && len(is.plan.Models) == 1 {
		pairs = append(pairs, [2]string{was.plan.Models[0].ID, is.plan.Models[0].ID})
	}
	if len(pairs) == 0 {
		return nil, planErrorf("%s and %s have no model of one name, and not one each", before, after)
	}
	names := [2]string{"old", "new"}
	for i := range pairs {
		for side, c := range runs {
			c.rename(pairs[i][side], names[side]+" "+pairs[i][side])
			pairs[i][side] = names[side] + " " + pairs[i][side]
		}
	}
	if err := was.join(after, is); err != nil {
		return nil, err
	}
	return evaluation.Changes(was.plan, was.benchmark.Metrics(), was.results, was.items, pairs, limit, confidence)
}

// rename gives a reviewer another name.
func (c *scored) rename(from, to string) {
	c.plan.Models = slices.Clone(c.plan.Models)
	for i := range c.plan.Models {
		if c.plan.Models[i].ID == from {
			c.plan.Models[i].ID = to
		}
	}
	for i := range c.results {
		if c.results[i].Model == from {
			c.results[i].Model = to
		}
	}
}
