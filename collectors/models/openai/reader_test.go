package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/collectors/models/endpoint"
	"github.com/prforge/prforge/collectors/models/openai"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/internal/store"
)

// turns has an endpoint answer in order: a text, or the call of a tool.
func turns(e *fake, said ...string) {
	e.fault = func(n int64, w http.ResponseWriter, r *http.Request) bool {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return true
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		e.seen = append(e.seen, body)
		text := said[min(int(n), len(said))-1]
		if text == "fail" {
			http.Error(w, `{"error": "no"}`, http.StatusBadRequest)
			return true
		}
		message := map[string]any{"role": "assistant", "content": text}
		if tool, arguments, is := strings.Cut(text, "!"); is {
			call := map[string]any{"id": fmt.Sprint("call-", n), "type": "function", "function": map[string]any{"name": tool, "arguments": arguments}}
			message = map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{call}}
		}
		reply, _ := json.Marshal(map[string]any{"model": "m", "choices": []any{map[string]any{"message": message}}, "usage": map[string]any{"prompt_tokens": 500, "completion_tokens": 5}})
		_, _ = w.Write(reply)
		return true
	}
}

// reading is a model with tools, its bill, and a question for it.
func reading(t *testing.T, e *fake, shard *store.Shard, budget reviewer.Budget, offline bool) (models.Source, *models.Bill, models.Question) {
	t.Helper()
	o := asking(e)
	o.config.Attempts = 1
	server, err := endpoint.NewServer("e", o.config, o.host)
	if err != nil {
		t.Fatal(err)
	}
	env := models.Environment{
		Answers: shard, Offline: offline, Servers: map[string]*endpoint.Server{"e": server}, Bill: models.NewBill(shard, 0, 0),
		Count: func(s string) int { return len(strings.Fields(s)) },
		Checkout: func(_ context.Context, task, dir string) (string, error) {
			if task != "name__12" {
				return "", errors.New("another task")
			}
			return "+the change\n", errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n"), 0o644))
		},
	}
	o.call.Price = &reviewer.Price{Input: 1e3, Output: 1e5} // a call is a dollar
	s, err := openai.Provider().Connect(reviewer.Model{ID: "m", Provider: "openai", Call: o.call, Tools: reviewer.ToolsRepository, Budget: budget}, env)
	if err != nil {
		t.Fatal(err)
	}
	prompt, err := reviewer.Pull{NWO: "owner/name", Number: 12, Base: "b", Head: "h", Title: "A title"}.Prompt("context")
	if err != nil {
		t.Fatal(err)
	}
	return s, env.Bill, models.Question{Task: models.Task{ID: "name__12", Config: reviewer.Repository}, Prompt: prompt}
}

const comments = `[{"body": "wrong", "file": "a.go", "line": 1, "severity": "P1"}]`

// TestReader: the model lists, reads and answers; what the tools say is in its next
// question. Everything is asked once.
func TestReader(t *testing.T) {
	e, shard := newEndpoint(t), answers(t)
	turns(e, `list!{}`, `read!{"path": "a.go"}`, `read!{"path": "../b"}`, comments)
	s, bill, q := reading(t, e, shard, reviewer.Budget{}, false)
	a, err := s.Ask(t.Context(), q)
	if err != nil || a.Text != comments {
		t.Fatalf("%+v, %v", a, err)
	}
	if a.Usage.Input != 2000 || a.Usage.Output != 20 || a.Attempts != 4 || !a.Fresh || !strings.Contains(a.Log, `read {"path": "a.go"}: 12 bytes`) {
		t.Errorf("%+v", a)
	}
	if spent, _ := bill.Now(); spent != 4 {
		t.Errorf("%v dollars for four calls", spent)
	}
	last := fmt.Sprint(e.seen[3]["messages"])
	for _, want := range []string{"A title", "+the change", "a.go\n", "1\tpackage a", "the path is not within the repository"} {
		if !strings.Contains(last, want) {
			t.Errorf("the model was not shown %q: %s", want, last)
		}
	}
	s, _, _ = reading(t, e, shard, reviewer.Budget{}, true)
	if b, err := s.Ask(t.Context(), q); err != nil || b.Text != a.Text || b.Fresh || b.Usage != a.Usage || e.requests.Load() != 4 {
		t.Errorf("kept: %+v, %v, %d requests", b, err, e.requests.Load())
	}
	s, _, _ = reading(t, e, shard, reviewer.Budget{Calls: 2}, true)
	if _, err := s.Ask(t.Context(), q); !errors.Is(err, models.ErrNotKept) {
		t.Errorf("another budget: %v", err)
	}
}

// TestReader_Interrupted: what was answered before a call failed is not asked again,
// and is on the bill.
func TestReader_Interrupted(t *testing.T) {
	e, shard := newEndpoint(t), answers(t)
	turns(e, `list!{}`, `fail`, comments)
	s, _, q := reading(t, e, shard, reviewer.Budget{}, false)
	if _, err := s.Ask(t.Context(), q); err == nil {
		t.Fatal("the call that failed was answered")
	}
	s, bill, _ := reading(t, e, shard, reviewer.Budget{}, false)
	a, err := s.Ask(t.Context(), q)
	if err != nil || a.Text != comments || e.requests.Load() != 3 || a.Usage.Input != 1000 {
		t.Errorf("%+v, %v, %d requests", a, err, e.requests.Load())
	}
	if spent, _ := bill.Now(); spent != 2 {
		t.Errorf("%v dollars for two answers", spent)
	}
}

// TestReader_Budget: a model that goes on calling is asked for its answer.
func TestReader_Budget(t *testing.T) {
	for name, budget := range map[string]reviewer.Budget{"calls": {Calls: 3}, "tokens": {Tokens: 1000}} {
		t.Run(name, func(t *testing.T) {
			e := newEndpoint(t)
			turns(e, `list!{}`, `list!{}`, comments, "never asked")
			s, _, q := reading(t, e, answers(t), budget, false)
			a, err := s.Ask(t.Context(), q)
			if err != nil || a.Text != comments {
				t.Fatalf("%+v, %v", a, err)
			}
			if last := e.seen[2]; last["tool_choice"] != "none" || !strings.Contains(fmt.Sprint(last["messages"]), "calls are used up") || e.seen[1]["tool_choice"] != nil {
				t.Errorf("%v", last)
			}
		})
	}
}

// TestReader_Unreadable: an answer that is no JSON is asked for once more.
func TestReader_Unreadable(t *testing.T) {
	for last, requests := range map[string]int64{comments: 2, "still prose": 2} {
		e := newEndpoint(t)
		turns(e, "prose", last, "never asked")
		s, _, q := reading(t, e, answers(t), reviewer.Budget{}, false)
		if a, err := s.Ask(t.Context(), q); err != nil || a.Text != last || e.requests.Load() != requests {
			t.Errorf("%+v, %v, %d requests", a, err, e.requests.Load())
		}
	}
}
