package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prforge/prforge/cmd/prforge/internal/cli/topics"
	"github.com/prforge/prforge/internal/absence"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/stages/evaluate"
)

// evalProgram runs the built program in a folder and gives its exit code, -1
// where it was killed.
func evalProgram(t *testing.T, dir string, started func(*os.Process), args ...string) (code int, output string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "prforge", append([]string{"eval"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "EVAL_KEY="+evalKey)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if started != nil {
		started(cmd.Process)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// evalBytes are the compared files of a run folder.
func evalBytes(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	for _, name := range []string{"scores.jsonl", "report.json"} {
		data, err := os.ReadFile(filepath.Join(dir, "run", name))
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	return all.String()
}

func runArgs(t *testing.T, workers int) []string {
	return []string{"run", sampleDataset(t), "-c", "eval.yaml", "-o", "run", "--yes", "--workers", fmt.Sprint(workers)}
}

// The template parses, and what it says of the defaults is true.
func TestEvalTemplate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "eval.yaml")
	if err := os.WriteFile(path, topics.Eval, 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := evaluate.LoadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	want := evaluate.DefaultConfig()
	if len(got.Models) != 3 || got.Repeats != want.Repeats || got.Seed != want.Seed || got.Draws != want.Draws || got.Cluster != want.Cluster ||
		got.Judge.Mode != want.Judge.Mode || got.Judge.Repeat != want.Judge.Repeat || got.Judge.MaxDiff != want.Judge.MaxDiff {
		t.Errorf("%+v", got)
	}
}

// One worker and eight, cold and again, give the same bytes, and no question is
// asked twice.
func TestEvalIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	var want string
	for _, workers := range []int{1, 8} {
		s := newScripted(t)
		dir := evalFolder(t, s)
		code, out := evalProgram(t, dir, nil, runArgs(t, workers)...)
		if code != 0 || !strings.Contains(out, "27 planned = 27 scored + 0 failed") {
			t.Fatalf("exit code %d:\n%s", code, out)
		}
		checkPaidOnce(t, s, dir)
		asked := s.requests
		got := evalBytes(t, dir)
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%d workers give other bytes", workers)
		}
		for _, args := range [][]string{runArgs(t, 3), {"score", "run"}} {
			if code, out := evalProgram(t, dir, nil, args...); code != 0 || evalBytes(t, dir) != want || s.requests != asked {
				t.Errorf("again, %v: exit code %d, %d requests more\n%s", args, code, s.requests-asked, out)
			}
		}
		checkNoKey(t, dir)
	}
}

// A finished run asks its judge about findings that people did not make; each once, and
// the bytes are the same for any number of workers.
func TestEvalPool(t *testing.T) {
	s := newScripted(t)
	dir := evalFolder(t, s)
	if code, out := evalProgram(t, dir, nil, runArgs(t, 3)...); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, out)
	}
	asked := s.requests
	args := append(runArgs(t, 3), "--pool", "2")
	code, out := evalProgram(t, dir, nil, args...)
	if code != 0 || s.requests == asked || !strings.Contains(out, "findings: ") {
		t.Fatalf("exit code %d, %d questions:\n%s", code, s.requests-asked, out)
	}
	checkPaidOnce(t, s, dir)
	asked = s.requests
	want, err := os.ReadFile(filepath.Join(dir, "run", "pool.jsonl"))
	if err != nil || !strings.Contains(string(want), `"valid":"yes"`) {
		t.Fatalf("pool.jsonl: %s, %v", want, err)
	}
	report := evalBytes(t, dir)
	for _, again := range [][]string{append(runArgs(t, 1), "--pool", "2"), {"score", "run"}} {
		if code, out := evalProgram(t, dir, nil, again...); code != 0 || s.requests != asked || evalBytes(t, dir) != report {
			t.Errorf("again, %v: exit code %d, %d requests more\n%s", again, code, s.requests-asked, out)
		}
	}
	if md, err := os.ReadFile(filepath.Join(dir, "run", "report.md")); err != nil || !strings.Contains(string(md), "## Findings that people did not make") || !strings.Contains(string(md), "## How much nobody found") {
		t.Errorf("%s, %v", md, err)
	}
	checkNoKey(t, dir)
}

// checkPaidOnce compares the answers that the endpoint gave with those that the
// run folder keeps, each under a key of its own: no more were paid for.
func checkPaidOnce(t *testing.T, s *scripted, dir string) {
	t.Helper()
	o := store.DefaultOptions()
	o.Answers = "state.db"
	kept, err := store.Open(filepath.Join(dir, "run"), o)
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	keys, err := kept.Answers().Keys(store.Answer)
	if err != nil || len(keys) != s.answered || s.answered == 0 {
		t.Errorf("%d answers are kept of %d given, %v", len(keys), s.answered, err)
	}
}

