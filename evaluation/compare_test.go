package evaluation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// world makes results of reviewers "old" and "new" on n pull requests in two
// configurations, whose comments are caught with a chance that differs between pull
// requests; the new one's log odds are lower by drop.
func changeWorld(seed uint64, n int, drop float64) ([]Result, map[string]Item) {
	random := rand.New(rand.NewPCG(seed, 1))
	var out []Result
	items := map[string]Item{}
	for i := range n {
		task, truth, ease := fmt.Sprintf("repo__%d", i), 2+random.IntN(4), 1.5*random.NormFloat64()
		if random.Float64() < 0.05 {
			truth = 10 + random.IntN(30)
		}
		items[task] = Item{ID: task}
		for _, config := range []string{"config_A", "config_C"} {
			for model, less := range map[string]float64{"old": 0, "new": drop} {
				caught := 0
				odds := ease - less + 0.4*random.NormFloat64()
				for range truth {
					if random.Float64() < 1/(1+math.Exp(-odds)) {
						caught++
					}
				}
				out = append(out, Result{RecordKey: RecordKey{Model: model, Config: config, Task: task}, Outcome: Scored, Score: &Score{Rates: map[string]Rate{"recall": {N: caught, Of: truth}}}})
			}
		}
	}
	return out, items
}

func worse(t *testing.T, seed uint64, n int, drop, limit float64) bool {
	t.Helper()
	results, items := changeWorld(seed, n, drop)
	metrics := []Metric{{Name: "recall", Ranks: true}}
	got, err := Changes(Plan{Draws: 1, Cluster: "task"}, metrics, results, items, [][2]string{{"old", "new"}}, limit, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	return got[0].Worse
}

// Of 1,000 pairs of equal reviewers at most 5 % are called worse, however few pull
// requests there are; a reviewer that is much worse is found.
func TestChanges_FalseAlarms(t *testing.T) {
	for _, n := range []int{15, 40, 120} {
		alarms, found := 0, 0
		for seed := range uint64(1000) {
			if worse(t, seed, n, 0, 0) {
				alarms++
			}
			if seed < 100 && worse(t, seed, n, 1.5, 0) {
				found++
			}
		}
		t.Logf("%d pull requests: %d of 1,000 equal pairs called worse, %d of 100 with log odds lower by 1.5", n, alarms, found)
		if alarms > 50 {
			t.Errorf("%d pull requests: %d false alarms in 1,000", n, alarms)
		}
		if n >= 40 && found < 95 {
			t.Errorf("%d pull requests: %d of 100 found", n, found)
		}
	}
}

// A limit below 0 forgives what is not worth a failure.
func TestChanges_Limit(t *testing.T) {
	if !worse(t, 3, 120, 1, 0) || worse(t, 3, 120, 1, -0.5) {
		t.Error("the limit does not count")
	}
}

func TestChanges_NothingInCommon(t *testing.T) {
	results, items := changeWorld(1, 5, 0)
	if _, err := Changes(Plan{}, []Metric{{Name: "recall", Ranks: true}}, results, items, [][2]string{{"old", "other"}}, 0, 0.95); err == nil {
		t.Error("a reviewer without records was compared")
	}
}
