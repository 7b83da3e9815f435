package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/collectors/models/endpoint"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/internal/store"
)

const reply = `{"model":"m-2026-01-01","choices":[{"message":{"content":%s},"finish_reason":"stop"}],` +
	`"usage":{"prompt_tokens":12,"completion_tokens":34,"completion_tokens_details":{"reasoning_tokens":5},"prompt_tokens_details":{"cached_tokens":7}}}`

// What an endpoint says of its answer is kept with it.
func TestAskKeepsWhatAnAnswerTook(t *testing.T) {
	e, shard := newEndpoint(t), answers(t)
	e.fault = func(n int64, w http.ResponseWriter, _ *http.Request) bool {
		if n == 1 {
			w.WriteHeader(529)
			return true
		}
		fmt.Fprintf(w, reply, `[{"type":"text","text":"a"},{"type":"other"},{"type":"text","text":"b"}]`)
		return true
	}
	want := models.Answer{
		Text: "ab", Finish: "stop", Model: "m-2026-01-01", Attempts: 2,
		Usage: reviewer.Usage{Input: 12, Output: 34, Reasoning: 5, Cached: 7, Counted: 17},
	}
	for _, offline := range []bool{false, true} {
		o := asking(e)
		o.offline = offline
		got, err := client(t, shard, o).Ask(t.Context(), models.Question{Prompt: "q"})
		if err != nil {
			t.Fatal(err)
		}
		want.Key, want.Millis, want.Fresh = got.Key, got.Millis, !offline
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("offline %v: %s", offline, d)
		}
	}
	if e.requests.Load() != 2 {
		t.Errorf("%d requests", e.requests.Load())
	}
}

// An offline client fails on everything that is not kept, and asks nobody.
func TestOffline(t *testing.T) {
	e := newEndpoint(t)
	o := asking(e)
	o.offline = true
	c := client(t, answers(t), o)
	_, chat := c.Chat(t.Context(), "", "q")
	_, ask := c.Ask(t.Context(), models.Question{Prompt: "q"})
	_, encode := c.Encode(t.Context(), []string{"q"})
	for _, err := range []error{chat, ask, encode} {
		if !errors.Is(err, models.ErrNotKept) {
			t.Error(err)
		}
	}
	if e.requests.Load() != 0 {
		t.Errorf("%d requests", e.requests.Load())
	}
}

// Repeats of a question are questions of their own, and so is every parameter.
func TestSamplesAreKeptApart(t *testing.T) {
	e, shard := newEndpoint(t), answers(t)
	seed := int64(7)
	ask := func(q models.Question, change func(*options)) string {
		o := asking(e)
		change(&o)
		a, err := client(t, shard, o).Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return a.Text
	}
	same := func(*options) {}
	schema := models.Question{Prompt: "q", SchemaName: "s", Schema: json.RawMessage(`{"type":"object"}`)}
	got := []string{
		ask(models.Question{Prompt: "q"}, same), ask(models.Question{Prompt: "q", Sample: 1}, same), ask(schema, same),
		ask(models.Question{Prompt: "q"}, func(o *options) { o.call.Seed = &seed }),
		ask(models.Question{Prompt: "q"}, func(o *options) { o.call.ReasoningEffort = "high" }),
		ask(models.Question{Prompt: "q"}, func(o *options) { o.call.MaxCompletionTokens, o.call.Temperature = 9, nil }),
		ask(models.Question{Prompt: "q"}, same),
	}
	if d := cmp.Diff([]string{"answer 1", "answer 2", "answer 3", "answer 4", "answer 5", "answer 6", "answer 1"}, got); d != "" {
		t.Error(d)
	}
	for i, want := range []string{
		`{"messages":[{"content":"q","role":"user"}],"model":"m","temperature":0}`,
		`{"messages":[{"content":"q","role":"user"}],"model":"m","temperature":0}`,
		`{"messages":[{"content":"q","role":"user"}],"model":"m","response_format":{"json_schema":{"name":"s","schema":{"type":"object"},"strict":true},"type":"json_schema"},"temperature":0}`,
		`{"messages":[{"content":"q","role":"user"}],"model":"m","seed":7,"temperature":0}`,
		`{"messages":[{"content":"q","role":"user"}],"model":"m","reasoning_effort":"high","temperature":0}`,
		`{"max_completion_tokens":9,"messages":[{"content":"q","role":"user"}],"model":"m"}`,
	} {
		if sent, _ := json.Marshal(e.seen[i]); string(sent) != want {
			t.Errorf("request %d is %s", i+1, sent)
		}
	}
}

