package dsdbench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/evaluation/internal/python"
)

// lines reads a JSONL file of the fixtures, which the published code computed.
func lines[T any](t *testing.T, name string) []T {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out []T
	for d := json.NewDecoder(bytes.NewReader(data)); d.More(); {
		var v T
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, v)
	}
	if len(out) == 0 {
		t.Fatalf("%s is empty", name)
	}
	return out
}

type fileTruth struct {
	Cause  string `json:"cause_error_line"`
	Effect string `json:"effect_error_line"`
	Output string `json:"execution_output"`
}

func TestExactMatch(t *testing.T) {
	for _, c := range lines[struct {
		Case   string
		Answer map[string]any
		Truth  fileTruth
		Scores Scores
		Raises string
	}](t, "exact_match.jsonl") {
		got, err := exact(c.Answer, truth{c.Truth.Cause, c.Truth.Effect, c.Truth.Output})
		var notText *notTextError
		if (c.Raises != "") != errors.As(err, &notText) || got != c.Scores {
			t.Errorf("%s: %+v, %v, want %+v %s", c.Case, got, err, c.Scores, c.Raises)
		}
	}
}

func TestTruthMessage(t *testing.T) {
	for _, c := range lines[struct {
		Case, Output string
		Message      *string
		Type, Raises string
	}](t, "truth_message.jsonl") {
		message, found, err := truthMessage(c.Output)
		switch {
		case c.Raises != "":
			if !errors.Is(err, errNoLine) {
				t.Errorf("%s: %v", c.Case, err)
			}
		case found != (c.Message != nil) || found && message != *c.Message || errorType(message) != c.Type || err != nil:
			t.Errorf("%s: %q %v, type %q, %v", c.Case, message, found, errorType(message), err)
		}
	}
}

// number makes JSON's numbers as our reader gives them: 1 is an integer.
func number(v any) any {
	if n, ok := v.(json.Number); ok {
		out, _ := python.JSON(n.String())
		return out
	}
	return v
}

func TestSingle_FewerReplies(t *testing.T) {
	answer := `{"cause_line": "a", "effect_line": "b", "error_message": "E"}`
	bug := Bug{Cause: "a", Effect: "b", Output: "Traceback (most recent call last):\nE: no\n"}
	if results, err := Single([]Bug{bug, bug}, []Reply{{&answer, `{"error_message_score": 1}`}}); err != nil || len(results) != 1 {
		t.Errorf("one reply for two errors: %+v, %v", results, err)
	}
}

func TestSingle(t *testing.T) {
	answers := map[int][]Reply{}
	for _, a := range lines[struct {
		ID     int
		Answer *string
		Judge  string
	}](t, "single/answers.jsonl") {
		answers[a.ID] = append(answers[a.ID], Reply{a.Answer, a.Judge})
	}
	truths := map[int]int{}
	raised := map[string]bool{}
	var records []Record
	want := lines[struct {
		ID      int
		Results json.RawMessage `json:"eval_result"`
	}](t, "single/eval.jsonl")
	for i, r := range lines[struct {
		ID       int
		Versions []fileTruth `json:"error_versions"`
	}](t, "single/truth.jsonl") {
		truths[r.ID] = len(r.Versions)
		var versions []Bug
		for _, v := range r.Versions {
			versions = append(versions, Bug(v))
		}
		results, err := Single(versions, answers[r.ID])
		if err != nil {
			raised[fmt.Sprint(r.ID)] = true
		}
		records = append(records, Record{ID: r.ID, Results: results})
		if diff := cmp.Diff(decoded(t, want[i].Results), decoded(t, encoded(t, results))); diff != "" || want[i].ID != r.ID {
			t.Errorf("record %d: %s", r.ID, diff)
		}
	}
	m := file[struct {
		Raised    map[string]string `json:"raised_while_answering"`
		WithText  string            `json:"metrics_of_eval_as_written_raise"`
		Metrics   fileTable         `json:"metrics_without_text_scores"`
		MetricsX2 fileTable         `json:"metrics_when_the_same_run_is_appended_again"`
	}](t, "single/metrics.json")
	for id := range m.Raised {
		if !raised[id] {
			t.Errorf("record %s did not raise", id)
		}
	}
	if len(raised) != len(m.Raised) {
		t.Errorf("raised: %v, want %v", raised, m.Raised)
	}
	if _, err := Errors(truths, records, SingleIDs()); err == nil {
		t.Error("a score given as text did not break the table")
	}
	for i := range records {
		var numbers []Judged
		for _, r := range records[i].Results {
			if _, text := r.Message.(string); !text {
				numbers = append(numbers, r)
			}
		}
		records[i].Results = numbers
	}
	checkTable(t, "single", m.Metrics, records, truths)
	checkTable(t, "single, appended", m.MetricsX2, append(records, records...), truths)
}

type fileTable struct {
	Errors     int `json:"ground_truth_errors"`
	Dimensions map[string]Metric
}

func checkTable(t *testing.T, what string, want fileTable, records []Record, truths map[int]int) {
	t.Helper()
	got, err := Errors(truths, records, SingleIDs())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.Dimensions, got.Dimensions, near); diff != "" || got.Total != want.Errors {
		t.Errorf("%s (-official +ours), %d errors:\n%s", what, got.Total, diff)
	}
}

var near = cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-9 })

func file[T any](t *testing.T, name string) T { return lines[T](t, name)[0] }