// checkNoKey looks for the key in everything that the run wrote, after it found
// an answer there.
func checkNoKey(t *testing.T, dir string) {
	t.Helper()
	if found, err := absence.Find(dir, "The callers of parse"); err != nil || found[absence.Bolt] == 0 || found[absence.Plain] == 0 {
		t.Fatalf("the search finds nothing: %v, %v", found, err)
	}
	if found, err := absence.Find(dir, evalKey); err != nil || len(found) != 0 {
		t.Errorf("the key is in %v, %v", found, err)
	}
}

// Killed at ten moments, the same command goes on: the bytes are those of a run
// that was not, and nothing is paid for twice.
func TestEvalKilled(t *testing.T) {
	clean := newScripted(t)
	dir := evalFolder(t, clean)
	if code, out := evalProgram(t, dir, nil, runArgs(t, 1)...); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, out)
	}
	want, total := evalBytes(t, dir), clean.requests

	s := newScripted(t)
	dir = evalFolder(t, s)
	process := make(chan *os.Process, 1)
	kill := 0
	s.before = func(n int, _ []byte, _ http.ResponseWriter) bool {
		if kill == 0 || n < kill {
			return false
		}
		kill = 0
		if err := (<-process).Kill(); err != nil {
			t.Error(err)
		}
		return true // it never gets this answer
	}
	kills := 10
	if testing.Short() {
		kills = 3
	}
	for i := range kills {
		s.mu.Lock()
		kill = s.requests + 1 + total/(2*kills) + i%3
		s.mu.Unlock()
		if code, out := evalProgram(t, dir, func(p *os.Process) { process <- p }, runArgs(t, 1)...); code != -1 {
			t.Fatalf("run %d ended with %d before it was killed:\n%s", i, code, out)
		}
	}
	if code, out := evalProgram(t, dir, nil, runArgs(t, 1)...); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, out)
	}
	if evalBytes(t, dir) != want {
		t.Errorf("%d kills give other bytes", kills)
	}
	checkPaidOnce(t, s, dir)
	checkNoKey(t, dir)
}

// Whatever an endpoint does instead of answering, the record fails and has no
// score; the same command asks again, and then the bytes are those of a run
// without faults.
func TestEvalFaults(t *testing.T) {
	clean := newScripted(t)
	dir := evalFolder(t, clean)
	if code, out := evalProgram(t, dir, nil, runArgs(t, 4)...); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, out)
	}
	want := evalBytes(t, dir)

	faults := []func(w http.ResponseWriter){
		func(w http.ResponseWriter) { io.WriteString(w, "<html><body>Sign in</body></html>") },
		func(w http.ResponseWriter) { w.Header().Set("Retry-After", "86400"); w.WriteHeader(429) },
		func(w http.ResponseWriter) { w.WriteHeader(529) },
		func(w http.ResponseWriter) { http.Error(w, "bad key "+evalKey, http.StatusUnauthorized) },
		func(w http.ResponseWriter) { io.WriteString(w, `{"choices":[]}`) },
		func(w http.ResponseWriter) { io.WriteString(w, `{"error":{"message":"overloaded"}}`) },
		func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "1000000")
			io.WriteString(w, `{"choices":[{"mess`)
		},
		func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
		func(w http.ResponseWriter) { io.WriteString(w, strings.Repeat("[", 1<<20)) },
		func(w http.ResponseWriter) { w.Write(bytes.Repeat([]byte(" "), 40<<20)) },
	}
	s := newScripted(t)
	dir = evalFolder(t, s)
	n := 0
	s.before = func(request int, _ []byte, w http.ResponseWriter) bool {
		if request%3 != 0 || n == len(faults) {
			return false
		}
		n++
		faults[n-1](w)
		return true
	}
	code := 3
	for range len(faults) {
		if code != 3 {
			break
		}
		var out string
		code, out = evalProgram(t, dir, nil, runArgs(t, 4)...)
		if strings.Contains(out, evalKey) {
			t.Errorf("the key is shown:\n%s", out)
		}
		if code == 3 && (!strings.Contains(out, "have no score") || evalBytes(t, dir) == want) {
			t.Errorf("a partial run:\n%s", out)
		}
		if code != 0 && code != 3 {
			t.Fatalf("exit code %d:\n%s", code, out)
		}
	}
	if code != 0 || n != len(faults) || evalBytes(t, dir) != want {
		t.Errorf("exit code %d after %d faults; the same bytes: %v", code, n, evalBytes(t, dir) == want)
	}
	checkPaidOnce(t, s, dir)
	checkNoKey(t, dir)
}