// An empty answer is an answer: it is kept and not asked for again.
func TestEmptyAnswersAreKept(t *testing.T) {
	for _, content := range []string{`""`, `null`, `"  "`, `[]`} {
		e, shard := newEndpoint(t), answers(t)
		e.fault = func(_ int64, w http.ResponseWriter, _ *http.Request) bool {
			fmt.Fprintf(w, reply, content)
			return true
		}
		for range 2 {
			a, err := client(t, shard, asking(e)).Ask(t.Context(), models.Question{Prompt: "q"})
			if err != nil || strings.TrimSpace(a.Text) != "" || a.Usage.Output != 34 {
				t.Errorf("%s: %+v, %v", content, a, err)
			}
		}
		if e.requests.Load() != 1 {
			t.Errorf("%s: %d requests", content, e.requests.Load())
		}
	}
}

// An endpoint that sends the key back does not get it into the store.
func TestAnswers_WithoutKey(t *testing.T) {
	e, shard := newEndpoint(t), answers(t)
	e.fault = func(_ int64, w http.ResponseWriter, _ *http.Request) bool {
		fmt.Fprintf(w, reply, `"your key is `+key+`"`)
		return true
	}
	a, err := client(t, shard, asking(e)).Ask(t.Context(), models.Question{Prompt: "q"})
	if err != nil || a.Text != "your key is ***" {
		t.Errorf("%q, %v", a.Text, err)
	}
}

// An answer that stops in the middle is no answer.
func TestCutStreams(t *testing.T) {
	e, shard := newEndpoint(t), answers(t)
	e.fault = func(_ int64, w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Content-Length", "100000")
		io.WriteString(w, `{"choices":[{"message":{"content":"half`)
		return true
	}
	_, err := client(t, shard, asking(e)).Ask(t.Context(), models.Question{Prompt: "q"})
	keys, _ := shard.Keys(store.Answer)
	if err == nil || len(keys) != 0 || e.requests.Load() != 5 {
		t.Errorf("%v, %d kept, %d requests", err, len(keys), e.requests.Load())
	}
}

// A server that asks for a wait of hours has refused; the call ends at once.
func TestLongWaitsAreRefusals(t *testing.T) {
	e := newEndpoint(t)
	e.fault = func(_ int64, w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Retry-After", "99999")
		w.WriteHeader(http.StatusTooManyRequests)
		return true
	}
	_, err := client(t, answers(t), asking(e)).Ask(t.Context(), models.Question{Prompt: "q"})
	var refused *endpoint.Error
	if !errors.As(err, &refused) || refused.Status != 429 || e.requests.Load() != 1 {
		t.Errorf("%v after %d requests", err, e.requests.Load())
	}
}

// clock is a time that only sleeping moves.
type clock struct {
	now   time.Time
	waits []time.Duration
}

func (c *clock) sleep(_ context.Context, d time.Duration) error {
	c.now = c.now.Add(d)
	c.waits = append(c.waits, d)
	return nil
}

func TestLimiterSpacesRequests(t *testing.T) {
	for name, tc := range map[string]struct {
		limits endpoint.Config
		want   []time.Duration
	}{
		"none":     {endpoint.Config{}, nil},
		"requests": {endpoint.Config{RequestsPerMinute: 30}, []time.Duration{2 * time.Second, 2 * time.Second}},
		"tokens":   {endpoint.Config{RequestsPerMinute: 30, TokensPerMinute: 1000}, []time.Duration{6 * time.Second, 6 * time.Second}},
	} {
		e, clock := newEndpoint(t), &clock{now: time.Unix(0, 0)}
		o := asking(e)
		o.host.Sleep, o.host.Now = clock.sleep, func() time.Time { return clock.now }
		o.config.RequestsPerMinute, o.config.TokensPerMinute = tc.limits.RequestsPerMinute, tc.limits.TokensPerMinute
		c := client(t, answers(t), o)
		for i := range 3 {
			if _, err := c.Ask(t.Context(), models.Question{Prompt: strings.Repeat("word ", 100-models.MessageTokens), Sample: i}); err != nil {
				t.Fatal(err)
			}
		}
		if d := cmp.Diff(tc.want, clock.waits); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// What a server asks of one question, everybody who asks it obeys.
func TestLimiterSharesWaits(t *testing.T) {
	e, clock := newEndpoint(t), &clock{now: time.Unix(0, 0)}
	e.fault = func(n int64, w http.ResponseWriter, _ *http.Request) bool {
		if n == 1 {
			w.Header().Set("Retry-After", "50")
			w.WriteHeader(http.StatusTooManyRequests)
		}
		return n == 1
	}
	o := asking(e)
	o.host.Sleep, o.host.Now = clock.sleep, func() time.Time { return clock.now }
	o.config.Attempts = 1
	c := client(t, answers(t), o)
	if _, err := c.Ask(t.Context(), models.Question{Prompt: "q"}); err == nil {
		t.Error("one attempt, and it was refused")
	}
	if _, err := c.Ask(t.Context(), models.Question{Prompt: "q"}); err != nil {
		t.Error(err)
	}
	if d := cmp.Diff([]time.Duration{50 * time.Second}, clock.waits); d != "" {
		t.Error(d)
	}
}
