package evaluation

import (
	"context"
	"testing"
)

// The references mark the ends of the scale under the rules judge.
func TestReferences(t *testing.T) {
	p := samplePlan("")
	p.Judge = Judge{ID: "rules", Provider: ProviderRules}
	it := sampleItem(t, sampleKey())
	for name, want := range map[string]map[string]Rate{
		"oracle":  {"recall": {2, 2}, "precision": {2, 2}, "f1": {4, 4}, "fabricated": {0, 2}},
		"silent":  {"recall": {0, 2}, "precision": {0, 0}, "f1": {0, 2}},
		"echo":    {"recall": {0, 2}, "precision": {0, 2}, "fabricated": {2, 2}},
		"shotgun": {"recall": {2, 2}, "precision": {2, 2}},
	} {
		reviewer := func(context.Context, Request) (string, error) { return Refer(name, it) }
		r, err := p.Evaluate(t.Context(), Reviews{}, it, RecordKey{Model: name, Config: "config_A", Task: it.ID, Repeat: 1}, asked(reviewer), nil)
		if err != nil {
			t.Fatal(err)
		}
		for metric, rate := range want {
			if r.Score.Rates[metric] != rate {
				t.Errorf("%s: %s is %v, want %v", name, metric, r.Score.Rates[metric], rate)
			}
		}
	}
	if _, err := Refer("nobody", it); err == nil {
		t.Error("a reference that there is not")
	}
}

func TestRulesJudge(t *testing.T) {
	key := sampleKey()
	for name, tc := range map[string]struct {
		comment Comment
		label   string
		match   string
	}{
		"three lines away":        {Comment{Body: "x", File: "a.go", Line: line(5)}, confirmed, "c_1"},
		"same hunk":               {Comment{Body: "x", File: "b/a.go", Line: line(43)}, confirmed, "c_2"},
		"another hunk":            {Comment{Body: "x", File: "a.go", Line: line(30)}, fabricated, ""},
		"another file":            {Comment{Body: "x", File: "z.go", Line: line(2)}, fabricated, ""},
		"same words, no place":    {Comment{Body: "Nobody closes this handle, it leaks"}, confirmed, "c_2"},
		"same words, wrong file":  {Comment{Body: "Nobody closes this handle, it leaks", File: "z.go"}, fabricated, ""},
		"other words, no place":   {Comment{Body: "what is this for?"}, plausible, ""},
		"other words, right file": {Comment{Body: "what is this for?", File: "./a.go"}, plausible, ""},
		"a line of the diff":      {Comment{Body: "var x = 1", File: "a.go", Line: line(2)}, fabricated, ""},
	} {
		o := rulesJudge(key, []Comment{tc.comment})[0]
		match := ""
		if len(o.Matches) > 0 {
			match = o.Matches[0]
		}
		if o.Label != tc.label || match != tc.match {
			t.Errorf("%s: %s %s (%s)", name, o.Label, match, o.Reason)
		}
	}
	same := rulesJudge(key, []Comment{{Body: "check tests"}, {Body: "check tests"}})
	if same[0].Label != fabricated || same[1].Label != fabricated {
		t.Errorf("the same twice: %+v", same)
	}
}
