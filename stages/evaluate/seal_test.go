package evaluate

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/internal/store"
)

// honestRun is a finished run of a small world, and how many requests it made.
func honestRun(t *testing.T) (e *Evaluation, requests *int) {
	t.Helper()
	requests = new(int)
	s := chatServer(t, func(w http.ResponseWriter, q question) {
		*requests++
		reply(w, honestAnswer(q), "stop", usageOf(len(q.body)/4, 20))
	})
	b, dataset := smallWorld(t, 3)
	e = asking(t, b, dataset, s.URL)
	run(t, e)
	return e, requests
}

func edit(t *testing.T, path, old, to string) {
	t.Helper()
	data, err := os.ReadFile(path)
	noError(t, err)
	changed := bytes.Replace(data, []byte(old), []byte(to), 1)
	if bytes.Equal(changed, data) {
		t.Fatalf("%s does not hold %s", path, old)
	}
	noError(t, os.WriteFile(path, changed, 0o644))
}

// editAnswer changes the first kept answer that holds a text.
func editAnswer(t *testing.T, run, old, to string) {
	t.Helper()
	f, err := openRun(run, false)
	noError(t, err)
	defer f.close()
	answers := f.store.Answers()
	keys, err := answers.Keys(store.Answer)
	noError(t, err)
	for _, key := range keys {
		a, _, err := store.Get[json.RawMessage](answers, store.Answer, key)
		noError(t, err)
		if changed := bytes.Replace(a, []byte(old), []byte(to), 1); !bytes.Equal(changed, a) {
			noError(t, store.Put(answers, store.Answer, key, json.RawMessage(changed)))
			return
		}
	}
	t.Fatalf("no answer holds %s", old)
}

// A changed answer, task, truth or seed is named, and nothing is scored from it.
func TestVerify(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(t *testing.T, run string)
		want   string // "" for a run that nobody changed
	}{
		"nothing":     {func(*testing.T, string) {}, ""},
		"a judgement": {func(t *testing.T, run string) { editAnswer(t, run, "PLAUSIBLE", "FABRICATED") }, "of the judge was changed"},
		"a review":    {func(t *testing.T, run string) { editAnswer(t, run, "A second remark", "Another remark") }, "of the reviewer was changed"},
		"a truth":     {func(t *testing.T, run string) { edit(t, filepath.Join(run, runTasks), "too high", "too low") }, "task r__0: its ground truth was changed"},
		"a prompt":    {func(t *testing.T, run string) { edit(t, filepath.Join(run, runTasks), "handler1", "handler7") }, "task r__1: what reviewers are shown was changed"},
		"the seed":    {func(t *testing.T, run string) { edit(t, filepath.Join(run, runPlan), `"seed": 1`, `"seed": 2`) }, "another seed"},
		"the price":   {func(t *testing.T, run string) { edit(t, filepath.Join(run, runPlan), `"output": 30`, `"output": 3`) }, "report.json is not what"},
		"a score":     {func(t *testing.T, run string) { edit(t, filepath.Join(run, runScores), `"matched":0`, `"matched":1`) }, "scores.jsonl is not what"},
		"the report":  {func(t *testing.T, run string) { edit(t, filepath.Join(run, runReport), `"scored": 6`, `"scored": 7`) }, "report.json is not what"},
		"the digests": {func(t *testing.T, run string) { edit(t, filepath.Join(run, runSeal), "r__2", "r__9") }, "digests.jsonl is missing or was changed"},
		"the state":   {func(t *testing.T, run string) { noError(t, os.Truncate(filepath.Join(run, runState), 5000)) }, "do not remove it"},
	} {
		t.Run(name, func(t *testing.T) {
			e, _ := honestRun(t)
			tc.change(t, e.Run)
			changes, err := e.Verify(t.Context())
			said := strings.Join(changes, "\n")
			if err != nil {
				said = err.Error()
			}
			if tc.want == "" && said != "" || !strings.Contains(said, tc.want) || strings.Contains(said, "remove the file") {
				t.Errorf("it says %q", said)
			}
			_, err = e.Rescore(t.Context())
			if derived := strings.Contains(tc.want, "is not what"); (err == nil) != (tc.want == "" || derived) {
				t.Errorf("scored again: %v", err)
			}
		})
	}
}

