// Package cheats measures reviewers that read no meaning: a search for patterns, a spelling checker, a constant
// answer. What one of them finds needs no understanding. A dataset's build checks them against ceilings, and every
// report lists them below the models.
//
//	cheats.go    what a cheat is, and what it gets
//	ceilings.go  the most that it may get
//	table.go     the table of a report
//
// A cheat's answers have the form of a model's, and are read and scored the same way. The benchmarks implement the
// cheats.
package cheats

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/prforge/prforge/evaluation"
)

// Cheat is a reviewer that reads no meaning.
type Cheat struct {
	Name  string // as tables and ceilings call it
	Means string // a few words on its method, for reports
	// Answers are its answers to each item in a configuration. It sees all items at once, because some cheats compare
	// them, and must use only what reviewers see. The error says why it could not run here.
	Answers func(ctx context.Context, items []evaluation.Item, config string) ([]string, error)
}

// Set are the cheats of a benchmark, in the order that tables show them.
type Set struct {
	// Metric is the rate of Score.Rates that measures them.
	Metric string
	// Alarm is the rate of false alarms beside it; "" for none.
	Alarm string
	List  []Cheat
}

// All is the group of all items.
const All = "all"

// Result is the score of one cheat on the items of one level.
type Result struct {
	Cheat  string          `json:"cheat"`
	Config string          `json:"config"`
	Level  string          `json:"level"` // of Groups["difficulty"]; All for all items
	Items  int             `json:"items"` // that have the metric
	Rate   evaluation.Rate `json:"rate"`
	Alarm  evaluation.Rate `json:"alarm"`
	// Not says why it could not run; Level is All then, and there are no figures.
	Not string `json:"not,omitempty"`
}

// Measure scores the cheats on the items in each configuration, over all and by level. The Result of a cheat that
// cannot run says so. Errors are those of reading and scoring, and the context's.
func (s Set) Measure(ctx context.Context, b evaluation.Benchmark, items []evaluation.Item, configs []string) ([]Result,
	error) {
	var out []Result
	for _, c := range s.List {
		for _, config := range configs {
			list := having(items, config)
			answers, err := c.Answers(ctx, list, config)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err == nil && len(answers) != len(list) {
				err = errors.New("it does not answer every item")
			}
			if err != nil {
				out = append(out, Result{Cheat: c.Name, Config: config, Level: All, Not: err.Error()})
				continue
			}
			results, err := s.score(b, c.Name, config, list, answers)
			if err != nil {
				return nil, fmt.Errorf("score %s: %w", c.Name, err)
			}
			out = append(out, results...)
		}
	}
	return out, nil
}

// having are the items that have a configuration.
func having(items []evaluation.Item, config string) []evaluation.Item {
	return slices.DeleteFunc(slices.Clone(items),
		func(it evaluation.Item) bool { _, ok := it.Prompts[config]; return !ok })
}

// score sums up the rates of answers over all items, first, and by level.
func (s Set) score(b evaluation.Benchmark, cheat, config string, items []evaluation.Item, answers []string) ([]Result,
	error) {
	sums := map[string]*Result{All: {Cheat: cheat, Config: config, Level: All}}
	var levels []string
	for i, it := range items {
		score, err := b.Score(it, config, b.Read(it, answers[i]), nil)
		if err != nil {
			return nil, err
		}
		level := it.Groups["difficulty"]
		rate, has := score.Rates[s.Metric]
		if has && level != "" && sums[level] == nil {
			sums[level] = &Result{Cheat: cheat, Config: config, Level: level}
			levels = append(levels, level)
		}
		for _, r := range []*Result{sums[All], sums[level]} {
			if r == nil { // of a level without the metric, as controls are
				continue
			}
			if has {
				r.Items++
			}
			r.Rate = plus(r.Rate, rate)
			if s.Alarm != "" {
				r.Alarm = plus(r.Alarm, score.Rates[s.Alarm])
			}
		}
	}
	out := []Result{*sums[All]}
	slices.Sort(levels)
	for _, level := range levels {
		out = append(out, *sums[level])
	}
	return out, nil
}

func plus(a, b evaluation.Rate) evaluation.Rate {
	return evaluation.Rate{N: a.N + b.N, Of: a.Of + b.Of}
}
