package evaluation

import (
	"iter"
	"math"

	"github.com/prforge/prforge/evaluation/stats"
)

// Tabler is a Benchmark with its own tables in a report, besides leaderboard and cells: by properties of its
// questions, paired tests, counts of failure types.
type Tabler interface {
	// Tables makes them from all results of a run, in the order of the report.
	Tables(p Plan, items map[string]Item, results []Result) ([]Table, error)
}

// Labeler is a Benchmark whose answers people can label.
type Labeler interface {
	// Label adds people's labels to a run's results: the lines of FileLabels. An error names the line.
	Label(results []Result, text []byte) error
}

// FileLabels is the path of people's labels in a run folder.
const FileLabels = "labels/answers.jsonl"

// Table is one such table. It has figures only, so that every form of the report can show it. The model and the
// labels identify a row.
type Table struct {
	Name    string     `json:"name"` // short and in one word, for lines of the CSV
	Title   string     `json:"title"`
	Means   string     `json:"means"`   // a sentence or two on how to read it
	Labels  []string   `json:"labels"`  // heads of the columns after the model that say what a row is about
	Columns []string   `json:"columns"` // heads of the figures
	Rows    []TableRow `json:"rows"`
}

// TableRow is a row of a Table.
type TableRow struct {
	Model   string   `json:"model"`
	Labels  []string `json:"labels"`
	Figures []Figure `json:"figures"`
}

// Figure is a number, with an interval if it has one.
type Figure struct {
	Value stats.Number `json:"value"`
	Low   stats.Number `json:"low"`
	High  stats.Number `json:"high"`
	Count bool         `json:"count"` // a whole number of things
}

// Estimated is an estimate as a figure.
func Estimated(e stats.Estimate) Figure { return Figure{Value: e.Value, Low: e.Low, High: e.High} }

// Plain is a number without an interval.
func Plain(n stats.Number) Figure {
	none := stats.Number(math.NaN())
	return Figure{Value: n, Low: none, High: none}
}

// Count is a count.
func Count(n int) Figure {
	f := Plain(stats.Number(n))
	f.Count = true
	return f
}

// Adjust appends a column with Holm's p-values over all rows, for the p-values in
// the column from.
func (t *Table) Adjust(from int) {
	ps := make([]stats.Number, len(t.Rows))
	for i, row := range t.Rows {
		ps[i] = row.Figures[from].Value
	}
	for i, p := range stats.Holm(ps) {
		t.Rows[i].Figures = append(t.Rows[i].Figures, Plain(p))
	}
	t.Columns = append(t.Columns, t.Columns[from]+" (Holm)")
}

// Pairs are the pairs of a list, each once, the earlier one first.
func Pairs[T any](list []T) iter.Seq2[T, T] {
	return func(yield func(a, b T) bool) {
		for i, a := range list {
			for _, b := range list[i+1:] {
				if !yield(a, b) {
					return
				}
			}
		}
	}
}

// Statistics are the plan's options of intervals and tests.
func (p Plan) Statistics() stats.Options {
	o := stats.Default()
	o.Draws, o.Seed = p.Draws, p.Seed
	return o
}