// A run that was killed between the digests and the report is whole.
func TestSeal_Interrupted(t *testing.T) {
	e, _ := honestRun(t)
	seal := filepath.Join(e.Run, runSeal)
	noError(t, os.Rename(seal, seal+".new"))
	noError(t, os.WriteFile(seal, []byte("{}\n"), 0o644))
	changes, err := e.Verify(t.Context())
	if err != nil || len(changes) != 0 {
		t.Errorf("%q, %v", changes, err)
	}
}

// otherPrompts is a benchmark whose questions are worded otherwise.
type otherPrompts struct{ evaluation.Reviews }

func (otherPrompts) Prompts() map[string]string { return map[string]string{"review.txt": "other"} }

func (o otherPrompts) Question(it evaluation.Item, config string, again bool) evaluation.Request {
	q := o.Reviews.Question(it, config, again)
	q.System += " Please."
	return q
}

// The texts of the prompts lie in the folder, and a run outlives ours: it is
// scored and verified from its answers, and asks nobody.
func TestRescore_OtherPrompts(t *testing.T) {
	e, requests := honestRun(t)
	asked := *requests
	if text, err := os.ReadFile(filepath.Join(e.Run, "prompts", "review.txt")); err != nil || len(text) == 0 {
		t.Error(err)
	}
	before, err := os.ReadFile(filepath.Join(e.Run, runScores))
	noError(t, err)
	e.Benchmarks[0].Benchmark = otherPrompts{}
	if out, err := e.Rescore(t.Context()); err != nil || out.Report.Scored != 6 {
		t.Fatal(err)
	}
	after, err := os.ReadFile(filepath.Join(e.Run, runScores))
	noError(t, err)
	if changes, err := e.Verify(t.Context()); err != nil || len(changes) != 0 || !bytes.Equal(before, after) || *requests != asked {
		t.Errorf("%q, %v, the same scores: %v, %d requests more", changes, err, bytes.Equal(before, after), *requests-asked)
	}
	if _, err := e.Evaluate(t.Context()); !IsPlanError(err) {
		t.Errorf("it goes on with other prompts: %v", err)
	}
}

// Another judge is asked about the same reviews, and no reviewer.
func TestRejudge(t *testing.T) {
	var reviewers, judges int
	s := chatServer(t, func(w http.ResponseWriter, q question) {
		if q.Model == "m" {
			reviewers++
		} else {
			judges++
		}
		if q.Model == "judge2" {
			q.Model = "judge"
		}
		reply(w, honestAnswer(q), "stop", usageOf(len(q.body)/4, 20))
	})
	b, dataset := smallWorld(t, 3)
	e := asking(t, b, dataset, s.URL)
	e.Config.Models = append(e.Config.Models, reviewer.Model{ID: "oracle", Provider: "reference", Reference: "oracle"})
	first := run(t, e)
	second := e.Config.Judge
	second.ID, second.Model, second.Repeat = "second", "judge2", 1
	e.Config.Judges = []evaluation.Judge{second}
	from := e.Run
	e.Run += "2"
	asked, judged := reviewers, judges
	for range 2 {
		out, err := e.Rejudge(t.Context(), from, "second")
		noError(t, err)
		if out.Report.Scored != first.Report.Scored || reviewers != asked || judges != judged+12 {
			t.Errorf("%s, %d reviewers and %d judges asked", out.Report.Records(), reviewers-asked, judges-judged)
		}
	}
	if changes, err := e.Verify(t.Context()); err != nil || len(changes) != 0 {
		t.Errorf("%q, %v", changes, err)
	}
	if _, err := e.Rejudge(t.Context(), from, "third"); !IsPlanError(err) || !strings.Contains(err.Error(), "second") {
		t.Error(err)
	}
}
