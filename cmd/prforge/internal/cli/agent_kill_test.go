package cli

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/testenv"
)

// killedAgent costs a cent a review, and says something else to standard error each
// time it runs.
const killedAgent = `version: 1
models:
  - id: reads
    provider: agent
    command:
      - sh
      - -c
      - |
        cat /proc/sys/kernel/random/uuid >&2
        file=$(cd /work/repo && git diff --name-only $RB_BASE...$RB_HEAD | head -1)
        echo "{\"pr\": {\"pr_number\": $RB_PR_NUMBER, \"head\": \"$RB_HEAD\"}, \"usage\": {\"cost_usd\": 0.01}, \"findings\": [{\"file\": \"$file\", \"start_line\": 1, \"end_line\": 1, \"message\": \"A problem\"}]}" > $RB_OUT
judge: {id: rules, provider: rules}
draws: 100
`

// TestEvalAgent_Killed: killed with SIGKILL while agents run, by one worker and by
// four, the same command goes on to the bytes of a run that was not killed. What was
// answered is not run again, and not paid twice.
func TestEvalAgent_Killed(t *testing.T) {
	testenv.Tool(t, "bwrap")
	built, err := made["build"]()
	if err != nil {
		t.Fatal(err)
	}
	env, err := github()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", "/tmp") // whoever agents run as can reach it
	dir := t.TempDir()
	prforge := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), "prforge", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
		return cmd
	}
	if err := os.WriteFile(filepath.Join(dir, "eval.yaml"), []byte(killedAgent), 0o644); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(built, "data")
	if out, err := prforge("snapshots", data, "-o", "code", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(name, workers string) *exec.Cmd {
		return prforge("eval", "run", data, "-c", "eval.yaml", "-o", name, "--snapshots", "code", "--yes", "--workers", workers)
	}
	if out, err := run("clean", "2").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, workers := range map[string]string{"one": "1", "four": "4"} {
		t.Run(name, func(t *testing.T) {
			var m moments
			before := map[string]string{}
			for _, limit := range []int64{8, 12, 17, 0} { // lines of progress; the sixth is of the first review
				_, done := runProcess(t, &m, run(name, workers), limit)
				after := agentLogs(t, filepath.Join(dir, name))
				for key, log := range before {
					if after[key] != log {
						t.Errorf("%s ran again", key)
					}
				}
				if done != (limit == 0) || len(after) <= len(before) {
					t.Errorf("killed at %d: done %v, %d answers, %d before", limit, done, len(after), len(before))
				}
				before = after
			}
			if len(before) != 17 || len(slices.Compact(slices.Sorted(maps.Values(before)))) != 17 {
				t.Errorf("%d answers of 17, of which some did not run: %v", len(before), before)
			}
			for _, file := range []string{"report.json", "scores.jsonl"} {
				want, got := bytesOf(t, dir, "clean", file), bytesOf(t, dir, name, file)
				if !bytes.Equal(want, got) {
					t.Errorf("another %s than that of a run that was not killed", file)
				}
			}
			var usage struct {
				USD    float64 `json:"usd"`
				Booked float64 `json:"usd_booked"`
			}
			if err := json.Unmarshal(bytesOf(t, dir, name, "usage.json"), &usage); err != nil || math.Abs(usage.USD-0.17) > 1e-9 || usage.Booked != 0 {
				t.Errorf("%+v, %v", usage, err)
			}
		})
	}
}

func bytesOf(t *testing.T, parts ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// agentLogs is what the agent wrote to standard error for each answer that a run
// folder keeps.
func agentLogs(t *testing.T, run string) map[string]string {
	t.Helper()
	o := store.DefaultOptions()
	o.Answers = "state.db"
	kept, err := store.Open(run, o)
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	keys, err := kept.Answers().Keys(store.Answer)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, key := range keys {
		a, _, err := models.Known(kept.Answers(), key)
		if err != nil {
			t.Fatal(err)
		}
		if a.Log != "" {
			out[key] = a.Log
		}
	}
	return out
}