func encoded(t *testing.T, results []Judged) json.RawMessage {
	t.Helper()
	data, err := json.Marshal(append([]Judged{}, results...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func decoded(t *testing.T, data json.RawMessage) (v any) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

type several struct {
	ID      int
	Results [][]json.RawMessage `json:"eval_result"`
}

func TestSeveral(t *testing.T) {
	replies := map[int]struct {
		Answer string
		Judge  []string `json:"judge_scores"`
		ID     int
	}{}
	for _, a := range lines[struct {
		Answer string
		Judge  []string `json:"judge_scores"`
		ID     int
	}](t, "multi/answers.jsonl") {
		replies[a.ID] = a
	}
	truths := map[int]int{}
	raised := map[string]bool{}
	var records []Record
	want := lines[several](t, "multi/eval.jsonl")
	for i, r := range lines[struct {
		ID      int
		Causes  []string `json:"cause_error_lines"`
		Effects []string `json:"effect_error_lines"`
		Outputs []string `json:"execution_outputs"`
		Count   int      `json:"error_count"`
	}](t, "multi/truth.jsonl") {
		truths[r.ID] = r.Count
		var verdicts []string
		for _, score := range replies[r.ID].Judge {
			verdicts = append(verdicts, `{"error_message_score": `+score+`, "error_message_eval_reason": "synthetic"}`)
		}
		results, err := Several(Bug{r.Causes[0], r.Effects[0], r.Outputs[0]}, replies[r.ID].Answer, verdicts)
		if err != nil {
			raised[fmt.Sprint(r.ID)] = true
		}
		records = append(records, Record{ID: r.ID, Results: results})
		flat := json.RawMessage("[]")
		if len(want[i].Results) > 0 {
			var parts []string
			for _, p := range want[i].Results[0] {
				parts = append(parts, string(p))
			}
			flat = json.RawMessage("[" + strings.Join(parts, ",") + "]")
		}
		if diff := cmp.Diff(decoded(t, flat), decoded(t, encoded(t, results))); diff != "" || want[i].ID != r.ID {
			t.Errorf("record %d: %s", r.ID, diff)
		}
	}
	m := file[struct {
		Raised  map[string]string `json:"raised_while_answering"`
		Metrics map[string]Metric
	}](t, "multi/metrics.json")
	if len(raised) != len(m.Raised) || !raised["6"] || !raised["7"] {
		t.Errorf("raised: %v, want %v", raised, m.Raised)
	}
	got, err := Sets(truths, records, MultiIDs())
	if diff := cmp.Diff(m.Metrics, got.Dimensions, near); diff != "" || err != nil {
		t.Errorf("(-official +ours) %v\n%s", err, diff)
	}
}

// judgedFile is a result of a score file.
type judgedFile struct {
	Scores
	Message json.Number `json:"error_message_score"`
}

func (j judgedFile) judged() Judged { return Judged{Scores: j.Scores, Message: number(j.Message)} }

func TestMetricsSingle(t *testing.T) {
	for _, c := range lines[struct {
		Seed   int
		Truths map[int]int `json:"truth_counts"`
		Eval   []struct {
			ID      int
			Results []judgedFile `json:"eval_result"`
		}
		Official fileTable
	}](t, "metrics_single.jsonl") {
		var records []Record
		for _, e := range c.Eval {
			r := Record{ID: e.ID}
			for _, res := range e.Results {
				r.Results = append(r.Results, res.judged())
			}
			records = append(records, r)
		}
		checkTable(t, fmt.Sprint("seed ", c.Seed), c.Official, records, c.Truths)
	}
}

func TestMetricsMulti(t *testing.T) {
	for _, c := range lines[struct {
		Seed   int
		Truths map[int]int `json:"truth_counts"`
		Eval   []struct {
			ID      int
			Results [][]judgedFile `json:"eval_result"`
		}
		Official map[string]struct {
			Metric
			Total int `json:"Total_IDs"`
		}
		Instances map[string]struct {
			Metric
			Total int `json:"GT_Instances"`
		} `json:"official_instances_superseded"`
	}](t, "metrics_multi.jsonl") {
		var records []Record
		for _, e := range c.Eval {
			r := Record{ID: e.ID}
			for _, list := range e.Results {
				r.Empty = len(list) == 0
				for _, res := range list {
					r.Results = append(r.Results, res.judged())
				}
			}
			records = append(records, r)
		}
		sets, err := Sets(c.Truths, records, MultiIDs())
		if err != nil {
			t.Fatal(err)
		}
		instances, err := Errors(c.Truths, records, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range dimensions {
			if diff := cmp.Diff(c.Official[d].Metric, sets.Dimensions[d], near); diff != "" || c.Official[d].Total != sets.Total {
				t.Errorf("seed %d, %s: %d records %s", c.Seed, d, sets.Total, diff)
			}
			if diff := cmp.Diff(c.Instances[d].Metric, instances.Dimensions[d], near); diff != "" || c.Instances[d].Total != instances.Total {
				t.Errorf("seed %d, %s: %d instances %s", c.Seed, d, instances.Total, diff)
			}
		}
	}
}

func FuzzReplies(f *testing.F) {
	f.Add(`[{"cause_line": "x"}]`, `{"error_message_score": 1}`)
	f.Add("Thoughts {first} [ { ] }", "{")
	f.Fuzz(func(t *testing.T, answer, judge string) {
		v := Bug{"x", "y", "Traceback (most recent call last):\n\nKeyError: 1\n"}
		if results, _ := Single([]Bug{v}, []Reply{{&answer, judge}}); len(results) > 1 {
			t.Error("one answer gave several results")
		}
		if _, err := Several(v, answer, []string{judge}); err != nil && err.Error() == "" {
			t.Error("an error without a text")
		}
	})
}
