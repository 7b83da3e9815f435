package evaluation

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/prforge/prforge/evaluation/stats"
	"github.com/prforge/prforge/internal/reviewer"
)

func TestGuessPilot(t *testing.T) {
	items := func(truths ...int) []Item {
		var out []Item
		for i, n := range truths {
			key := Key{}
			for k := range n {
				key.Truth = append(key.Truth, Truth{ID: fmt.Sprint(k)})
			}
			b, err := json.Marshal(key)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, Item{ID: fmt.Sprint(i), Key: b})
		}
		return out
	}
	need := func(items []Item, configs int) int {
		p, err := GuessPilot(items, configs, 1)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := GuessPilot(items, configs, 1); fmt.Sprint(again) != fmt.Sprint(p) {
			t.Errorf("two guesses: %+v, %+v", p, again)
		}
		return p.Noise.Clusters(stats.Default(), 0.05, 0.8, 1)
	}
	few, many, thrice := need(items(2, 3, 0), 1), need(items(20, 30), 1), need(items(2, 3), 3)
	if few < 300 || few > 900 || many >= few/3 || thrice >= few {
		t.Errorf("2 or 3 comments want %d pull requests, 20 or 30 want %d, in three configurations %d", few, many, thrice)
	}
	if n := need(items(0), 1); n != 0 {
		t.Errorf("without comments: %d", n)
	}
}

// Two models on ten pull requests that differ by chance in each repeat.
func TestPilots(t *testing.T) {
	p := Plan{Models: []reviewer.Model{{ID: "b"}, {ID: "a"}}, Configs: []string{"A"}, Repeats: 2, Draws: 100}
	var results []Result
	for i := range 10 {
		for m, id := range []string{"b", "a"} {
			for repeat := 1; repeat <= 2; repeat++ {
				hits := (i + m*repeat) % 3
				results = append(results, Result{RecordKey: RecordKey{Model: id, Config: "A", Task: fmt.Sprintf("t__%d", i), Repeat: repeat}, Outcome: Scored, Score: &Score{Rates: map[string]Rate{"f1": {2 * hits, 6}}}})
			}
		}
	}
	got := Pilots(p, Reviews{}.Metrics(), results, nil)
	if len(got) != 1 || got[0].A != "a" || got[0].B != "b" || got[0].Pulls != 10 || got[0].Noise.Between <= 0 || got[0].Noise.Within <= 0 {
		t.Errorf("%+v", got)
	}
	p.Models = append(p.Models, reviewer.Model{ID: "c"})
	for i := range 10 {
		results = append(results, Result{RecordKey: RecordKey{Model: "c", Config: "A", Task: fmt.Sprintf("t__%d", i), Repeat: 1}, Outcome: Scored, Score: &Score{Rates: map[string]Rate{"f1": {i, 10}}}})
	}
	if three := Pilots(p, Reviews{}.Metrics(), results, nil); len(three) != 3 || three[0] != got[0] {
		t.Errorf("%+v beside a third model, want %+v", three, got[0])
	}
}
