package bugs

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/stats"
)

// place is a reviewer in a configuration.
type place struct{ model, config string }

// grade scores the first repeat of each question by rule.
func grade(items map[string]evaluation.Item, results []evaluation.Result) (map[place][]Result, error) {
	out := map[place][]Result{}
	for _, r := range results {
		if r.Outcome != evaluation.Scored || r.Repeat > 1 {
			continue
		}
		k, err := keyOf(items[r.Task])
		if err != nil {
			return nil, err
		}
		var a Answer
		if err := json.Unmarshal(r.Reading.Answer, &a); err != nil {
			return nil, fmt.Errorf("answer to %s: %w", r.Task, err)
		}
		at := place{r.Model, r.Config}
		x := k.Score(a)
		x.undecidable = k.Fault != nil && !k.decidable(r.Config)
		out[at] = append(out[at], x)
	}
	return out, nil
}

// summary is a reviewer's result over questions.
type summary struct {
	questions       cell // those with a fault
	byLevel, byKind []cell
	controls        int            // files without a fault
	alarmed, proven stats.Estimate // the share of them with a false alarm, with one that is proven wrong
	falseAlarms     stats.Estimate // findings that match nothing, a question, over questions and controls
}

// cell is a group of questions with a fault.
type cell struct {
	name      string
	questions int
	strict    stats.Estimate
	found     stats.Estimate
	mean      stats.Estimate // of the credit, over pull requests
	// chance is the mean chance of a drawn line. corrected is the share found above it: (found - chance) / (1 -
	// chance), 0 for a guesser, 1 at best.
	chance, corrected stats.Number
}

func (c cell) row(model, config string) evaluation.TableRow {
	return evaluation.TableRow{Model: model, Labels: []string{config, c.name}, Figures: []evaluation.Figure{
		evaluation.Count(c.questions), evaluation.Estimated(c.strict), evaluation.Estimated(c.found),
		evaluation.Estimated(c.mean), evaluation.Plain(c.chance), evaluation.Plain(c.corrected)}}
}

// summarize gives the rates over results with their intervals.
func summarize(o stats.Options, results []Result) summary {
	var faults, controls []Result
	levels, kinds := map[string][]Result{}, map[string][]Result{}
	var alarms []stats.Row
	for _, r := range results {
		alarms = append(alarms,
			stats.Row{Unit: r.Key.QuestionID, Cluster: r.Key.file(), Sums: []float64{float64(r.FalseAlarms), 1}})
		if r.Key.Fault == nil {
			controls = append(controls, r)
			continue
		}
		if r.undecidable {
			name := r.Key.Kind + ", not decidable"
			kinds[name] = append(kinds[name], r)
			continue
		}
		faults = append(faults, r)
		level := strconv.Itoa(r.Key.Level)
		levels[level] = append(levels[level], r)
		kinds[r.Key.Kind] = append(kinds[r.Key.Kind], r)
	}
	return summary{
		questions: newCell(o, "all", faults), byLevel: cells(o, levels), byKind: cells(o, kinds), controls: len(controls),
		alarmed:     share(o, controls, func(r Result) bool { return r.FalseAlarms > 0 }),
		proven:      share(o, controls, func(r Result) bool { return r.ProvenFalse > 0 }),
		falseAlarms: stats.Estimates(o, alarms, stats.Mean(0, 1))[0],
	}
}

func cells(o stats.Options, groups map[string][]Result) []cell {
	var out []cell
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		out = append(out, newCell(o, name, groups[name]))
	}
	return out
}

func newCell(o stats.Options, name string, results []Result) cell {
	var rows []stats.Row
	chance := 0.0
	for _, r := range results {
		rows = append(rows,
			stats.Row{Unit: r.Key.QuestionID, Cluster: r.Key.file(), Sums: []float64{float64(r.Quarters), quarters}})
		chance += r.Key.Chance
	}
	c := cell{
		name: name, questions: len(results), strict: share(o, results, Result.strict), found: share(o, results, Result.found),
		mean: stats.Estimates(o, rows, stats.Rate(0, 1))[0],
	}
	c.chance = quotient(stats.Number(chance), stats.Number(len(results)))
	c.corrected = quotient(c.found.Value-c.chance, 1-c.chance)
	return c
}

