package anthropic_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/collectors/models/anthropic"
	"github.com/prforge/prforge/collectors/models/endpoint"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/internal/store"
)

const key = "sk-ant-secret"

// api is a local server in the form of the Messages API: it refuses what the
// reference does not allow, and keeps the bodies.
func api(t *testing.T, answer func(n int, w http.ResponseWriter)) (*httptest.Server, *[]string) {
	t.Helper()
	var seen []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen = append(seen, string(body))
		var q struct {
			Model     string `json:"model"`
			MaxTokens int    `json:"max_tokens"`
			Messages  []struct {
				Role    string `json:"role"`
				Content []struct{ Type, Text string }
			}
		}
		switch err := json.Unmarshal(body, &q); {
		case r.Header.Get("x-api-key") != key:
			http.Error(w, `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`, http.StatusUnauthorized)
		case r.URL.Path != "/v1/messages" || r.Header.Get("Content-Type") != "application/json" || r.Header.Get("anthropic-version") != "2023-06-01" || r.Header.Get("Authorization") != "":
			http.Error(w, "wrong address or headers", http.StatusNotFound)
		case err != nil || q.Model == "" || q.MaxTokens < 1 || len(q.Messages) != 1 || q.Messages[0].Role != "user" || q.Messages[0].Content[0].Type != "text":
			http.Error(w, `{"type":"error","error":{"type":"invalid_request_error","message":"bad"}}`, http.StatusBadRequest)
		default:
			answer(len(seen), w)
		}
	}))
	t.Cleanup(s.Close)
	return s, &seen
}

