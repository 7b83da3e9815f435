package evaluation

import (
	"github.com/prforge/prforge/evaluation/stats"
)

// freshness splits each model's headline metrics at the last day of its training data: the model may know earlier
// pull requests and their reviews. It is empty if no model has such a day, or no item a date.
func (s summary) freshness(byModel map[string][]Result) []Table {
	t := Table{
		Name: "freshness", Title: "Before and after a model's training",
		Means:  "What became public until the model's cutoff and after it: a pull request by its merge, an escaped defect by its fix. A model that does better on the older ones may remember them, unless they are easier: others' differences say whether they are.",
		Labels: []string{"cutoff", "metric"}, Columns: []string{"records until", "until", "records after", "after",
			"difference"},
	}
	for _, m := range s.plan.Models {
		if m.Cutoff == "" {
			continue
		}
		old := where(byModel[m.ID], func(x Result) bool { d := s.items[x.Task].Date; return d != "" && day(d) <= m.Cutoff })
		fresh := where(byModel[m.ID], func(x Result) bool { return day(s.items[x.Task].Date) > m.Cutoff })
		if len(old)+len(fresh) == 0 {
			continue
		}
		for _, metric := range s.metrics {
			if metric.Headline {
				t.Rows = append(t.Rows,
					TableRow{Model: m.ID, Labels: []string{m.Cutoff, metric.Name}, Figures: s.split(metric, old, fresh)})
			}
		}
	}
	if t.Rows == nil {
		return nil
	}
	return []Table{t}
}

// day is the day of a timestamp; "" without one.
func day(at string) string { return at[:min(len(at), len("2006-01-02"))] }

// split is a metric over two parts of a model's records, and the second minus the first.
func (s summary) split(m Metric, first, second []Result) []Figure {
	rows := [2][]stats.Row{s.rows(first, []Metric{m}, byRecord), s.rows(second, []Metric{m}, byRecord)}
	of := m.statistic(0)
	var out []Figure
	for _, part := range rows {
		e := stats.Estimates(s.options, part, of)[0]
		out = append(out, Count(e.Clusters), Estimated(e))
	}
	return append(out, Estimated(stats.Unpaired(s.options, rows[1], rows[0], of)))
}
