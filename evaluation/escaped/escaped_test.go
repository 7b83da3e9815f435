package escaped_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/escaped"
)

const statement = "The counter still stood at the limit after the pause, so that one failure opened the circuit again at once"

const diff = `diff --git a/circuit.py b/circuit.py
--- a/circuit.py
+++ b/circuit.py
@@ -1,2 +1,3 @@
 class Circuit:
+    def failure(self):
     pass
`

func item(t *testing.T) evaluation.Item {
	t.Helper()
	line := 2
	key, err := json.Marshal(escaped.Key{
		Key:  evaluation.Key{Repo: "o/n", Number: 1, Diff: diff, Truth: []evaluation.Truth{{ID: "n__1", Body: statement, File: "circuit.py", Line: &line}}},
		Kind: "lines", Lines: []escaped.Line{{File: "circuit.py", Line: 2}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return evaluation.Item{ID: "n__1", Prompts: map[string]string{"config_A": "x"}, Key: key, Groups: map[string]string{"grade": "A"}}
}

func TestRead(t *testing.T) {
	for _, tc := range []struct {
		name, answer string
		want         escaped.Outcome
	}{
		{"nothing", `[]`, escaped.Outcome{Named: "no"}},
		{"the fix's words at the place", comment(statement, "circuit.py", 5), escaped.Outcome{Named: "yes", At: true}},
		{"the fix's words too far away", comment(statement, "circuit.py", 6), escaped.Outcome{Named: "no", Open: true}},
		{"half of the fix's words", comment("The counter still stood at the limit after the pause", "circuit.py", 2), escaped.Outcome{Named: "yes", At: true}},
		{"other words at the place", comment("failures is never reset", "circuit.py", 2), escaped.Outcome{Named: "no", Open: true, At: true}},
		{"another file", comment(statement, "queue.py", 2), escaped.Outcome{Named: "no"}},
		{"no file", `[{"body": "failures is never reset", "file": null, "line": null}]`, escaped.Outcome{Named: "no", Open: true}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := escaped.Benchmark{}.Read(item(t), tc.answer)
			if got := outcome(t, r); got.Named != tc.want.Named || got.Open != tc.want.Open || got.At != tc.want.At {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}

func comment(body, file string, line int) string {
	text, _ := json.Marshal([]map[string]any{{"body": body, "file": file, "line": line}})
	return string(text)
}

func outcome(t *testing.T, r evaluation.Reading) escaped.Outcome {
	t.Helper()
	var o escaped.Outcome
	if err := json.Unmarshal(r.Answer, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

func TestAskJudge(t *testing.T) {
	yes, partly, no := `{"named": "yes", "comment": "A1"}`, `{"named": "partly", "comment": "A1"}`, `{"named": "no", "comment": null}`
	for _, tc := range []struct {
		name, answer string
		replies      []string
		want, code   string
	}{
		{"the middle of three", comment("never reset", "circuit.py", 2), []string{yes, no, partly}, "partly", ""},
		{"two of three", comment("never reset", "circuit.py", 2), []string{yes, no, yes}, "yes", ""},
		{"repaired", comment("never reset", "circuit.py", 2), []string{"well", yes, yes, no}, "yes", ""},
		{"a comment that is none", comment("never reset", "circuit.py", 2), []string{`{"named": "yes", "comment": "A2"}`, `{"named": "perhaps"}`}, "no", evaluation.JudgeUnreadable},
		{"nobody is asked what the rule decides", comment(statement, "circuit.py", 2), nil, "yes", ""},
		{"nobody answers", comment("never reset", "circuit.py", 2), nil, "no", evaluation.JudgeUnanswered},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b, it := escaped.Benchmark{}, item(t)
			reading := b.Read(it, tc.answer)
			r := evaluation.Result{RecordKey: evaluation.RecordKey{Model: "m", Config: "config_A", Task: "n__1", Repeat: 1}, Reading: &reading}
			replies := tc.replies
			code, err := b.AskJudge(t.Context(), evaluation.Plan{Judge: evaluation.Judge{Repeat: 3, MaxDiff: 1000}}, it, &r, func(_ context.Context, q evaluation.Request) (evaluation.Reply, error) {
				if len(replies) == 0 {
					return evaluation.Reply{}, errors.New("no answer")
				}
				if !strings.Contains(q.Prompt, "the counter still stood") && !strings.Contains(q.Prompt, "The counter still stood") {
					t.Errorf("the judge is not shown the fault: %s", q.Prompt)
				}
				if !strings.Contains(q.Prompt, "def failure") {
					t.Errorf("the judge is not shown the change: %s", q.Prompt)
				}
				next := replies[0]
				replies = replies[1:]
				return evaluation.Reply{Text: next, Fresh: true}, nil
			})
			if code != tc.code || (err != nil) != (tc.code != "") {
				t.Fatalf("code %q, error %v; want %q", code, err, tc.code)
			}
			if got := outcome(t, *r.Reading).Named; got != tc.want {
				t.Errorf("named %q, want %q", got, tc.want)
			}
			s, err := b.Score(it, "config_A", *r.Reading, nil)
			want := map[string][2]int{"yes": {1, 1}, "partly": {0, 1}, "no": {0, 0}}[tc.want]
			if got := [2]int{s.Rates["recall"].N, s.Rates["recall_partly"].N}; err != nil || got != want {
				t.Errorf("recall and with suspicions %v, %v; want %v", got, err, want)
			}
		})
	}
	if _, err := (escaped.Benchmark{}).AskJudge(t.Context(), evaluation.Plan{}, evaluation.Item{Key: []byte("{}")}, nil, nil); err == nil {
		t.Error("a key without a fault is asked about")
	}
	if _, err := (escaped.Benchmark{}).AskJudge(t.Context(), evaluation.Plan{}, item(t), &evaluation.Result{Reading: &evaluation.Reading{Answer: []byte("x")}}, nil); err == nil {
		t.Error("an answer that is no outcome is asked about")
	}
}

func TestReferences(t *testing.T) {
	b, it := escaped.Benchmark{}, item(t)
	for name, want := range map[string][2]int{"oracle": {1, 1}, "silent": {0, 0}, "shotgun": {0, 1}, "echo": {0, 1}} {
		answer, err := b.Refer(name, it, "config_A")
		if err != nil {
			t.Fatal(err)
		}
		s, err := b.Score(it, "config_A", b.Read(it, answer), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]int{s.Rates["recall"].N, s.Rates["at_place"].N}; got != want {
			t.Errorf("%s: recall and at_place are %v, want %v", name, got, want)
		}
	}
}

func TestControls(t *testing.T) {
	review := evaluation.Item{ID: "n__2", Prompts: map[string]string{"config_A": "x"}, Groups: map[string]string{"repo": "o/n", "language": "Go"}}
	others := []evaluation.Item{review, review, review}
	others[1].ID, others[2].ID = "n__1", "m__2"
	for i, key := range []evaluation.Key{{Repo: "o/n", Number: 2, Diff: diff, Truth: []evaluation.Truth{{ID: "c_1", Body: "what people wrote"}}}, {Repo: "o/n", Number: 1}, {Repo: "o/m", Number: 2}} {
		others[i].Key, _ = json.Marshal(key)
	}
	items, of, err := escaped.Benchmark{}.Borrow([]evaluation.Item{item(t)}, others)
	if err != nil || len(items) != 1 || of[items[0].ID] != "n__2" {
		t.Fatalf("borrowed %v of %v, %v; want n__2 alone: n__1 has the fault, m__2 is of another repository", items, of, err)
	}
	control := items[0]
	if strings.Contains(string(control.Key), "what people wrote") {
		t.Error("a control has people's comments")
	}
	b := escaped.Benchmark{}.WithClean(map[string][]evaluation.CleanHunk{control.ID: {{File: "circuit.py", Start: 1, Lines: 3}}})
	for answer, want := range map[string]int{`[]`: 0, comment("wrong", "circuit.py", 2): 1, comment("wrong", "circuit.py", 9): 0} {
		s, err := b.Score(control, "config_A", b.Read(control, answer), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Rates["alarms"]; got != (evaluation.Rate{N: want, Of: 1}) || s.Rates["recall"].Of != 0 {
			t.Errorf("%s: alarms %v, recall %v; want %d of 1 and none", answer, got, s.Rates["recall"], want)
		}
	}
}

func TestCheats(t *testing.T) {
	results, err := escaped.Cheats().Measure(t.Context(), escaped.Benchmark{}, []evaluation.Item{item(t)}, []string{"config_A"})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		want := 1
		if r.Cheat == "regex" {
			want = 0 // the only added line has no mark of a slip
		}
		if r.Level == "all" && r.Rate != (evaluation.Rate{N: want, Of: 1}) {
			t.Errorf("%s points to %v of the faults, want %d", r.Cheat, r.Rate, want)
		}
	}
	it := item(t)
	it.Key = []byte(strings.ReplaceAll(string(it.Key), `@@ -1,2 +1,3 @@\n`, `@@ -1,9 +1,11 @@\n+import time\n`+strings.Repeat(` x = 1\n`, 7)))
	if results, err = escaped.Cheats().Measure(t.Context(), escaped.Benchmark{}, []evaluation.Item{it}, []string{"config_A"}); err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if want := map[string]int{"constant": 1, "longest": 0, "crowd": 1}[r.Cheat]; r.Level == "all" && r.Rate.N != want {
			t.Errorf("%s points to %v of the faults above another added line, want %d", r.Cheat, r.Rate, want)
		}
	}
}
