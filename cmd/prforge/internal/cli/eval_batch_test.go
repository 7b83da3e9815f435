package cli

import (
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
)

// Killed in the middle of a batch, the same command takes the batch up again and
// sends nothing twice.
func TestEvalBatchKilled(t *testing.T) {
	var mu sync.Mutex
	var batches []string // their requests
	kill := make(chan *os.Process, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		id := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
		switch {
		case r.Method == http.MethodPost && r.URL.Path == "/v1/files":
			file, _, err := r.FormFile("file")
			if err != nil {
				t.Error(err)
				return
			}
			data, _ := io.ReadAll(file)
			batches = append(batches, string(data))
			fmt.Fprintf(w, `{"id":"%d"}`, len(batches)-1)
		case r.Method == http.MethodPost:
			fmt.Fprintf(w, `{"id":"%d"}`, len(batches)-1)
		case strings.HasPrefix(r.URL.Path, "/v1/batches/"):
			select {
			case p := <-kill:
				_ = p.Kill()
			default:
				fmt.Fprintf(w, `{"id":%q,"status":"completed","output_file_id":%q}`, id, id)
			}
		default: // /v1/files/ID/content
			var n int
			_, _ = fmt.Sscanf(r.URL.Path, "/v1/files/%d/content", &n)
			for line := range strings.Lines(batches[n]) {
				var q struct {
					ID   string `json:"custom_id"`
					Body struct {
						Model    string
						Messages []struct{ Content string }
					} `json:"body"`
				}
				if err := json.Unmarshal([]byte(line), &q); err != nil {
					t.Error(err)
				}
				prompt := q.Body.Messages[len(q.Body.Messages)-1].Content
				text := scriptedReview(prompt)
				if q.Body.Model == "judge" {
					text = scriptedJudgement(t, prompt)
				}
				content, _ := json.Marshal(text)
				fmt.Fprintf(w, `{"custom_id":%q,"response":{"status_code":200,"body":{"model":"m","choices":[{"message":{"content":%s}}],"usage":{"prompt_tokens":%d,"completion_tokens":%d}}}}`+"\n",
					q.ID, content, len(prompt)/4+1, len(text)/4+1)
			}
		}
	}))
	defer s.Close()
	dir := t.TempDir()
	config := `endpoints: {test: {url: "` + s.URL + `/v1", poll_seconds: 1, attempts: 1}}
models:
  - {id: one, provider: openai, endpoint: test, model: one, batch: true, max_tokens: 500, price: {input: 1, output: 2}}
judge: {id: judge, provider: openai, endpoint: test, model: judge, batch: true, repeat: 3, max_tokens: 900, price: {input: 1, output: 1}}
draws: 200
`
	if err := os.WriteFile(filepath.Join(dir, "eval.yaml"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, out := evalProgram(t, dir, func(p *os.Process) { kill <- p }, runArgs(t, 2)...); code != -1 {
		t.Fatalf("it ended with %d before it was killed:\n%s", code, out)
	}
	code, out := evalProgram(t, dir, nil, runArgs(t, 2)...)
	if code != 0 || !strings.Contains(out, "9 planned = 9 scored") {
		t.Fatalf("exit code %d:\n%s", code, out)
	}
	sent := map[string]int{}
	for _, b := range batches {
		for line := range strings.Lines(b) {
			sent[line]++
			if sent[line] > 1 {
				t.Errorf("sent twice: %.200s", line)
			}
		}
	}
	if code, out := evalProgram(t, dir, nil, "verify", "run"); code != 0 {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}
