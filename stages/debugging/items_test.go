package debugging

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prforge/prforge/collectors/models/endpoint"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/evaluate"
)

// A model names the errors in its own words, another judges the messages. The
// answers of both are kept: scoring again asks nobody, and the report has the
// tables of the benchmark.
func TestMessagesOfADebuggingRunAreJudged(t *testing.T) {
	d := scriptWorld(t, 2)
	runDebugging(t, d)
	sample := samplesOf(t, d.Out)[0]
	calls := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var q struct {
			Model    string                     `json:"model"`
			Messages []struct{ Content string } `json:"messages"`
		}
		if err := json.Unmarshal(body, &q); err != nil {
			t.Error(err)
		}
		calls[q.Model]++
		answer := `{"scores": [{"true": "T1", "named": "N1", "score": 0.75}]}`
		if q.Model == "reviewer" {
			answer = `{"errors": [{"cause_line_number": ` + strconv.Itoa(sample.Errors[0].CauseLine) + `, "error_message": "in my own words"}]}`
		} else if !strings.Contains(q.Messages[len(q.Messages)-1].Content, "in my own words") {
			t.Errorf("the judge was shown %s", body)
		}
		reply, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"message": map[string]string{"role": "assistant", "content": answer}}}})
		_, _ = w.Write(reply)
	}))
	defer server.Close()
	c := evaluate.DefaultConfig()
	c.Draws = 100
	c.Endpoints = map[string]endpoint.Config{"here": {URL: server.URL}}
	c.Models = []reviewer.Model{{ID: "m", Provider: "openai", Call: reviewer.Call{Endpoint: "here", Model: "reviewer"}}}
	c.Judge.Provider, c.Judge.Call, c.Judge.Repeat = "openai", reviewer.Call{Endpoint: "here", Model: "judge"}, 1
	e := &evaluate.Evaluation{
		Benchmarks: []evaluate.Benchmark{Benchmark().Evaluated}, Dataset: d.Out, Run: filepath.Join(t.TempDir(), "run"), Config: c, Choice: evaluate.Choice{Tasks: []string{sample.SampleID}, Configs: []string{"plain"}},
		Host: pipeline.Quiet(1), Now: func() time.Time { return time.Unix(0, 0) },
		Confirm: func(evaluate.Estimate) error { return nil },
	}
	for run := range 2 {
		out, err := e.Evaluate(t.Context())
		if err != nil || len(out.Failures) != 0 {
			t.Fatalf("%+v, error %v", out, err)
		}
		if calls["reviewer"] != 1 || calls["judge"] != 1 {
			t.Errorf("run %d: asked %v", run, calls)
		}
		var names []string
		for _, table := range out.Report.Tables {
			names = append(names, table.Name)
			if table.Name == "hop" && (len(table.Rows) != 1 || table.Rows[0].Figures[4].Value != 1 || table.Rows[0].Figures[2].Value != 0) {
				t.Errorf("%+v", table.Rows)
			}
		}
		if got := strings.Join(names, " "); !strings.HasPrefix(got, "cheats errors hop type operator library") {
			t.Errorf("tables %s", got)
		}
	}
	e.Config.Judge.Mode = evaluation.ModePairwise
	e.Run += "other"
	if _, err := e.Evaluate(t.Context()); !evaluate.IsPlanError(err) {
		t.Errorf("a judge of pairs: %v", err)
	}
}
