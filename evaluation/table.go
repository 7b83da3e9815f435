package evaluation

import (
	"iter"
	"math"

	"github.com/prforge/prforge/evaluation/stats"
)

// Tabler is a Benchmark that has tables of its own in a report, beside
// leaderboard and cells: by what its questions differ in, paired tests, counts of
// failure types.
type Tabler interface {
	// Tables makes them of all results of a run, in the order that readers see.
	Tables(p Plan, items map[string]Item, results []Result) ([]Table, error)
}

// Labeler is a Benchmark whose answers people can label.
type Labeler interface {
	// Label adds to a run's results what people say of them: the lines of FileLabels.
	// An error names the line.
	Label(results []Result, text []byte) error
}

// FileLabels is where a run folder has people's labels of answers.
const FileLabels = "labels/answers.jsonl"

// Table is one such table. It has figures only, so that every form of the report
// can show it: what a row is about is said by the model and the labels.
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

// Figure is a number, with its interval where it has one.
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
