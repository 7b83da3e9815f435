package evaluate

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prforge/prforge/collectors/models/endpoint"
)

// batchVendor is a local server that follows the published references of both
// vendors' batches, and refuses live calls. A batch is done when it was asked
// about twice.
type batchVendor struct {
	*httptest.Server
	mu      sync.Mutex
	files   map[string][]byte
	batches []*vendorBatch
	submits int
	// drop is called after the next batch was made, and its reply is cut; spoil is
	// how many requests fail in it.
	drop  func()
	spoil int
	polls int
	// onPoll is called with the number of each poll.
	onPoll func(n int)
	// judged is what the judge answers instead of an honest judgement; "" for that.
	judged string
}

type vendorBatch struct {
	ID       string
	At       time.Time
	Metadata map[string]string
	Requests map[string]json.RawMessage
	order    []string
	polls    int
	spoil    int
}

func newBatchVendor(t *testing.T) *batchVendor {
	v := &batchVendor{files: map[string][]byte{}}
	mux := http.NewServeMux()
	handle := func(pattern string, f func(w http.ResponseWriter, r *http.Request)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			v.mu.Lock()
			defer v.mu.Unlock()
			f(w, r)
		})
	}
	handle("POST /v1/files", func(w http.ResponseWriter, r *http.Request) {
		file, _, err := r.FormFile("file")
		if err != nil || r.FormValue("purpose") != "batch" {
			http.Error(w, "no batch file", http.StatusBadRequest)
			return
		}
		id := fmt.Sprintf("file-%d", len(v.files))
		v.files[id], _ = io.ReadAll(file)
		fmt.Fprintf(w, `{"id":%q,"object":"file"}`, id)
	})
	handle("POST /v1/batches", func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Input    string            `json:"input_file_id"`
			Endpoint string            `json:"endpoint"`
			Window   string            `json:"completion_window"`
			Metadata map[string]string `json:"metadata"`
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || q.Endpoint != "/v1/chat/completions" || q.Window != "24h" || v.files[q.Input] == nil {
			http.Error(w, "bad batch", http.StatusBadRequest)
			return
		}
		b := &vendorBatch{Metadata: q.Metadata, Requests: map[string]json.RawMessage{}}
		lines := bufio.NewScanner(strings.NewReader(string(v.files[q.Input])))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var line struct {
				ID     string          `json:"custom_id"`
				Method string          `json:"method"`
				URL    string          `json:"url"`
				Body   json.RawMessage `json:"body"`
			}
			if err := json.Unmarshal(lines.Bytes(), &line); err != nil || line.Method != "POST" || line.URL != q.Endpoint {
				t.Errorf("a line that is none: %s", lines.Text())
			}
			b.Requests[line.ID] = line.Body
			b.order = append(b.order, line.ID)
		}
		v.made(w, b, `{"id":%q,"status":"validating"}`)
	})
	handle("GET /v1/batches", func(w http.ResponseWriter, _ *http.Request) {
		var data []any
		for _, b := range v.batches {
			data = append(data, map[string]any{"id": b.ID, "status": "in_progress", "metadata": b.Metadata})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
	})
	handle("GET /v1/batches/{id}", func(w http.ResponseWriter, r *http.Request) {
		if b, done := v.poll(r.PathValue("id")); done {
			fmt.Fprintf(w, `{"id":%q,"status":"completed","output_file_id":"out-%s","error_file_id":"err-%s"}`, b.ID, b.ID, b.ID)
		} else {
			fmt.Fprintf(w, `{"id":%q,"status":"in_progress"}`, b.ID)
		}
	})
	handle("GET /v1/files/{id}/content", func(w http.ResponseWriter, r *http.Request) {
		kind, id, _ := strings.Cut(r.PathValue("id"), "-")
		b := v.batch(id)
		for i, key := range b.order {
			switch {
			case (kind == "err") != (i < b.spoil):
			case kind == "err":
				fmt.Fprintf(w, `{"custom_id":%q,"response":null,"error":{"code":"batch_expired","message":"too late"}}`+"\n", key)
			default:
				text, usage := v.answer(b.Requests[key])
				body := fmt.Sprintf(`{"model":"m-1","choices":[{"message":{"content":%s},"finish_reason":"stop"}],"usage":{"prompt_tokens":%d,"completion_tokens":20}}`, text, usage)
				fmt.Fprintf(w, `{"custom_id":%q,"response":{"status_code":200,"body":%s},"error":null}`+"\n", key, body)
			}
		}
	})
	handle("POST /v1/messages/batches", func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Requests []struct {
				ID     string          `json:"custom_id"`
				Params json.RawMessage `json:"params"`
			} `json:"requests"`
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || r.Header.Get("anthropic-version") == "" {
			http.Error(w, "bad batch", http.StatusBadRequest)
			return
		}
		b := &vendorBatch{Requests: map[string]json.RawMessage{}}
		for _, item := range q.Requests {
			if len(item.ID) > 64 {
				t.Errorf("custom_id %s", item.ID)
			}
			b.Requests[item.ID] = item.Params
			b.order = append(b.order, item.ID)
		}
		v.made(w, b, `{"id":%q,"processing_status":"in_progress"}`)
	})
	messageBatch := func(b *vendorBatch, status string) map[string]any {
		return map[string]any{"id": b.ID, "processing_status": status, "created_at": b.At, "request_counts": map[string]int{"processing": len(b.order)}}
	}
	handle("GET /v1/messages/batches", func(w http.ResponseWriter, _ *http.Request) {
		var data []any
		for _, b := range v.batches {
			data = append(data, messageBatch(b, "in_progress"))
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
	})
	handle("GET /v1/messages/batches/{id}", func(w http.ResponseWriter, r *http.Request) {
		b, done := v.poll(r.PathValue("id"))
		_ = json.NewEncoder(w).Encode(messageBatch(b, map[bool]string{true: "ended", false: "in_progress"}[done]))
	})
	handle("GET /v1/messages/batches/{id}/results", func(w http.ResponseWriter, r *http.Request) {
		b := v.batch(r.PathValue("id"))
		for i, key := range b.order {
			if i < b.spoil {
				fmt.Fprintf(w, `{"custom_id":%q,"result":{"type":"errored","error":{"type":"error","error":{"type":"overloaded_error"}}}}`+"\n", key)
				continue
			}
			text, usage := v.answer(b.Requests[key])
			message := fmt.Sprintf(`{"type":"message","model":"m-1","content":[{"type":"text","text":%s}],"stop_reason":"end_turn","usage":{"input_tokens":%d,"output_tokens":20}}`, text, usage)
			fmt.Fprintf(w, `{"custom_id":%q,"result":{"type":"succeeded","message":%s}}`+"\n", key, message)
		}
	})
	v.Server = httptest.NewServer(mux)
	t.Cleanup(v.Close)
	return v
}

