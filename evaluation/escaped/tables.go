package escaped

import (
	"maps"
	"slices"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/stats"
)

// groups are the keys of an item's groups by which recall is broken down.
var groups = []struct{ key, means string }{
	{"grade",
		"A: the fix plainly blames the change or, where the dataset's configuration has grade_a_days, deletes its lines that soon. B: two independent answers say that the fault is one."},
	{"evidence", "What leads from the fix to the change."},
	{"kind", "Lines of the change are wrong, or code is missing beside them."},
	{"findable",
		"What a reviewer needs to find the fault, where people or models said so: the diff, the repository, knowledge from outside."},
	{"age", "Days from the merge to the fix."},
	{"language", "Of the change."},
}

// Tables implements evaluation.Tabler: recall by the properties of the faults. Wilson's intervals need independent
// faults, so only the first repeat counts.
func (Benchmark) Tables(p evaluation.Plan, items map[string]evaluation.Item,
	results []evaluation.Result) ([]evaluation.Table, error) {
	var out []evaluation.Table
	for _, g := range groups {
		t := evaluation.Table{Name: g.key, Title: "Recall by " + g.key, Labels: []string{"configuration", g.key},
			Means:   g.means + " Wilson's intervals, of the first repeat.",
			Columns: []string{"faults", "recall", "with partly", "at the place"}}
		for _, m := range p.Models {
			for _, config := range p.Configs {
				bands := map[string][]Outcome{}
				for _, r := range results {
					if r.Model != m.ID || r.Config != config || r.Outcome != evaluation.Scored || r.Repeat > 1 ||
						items[r.Task].Groups["type"] == control {
						continue
					}
					o, err := outcomeOf(items[r.Task], *r.Reading)
					if err != nil {
						return nil, err
					}
					band := items[r.Task].Groups[g.key]
					bands[band] = append(bands[band], o)
				}
				for _, name := range slices.Sorted(maps.Keys(bands)) {
					t.Rows = append(t.Rows, row(p.Statistics(), m.ID, []string{config, name}, bands[name]))
				}
			}
		}
		out = append(out, t)
	}
	return out, nil
}

// row is one group's counts and shares.
func row(o stats.Options, model string, labels []string, outcomes []Outcome) evaluation.TableRow {
	share := func(is func(Outcome) bool) evaluation.Figure {
		n := 0
		for _, x := range outcomes {
			if is(x) {
				n++
			}
		}
		return evaluation.Estimated(stats.Wilson(n, len(outcomes), o.Confidence))
	}
	return evaluation.TableRow{Model: model, Labels: labels, Figures: []evaluation.Figure{
		evaluation.Count(len(outcomes)),
		share(func(x Outcome) bool { return x.Named == Yes }),
		share(func(x Outcome) bool { return x.Named != No }),
		share(func(x Outcome) bool { return x.At }),
	}}
}
