package bugs

import "github.com/prforge/prforge/evaluation"

var _ evaluation.Tabler = Benchmark{}

// Tables implements evaluation.Tabler. McNemar's test needs independent questions, so only the first repeat of each
// counts.
func (Benchmark) Tables(p evaluation.Plan, items map[string]evaluation.Item,
	results []evaluation.Result) ([]evaluation.Table, error) {
	asked, err := grade(items, results)
	if err != nil {
		return nil, err
	}
	o := p.Statistics()
	rates := []string{"questions", "strict", "found", "credit", "chance", "found above chance"}
	levels := evaluation.Table{Name: "level", Title: "By level", Labels: []string{"configuration", "level"},
		Columns: rates,
		Means:   "Levels 1 and 2 a linter sees, with the evidence on the spot or elsewhere; 3 runs and does something else; 4 takes another file. Intervals are over files. Chance is that of a drawn line; a guesser is at 0 above it."}
	kinds := evaluation.Table{Name: "kind", Title: "By kind", Labels: []string{"configuration", "kind"}, Columns: rates,
		Means: "The kinds are explained in docs/bugs.md. A fault is not decidable in a configuration that does not show what it takes; it is in no other figure."}
	controls := evaluation.Table{Name: "controls", Title: "False alarms", Labels: []string{"configuration"},
		Columns: []string{"controls", "alarmed", "proven false", "false alarms per question"},
		Means:   "Controls have no fault. Alarmed is the share of them in which one is claimed, proven false that in which a claim is known to be wrong."}
	effects := evaluation.Table{Name: "factors", Title: "By what may make a fault harder to see",
		Labels: []string{"configuration", "factor", "band"}, Columns: rates,
		Means: "Of the faults that can be decided. A similar name is one that the file binds and that differs from the fault's in one letter, or two exchanged."}
	failures := evaluation.Table{Name: "failures", Title: "Why faults were missed",
		Labels: []string{"configuration", "failure"}, Columns: []string{"faults", "share", "level 1", "level 2", "level 3",
			"level 4"},
		Means: "What comes nearest, of the faults that are not found."}
	var order []place
	for _, m := range p.Models {
		for _, config := range p.Configs {
			order = append(order, place{m.ID, config})
			results := asked[place{m.ID, config}]
			if len(results) == 0 {
				continue
			}
			s := summarize(o, results)
			for _, c := range append([]cell{s.questions}, s.byLevel...) {
				levels.Rows = append(levels.Rows, c.row(m.ID, config))
			}
			for _, c := range s.byKind {
				kinds.Rows = append(kinds.Rows, c.row(m.ID, config))
			}
			controls.Rows = append(controls.Rows, evaluation.TableRow{Model: m.ID, Labels: []string{config},
				Figures: []evaluation.Figure{evaluation.Count(s.controls), evaluation.Estimated(s.alarmed),
					evaluation.Estimated(s.proven), evaluation.Estimated(s.falseAlarms)}})
			effects.Rows = append(effects.Rows, factorRows(o, m.ID, config, results)...)
			failures.Rows = append(failures.Rows, failureRows(o, m.ID, config, results)...)
		}
	}
	return append([]evaluation.Table{levels, kinds, effects, controls, failures, pairs(p, asked)},
		append(judges(o, asked, order), calibrations(o, asked, order)...)...), nil
}
