package bugs

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/prforge/prforge/evaluation/stats"
)

// Summary is a reviewer's result over questions.
type Summary struct {
	Questions Cell   `json:"questions"` // those with a fault
	ByLevel   []Cell `json:"by_level"`
	ByKind    []Cell `json:"by_kind"`
	// Failures count the questions that were not found, by type.
	Failures map[FailureType]int `json:"failures"`
	Controls ControlCell         `json:"controls"`
	// FalseAlarms is the number of findings that match nothing, a question, over
	// questions and controls.
	FalseAlarms stats.Estimate `json:"false_alarms_per_question"`
}

// Cell is a group of questions with a fault.
type Cell struct {
	Name   string         `json:"name"`
	Strict stats.Estimate `json:"strict"` // Wilson
	Found  stats.Estimate `json:"found"`  // Wilson
	Mean   stats.Estimate `json:"mean"`   // of the credit, bootstrap over pull requests
	// Chance is the mean chance of a drawn line, Corrected what found is worth
	// above it: (found - chance) / (1 - chance), 0 for a guesser, 1 at best.
	Chance    stats.Number `json:"chance"`
	Corrected stats.Number `json:"found_above_chance"`
}

// ControlCell is the files without a fault.
type ControlCell struct {
	Controls int            `json:"controls"`
	Alarmed  stats.Estimate `json:"alarmed"`      // share with a false alarm, Wilson
	Proven   stats.Estimate `json:"proven_false"` // share with one that is proven wrong, Wilson
}

// Summarise gives the rates over results with their intervals.
func Summarise(o stats.Options, results []Result) Summary {
	faults, controls := []Result{}, []Result{}
	levels, kinds := map[string][]Result{}, map[string][]Result{}
	s := Summary{Failures: map[FailureType]int{}}
	var alarms []stats.Row
	for _, r := range results {
		alarms = append(alarms, stats.Row{Unit: r.Key.QuestionID, Cluster: r.Key.TaskID, Sums: []float64{float64(r.FalseAlarms), 1}})
		if r.Key.Fault == nil {
			controls = append(controls, r)
			continue
		}
		faults = append(faults, r)
		level := strconv.Itoa(r.Key.Level)
		levels[level] = append(levels[level], r)
		kinds[r.Key.Kind] = append(kinds[r.Key.Kind], r)
		if r.Failure != "" {
			s.Failures[r.Failure]++
		}
	}
	s.Questions = cell(o, "all", faults)
	s.ByLevel, s.ByKind = cells(o, levels), cells(o, kinds)
	s.Controls = ControlCell{
		Controls: len(controls),
		Alarmed:  stats.Wilson(count(controls, func(r Result) bool { return r.FalseAlarms > 0 }), len(controls), o.Confidence),
		Proven:   stats.Wilson(count(controls, func(r Result) bool { return r.ProvenFalse > 0 }), len(controls), o.Confidence),
	}
	s.FalseAlarms = stats.Bootstrap(o, alarms, stats.Mean(0, 1))[0]
	return s
}

func cells(o stats.Options, groups map[string][]Result) []Cell {
	out := []Cell{}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		out = append(out, cell(o, name, groups[name]))
	}
	return out
}

func cell(o stats.Options, name string, results []Result) Cell {
	var rows []stats.Row
	chance := 0.0
	for _, r := range results {
		rows = append(rows, stats.Row{Unit: r.Key.QuestionID, Cluster: r.Key.TaskID, Sums: []float64{float64(r.Quarters), quarters}})
		chance += r.Key.Chance
	}
	c := Cell{
		Name:   name,
		Strict: stats.Wilson(count(results, Result.Strict), len(results), o.Confidence),
		Found:  stats.Wilson(count(results, Result.Found), len(results), o.Confidence),
		Mean:   stats.Bootstrap(o, rows, stats.Rate(0, 1))[0],
	}
	c.Chance = share(stats.Number(chance), stats.Number(len(results)))
	c.Corrected = share(c.Found.Value-c.Chance, 1-c.Chance)
	return c
}

// share is undefined where there is nothing to divide by.
func share(a, b stats.Number) stats.Number {
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

// Comparison compares two reviewers on the questions that both were asked.
type Comparison struct {
	Questions int              `json:"questions"`
	Strict    stats.Binary     `json:"strict"` // McNemar
	Found     stats.Binary     `json:"found"`
	Mean      stats.Difference `json:"mean"` // of the credit, paired
}

// Compare compares two reviewers on the same questions with a fault.
func Compare(o stats.Options, a, b []Result) Comparison {
	other := map[string]Result{}
	for _, r := range b {
		other[r.Key.QuestionID] = r
	}
	var c Comparison
	var strictA, strictB, foundA, foundB []bool
	var rowsA, rowsB []stats.Row
	for _, r := range a {
		x, ok := other[r.Key.QuestionID]
		if !ok || r.Key.Fault == nil {
			continue
		}
		c.Questions++
		strictA, strictB = append(strictA, r.Strict()), append(strictB, x.Strict())
		foundA, foundB = append(foundA, r.Found()), append(foundB, x.Found())
		rowsA = append(rowsA, stats.Row{Unit: r.Key.QuestionID, Cluster: r.Key.TaskID, Sums: []float64{float64(r.Quarters), quarters}})
		rowsB = append(rowsB, stats.Row{Unit: x.Key.QuestionID, Cluster: x.Key.TaskID, Sums: []float64{float64(x.Quarters), quarters}})
	}
	c.Strict, c.Found = stats.McNemar(strictA, strictB), stats.McNemar(foundA, foundB)
	c.Mean = stats.Paired(o, rowsA, rowsB, stats.Rate(0, 1))
	return c
}
