package evaluation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/evaluation/label"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/internal/text"
)

func at(n int) *int { return &n }

func TestAlike(t *testing.T) {
	said := "the counter is never reset when the window ends"
	for name, tc := range map[string]struct {
		a, b Comment
		want bool
	}{
		"near, some words":       {Comment{said, "a.go", at(10), ""}, Comment{"reset the counter at the end", "./a.go", at(15), ""}, true},
		"too far, some words":    {Comment{said, "a.go", at(10), ""}, Comment{"reset the counter at the end", "a.go", at(16), ""}, false},
		"near, other words":      {Comment{said, "a.go", at(10), ""}, Comment{"missing test", "a.go", at(10), ""}, false},
		"far, the same words":    {Comment{said, "a.go", at(10), ""}, Comment{said, "a.go", at(90), ""}, true},
		"no file, same words":    {Comment{said, "a.go", at(10), ""}, Comment{said, "", nil, ""}, true},
		"another file, the same": {Comment{said, "a.go", at(10), ""}, Comment{said, "b.go", at(10), ""}, false},
	} {
		if got := alike(tc.a, tc.b, text.Jaccard(text.Words(tc.a.Body), text.Words(tc.b.Body))); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// poolRun is a run of three models on some tasks with two ground-truth comments each:
// a catches both, b one, c none; a and b report an unlisted problem, b and c each one of
// their own.
func poolRun(t *testing.T, tasks int) (Plan, []Result, map[string]Item) {
	t.Helper()
	p := samplePlan(ModeRecord)
	p.Draws, p.Configs = 200, []string{"config_A"}
	p.Models = []reviewer.Model{{ID: "a"}, {ID: "b"}, {ID: "c"}}
	items := map[string]Item{}
	var results []Result
	for i := range tasks {
		it := sampleItem(t, sampleKey())
		it.ID = fmt.Sprintf("a__%d", i+1)
		items[it.ID] = it
		p.Tasks = append(p.Tasks, it.ID)
		for _, m := range p.Models {
			r := Result{RecordKey: RecordKey{Model: m.ID, Config: "config_A", Task: it.ID, Repeat: 1}, Outcome: Scored, Reading: &Reading{Outcome: ReadReview}, Judgement: &Judgement{Rounds: make([][]Opinion, 1)}}
			add := func(body, file string, line int, o Opinion) {
				r.Reading.Comments = append(r.Reading.Comments, Comment{Body: body, File: file, Line: at(line)})
				r.Judgement.Rounds[0] = append(r.Judgement.Rounds[0], o)
			}
			if m.ID == "a" {
				add("first", "x.go", 1, Opinion{Label: confirmed, Matches: []string{"c_1"}})
			}
			if m.ID != "c" {
				add("second", "x.go", 2, Opinion{Label: confirmed, Matches: []string{"c_2"}})
				add("the lock is not released on this path", "x.go", 40, Opinion{Label: plausible})
			}
			if m.ID != "a" {
				add("only "+m.ID+" says this", m.ID+".go", 70, Opinion{Label: plausible})
			}
			decide(r.Judgement, r.Reading.Comments, sampleKey().Truth)
			score, err := Reviews{}.Score(it, "config_A", *r.Reading, r.Judgement)
			if err != nil {
				t.Fatal(err)
			}
			r.Score = &score
			results = append(results, r)
		}
	}
	return p, results, items
}

func TestFindings(t *testing.T) {
	p, results, _ := poolRun(t, 4)
	findings := Findings(p, results)
	if len(findings) != 12 {
		t.Fatalf("%d findings", len(findings))
	}
	for i, f := range findings {
		if single := i >= 4; f.Single() != single || !single && !slices.Equal(f.Reviewers, []string{"a", "b"}) {
			t.Errorf("%d: %+v", i, f)
		}
	}
	if again := Findings(p, results); again[7].ID != findings[7].ID {
		t.Error("another order")
	}
	// What a person calls plausible stands for a finding of one reviewer.
	results[2].Judgement.Comments[0].People = []label.Label{{Rater: "ada", Answers: map[string]string{askedLabel: plausible}}}
	if n := slices.IndexFunc(Findings(p, results), Finding.Single); n != 5 {
		t.Errorf("%d findings of several", n)
	}
}

func TestJudgeFinding(t *testing.T) {
	p, results, items := poolRun(t, 1)
	f := Findings(p, results)[0]
	var asked []Request
	answers := []string{"no idea", `Well: {"reason": "It is so.", "valid": "yes", "same": ["A1"]}`}
	fresh := true
	ask := func(_ context.Context, q Request) (Reply, error) {
		asked = append(asked, q)
		return Reply{Text: answers[min(q.Sample, 1)], Fresh: fresh}, nil
	}
	if code, err := p.JudgeFinding(t.Context(), items["a__1"], &f, ask); code != JudgeUnreadable || err == nil || len(asked) != 1 || f.Valid != "" {
		t.Errorf("%q, %v, asked %d times: %+v", code, err, len(asked), f)
	}
	// The next run finds that answer kept, and asks again.
	fresh = false
	if code, err := p.JudgeFinding(t.Context(), items["a__1"], &f, ask); code != "" || err != nil || f.Valid != "yes" || len(f.Reviewers) != 1 || len(asked) != 3 {
		t.Errorf("%q, %v, asked %d times: %+v", code, err, len(asked), f)
	}
	if q := asked[0]; q.Schema != "pool" || strings.Contains(q.Prompt, `"model`) || strings.Contains(q.Prompt, "config_") || strings.Count(q.Prompt, "the lock is not released") != 2 {
		t.Errorf("the question is %s", q.Prompt)
	}
	answers[0], fresh = `{"valid": "perhaps", "same": []}`, true
	if code, err := p.JudgeFinding(t.Context(), items["a__1"], &f, ask); code != JudgeUnreadable || err == nil {
		t.Errorf("%q, %v", code, err)
	}
	if code, err := p.JudgeFinding(t.Context(), items["a__1"], &f, func(context.Context, Request) (Reply, error) { return Reply{}, errors.New("529") }); code != JudgeUnanswered || err == nil {
		t.Errorf("%q, %v", code, err)
	}
}

// With the judge's yes to everything, a and b are credited for what the other reports
// too, c has one more to find, and nobody profits from what he alone says.
func TestPoolTables(t *testing.T) {
	p, results, items := poolRun(t, 12)
	findings := Findings(p, results)
	if tables := PoolTables(p, results, items, findings); tables != nil {
		t.Errorf("nobody was asked: %+v", tables)
	}
	for i := range findings {
		if !findings[i].Single() || i%2 == 0 {
			findings[i].Valid = "yes"
		}
	}
	tables := PoolTables(p, results, items, findings)
	for i, want := range [][]float64{
		{1, 1, 2.0 / 3, 1},               // of a's 3 comments 2 match and 1 is in the pool
		{0.5, 2.0 / 3, 1.0 / 3, 2.0 / 3}, // of b's 3 comments 1 matches, 1 is in the pool, 1 is b's own
		{0, 0, 0, 0},
	} {
		for j, f := range tables[0].Rows[i].Figures[:4] {
			if math.Abs(float64(f.Value)-want[j]) > 1e-12 {
				t.Errorf("%s: %s is %v, want %v", tables[0].Rows[i].Model, tables[0].Columns[j], f.Value, want[j])
			}
		}
	}
	// Of each task c_1 was found by people and a, c_2 by three, the pool's by two, two by one:
	// f1 = 24, f2 = 24, 3/4 * 24*23 / 50 = 8.28 of 60 + 8.28.
	m := tables[1].Rows[0].Figures
	if m[0].Value != 24 || math.Abs(float64(m[1].Value)-36) > 1e-9 || math.Abs(float64(m[2].Value)-8.28) > 1e-9 || math.Abs(float64(m[3].Value)-24/68.28) > 1e-9 {
		t.Errorf("%+v", m)
	}
	if a := tables[0].Rows[0].Figures[4]; math.Abs(float64(a.Value)-36/68.28) > 1e-9 {
		t.Errorf("a found %+v of all", a)
	}
}

// Where everything is found alike, the estimate of what nobody found is right on
// average; where some things are harder, it is too low, and still nearer than nothing.
func TestSimulation_Unseen(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	for _, uneven := range []float64{0, 1} {
		const models, things = 4, 300
		missed, guessed := 0.0, 0.0
		for range 200 {
			x := make([]float64, capModels+2*models)
			for range things {
				odds := math.Log(0.3/0.7) + uneven*random.NormFloat64()
				n := 0
				for range models + 1 {
					if random.Float64() < 1/(1+math.Exp(-odds)) {
						n++
					}
				}
				switch n {
				case 0:
					missed++
				case 1:
					x[capOnce]++
				case 2:
					x[capTwice]++
				}
			}
			guessed += unseen(x, models)
		}
		t.Logf("uneven %.0f: %.1f of %d were missed on average, %.1f are estimated", uneven, missed/200, things, guessed/200)
		if ratio := guessed / missed; uneven == 0 && math.Abs(ratio-1) > 0.05 || uneven == 1 && (ratio > 1 || ratio < 0.5) {
			t.Errorf("uneven %.0f: %.1f of %d were missed on average, %.1f are estimated", uneven, missed/200, things, guessed/200)
		}
	}
}

func TestAlarms(t *testing.T) {
	clean := []CleanHunk{{"t", "a.go", 10, 3}, {"t", "b.go", 1, 5}}
	comments := []Comment{{"x", "a.go", at(9), ""}, {"x", "./a.go", at(12), ""}, {"x", "a.go", at(10), ""}, {"x", "b.go", nil, ""}, {"x", "b.go", at(5), ""}}
	judged := &Judgement{Comments: []Judged{{Label: plausible}, {Label: fabricated}, {Label: plausible}, {Label: plausible}, {Label: confirmed}}}
	if r := Alarms(clean, comments, judged); r != (Rate{1, 2}) {
		t.Errorf("%+v", r)
	}
	if r := Alarms(clean, comments[:1], nil); r != (Rate{0, 2}) {
		t.Errorf("%+v", r)
	}
	has := func(b Reviews) bool {
		return slices.ContainsFunc(b.Metrics(), func(m Metric) bool { return m.Name == AlarmMetric().Name })
	}
	if has(Reviews{}) || !has(Reviews{Clean: map[string][]CleanHunk{}}) {
		t.Error("the column is there without controls, or not with them")
	}
}
