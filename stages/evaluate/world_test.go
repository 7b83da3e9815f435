package evaluate

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prforge/prforge/collectors/models/endpoint"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/pipeline"
)

// smallWorld is a benchmark of invented pull requests, and its dataset's folder.
func smallWorld(t *testing.T, tasks int) (Benchmark, string) {
	t.Helper()
	dir := t.TempDir()
	noError(t, os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(`{"name":"small","benchmark":"review"}`), 0o644))
	line := 2
	return Benchmark{Benchmark: evaluation.Reviews{}, Items: func(string) ([]evaluation.Item, error) {
		var items []evaluation.Item
		for i := range tasks {
			key, err := json.Marshal(evaluation.Key{
				Repo: "o/r", Number: i, Diff: "--- a/a.go\n+++ b/a.go\n@@ -1 +1,2 @@\n one\n+two\n",
				Truth: []evaluation.Truth{{ID: "c_1", Body: "The counter starts too high", File: "a.go", Line: &line}},
			})
			noError(t, err)
			prompts := map[string]string{}
			for _, c := range []string{"config_A", "config_B"} {
				prompts[c] = strings.Repeat(fmt.Sprintf("func handler%d(w io.Writer) error { return nil } // %s\n", i, c), 40)
			}
			items = append(items, evaluation.Item{ID: fmt.Sprintf("r__%d", i), Prompts: prompts, Key: key, Groups: map[string]string{"repo": "o/r"}})
		}
		return items, nil
	}}, dir
}

// question is a request for a chat completion as a server reads it.
type question struct {
	Model    string
	Messages []struct{ Role, Content string }
	Max      int `json:"max_tokens"`
	body     []byte
}

func (q question) prompt() string { return q.Messages[len(q.Messages)-1].Content }

// honestAnswer is a review with two comments, a judgement that finds all of
// them plausible, or one that a finding is right.
func honestAnswer(q question) string {
	if q.Model != "judge" {
		return `[{"body":"The counter starts too high","file":"a.go","line":2},{"body":"A second remark"}]`
	}
	if strings.Contains(q.prompt(), `"left_out"`) && !strings.Contains(q.prompt(), `"truth"`) {
		return `{"reason":"because","valid":"yes","same":["A1"]}`
	}
	var in struct{ Comments []struct{ ID string } }
	if err := json.Unmarshal([]byte(q.prompt()), &in); err != nil {
		return "not asked about comments"
	}
	var out []string
	for _, c := range in.Comments {
		out = append(out, fmt.Sprintf(`{"id":%q,"reason":"because","claim_is_true":"yes","label":"PLAUSIBLE","matches":[]}`, c.ID))
	}
	return `{"comments":[` + strings.Join(out, ",") + "]}"
}

// chatServer answers chat completions by a function.
func chatServer(t *testing.T, answer func(w http.ResponseWriter, q question)) *httptest.Server {
	t.Helper()
	var mu sync.Mutex
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		body, _ := io.ReadAll(r.Body)
		q := question{body: body}
		if err := json.Unmarshal(body, &q); err != nil {
			t.Errorf("a request that is none: %s", body)
		}
		answer(w, q)
	}))
	t.Cleanup(s.Close)
	return s
}

// reply writes a chat completion. usage is JSON, "" for none.
func reply(w http.ResponseWriter, text, finish, usage string) {
	content, _ := json.Marshal(text)
	if usage != "" {
		usage = `,"usage":` + usage
	}
	fmt.Fprintf(w, `{"model":"m-1","choices":[{"message":{"content":%s},"finish_reason":%q}]%s}`, content, finish, usage)
}

// asking is an evaluation of one model and a judge at an endpoint.
func asking(t *testing.T, b Benchmark, dataset, url string) *Evaluation {
	t.Helper()
	c := DefaultConfig()
	c.Draws = 100
	c.Endpoints = map[string]endpoint.Config{"e": {URL: url, Attempts: 3}}
	price := &reviewer.Price{Input: 10, Output: 30}
	c.Models = []reviewer.Model{{ID: "m", Provider: "openai", Call: reviewer.Call{Endpoint: "e", Model: "m", MaxTokens: 400, Price: price}}}
	c.Judge.Provider, c.Judge.Call = "openai", reviewer.Call{Endpoint: "e", Model: "judge", MaxTokens: 600, Price: price}
	return &Evaluation{
		Benchmarks: []Benchmark{b}, Dataset: dataset, Run: filepath.Join(t.TempDir(), "run"), Config: c, Host: pipeline.Quiet(4), Now: func() time.Time { return time.Unix(0, 0) },
		Confirm: func(Estimate) error { return nil },
		sleep:   func(context.Context, time.Duration) error { return nil },
	}
}

func run(t *testing.T, e *Evaluation) *Outcome {
	t.Helper()
	out, err := e.Evaluate(t.Context())
	noError(t, err)
	return out
}
