package evaluation

import (
	"math"
	"strings"

	"github.com/prforge/prforge/evaluation/stats"
)

// fewTasks is the number of pull requests below which a cell means little and reports grey it out.
const fewTasks = 10

type summary struct {
	plan    Plan
	metrics []Metric
	items   map[string]Item
	options stats.Options
}

// cluster is the unit that intervals and tests resample.
func (s summary) cluster(x Result) string {
	if s.plan.Cluster == "repo" {
		return s.items[x.Task].Groups["repo"]
	}
	if whole := s.items[x.Task].Groups[GroupWhole]; whole != "" {
		return whole
	}
	return pullOf(x.Task)
}

// pullOf identifies the pull request of a task: the task id of its first record, without a suffix like "@2".
func pullOf(task string) string {
	pull, _, _ := strings.Cut(task, "@")
	return pull
}

// rows are a metric's counts of the scored records. unit names the pairing of two models or two configurations.
func (s summary) rows(results []Result, metrics []Metric, unit func(Result) string) []stats.Row {
	var rows []stats.Row
	for _, x := range results {
		if x.Outcome != Scored {
			continue
		}
		row := stats.Row{Unit: unit(x), Cluster: s.cluster(x)}
		for _, m := range metrics {
			row.Sums = append(row.Sums, m.sums(*x.Score)...)
		}
		rows = append(rows, row)
	}
	return rows
}

// sums are a record's contributions to a metric's numerator and denominator.
func (m Metric) sums(s Score) []float64 {
	if m.Mean {
		v, ok := s.Parts[m.Name]
		if !ok {
			return []float64{0, 0}
		}
		return []float64{v, 1}
	}
	rate := s.Rates[m.Name]
	return []float64{float64(rate.N), float64(rate.Of)}
}

// statistic is the metric of sums i and i+1.
func (m Metric) statistic(i int) stats.Statistic {
	if m.Mean {
		return stats.Mean(i, i+1)
	}
	return stats.Rate(i, i+1)
}

func byRecord(x Result) string { return x.Config + "/" + x.Task }

func byTask(x Result) string { return x.Task }

// ratio is undefined if the denominator is zero.
func ratio(a, b float64) stats.Number {
	if b == 0 {
		return stats.Number(math.NaN())
	}
	return stats.Number(a / b)
}

func where(results []Result, keep func(Result) bool) []Result {
	var out []Result
	for _, x := range results {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}
