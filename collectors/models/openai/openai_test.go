package openai_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/collectors/models/endpoint"
	"github.com/prforge/prforge/collectors/models/openai"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/internal/store"
)

const key = "sk-secret"

// endpoint answers every question with its number, so that no two answers are
// alike.
type fake struct {
	*httptest.Server
	requests atomic.Int64
	fault    func(n int64, w http.ResponseWriter, r *http.Request) bool
	seen     []map[string]any
	mu       sync.Mutex
}

func newEndpoint(t *testing.T) *fake {
	e := &fake{}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := e.requests.Add(1)
		if e.fault != nil && e.fault(n, w, r) {
			return
		}
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.Header.Get("Authorization") != "Bearer "+key || r.Header.Get("Content-Type") != "application/json" {
			http.Error(w, "bad request", http.StatusBadRequest)
			return
		}
		e.mu.Lock()
		e.seen = append(e.seen, body)
		e.mu.Unlock()
		switch r.URL.Path {
		case "/v1/chat/completions":
			fmt.Fprintf(w, `{"choices":[{"message":{"role":"assistant","content":"answer %d"}}]}`, n)
		case "/v1/embeddings":
			var data []string
			for i, text := range body["input"].([]any) { // in the wrong order, as is allowed
				data = append([]string{fmt.Sprintf(`{"index":%d,"embedding":[0.1,%d.25,-1e-7]}`, i, len(text.(string)))}, data...)
			}
			fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(data, ","))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(e.Close)
	return e
}

func answers(t *testing.T) *store.Shard {
	t.Helper()
	s, err := store.Open(t.TempDir(), store.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s.Answers()
}

// options are what a test asks by.
type options struct {
	config  endpoint.Config
	call    reviewer.Call
	host    endpoint.Host
	offline bool
}

func asking(e *fake) options {
	zero := 0.0
	return options{
		config: endpoint.Config{URL: e.URL + "/v1/", KeyEnv: "KEY", InFlight: 8}, call: reviewer.Call{Endpoint: "e", Model: "m", Temperature: &zero},
		host: endpoint.Host{
			Getenv: func(name string) string { return map[string]string{"KEY": key}[name] },
			Log:    slog.New(slog.DiscardHandler), Sleep: func(context.Context, time.Duration) error { return nil },
		},
	}
}

// asker is a client, and the provider's source of the same model.
type asker struct {
	models.Client
	models.Source
}

func client(t *testing.T, answers *store.Shard, o options) asker {
	t.Helper()
	server, err := endpoint.NewServer("e", o.config, o.host)
	if err != nil {
		t.Fatal(err)
	}
	env := models.Environment{
		Answers: answers, Offline: o.offline, Servers: map[string]*endpoint.Server{"e": server}, Bill: &models.Bill{},
		Count: func(s string) int { return len(strings.Fields(s)) },
	}
	source, err := openai.Provider().Connect(reviewer.Model{ID: "m", Call: o.call}, env)
	if err != nil {
		t.Fatal(err)
	}
	return asker{openai.Provider().Client(server, o.call, env), source}
}

// A question is asked once in the life of a store, also by many at once.
func TestChatIsAskedOnce(t *testing.T) {
	e, shard := newEndpoint(t), answers(t)
	c := client(t, shard, asking(e))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if text, err := c.Chat(t.Context(), "be brief", "what changed?"); err != nil || text != "answer 1" {
				t.Errorf("%q, %v", text, err)
			}
		})
	}
	wg.Wait()
	messages := fmt.Sprint(e.seen[0]["messages"])
	if !strings.Contains(messages, "be brief") || !strings.Contains(messages, "what changed?") || e.seen[0]["temperature"] != 0.0 {
		t.Errorf("asked %v", e.seen[0])
	}
	e.Close()
	if text, err := client(t, shard, asking(e)).Chat(t.Context(), "be brief", "what changed?"); err != nil || text != "answer 1" {
		t.Errorf("without the endpoint: %q, %v", text, err)
	}
}