func (v *batchVendor) made(w http.ResponseWriter, b *vendorBatch, form string) {
	v.submits++
	b.ID, b.At, b.spoil = fmt.Sprintf("b%d", len(v.batches)), time.Now(), v.spoil
	v.batches = append(v.batches, b)
	v.spoil = 0
	if drop := v.drop; drop != nil {
		v.drop = nil
		drop()
		panic(http.ErrAbortHandler)
	}
	fmt.Fprintf(w, form, b.ID)
}

func (v *batchVendor) batch(id string) *vendorBatch {
	for _, b := range v.batches {
		if b.ID == id {
			return b
		}
	}
	return &vendorBatch{}
}

func (v *batchVendor) poll(id string) (*vendorBatch, bool) {
	b := v.batch(id)
	b.polls++
	v.polls++
	if v.onPoll != nil {
		v.onPoll(v.polls)
	}
	return b, b.polls > 2
}

// answer is the answer to a request of either vendor, as JSON, and its input
// tokens.
func (v *batchVendor) answer(body json.RawMessage) (string, int) {
	var raw struct {
		Model    string
		Messages []struct{ Content json.RawMessage }
	}
	_ = json.Unmarshal(body, &raw)
	var prompt string
	content := raw.Messages[len(raw.Messages)-1].Content
	if json.Unmarshal(content, &prompt) != nil {
		var blocks []struct{ Text string }
		_ = json.Unmarshal(content, &blocks)
		for _, b := range blocks {
			prompt += b.Text
		}
	}
	q := question{Model: raw.Model}
	q.Messages = append(q.Messages, struct{ Role, Content string }{"user", prompt})
	said := honestAnswer(q)
	if q.Model == "judge" && v.judged != "" {
		said = v.judged
	}
	text, _ := json.Marshal(said)
	return string(text), len(body) / 4
}

// inBatches is an evaluation whose reviewer and judge are asked in batches.
func inBatches(t *testing.T, v *batchVendor, provider string) *Evaluation {
	t.Helper()
	b, dataset := smallWorld(t, 4)
	e := asking(t, b, dataset, v.URL+"/v1")
	e.Config.Models[0].Provider, e.Config.Models[0].Batch = provider, true
	e.Config.Judge.Provider, e.Config.Judge.Batch = provider, true
	e.Config.Endpoints = map[string]endpoint.Config{"e": {URL: v.URL + "/v1", Attempts: 1}}
	return e
}

