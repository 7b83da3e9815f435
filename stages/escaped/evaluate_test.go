package escaped

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prforge/prforge/collectors/models/endpoint"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/evaluate"
)

// faulty are the files with the faults of the built-in world, and what the judge says of the one comment on each.
var faulty = map[string]string{"lib/parse.js": "yes", "parcelpost/circuit.py": "partly", "cache/cache.go": "no"}

// A model comments on every fault; a judge says of which it names the fault. The fixes are of 20, 23 and 27 March 2026.
func TestEvaluation_JudgeDecidesAndTheFixsDateSplits(t *testing.T) {
	b := world.Built(t)
	var judged atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Model    string
			Messages []struct{ Content string }
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
			return
		}
		prompt, answer := q.Messages[len(q.Messages)-1].Content, "[]"
		for file, named := range faulty {
			switch {
			case !strings.Contains(prompt, "b/"+file) && !strings.Contains(prompt, file):
			case q.Model != "judge":
				answer = fmt.Sprintf(`[{"body":"Is this what was meant?","file":%q,"line":1}]`, file)
			case strings.Contains(prompt, fmt.Sprintf(`"file":%q`, file)):
				judged.Add(1)
				answer = fmt.Sprintf(`{"reason":"because","named":%q,"comment":"A1"}`, named)
			}
		}
		content, _ := json.Marshal(answer)
		fmt.Fprintf(w, `{"model":"m-1","choices":[{"message":{"content":%s},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`, content)
	}))
	t.Cleanup(server.Close)

	c := evaluate.DefaultConfig()
	c.Draws, c.Configs = 100, []string{"config_A"}
	c.Endpoints = map[string]endpoint.Config{"e": {URL: server.URL, Attempts: 1}}
	c.Models = []reviewer.Model{{ID: "m", Provider: "openai", Cutoff: "2026-03-23", Call: reviewer.Call{Endpoint: "e", Model: "m", MaxTokens: 400}}}
	c.Judge.Provider, c.Judge.Call = "openai", reviewer.Call{Endpoint: "e", Model: "judge", MaxTokens: 600}
	e := &evaluate.Evaluation{
		Benchmarks: []evaluate.Benchmark{Benchmark().Evaluated}, Dataset: b.Out, Run: filepath.Join(t.TempDir(), "run"), Config: c,
		Host: pipeline.Quiet(2), Now: func() time.Time { return time.Unix(0, 0) }, Confirm: func(evaluate.Estimate) error { return nil },
	}
	out, err := e.Evaluate(t.Context())
	if err != nil || out.Report.Scored != 3 {
		t.Fatalf("%d scored, %+v, %v", out.Report.Scored, out.Failures, err)
	}
	if n := judged.Load(); n != 9 {
		t.Errorf("the judge was asked %d times, want three about each of three", n)
	}
	if agreement, err := e.Agree(t.Context(), ""); !evaluate.IsPlanError(err) {
		t.Errorf("agreement of comments that have no labels: %+v, %v", agreement, err)
	}
	want := map[string]string{
		"recall":        "2 0.5 1 0", // of two faults until the cutoff one is named, of one after it none
		"recall_partly": "2 1 1 0",
	}
	for _, table := range out.Report.Tables {
		if len(table.Labels) != 2 || table.Labels[0] != "cutoff" {
			continue
		}
		for _, row := range table.Rows {
			f, metric := row.Figures, row.Labels[1]
			if got := fmt.Sprint(f[0].Value, f[1].Value, f[2].Value, f[3].Value); want[metric] != "" && got != want[metric] {
				t.Errorf("%s: %s, want %s", metric, got, want[metric])
			}
			delete(want, metric)
		}
	}
	if len(want) > 0 {
		t.Errorf("not in the report: %v", want)
	}
	got := map[string]float64{}
	for _, v := range out.Report.Models[0].Values {
		got[v.Metric] = float64(v.Micro.Value)
	}
	if fmt.Sprintf("%.2f %.2f", got["recall"], got["recall_partly"]) != "0.33 0.67" {
		t.Errorf("%v", got)
	}
}