// share is the share of results with some property, with an interval over files.
func share(o stats.Options, results []Result, what func(Result) bool) stats.Estimate {
	var rows []stats.Row
	for _, r := range results {
		rows = append(rows,
			stats.Row{Unit: r.Key.QuestionID, Cluster: r.Key.file(), Sums: []float64{float64(one(what(r))), 1}})
	}
	return stats.Estimates(o, rows, stats.Rate(0, 1))[0]
}

// file identifies the file of a question.
func (k Key) file() string { return k.Repo + " " + k.Path }

// quotient is undefined if the denominator is zero.
func quotient(a, b stats.Number) stats.Number {
	if b == 0 {
		return stats.Number(math.NaN())
	}
	return a / b
}

func count(results []Result, what func(Result) bool) int {
	n := 0
	for _, r := range results {
		if what(r) {
			n++
		}
	}
	return n
}

// failureRows count the faults that were not found, by the nearest finding.
func failureRows(o stats.Options, model, config string, results []Result) []evaluation.TableRow {
	faults := slices.DeleteFunc(slices.Clone(results), func(r Result) bool { return r.Key.Fault == nil || r.undecidable })
	var out []evaluation.TableRow
	for _, f := range failureTypes {
		is := func(r Result) bool { return r.Failure == f }
		n := count(faults, is)
		if n == 0 {
			continue
		}
		row := evaluation.TableRow{Model: model, Labels: []string{config, string(f)},
			Figures: []evaluation.Figure{evaluation.Count(n), evaluation.Estimated(share(o, faults, is))}}
		for level := 1; level <= 4; level++ {
			row.Figures = append(row.Figures,
				evaluation.Count(count(faults, func(r Result) bool { return is(r) && r.Key.Level == level })))
		}
		out = append(out, row)
	}
	return out
}

// pairs compares all pairs of reviewers on their common questions, all and imports alone.
func pairs(p evaluation.Plan, asked map[place][]Result) evaluation.Table {
	t := evaluation.Table{Name: "pairs", Title: "Reviewers compared, question by question",
		Labels:  []string{"configuration", "and", "on", "which are"},
		Columns: []string{"questions", "both", "only the first", "only the second", "neither", "p"},
		Means:   "McNemar's exact test on the questions that only one of two got right; Holm over all rows."}
	for a, b := range evaluation.Pairs(p.Models) {
		for _, config := range p.Configs {
			for _, on := range []string{"all", Import} {
				for _, right := range []struct {
					name string
					is   func(Result) bool
				}{{"strict", Result.strict}, {"found", Result.found}} {
					x, y := common(asked[place{a.ID, config}], asked[place{b.ID, config}], on, right.is)
					if len(x) == 0 {
						continue
					}
					m := stats.McNemar(x, y)
					t.Rows = append(t.Rows, evaluation.TableRow{Model: a.ID, Labels: []string{config, b.ID, on, right.name},
						Figures: []evaluation.Figure{
							evaluation.Count(len(x)), evaluation.Count(m.Both), evaluation.Count(m.OnlyA), evaluation.Count(m.OnlyB),
							evaluation.Count(m.Neither), evaluation.Plain(m.P)}})
				}
			}
		}
	}
	t.Adjust(len(t.Columns) - 1)
	return t
}

// common tells for two reviewers which of their common faults, of a family or of all, have some property.
func common(a, b []Result, family string, is func(Result) bool) (x, y []bool) {
	other := map[string]Result{}
	for _, r := range b {
		other[r.Key.QuestionID] = r
	}
	for _, r := range a {
		if o, both := other[r.Key.QuestionID]; both && r.Key.Fault != nil && !r.undecidable &&
			(family == "all" || r.Key.Family == family) {
			x, y = append(x, is(r)), append(y, is(o))
		}
	}
	return x, y
}