// The run stops before a call that could pass the limit of cost, keeps what it
// has, and goes on with a higher one.
func TestEvalMaxCost(t *testing.T) {
	s := newScripted(t)
	dir := evalFolder(t, s)
	code, out := evalProgram(t, dir, nil, append(runArgs(t, 2), "--dry-run")...)
	if code != 0 || s.requests != 0 || !strings.Contains(out, "18 for reviews, up to 81 to the judge") {
		t.Fatalf("dry run: exit code %d, %d requests\n%s", code, s.requests, out)
	}
	code, out = evalProgram(t, dir, nil, append(runArgs(t, 2), "--max-cost", "0.02")...)
	if code != 3 || !strings.Contains(out, "stopped at the limit of cost of $0.02") || s.requests == 0 {
		t.Fatalf("exit code %d after %d requests\n%s", code, s.requests, out)
	}
	var usage struct{ USD float64 }
	data, err := os.ReadFile(filepath.Join(dir, "run", "usage.json"))
	if err == nil {
		err = json.Unmarshal(data, &usage)
	}
	if err != nil || usage.USD <= 0 || usage.USD > 0.02 {
		t.Errorf("it spent $%v, %v", usage.USD, err)
	}
	if code, out := evalProgram(t, dir, nil, append(runArgs(t, 2), "--max-cost", "5")...); code != 0 {
		t.Errorf("exit code %d\n%s", code, out)
	}
	checkPaidOnce(t, s, dir)
}

// The published question is one of the judge's modes; its composite and our own
// rates come from the same answers.
func TestEvalOfficialMode(t *testing.T) {
	s := newScripted(t)
	s.before = func(_ int, body []byte, w http.ResponseWriter) bool {
		if !bytes.Contains(body, []byte(`"model":"judge"`)) {
			return false
		}
		s.answered++
		if !bytes.Contains(body, []byte("## Comments of people")) || bytes.Contains(body, []byte(`\"truth\"`)) {
			t.Errorf("not the published question: %s", body)
		}
		io.WriteString(w, `{"choices":[{"message":{"content":"{\"agent_classifications\":[]}"}}]}`)
		return true
	}
	dir := evalFolder(t, s)
	path := filepath.Join(dir, "eval.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.ReplaceAll(text, []byte("repeat: 3"), []byte("mode: official, repeat: 1")), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, out := evalProgram(t, dir, nil, runArgs(t, 2)...); code != 0 || !strings.Contains(out, "published question") {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	checkPaidOnce(t, s, dir)
	asked := s.requests
	code, out := evalProgram(t, dir, nil, "score", "run", "--protocol", "official", "--json")
	if code != 0 || s.requests != asked || !strings.Contains(out, `"protocol": "official/v0.4.1"`) || strings.Contains(out, "our question") {
		t.Errorf("exit code %d, %d requests more\n%s", code, s.requests-asked, out)
	}
}

// Vectors for the published similarity are asked for once, kept, and named.
func TestEvalSimilarityByVectors(t *testing.T) {
	s := newScripted(t)
	s.before = func(_ int, body []byte, w http.ResponseWriter) bool {
		var q struct{ Input []string }
		if err := json.Unmarshal(body, &q); err != nil || len(q.Input) == 0 {
			return false
		}
		var data []string
		for i, text := range q.Input {
			data = append(data, fmt.Sprintf(`{"index":%d,"embedding":[1,%d]}`, i, pick(text, 7)))
		}
		fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(data, ","))
		return true
	}
	dir := evalFolder(t, s)
	path := filepath.Join(dir, "eval.yaml")
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, append(text, "similarity: {endpoint: test, model: vectors-1}\n"...), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	if code, out := evalProgram(t, dir, nil, runArgs(t, 4)...); code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	asked := s.requests
	score := []string{"score", "run", "--protocol", "official", "--similarity", "openai", "-c", "eval.yaml"}
	code, out := evalProgram(t, dir, nil, score...)
	if code != 0 || s.requests == asked || !strings.Contains(out, "cosine of vectors by vectors-1") {
		t.Fatalf("exit code %d after %d requests more\n%s", code, s.requests-asked, out)
	}
	asked = s.requests
	if code, out := evalProgram(t, dir, nil, score...); code != 0 || s.requests != asked {
		t.Errorf("again: exit code %d, %d requests more\n%s", code, s.requests-asked, out)
	}
	checkNoKey(t, dir)
}