var vendors = []string{"openai", "anthropic"}

// Reviews, judgements and findings come in batches, at half the price; a second run
// sends nothing.
func TestBatch(t *testing.T) {
	for _, provider := range vendors {
		v := newBatchVendor(t)
		e := inBatches(t, v, provider)
		e.Pool = 2
		out := run(t, e)
		if out.Report.Scored != 8 || v.submits != 3 || len(v.batches[2].Requests) != 2 {
			t.Fatalf("%s: %s in %d batches, failures %+v", provider, out.Report.Records(), v.submits, out.Failures)
		}
		full := 0.0
		for _, u := range out.Usage {
			full += (float64(u.Input)*10 + float64(u.Output)*30) / 1e6
		}
		if half := full / 2; out.USD < half*0.999 || out.USD > half*1.001 || out.Booked != 0 {
			t.Errorf("%s: $%.4f, half of %.4f; $%.4f booked", provider, out.USD, full, out.Booked)
		}
		if again := run(t, e); v.submits != 3 || again.Report.Scored != 8 {
			t.Errorf("%s: again: %d batches", provider, v.submits)
		}
		if changes, err := e.Verify(t.Context()); err != nil || len(changes) > 0 {
			t.Errorf("%s: %q, %v", provider, changes, err)
		}
	}
}

// A run that ends while a batch is worked on, or before it knows the batch's id,
// finds it again and sends it once.
func TestBatch_Interrupted(t *testing.T) {
	for _, provider := range vendors {
		v := newBatchVendor(t)
		e := inBatches(t, v, provider)
		ctx, cancel := context.WithCancel(t.Context())
		v.onPoll = func(int) { cancel() }
		if _, err := e.Evaluate(ctx); !errors.Is(err, context.Canceled) {
			t.Fatalf("%s: %v", provider, err)
		}
		v.onPoll = nil
		if out := run(t, e); out.Report.Scored != 8 || v.submits != 2 || out.Booked != 0 {
			t.Errorf("%s: %s in %d batches, $%.4f booked", provider, out.Report.Records(), v.submits, out.Booked)
		}

		v = newBatchVendor(t)
		e = inBatches(t, v, provider)
		ctx, cancel = context.WithCancel(t.Context())
		v.drop = cancel
		if _, err := e.Evaluate(ctx); !errors.Is(err, context.Canceled) || v.submits != 1 {
			t.Errorf("%s: cut: %d batches, %v", provider, v.submits, err)
		}
		if out := run(t, e); out.Report.Scored != 8 || v.submits != 2 || out.Booked != 0 {
			t.Errorf("%s: after the cut: %s in %d batches, $%.4f booked", provider, out.Report.Records(), v.submits, out.Booked)
		}
	}
}

// Requests that fail in a batch fail their records, and go into the next run's.
func TestBatch_Failures(t *testing.T) {
	for _, provider := range vendors {
		v := newBatchVendor(t)
		e := inBatches(t, v, provider)
		v.spoil = 3
		if out := run(t, e); out.Report.Scored != 5 || out.Report.Failed != 3 || out.Booked != 0 {
			t.Errorf("%s: %s, %+v, $%.4f booked", provider, out.Report.Records(), out.Failures, out.Booked)
		}
		if out := run(t, e); out.Report.Scored != 8 || v.submits != 4 {
			t.Errorf("%s: %s in %d batches", provider, out.Report.Records(), v.submits)
		}
	}
}

// A judge whose answers cannot be read is asked once a run and once for a repair, in
// batches too.
func TestBatch_Unreadable(t *testing.T) {
	v := newBatchVendor(t)
	e := inBatches(t, v, "openai")
	v.judged = "no idea"
	for runs, want := range []int{3, 5} {
		if out := run(t, e); out.Report.Failed != 8 || v.submits != want {
			t.Errorf("run %d: %s in %d batches", runs+1, out.Report.Records(), v.submits)
		}
	}
}

// The limit of cost holds for batches.
func TestBatch_MaxCost(t *testing.T) {
	v := newBatchVendor(t)
	e := inBatches(t, v, "openai")
	e.MaxCost = 0.10
	out := run(t, e)
	if !out.Stopped || out.Report.NotAsked == 0 || out.USD == 0 || out.USD > 0.10 {
		t.Errorf("%s, $%.4f, stopped %v", out.Report.Records(), out.USD, out.Stopped)
	}
}
