package cheats

import (
	"math"
	"strings"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/stats"
)

// Table is a report's table of the cheats, below the models.
func (s Set) Table(results []Result) evaluation.Table {
	t := evaluation.Table{
		Name: "cheats", Title: "Reviewers that read no meaning", Labels: []string{"configuration", "level"},
		Columns: []string{"questions", s.Metric}, Means: s.means(results),
	}
	if s.Alarm != "" {
		t.Columns = append(t.Columns, strings.ReplaceAll(s.Alarm, "_", " "))
	}
	for _, r := range results {
		row := evaluation.TableRow{Model: r.Cheat, Labels: []string{r.Config, r.Level},
			Figures: []evaluation.Figure{evaluation.Count(r.Items), share(r.Rate)}}
		if s.Alarm != "" {
			row.Figures = append(row.Figures, share(r.Alarm))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// means describes the method of each cheat, and names those that could not run.
func (s Set) means(results []Result) string {
	var b strings.Builder
	b.WriteString("What can be had without understanding: a model that gets no more has shown nothing.")
	for _, c := range s.List {
		b.WriteString(" " + c.Name + ": " + c.Means)
		for _, r := range results {
			if r.Cheat == c.Name && r.Not != "" {
				b.WriteString(" (it could not run: " + r.Not + ")")
				break
			}
		}
		b.WriteString(".")
	}
	return b.String()
}

func share(r evaluation.Rate) evaluation.Figure {
	v, ok := r.Value()
	if !ok {
		v = math.NaN()
	}
	return evaluation.Plain(stats.Number(v))
}
