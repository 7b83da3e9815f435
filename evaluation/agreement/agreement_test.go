package agreement

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/stats"
)

// run is a run of n records with six comments each, judged three times. label
// gives a comment's label in a round at a place.
func run(t *testing.T, n int, label func(record, comment, round, place int) string) ([]evaluation.Result, map[string]evaluation.Item) {
	t.Helper()
	var results []evaluation.Result
	items := map[string]evaluation.Item{}
	for r := range n {
		id := fmt.Sprintf("o__%02d", r)
		key, err := json.Marshal(evaluation.Key{URL: "https://example.com/" + id, Diff: "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,3 @@\n x\n+y = 1\n z\n",
			Truth: []evaluation.Truth{{ID: "c_1", Body: "=why?", File: "a.py"}}})
		if err != nil {
			t.Fatal(err)
		}
		items[id] = evaluation.Item{ID: id, Key: key}
		j := &evaluation.Judgement{}
		reading := &evaluation.Reading{}
		for round := range 3 {
			var opinions []evaluation.Opinion
			for c := range 6 {
				place := (c + 2*round) % 6
				opinions = append(opinions, evaluation.Opinion{Label: label(r, c, round, place), Shown: place})
			}
			j.Rounds = append(j.Rounds, opinions)
		}
		for c := range 6 {
			line := 2
			reading.Comments = append(reading.Comments, evaluation.Comment{Body: fmt.Sprintf("=comment %d of %d", c, r), File: "a.py", Line: &line})
			judged := evaluation.Judged{Label: j.Rounds[0][c].Label}
			if judged.Label == evaluation.Confirmed {
				judged.Match = "c_1"
			}
			j.Comments = append(j.Comments, judged)
		}
		results = append(results, evaluation.Result{RecordKey: evaluation.RecordKey{Model: "secret-model", Config: "config_B", Task: id, Repeat: 1},
			Outcome: evaluation.Scored, Reading: reading, Judgement: j})
	}
	return results, items
}

var labels = []string{evaluation.Confirmed, evaluation.Plausible, evaluation.Fabricated}

func steady(r, c, _, _ int) string { return labels[(r+c)%3] }

func TestAgainstItself(t *testing.T) {
	results, _ := run(t, 30, steady)
	got := AgainstItself(stats.Default(), results)
	if got.Comments != 180 || got.Unanimous.Value != 1 || got.Alpha.Value != 1 || got.Alpha.Clusters != 30 {
		t.Errorf("steady: %+v", got)
	}
	results, _ = run(t, 30, func(r, c, round, _ int) string { return labels[(r*7+c*c+round*(c+r))%3] })
	if got := AgainstItself(stats.Default(), results); got.Unanimous.Value > 0.7 || got.Alpha.Value > 0.7 {
		t.Errorf("unsteady: %+v", got)
	}
	if got := AgainstItself(stats.Default(), nil); got.Comments != 0 || got.Alpha.Value.Defined() {
		t.Errorf("nothing: %+v", got)
	}
}

// A judge that confirms what stands first is seen; a steady one is not.
func TestPositions(t *testing.T) {
	results, _ := run(t, 30, steady)
	if p := Positions(results); p.Test.P < 0.05 || p.Flipped != 0 || p.Moved == 0 {
		t.Errorf("steady: %+v", p)
	}
	results, _ = run(t, 30, func(r, c, round, place int) string {
		if place < 2 {
			return evaluation.Confirmed
		}
		return labels[1+(r+c)%2]
	})
	p := Positions(results)
	if p.Test.P > 1e-6 || p.Flipped == 0 {
		t.Errorf("biased: %+v", p)
	}
	if diff := cmp.Diff([]string{evaluation.Confirmed, evaluation.Fabricated, evaluation.Plausible}, p.Labels); diff != "" {
		t.Error(diff)
	}
}

func TestJudges(t *testing.T) {
	results, _ := run(t, 30, steady)
	a := Verdicts(results)
	b := Verdicts(results)
	for i := range b {
		if i%6 == 0 {
			b[i].Label, b[i].Outcome, b[i].Match = evaluation.Fabricated, Fabricated, ""
		}
		if b[i].Match != "" && i%6 == 1 {
			b[i].Match = "c_2"
		}
	}
	got := Judges(stats.Default(), a, b[:len(b)-1])
	// Of each six comments the first is changed where it was not FABRICATED.
	if got.Comments != 179 || got.OnlyA != 1 || got.OnlyB != 0 || got.Labels.Observed != 1-20.0/179 || got.Labels.Observed != got.Outcomes.Observed {
		t.Errorf("%+v", got)
	}
	if got.SameMatch.Value >= 1 || got.SameMatch.Value < 0.5 {
		t.Errorf("%+v", got.SameMatch)
	}
}

func TestSheet(t *testing.T) {
	results, items := run(t, 30, func(r, c, _, _ int) string {
		if r == 0 && c < 4 {
			return evaluation.Fabricated // four in all
		}
		return labels[c%2]
	})
	drawn := Draw(Verdicts(results), 30, 1)
	count := map[string]int{}
	for _, d := range drawn {
		count[d.Verdict.Label]++
	}
	if diff := cmp.Diff(map[string]int{evaluation.Confirmed: 13, evaluation.Plausible: 13, evaluation.Fabricated: 4}, count); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(drawn, Draw(Verdicts(results), 30, 1)); diff != "" {
		t.Error("another draw with the same seed", diff)
	}
	sheet, err := Sheet(drawn, results, items)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"secret-model", "config_B", evaluation.Plausible, evaluation.Fabricated} {
		if strings.Contains(string(sheet), secret) {
			t.Errorf("the sheet says %q", secret)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(string(sheet))).ReadAll()
	if err != nil || len(rows) != 31 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if r := rows[1]; !strings.HasPrefix(r[2], "'=comment") || r[5] != "H1 a.py: =why?" || !strings.Contains(r[6], "+y = 1\n") || r[0] != "S001" {
		t.Errorf("%q", r)
	}
}

func TestPeople(t *testing.T) {
	results, items := run(t, 30, steady)
	drawn := Draw(Verdicts(results), 60, 7)
	sheet, err := Sheet(drawn, results, items)
	if err != nil {
		t.Fatal(err)
	}
	text := string(sheet)
	for i, d := range drawn {
		label := d.Verdict.Label
		if i%12 == 0 {
			label = evaluation.Fabricated
		}
		if i%20 != 1 {
			text = strings.Replace(text, "\n"+d.Item+",,", "\n"+d.Item+", "+strings.ToLower(label)+",", 1)
		}
	}
	read, err := ReadLabels(strings.NewReader("\ufeff" + text))
	if err != nil || len(read) != 57 {
		t.Fatalf("%d labels, %v", len(read), err)
	}
	read["S999"] = evaluation.Confirmed
	p := AgainstPeople(stats.Default(), drawn, read)
	if p.Drawn != 60 || p.Comments != 57 || p.OnlyA != 3 || p.Unknown != 1 || p.Labels.Observed < 0.9 || !p.Trustable {
		t.Errorf("%+v", p)
	}
	if _, err := json.Marshal(p); err != nil {
		t.Error(err)
	}
	for name, bad := range map[string]string{"label": "item,label\nS001,GOOD\n", "twice": "item,label\nS001,PLAUSIBLE\nS001,PLAUSIBLE\n", "columns": "a,b\n1,2\n", "empty": "", "no CSV": "item,label\n\"S001\n"} {
		if _, err := ReadLabels(strings.NewReader(bad)); err == nil {
			t.Errorf("%s: read", name)
		}
	}
}
