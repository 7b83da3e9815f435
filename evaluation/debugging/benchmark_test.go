package debugging

import (
	"encoding/json"
	"testing"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/internal/reviewer"
)

// A record goes from question to score as the evaluation runs it.
func TestBenchmark(t *testing.T) {
	b := Benchmark{}
	key, err := json.Marshal(twice)
	if err != nil {
		t.Fatal(err)
	}
	it := evaluation.Item{ID: twice.ID, Prompts: map[string]string{"plain": twice.Code}, Key: key}
	if q := b.Question(it, "plain", false); q.Prompt != twice.Code || q.System == "" {
		t.Errorf("%+v", q)
	}
	score := func(text string) evaluation.Score {
		t.Helper()
		s, err := b.Score(it, "plain", b.Read(it, text), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range b.Metrics() {
			if _, has := s.Rates[m.Name]; !has {
				t.Errorf("no rate %s", m.Name)
			}
		}
		return s
	}
	for name, want := range map[string]struct{ cause, effect int }{"oracle": {1, 1}, "silent": {0, 0}, "effect": {0, 1}} {
		text, err := b.Refer(name, it, "")
		if err != nil {
			t.Fatal(err)
		}
		s := score(text)
		if s.Rates["cause_line_recall"].N != want.cause || s.Rates["effect_line_exact_set"].N != want.effect || s.Rates["unusable"].N != 0 {
			t.Errorf("%s: %+v", name, s.Rates)
		}
	}
	if s := score("not JSON"); s.Rates["unusable"].N != 1 || s.Rates["cause_line_f1"] != (evaluation.Rate{N: 0, Of: 1}) {
		t.Errorf("%+v", s.Rates)
	}
	if _, err := twice.Refer("nobody"); err == nil {
		t.Error("an unknown reference was found")
	}
	if _, err := b.Score(evaluation.Item{Key: []byte("{}")}, "plain", evaluation.Reading{Answer: []byte("[]")}, nil); err == nil {
		t.Error("a sample without errors was scored")
	}
}

// The tables of a report: the reviewer that takes effects for causes is right on
// errors of one line, and on no exact set of several.
func TestTables(t *testing.T) {
	b := Benchmark{}
	sample := func(id string, truths ...Truth) Sample { return Sample{ID: id, Script: id[:1], Truths: truths} }
	truth := func(id string, cause, effect int, hop, kind string) Truth {
		return Truth{ID: id, Cause: Line{First: cause, Last: cause}, Effect: Line{First: effect, Last: effect}, Type: kind, Message: "m",
			Groups: map[string]string{"hop": hop, "type": kind, "operator": "axis", "library": "numpy"}}
	}
	one, far := truth("1", 3, 3, "single-hop", "KeyError"), truth("2", 4, 9, "multi-hop", "TypeError")
	items := map[string]evaluation.Item{}
	p := evaluation.Plan{Models: []reviewer.Model{{ID: "effect"}, {ID: "absent"}}, Configs: []string{"plain"}, Draws: 100, Seed: 1}
	var results []evaluation.Result
	for _, s := range []Sample{sample("a1", one), sample("a2", far), sample("b1", one, far), sample("c1", far)} {
		key, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		it := evaluation.Item{ID: s.ID, Key: key}
		items[s.ID] = it
		text, err := b.Refer("effect", it, "plain")
		if err != nil {
			t.Fatal(err)
		}
		reading := b.Read(it, text)
		results = append(results, evaluation.Result{RecordKey: evaluation.RecordKey{Model: "effect", Config: "plain", Task: s.ID, Repeat: 1}, Outcome: evaluation.Scored, Reading: &reading})
	}
	results = append(results, evaluation.Result{RecordKey: evaluation.RecordKey{Model: "absent", Config: "plain", Task: "a1", Repeat: 1}, Outcome: evaluation.Failed})
	tables, err := b.Tables(p, items, results)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]float64{} // table and last labels -> figures
	for _, table := range tables {
		for _, row := range table.Rows {
			if len(row.Figures) != len(table.Columns) || len(row.Labels) != len(table.Labels) || row.Model != "effect" {
				t.Fatalf("%s: %+v", table.Name, row)
			}
			name := table.Name
			for _, l := range row.Labels[1:] {
				name += " " + l
			}
			for _, f := range row.Figures {
				got[name] = append(got[name], float64(f.Value))
			}
		}
	}
	for name, want := range map[string][]float64{
		"errors 1 cause_line": {3, 1. / 3, 1. / 3, 1. / 3, 1. / 3},
		"errors 2 cause_line": {1, .5, .5, .5, 0},
		"errors 2 error_type": {1, 1, 1, 1, 1},
		"hop single-hop":      {2, 1, 1, 1, 1},
		"hop multi-hop":       {3, 0, 1, 1, 1},
		"type TypeError":      {3, 0, 1, 1, 1},
		"operator axis":       {5, .4, 1, 1, 1},
		"library numpy":       {5, .4, 1, 1, 1},
	} {
		if len(got[name]) != len(want) {
			t.Errorf("%s: %v, want %v", name, got[name], want)
			continue
		}
		for i := range want {
			if d := got[name][i] - want[i]; d > 1e-9 || d < -1e-9 {
				t.Errorf("%s: %v, want %v", name, got[name], want)
			}
		}
	}
	items["a1"] = evaluation.Item{Key: []byte("{}")}
	if _, err := b.Tables(p, items, results); err == nil {
		t.Error("a key without errors makes tables")
	}
}
