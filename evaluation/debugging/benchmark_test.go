package debugging

import (
	"encoding/json"
	"testing"

	"github.com/prforge/prforge/evaluation"
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
