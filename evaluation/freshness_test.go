package evaluation

import (
	"fmt"
	"testing"

	"github.com/prforge/prforge/internal/reviewer"
)

// A model that catches everything until its cutoff and half of it after is shown with
// the difference; the day of the cutoff itself is known to it.
func TestFreshness(t *testing.T) {
	items := map[string]Item{}
	var results []Result
	for i := range 20 {
		id := fmt.Sprintf("a__%d", i)
		it := Item{ID: id, Date: "2026-01-31T23:59:59Z"}
		caught := 2
		if i >= 10 {
			it.Date, caught = "2026-02-01T00:00:00Z", 1+i%2*i/15
		}
		if i == 19 {
			it.Date = ""
		}
		items[id] = it
		results = append(results, Result{RecordKey: RecordKey{Model: "m", Config: "A", Task: id}, Outcome: Scored, Score: &Score{Rates: map[string]Rate{"recall": {caught, 2}}}})
	}
	s := summary{plan: Plan{Models: []reviewer.Model{{ID: "m", Cutoff: "2026-01-31"}, {ID: "other"}}}, items: items, options: Plan{Draws: 100}.Statistics(), metrics: []Metric{{Name: "recall", Headline: true}, {Name: "x"}}}
	tables := s.freshness(map[string][]Result{"m": results})
	if len(tables) != 1 || len(tables[0].Rows) != 1 {
		t.Fatalf("%+v", tables)
	}
	f := tables[0].Rows[0].Figures
	if f[0].Value != 10 || f[1].Value != 1 || f[2].Value != 9 || f[3].Value >= 0.7 || f[4].Value >= -0.3 || f[4].High >= 0 || f[4].Low <= -1 {
		t.Errorf("%+v", f)
	}
	s.plan.Models = s.plan.Models[1:]
	if tables := s.freshness(nil); tables != nil {
		t.Errorf("without a cutoff: %+v", tables)
	}
}