func source(t *testing.T, url string, call reviewer.Call) (models.Source, *endpoint.Server) {
	t.Helper()
	st, err := store.Open(t.TempDir(), store.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	config := endpoint.Config{URL: url + "/v1", KeyEnv: "ANTHROPIC_API_KEY", Headers: map[string]string{"anthropic-beta": "some-2026"}}
	server, err := endpoint.NewServer("anthropic", config, endpoint.Host{
		Getenv: func(string) string { return key }, Log: slog.New(slog.DiscardHandler), Sleep: func(context.Context, time.Duration) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	call.Endpoint = "anthropic"
	s, err := anthropic.Provider().Connect(reviewer.Model{ID: "m", Call: call}, models.Environment{
		Answers: st.Answers(), Servers: map[string]*endpoint.Server{"anthropic": server}, Bill: &models.Bill{}, Count: func(s string) int { return len(s) / 4 },
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, server
}

func TestAsk(t *testing.T) {
	s, seen := api(t, func(n int, w http.ResponseWriter) {
		if n == 1 {
			http.Error(w, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, 529)
			return
		}
		fmt.Fprint(w, `{"id":"msg_1","type":"message","role":"assistant","model":"claude-x-20260101","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"a"},{"type":"text","text":"b"}],`+
			`"stop_reason":"max_tokens","usage":{"input_tokens":20,"cache_creation_input_tokens":30,"cache_read_input_tokens":40,"output_tokens":7}}`)
	})
	temperature := 0.5
	call := reviewer.Call{Model: "claude-x", MaxTokens: 99, Temperature: &temperature, ReasoningEffort: "low", Body: map[string]any{"thinking": map[string]any{"type": "enabled", "budget_tokens": 50}, "max_tokens": 1}}
	src, _ := source(t, s.URL, call)
	prompt := `{"context":"` + strings.Repeat("x", 80) + `","truth":[]}`
	q := models.Question{System: "be brief", Prompt: prompt, Shared: 93, SchemaName: "s", Schema: json.RawMessage(`{"type":"object"}`)}
	for range 2 {
		a, err := src.Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		want := models.Answer{Key: a.Key, Text: "ab", Finish: "max_tokens", Model: "claude-x-20260101", Millis: a.Millis, Attempts: 2, Fresh: a.Fresh,
			Usage: reviewer.Usage{Input: 90, Output: 7, Cached: 40, CacheWrite: 30, Counted: int64(len("be brief")/4 + len(prompt)/4 + models.MessageTokens)}}
		if d := cmp.Diff(want, a); d != "" {
			t.Error(d)
		}
	}
	want := `{"max_tokens":99,"messages":[{"content":[{"cache_control":{"type":"ephemeral"},"text":` + quoted(prompt[:93]) + `,"type":"text"},{"text":` + quoted(prompt[93:]) + `,"type":"text"}],"role":"user"}],` +
		`"model":"claude-x","output_config":{"effort":"low","format":{"schema":{"type":"object"},"type":"json_schema"}},"system":[{"text":"be brief","type":"text"}],"temperature":0.5,"thinking":{"budget_tokens":50,"type":"enabled"}}`
	if len(*seen) != 2 || (*seen)[1] != want {
		t.Errorf("sent %d: %s\nwant %s", len(*seen), (*seen)[len(*seen)-1], want)
	}
}

func quoted(s string) string {
	out, _ := json.Marshal(s)
	return string(out)
}

// A credit that is used up ends the endpoint; an answer without content is none.
func TestAsk_Failures(t *testing.T) {
	s, seen := api(t, func(n int, w http.ResponseWriter) {
		if n <= 5 {
			fmt.Fprint(w, `{"type":"message","usage":{}}`)
			return
		}
		http.Error(w, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API"}}`, http.StatusBadRequest)
	})
	src, server := source(t, s.URL, reviewer.Call{Model: "claude-x", MaxTokens: 99})
	for i := range 4 {
		if _, err := src.Ask(t.Context(), models.Question{Prompt: "q", Sample: i}); err == nil || strings.Contains(err.Error(), key) {
			t.Error(err)
		}
	}
	if len(*seen) != 6 || len(server.Ended()) != 1 || !strings.Contains(server.Ended()[0], "credit") {
		t.Errorf("%d requests, ended %q", len(*seen), server.Ended())
	}
}

func TestCheck(t *testing.T) {
	seed := int64(1)
	for want, call := range map[string]reviewer.Call{
		"":                   {Endpoint: "e", Model: "m", MaxTokens: 5},
		"max_tokens":         {Endpoint: "e", Model: "m"},
		"no max_completion":  {Endpoint: "e", Model: "m", MaxCompletionTokens: 5},
		"seed":               {Endpoint: "e", Model: "m", MaxTokens: 5, Seed: &seed},
		"endpoint and model": {Model: "m", MaxTokens: 5},
	} {
		err := anthropic.Provider().Check(reviewer.Model{ID: "m", Call: call})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}

// A question asks for a form only if it has one, and for the cache only if it shares a part.
func TestAsk_Plain(t *testing.T) {
	s, seen := api(t, func(_ int, w http.ResponseWriter) {
		fmt.Fprint(w, `{"id":"msg_1","type":"message","role":"assistant","model":"claude-x","content":[{"type":"text","text":"a"}],"stop_reason":"end_turn","usage":{"input_tokens":2,"output_tokens":1}}`)
	})
	src, _ := source(t, s.URL, reviewer.Call{Model: "claude-x", MaxTokens: 99})
	const before, after = `{"model":"claude-x","max_tokens":99,"messages":[{"role":"user","content":[{"type":"text","text":"`, `"}]}]`
	for _, tc := range []struct {
		q    models.Question
		want string
	}{
		{models.Question{Prompt: "nothing"}, before + "nothing" + after + "}"},
		{models.Question{Prompt: "all of it", Shared: 9}, before + "all of it" + after + "}"},
		{models.Question{Prompt: "a form", SchemaName: "s", Schema: json.RawMessage(`{"type":"object"}`)}, before + "a form" + after + `,"output_config":{"format":{"schema":{"type":"object"},"type":"json_schema"}}}`},
	} {
		if _, err := src.Ask(t.Context(), tc.q); err != nil {
			t.Fatal(err)
		}
		if got := (*seen)[len(*seen)-1]; got != tc.want {
			t.Errorf("sent %s\nwant %s", got, tc.want)
		}
	}
}
