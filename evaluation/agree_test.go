package evaluation

import (
	"fmt"
	"testing"

	"github.com/prforge/prforge/evaluation/stats"
	"github.com/prforge/prforge/internal/reviewer"
)

// judgedResults are records of nine comments each, three of every label in
// every round; noise gives another label to some comments of the second round.
func judgedResults(t *testing.T, n int, noise func(task, comment int) bool) ([]Result, map[string]Item) {
	t.Helper()
	var out []Result
	items := map[string]Item{}
	key := sampleKey()
	for task := range n {
		it := sampleItem(t, key)
		it.ID = fmt.Sprintf("a__%d", task+1)
		items[it.ID] = it
		r := Result{RecordKey: RecordKey{Model: "secret-model", Config: "config_A", Task: it.ID, Repeat: 1}, Outcome: Scored, Reading: &Reading{}, Judgement: &Judgement{Rounds: make([][]Opinion, 2)}}
		for c := range 9 {
			r.Reading.Comments = append(r.Reading.Comments, Comment{Body: fmt.Sprintf("comment %d of %s", c, it.ID)})
			for round := range 2 {
				o := Opinion{Label: labels[c%3], Claim: "yes", Shown: (c + round*4) % 9}
				if round == 1 && noise(task, c) {
					o.Label = labels[(c+1)%3]
				}
				if o.Label == confirmed {
					o.Matches = []string{"c_1"}
				}
				r.Judgement.Rounds[round] = append(r.Judgement.Rounds[round], o)
			}
		}
		decide(r.Judgement, r.Reading.Comments, key.Truth)
		out = append(out, r)
	}
	return out, items
}

func TestAgree(t *testing.T) {
	o := stats.Default()
	o.Draws = 200
	never := func(int, int) bool { return false }
	same, _ := judgedResults(t, 30, never)
	plan := samplePlan(ModeRecord)
	plan.Draws = 200
	a := Agree(plan, same)
	if a.Comments != 270 || a.Repeats.Value != 1 || a.Unanimous != 1 {
		t.Errorf("%+v", a)
	}
	noisy, _ := judgedResults(t, 30, func(task, c int) bool { return (task+c)%4 == 0 })
	b := Agree(plan, noisy)
	if b.Repeats.Value >= 0.9 || b.Repeats.Value <= 0.3 || b.Unanimous >= 0.8 {
		t.Errorf("with noise: %+v", b)
	}
	c, err := AgreeWith(o, "other", same, noisy)
	if err != nil || c.Labels.Items != 270 || c.Labels.Kappa.Value >= 1 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := AgreeWith(o, "other", same, nil); err == nil {
		t.Error("nothing in common")
	}

	if a.Positions == nil || a.Positions.Lists != 60 || a.Positions.P < 0.05 {
		t.Errorf("positions: %+v", a.Positions)
	}
	plan.Judge.Provider = ProviderRules
	if a := Agree(plan, same); a.Positions != nil {
		t.Errorf("a judge that is shown no order: %+v", a.Positions)
	}
	if n := a.Order.Moved + a.Order.Still; n != 270 || a.Order.MovedFlipped+a.Order.StillFlipped != 0 || a.Order.Moved == 0 {
		t.Errorf("order: %+v", a.Order)
	}
	if b.Order.MovedFlipped+b.Order.StillFlipped == 0 {
		t.Errorf("order, with noise: %+v", b.Order)
	}
}

// A report conserves records: planned is scored and failed, in every part.
func TestReportConserves(t *testing.T) {
	results, items := judgedResults(t, 12, func(int, int) bool { return false })
	for i := range results {
		r := &results[i]
		score, err := Reviews{}.Score(items[r.Task], r.Config, *r.Reading, r.Judgement)
		if err != nil {
			t.Fatal(err)
		}
		r.Score = &score
		it := items[r.Task]
		it.Groups = map[string]string{"difficulty": "Type1_Direct", "language": "Go", "repo": "o/a", "type": "feature"}
		items[r.Task] = it
	}
	failed := &results[3]
	failed.Outcome, failed.Code, failed.Score = Failed, ReviewerUnanswered, nil
	p := samplePlan(ModeRecord)
	p.Models, p.Configs, p.Draws, p.Cluster = []reviewer.Model{{ID: "secret-model"}}, []string{"config_A"}, 200, "task"
	r := NewReport(p, Reviews{}.Metrics(), results, items, map[string]Cost{"secret-model": {USD: 11}})
	if r.Planned != 12 || r.Scored != 11 || r.Failed != 1 || r.Codes[ReviewerUnanswered] != 1 {
		t.Errorf("%d planned, %d scored, %d failed", r.Planned, r.Scored, r.Failed)
	}
	m := r.Models[0]
	if m.Scored+m.Failed != m.Planned || m.Cost.PerRecord != 1 || m.Cost.PerCaught != 1 {
		t.Errorf("%+v", m)
	}
	for _, v := range m.Values {
		if v.Metric == "recall" && (v.N != 11 || v.Of != 22 || v.Macro.Value != 0.5 || !v.Macro.Low.Defined() || v.Low == nil || *v.Low >= 0.5 || *v.High != 0.5) {
			t.Errorf("recall: %+v", v)
		}
	}
	for _, c := range r.Cells {
		if c.Records != 11 || c.Failed != 1 || c.Few {
			t.Errorf("%+v", c)
		}
	}
}
