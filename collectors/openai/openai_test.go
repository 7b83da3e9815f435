package openai_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/collectors/openai"
	"github.com/prforge/prforge/internal/store"
)

const key = "sk-secret"

// endpoint answers every question with its number, so that no two answers are
// alike.
type endpoint struct {
	*httptest.Server
	requests atomic.Int64
	fault    func(n int64, w http.ResponseWriter, r *http.Request) bool
	seen     []map[string]any
	mu       sync.Mutex
}

func newEndpoint(t *testing.T) *endpoint {
	e := &endpoint{}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := e.requests.Add(1)
		if e.fault != nil && e.fault(n, w, r) {
			return
		}
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.Header.Get("Authorization") != "Bearer "+key {
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

func options(e *endpoint) openai.Options {
	o := openai.DefaultOptions()
	o.Endpoint, o.Model = e.URL+"/v1/", "m"
	o.Getenv = func(name string) string {
		if name == "OPENAI_API_KEY" {
			return key
		}
		return ""
	}
	o.Sleep = func(context.Context, time.Duration) error { return nil }
	return o
}

func client(t *testing.T, answers *store.Shard, o openai.Options) *openai.Client {
	t.Helper()
	c, err := openai.New(answers, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A question is asked once in the life of a store, also by many at once.
func TestChatIsAskedOnce(t *testing.T) {
	e, shard := newEndpoint(t), answers(t)
	c := client(t, shard, options(e))
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
	if text, err := client(t, shard, options(e)).Chat(t.Context(), "be brief", "what changed?"); err != nil || text != "answer 1" {
		t.Errorf("without the endpoint: %q, %v", text, err)
	}
}

// What an answer depends on is part of what it is kept by.
func TestChatsAreKeptApart(t *testing.T) {
	e, shard := newEndpoint(t), answers(t)
	ask := func(system, prompt string, change func(*openai.Options)) string {
		o := options(e)
		change(&o)
		text, err := client(t, shard, o).Chat(t.Context(), system, prompt)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	same := func(*openai.Options) {}
	got := []string{
		ask("", "a", same), ask("a", "", same), ask("", "a", func(o *openai.Options) { o.Model = "n" }),
		ask("", "a", func(o *openai.Options) { o.Temperature = nil }), ask("", "a", func(o *openai.Options) { o.MaxTokens = 5 }),
		ask("", "a", same), ask("", "a", func(o *openai.Options) { o.Endpoint = strings.TrimSuffix(o.Endpoint, "/") }),
	}
	want := []string{"answer 1", "answer 2", "answer 3", "answer 4", "answer 5", "answer 1", "answer 1"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestEncode(t *testing.T) {
	e, shard := newEndpoint(t), answers(t)
	o := options(e)
	o.BatchSize = 2
	c := client(t, shard, o)
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
	if n := e.requests.Load(); n != 2 {
		t.Errorf("%d requests for three texts in twos", n)
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
		if text, err := client(t, answers(t), options(e)).Chat(t.Context(), "", "q"); err != nil || text != "answer 2" {
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
		_, err := client(t, shard, options(e)).Encode(t.Context(), []string{"a", "b"})
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
		_, err := client(t, answers(t), options(e)).Chat(t.Context(), "", "q")
		var refused *openai.Error
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
		w.Write(bytes.Repeat([]byte(" "), 2000))
		return true
	}
	o := options(e)
	o.MaxBody = 1000
	if _, err := client(t, answers(t), o).Chat(t.Context(), "", "q"); err == nil || e.requests.Load() != 1 {
		t.Errorf("a long answer: %v after %d requests", err, e.requests.Load())
	}

	e = newEndpoint(t)
	now := time.Date(2026, 4, 15, 12, 0, 0, 0, time.UTC)
	e.fault = func(n int64, w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Retry-After", map[int64]string{1: "7", 2: "90", 3: now.Add(20 * time.Minute).Format(http.TimeFormat), 4: "never"}[n])
		w.WriteHeader(http.StatusTooManyRequests)
		return true
	}
	var waits []time.Duration
	o = options(e)
	o.Now = func() time.Time { return now }
	o.Sleep = func(_ context.Context, d time.Duration) error {
		waits = append(waits, d)
		return nil
	}
	_, err := client(t, answers(t), o).Chat(t.Context(), "", "q")
	if d := cmp.Diff([]time.Duration{7 * time.Second, 90 * time.Second, 20 * time.Minute, 8 * time.Second}, waits); d != "" || err == nil {
		t.Error(err, d)
	}

	e = newEndpoint(t)
	e.fault = func(_ int64, _ http.ResponseWriter, r *http.Request) bool {
		io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
		return true
	}
	o = options(e)
	o.Timeout, o.Attempts = time.Millisecond, 2
	var none *openai.Error
	if _, err := client(t, answers(t), o).Chat(t.Context(), "", "q"); !errors.As(err, &none) || none.Status != 0 {
		t.Errorf("no answer in time: %v", err)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, address := range []string{"", "host/v1", "ftp://host", "http://user:pass@host/v1"} {
		o := openai.DefaultOptions()
		o.Endpoint, o.Model = address, "m"
		if _, err := openai.New(nil, o); err == nil || strings.Contains(err.Error(), "pass@") {
			t.Errorf("%q: %v", address, err)
		}
	}
	o := openai.DefaultOptions()
	o.Endpoint = "http://host/v1"
	if _, err := openai.New(nil, o); err == nil {
		t.Error("a client without a model")
	}
}