// What an answer depends on is part of what it is kept by.
func TestChatsAreKeptApart(t *testing.T) {
	e, shard := newEndpoint(t), answers(t)
	ask := func(system, prompt string, change func(*options)) string {
		o := asking(e)
		change(&o)
		text, err := client(t, shard, o).Chat(t.Context(), system, prompt)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	same := func(*options) {}
	got := []string{
		ask("", "a", same), ask("a", "", same), ask("", "a", func(o *options) { o.call.Model = "n" }),
		ask("", "a", func(o *options) { o.call.Temperature = nil }), ask("", "a", func(o *options) { o.call.MaxTokens = 5 }),
		ask("", "a", same), ask("", "a", func(o *options) { o.config.URL = strings.TrimSuffix(o.config.URL, "/") }),
	}
	want := []string{"answer 1", "answer 2", "answer 3", "answer 4", "answer 5", "answer 1", "answer 1"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestEncode(t *testing.T) {
	e, shard := newEndpoint(t), answers(t)
	c := client(t, shard, asking(e))
	want := [][]float32{{0.1, 1.25, -1e-7}, {0.1, 3.25, -1e-7}, {0.1, 1.25, -1e-7}, {0.1, 2.25, -1e-7}}
	for range 2 {
		got, err := c.Encode(t.Context(), []string{"a", "bbb", "a", "cc"})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	}
	if n := e.requests.Load(); n != 1 {
		t.Errorf("%d requests for three texts", n)
	}
	var many []string
	for i := range 65 {
		many = append(many, strings.Repeat("x", i+10))
	}
	if got, err := c.Encode(t.Context(), many); err != nil || len(got) != 65 || got[64][1] != 74.25 || e.requests.Load() != 3 {
		t.Errorf("%d vectors of 65 texts by %d requests, %v", len(got), e.requests.Load(), err)
	}
	if got, err := c.Encode(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("no texts: %v, %v", got, err)
	}
	if c.Name() != "openai:m" {
		t.Errorf("name %q", c.Name())
	}
}

// A failure that may pass is asked again, and the answer is that of an
// endpoint without failures.
func TestFaults(t *testing.T) {
	say := func(status int, body string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	faults := map[string]func(http.ResponseWriter){
		"429": say(429, "slow down"), "500": say(500, "{}"), "502 page": say(502, "<html>"), "empty": say(200, ""), "page": say(200, "<html>"),
		"null": say(200, "null"), "no choices": say(200, `{"choices":[]}`), "blank": say(200, `{"choices":[{"message":{"content":" "}}]}`),
		"error at 200": say(200, `{"error":{"message":"overloaded"}}`), "cut": say(200, `{"choices":[{"mess`),
		"dropped": func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
	}
	for name, fault := range faults {
		e := newEndpoint(t)
		e.fault = func(n int64, w http.ResponseWriter, _ *http.Request) bool {
			if n == 1 {
				fault(w)
			}
			return n == 1
		}
		if text, err := client(t, answers(t), asking(e)).Chat(t.Context(), "", "q"); err != nil || text != "answer 2" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

// Vectors that cannot be used are never kept.
func TestBadVectors(t *testing.T) {
	for _, body := range []string{
		`{"data":[]}`, `{"data":[{"index":0,"embedding":[1]}]}`, `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`,
		`{"data":[{"index":0,"embedding":[1]},{"index":7,"embedding":[1]}]}`, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`,
		`{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}`, `{"data":[{"index":0,"embedding":[1e99]},{"index":1,"embedding":[1]}]}`,
	} {
		e, shard := newEndpoint(t), answers(t)
		e.fault = func(_ int64, w http.ResponseWriter, _ *http.Request) bool {
			io.WriteString(w, body)
			return true
		}
		_, err := client(t, shard, asking(e)).Encode(t.Context(), []string{"a", "b"})
		keys, _ := shard.Keys(store.Answer)
		if err == nil || len(keys) != 0 || e.requests.Load() != 5 {
			t.Errorf("%s: %v, %d kept, %d requests", body, err, len(keys), e.requests.Load())
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, status := range []int{301, 400, 401, 403, 404} {
		e := newEndpoint(t)
		e.fault = func(_ int64, w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Location", "http://127.0.0.1:1/")
			http.Error(w, "the key "+key+" is wrong "+strings.Repeat("x", 5000), status)
			return true
		}
		_, err := client(t, answers(t), asking(e)).Chat(t.Context(), "", "q")
		var refused *endpoint.Error
		if !errors.As(err, &refused) || refused.Status != status || e.requests.Load() != 1 {
			t.Errorf("%d: %v after %d requests", status, err, e.requests.Load())
		}
		if strings.Contains(err.Error(), key) || len(err.Error()) > 500 {
			t.Errorf("%d: the error says too much: %v", status, err)
		}
	}
}

func TestLimits(t *testing.T) {
	e := newEndpoint(t)
	e.fault = func(_ int64, w http.ResponseWriter, _ *http.Request) bool {
		w.Write(bytes.Repeat([]byte(" "), 32<<20+1))
		return true
	}
	if _, err := client(t, answers(t), asking(e)).Chat(t.Context(), "", "q"); err == nil || e.requests.Load() != 1 {
		t.Errorf("a long answer: %v after %d requests", err, e.requests.Load())
	}

	e = newEndpoint(t)
	clock := &clock{now: time.Date(2026, 4, 15, 12, 0, 0, 0, time.UTC)}
	e.fault = func(n int64, w http.ResponseWriter, _ *http.Request) bool {
		switch n {
		case 1:
			w.Header().Set("Retry-After", "7")
			w.Header().Set("retry-after-ms", "7250")
		case 2:
			w.Header().Set("Retry-After", "90.5")
		case 3:
			w.Header().Set("Retry-After", clock.now.Add(20*time.Minute).Format(http.TimeFormat))
		case 4:
			w.Header().Set("Retry-After", "NaN")
		}
		w.WriteHeader(http.StatusTooManyRequests)
		return true
	}
	o := asking(e)
	o.host.Sleep, o.host.Now = clock.sleep, func() time.Time { return clock.now }
	_, err := client(t, answers(t), o).Chat(t.Context(), "", "q")
	if err == nil || len(clock.waits) != 4 || clock.waits[0] != 7250*time.Millisecond || clock.waits[1] != 90500*time.Millisecond || clock.waits[2] < 19*time.Minute || clock.waits[3] != 8*time.Second {
		t.Error(err, clock.waits)
	}

	e = newEndpoint(t)
	e.fault = func(_ int64, _ http.ResponseWriter, r *http.Request) bool {
		io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
		return true
	}
	o = asking(e)
	o.config.TimeoutSeconds, o.config.Attempts = 1, 1
	var none *endpoint.Error
	if _, err := client(t, answers(t), o).Chat(t.Context(), "", "q"); !errors.As(err, &none) || none.Status != 0 {
		t.Errorf("no answer in time: %v", err)
	}
}

func TestNewServerRefuses(t *testing.T) {
	for _, address := range []string{"", "host/v1", "ftp://host", "http://user:pass@host/v1", "http://host/v1?key=pass@"} {
		if _, err := endpoint.NewServer("e", endpoint.Config{URL: address}, endpoint.Host{}); err == nil || strings.Contains(err.Error(), "pass@") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// An Azure deployment wants its key in a header of its own and a version in the
// query; OpenRouter and vLLM take further fields. None of it changes by which key
// an answer is kept, but for the fields.
func TestEndpoint_HeadersQueryAndBody(t *testing.T) {
	e, shard := newEndpoint(t), answers(t)
	var request *http.Request
	var body string
	e.fault = func(_ int64, w http.ResponseWriter, r *http.Request) bool {
		data, _ := io.ReadAll(r.Body)
		request, body = r, string(data)
		fmt.Fprintf(w, `{"choices":[{"message":{"content":"the token is tok-secret"}}]}`)
		return true
	}
	ask := func(change func(*options)) models.Answer {
		o := asking(e)
		o.host.Getenv = func(name string) string { return map[string]string{"KEY": key, "TOKEN": "tok-secret"}[name] }
		change(&o)
		a, err := client(t, shard, o).Ask(t.Context(), models.Question{Prompt: "q"})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	azure := func(o *options) {
		o.config.KeyHeader, o.config.Query = "api-key", map[string]string{"api-version": "2024-10-21"}
		o.config.Headers = map[string]string{"X-Title": "prforge", "X-Token": "env:TOKEN"}
	}
	first := ask(azure)
	if h := request.Header; h.Get("Authorization") != "" || h.Get("api-key") != key || h.Get("X-Title") != "prforge" || h.Get("X-Token") != "tok-secret" || request.URL.RawQuery != "api-version=2024-10-21" {
		t.Errorf("sent %v to %s", request.Header, request.URL)
	}
	if first.Text != "the token is ***" {
		t.Errorf("the answer is %q", first.Text)
	}
	if again := ask(func(*options) {}); again.Key != first.Key || again.Fresh {
		t.Error("another address is another question")
	}
	other := ask(func(o *options) {
		o.call.Body = map[string]any{"provider": map[string]any{"only": []any{"x"}}, "model": "not this"}
	})
	if other.Key == first.Key || body != `{"messages":[{"content":"q","role":"user"}],"model":"m","provider":{"only":["x"]},"temperature":0}` {
		t.Errorf("sent %s", body)
	}
}

// Thoughts that are in the total alone are output; names of another protocol are
// read too.
func TestUsage(t *testing.T) {
	for usage, want := range map[string]reviewer.Usage{
		`{"prompt_tokens":10,"completion_tokens":5,"total_tokens":35}`: {Input: 10, Output: 25, Reasoning: 20},
		`{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}`: {Input: 10, Output: 5},
		`{"prompt_tokens":10,"completion_tokens":5,"total_tokens":3}`:  {Input: 10, Output: 5},
		`{"input_tokens":10,"output_tokens":5}`:                        {Input: 10, Output: 5},
	} {
		e := newEndpoint(t)
		e.fault = func(_ int64, w http.ResponseWriter, _ *http.Request) bool {
			fmt.Fprintf(w, `{"choices":[{"message":{"content":"a long enough answer for it"}}],"usage":%s}`, usage)
			return true
		}
		a, err := client(t, answers(t), asking(e)).Ask(t.Context(), models.Question{Prompt: "q"})
		a.Usage.Counted = 0
		if err != nil || a.Usage != want {
			t.Errorf("%s: %+v, want %+v, %v", usage, a.Usage, want, err)
		}
	}
}

// An endpoint whose answers break off is given up like one that does not answer.
func TestEndpoint_CutAnswers(t *testing.T) {
	e := newEndpoint(t)
	e.fault = func(_ int64, w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Content-Length", "100")
		fmt.Fprint(w, `{"choices"`)
		return true
	}
	o := asking(e)
	o.config.GiveUpAfter = 3
	server, err := endpoint.NewServer("e", o.config, o.host)
	if err != nil {
		t.Fatal(err)
	}
	_, err = server.Do(t.Context(), endpoint.Request{Method: http.MethodPost, Path: "/x", Read: func([]byte) error { return nil }})
	if ended := server.Ended(); err == nil || len(ended) != 1 || !strings.Contains(ended[0], "3 attempts in a row got no reply (no answer: ") {
		t.Errorf("ended %q, error %v", ended, err)
	}
}
