package debugging

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/stats"
)

var _ evaluation.Tabler = Benchmark{}

// breakdowns are the groups of true errors that recall is shown by.
var breakdowns = []struct{ key, means string }{
	{"hop", "Single-hop errors show at the statement that causes them."},
	{"type", "The type of the exception."},
	{"operator", "What was changed; the operators are explained in docs/debugging.md."},
	{"library", "Where the exception comes from: the package that the script called, or the script itself."},
}

// Tables implements evaluation.Tabler: precision, recall, F1 and exact sets by the number of errors, and recall by
// what the errors are. An answer to several errors counts for each error separately. Intervals are over scripts.
func (Benchmark) Tables(p evaluation.Plan, items map[string]evaluation.Item,
	results []evaluation.Result) ([]evaluation.Table, error) {
	scored, err := scoredOf(items, results)
	if err != nil {
		return nil, err
	}
	o := p.Statistics()
	counts := evaluation.Table{Name: "errors", Title: "By number of errors",
		Labels:  []string{"configuration", "errors", "of"},
		Columns: []string{"samples", "precision", "recall", "F1", "exact sets"},
		Means:   "Exact sets are the samples with as many errors named as there are, each right. Intervals are drawn over scripts."}
	groups := make([]evaluation.Table, len(breakdowns))
	for i, b := range breakdowns {
		groups[i] = evaluation.Table{Name: b.key, Title: "Recall by " + b.key, Labels: []string{"configuration", b.key},
			Columns: append([]string{"errors"}, Dimensions()...),
			Means:   b.means + " Errors of samples with several count one by one. Intervals are drawn over scripts."}
	}
	for _, m := range p.Models {
		for _, config := range p.Configs {
			samples := scored[place{m.ID, config}]
			if len(samples) == 0 {
				continue
			}
			for _, same := range byErrorCount(samples) {
				counts.Rows = append(counts.Rows, countRows(o, m.ID, config, same)...)
			}
			for i, b := range breakdowns {
				for _, g := range breakdown(o, samples, b.key) {
					groups[i].Rows = append(groups[i].Rows, g.row(m.ID, config))
				}
			}
		}
	}
	return append([]evaluation.Table{counts}, groups...), nil
}

// place is a model in a configuration.
type place struct{ model, config string }

// scoredOf assigns the answers of scored records. Repeats of a sample are rows of
// the same script.
func scoredOf(items map[string]evaluation.Item, results []evaluation.Result) (map[place][]scored, error) {
	out := map[place][]scored{}
	for _, r := range results {
		if r.Outcome != evaluation.Scored {
			continue
		}
		sample, err := SampleOf(items[r.Task])
		if err != nil {
			return nil, err
		}
		var named []Named
		if err := json.Unmarshal(r.Reading.Answer, &named); err != nil {
			return nil, fmt.Errorf("answer to %s: %w", r.Task, err)
		}
		if r.Repeat > 1 {
			sample.ID += "/" + strconv.Itoa(r.Repeat)
		}
		at := place{r.Model, r.Config}
		out[at] = append(out[at], score(sample, named))
	}
	return out, nil
}

// countRows are the rows of the samples with one number of errors, a dimension
// each.
func countRows(o stats.Options, model, config string, samples []scored) []evaluation.TableRow {
	var out []evaluation.TableRow
	for d, name := range Dimensions() {
		e := estimate(o, samples, d)
		out = append(out, evaluation.TableRow{Model: model, Labels: []string{config, strconv.Itoa(samples[0].Truths), name},
			Figures: []evaluation.Figure{
				evaluation.Count(len(samples)), evaluation.Estimated(e.Precision), evaluation.Estimated(e.Recall),
				evaluation.Estimated(e.F1), evaluation.Estimated(e.ExactSet)}})
	}
	return out
}

func (g group) row(model, config string) evaluation.TableRow {
	row := evaluation.TableRow{Model: model, Labels: []string{config, g.Name},
		Figures: []evaluation.Figure{evaluation.Count(g.Errors)}}
	for _, e := range g.Recall {
		row.Figures = append(row.Figures, evaluation.Estimated(e))
	}
	return row
}
