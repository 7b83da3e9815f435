package report

import (
	"testing"

	"github.com/prforge/prforge/evaluation"
)

// What a page says of a record: comments matched, or else the rate that ranks.
func TestTaskOf(t *testing.T) {
	rates := map[string]evaluation.Rate{"recall": {N: 1, Of: 3}, "other": {N: 7, Of: 8}}
	got := taskOf(evaluation.Item{ID: "a__1"}, []evaluation.Result{
		{Score: &evaluation.Score{Rates: rates}}, {Score: &evaluation.Score{Rates: rates, Counts: map[string]int{"truth": 5, "matched": 4}}}, {},
	}, "recall").Records
	for i, want := range [][2]int{{1, 3}, {4, 5}, {0, 0}} {
		if got[i].Matched != want[0] || got[i].Truth != want[1] {
			t.Errorf("record %d: %d of %d, want %d of %d", i, got[i].Matched, got[i].Truth, want[0], want[1])
		}
	}
}
