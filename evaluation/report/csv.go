package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/stats"
)

// CSV writes one line per model, part of the records and metric, so that the cells of several runs form one table.
// Parts of all records come first. The figures of the benchmark's own tables come last, with the table's name and the
// row's labels in the last two columns.
func CSV(w io.Writer, reports ...evaluation.Report) error {
	c := csv.NewWriter(w)
	lines := [][]string{{"dataset", "protocol", "judge", "model", "config", "difficulty", "language", "type", "repo",
		"tasks", "metric", "value", "low", "high", "table", "row"}}
	for _, r := range reports {
		run := []string{r.Plan.Dataset.Name, r.Plan.Protocol, r.Plan.Judge.ID}
		for _, m := range r.Models {
			for _, v := range m.Values {
				lines = append(lines, join(run, m.Model, "", "", "", "", "", strconv.Itoa(v.Micro.Clusters), v.Metric,
					plain(v.Micro.Value), plain(v.Micro.Low), plain(v.Micro.High), "", ""))
			}
		}
		for _, x := range r.Cells {
			for _, v := range x.Rates {
				lines = append(lines, join(run, x.Model, x.Config, x.Difficulty, x.Language, x.Type, x.Repo, strconv.Itoa(x.Tasks),
					v.Metric, plain(v.Value), plain(v.Low), plain(v.High), "", ""))
			}
		}
		for _, t := range r.Tables {
			for _, x := range t.Rows {
				for i, f := range x.Figures {
					lines = append(lines, join(run, x.Model, "", "", "", "", "", "", t.Columns[i], plain(f.Value), plain(f.Low),
						plain(f.High), t.Name, strings.Join(x.Labels, " / ")))
				}
			}
		}
	}
	if err := c.WriteAll(lines); err != nil {
		return fmt.Errorf("write the table: %w", err)
	}
	return nil
}

func join(run []string, cells ...string) []string {
	return append(append([]string{}, run...), cells...)
}

// plain is a number in full, empty if it is undefined.
func plain(n stats.Number) string {
	if !n.Defined() {
		return ""
	}
	return strconv.FormatFloat(float64(n), 'g', -1, 64)
}
