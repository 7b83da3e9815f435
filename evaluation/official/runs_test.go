package official

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var allConfigs = []string{"config_A_diff_only", "config_B_with_file_content", "config_C_full_context"}

// scripted answers for a run: what an endpoint says, call by call, the last
// one again and again.
type scripted struct {
	Agent   string `json:"agent_model"`
	Task    string `json:"task_id"`
	Config  string
	Role    string
	Answers []struct {
		Text   *string
		Status int
		Broken bool
	}
	asked int
}

// next is what one HTTP request gets.
func (s *scripted) next() (text string, again bool, err error) {
	if len(s.Answers) == 0 {
		return "", false, errors.New(errorText)
	}
	a := s.Answers[min(s.asked, len(s.Answers)-1)]
	s.asked++
	if a.Text != nil {
		return *a.Text, false, nil
	}
	retried := []int{408, 409, 425, 429, 500, 502, 503, 504}
	return "", a.Broken || slices.Contains(retried, a.Status), errors.New(errorText)
}

// ask makes up to six HTTP requests, as the harness's client does.
func (s *scripted) ask() (string, error) {
	for range 5 {
		if text, again, err := s.next(); !again {
			return text, err
		}
	}
	text, _, err := s.next()
	return text, err
}

// run is a folder of the harness while it is filled.
type run struct {
	tasks      []Task
	similarity Similarity
	answers    map[[4]string]*scripted
	agents     map[string]AgentOutput
	judges     map[string]JudgeOutput
	results    map[string]Result
	failures   []any
}

func newRun(t *testing.T, g fs.FS, name string) *run {
	t.Helper()
	dataset, err := fs.Sub(g, path.Join("runs", name, "dataset"))
	if err != nil {
		t.Fatal(err)
	}
	r := &run{similarity: Lexical, agents: map[string]AgentOutput{}, judges: map[string]JudgeOutput{}, results: map[string]Result{}}
	if r.tasks, err = loadDataset(dataset, allConfigs); err != nil {
		t.Fatal(err)
	}
	if _, err := fs.Stat(g, path.Join("runs", name, "vectors.json")); err == nil {
		r.similarity = vectors(read[[]namedVector](t, g, path.Join("runs", name, "vectors.json")))
	}
	r.script(t, g, path.Join("runs", name, "answers.jsonl"))
	return r
}

func (r *run) script(t *testing.T, g fs.FS, name string) {
	t.Helper()
	data, err := fs.ReadFile(g, name)
	if err != nil {
		t.Fatal(err)
	}
	r.answers = map[[4]string]*scripted{}
	for d := json.NewDecoder(bytes.NewReader(data)); d.More(); {
		s := &scripted{}
		if err := d.Decode(s); err != nil {
			t.Fatal(err)
		}
		r.answers[[4]string{s.Agent, s.Task, s.Config, s.Role}] = s
	}
}

func (r *run) answer(model string, task Task, role string) *scripted {
	if s := r.answers[[4]string{model, task.ID, Short(task.Config), role}]; s != nil {
		return s
	}
	return &scripted{}
}

// evaluate asks and scores the tasks for which wanted is true.
func (r *run) evaluate(t *testing.T, model string, wanted func(Task) bool) {
	t.Helper()
	r.failures = []any{}
	for _, task := range r.tasks {
		if !wanted(task) {
			continue
		}
		agent := AskAgent(task, model, 4000, func(Call) (string, error) { return r.answer(model, task, "agent").ask() })
		judge := JudgeSkipped(task, "gavel")
		if agent.Success {
			text, err := r.answer(model, task, "judge").ask()
			judge = ReadJudge(task, agent, "gavel", text)
			if err != nil {
				judge = JudgeFailed(task, agent, "gavel", err.Error())
			}
		}
		result, err := Harness().Score(task, agent, judge, r.similarity)
		if err != nil {
			t.Fatal(err)
		}
		r.agents[Stem(task)], r.judges[Stem(task)], r.results[Stem(task)] = agent, judge, result
		if f := result.failures(); f != nil {
			r.failures = append(r.failures, map[string]any{"task_id": task.ID, "config_name": long(task.Config), "agent_model": model, "judge_model": "gavel", "failures": f})
		}
	}
}

// report is of all records in the folder, by file name.
func (r *run) report() Report {
	var results []Result
	for _, stem := range sortedStems(r.results) {
		results = append(results, r.results[stem])
	}
	return NewReport(results)
}

func sortedStems[T any](m map[string]T) []string {
	var stems []string
	for stem := range m {
		stems = append(stems, stem)
	}
	slices.SortFunc(stems, func(a, b string) int { return strings.Compare(a+"_eval.json", b+"_eval.json") })
	return stems
}

// official is one folder of the harness as the fixtures hold it.
type official struct {
	Agents   any            `json:"agent_outputs"`
	Judges   any            `json:"judge_outputs"`
	Results  any            `json:"eval_results"`
	Report   map[string]any `json:"eval_report"`
	Failures any            `json:"validation_failures"`
}

func (r *run) compare(t *testing.T, want official) {
	t.Helper()
	if want.Agents != nil {
		same(t, "agent outputs", want.Agents, r.agents)
		same(t, "judge outputs", want.Judges, r.judges)
		same(t, "results", want.Results, r.results)
	}
	delete(want.Report, "run_date")
	same(t, "report", any(want.Report), r.report())
	same(t, "failures", want.Failures, r.failures)
}

var (
	models   = []string{"alpha-large", "beta-mini"}
	allTasks = func(Task) bool { return true }
)

func TestGoldenRuns(t *testing.T) {
	g := golden(t)
	for _, name := range []string{"lexical", "vectors", "long-names", "faulty"} {
		for _, model := range models {
			t.Run(name+"/"+model, func(t *testing.T) {
				r := newRun(t, g, name)
				r.evaluate(t, model, allTasks)
				folders := read[map[string]json.RawMessage](t, g, path.Join("runs", name, "official.json"))
				var want official
				if err := json.Unmarshal(folders[Folder(model, "gavel")], &want); err != nil {
					t.Fatal(err)
				}
				r.compare(t, want)
			})
		}
	}
}

// A rerun of two tasks, then a smaller run, into one folder: the report is
// always of everything in it, the failures of the last command only.
func TestGoldenReruns(t *testing.T) {
	g := golden(t)
	r := newRun(t, g, "faulty")
	r.evaluate(t, "alpha-large", allTasks)
	r.script(t, g, "runs/faulty/answers-rerun.jsonl")
	r.evaluate(t, "alpha-large", func(task Task) bool {
		return r.answers[[4]string{"alpha-large", task.ID, Short(task.Config), "agent"}] != nil
	})
	r.compare(t, read[map[string]official](t, g, "runs/faulty/official-after-rerun.json")["alpha-large__judge_gavel"])

	r.evaluate(t, "alpha-large", func(Task) bool { return false })
	r.compare(t, read[map[string]official](t, g, "runs/faulty/official-after-smaller-run.json")["alpha-large__judge_gavel"])
}

// The files are the harness's, byte for byte.
func TestEncodeWritesTheHarnessFiles(t *testing.T) {
	g := golden(t)
	for _, model := range models {
		r := newRun(t, g, "lexical")
		r.evaluate(t, model, allTasks)
		folder := path.Join("runs/lexical/official-tree", Folder(model, "gavel"))
		for stem := range r.results {
			for file, v := range map[string]any{"agent_outputs/" + stem + "_agent.json": r.agents[stem],
				"judge_outputs/" + stem + "_judge.json": r.judges[stem], "eval_results/" + stem + "_eval.json": r.results[stem]} {
				want, err := fs.ReadFile(g, path.Join(folder, file))
				if err != nil {
					t.Fatal(err)
				}
				got, err := Encode(v)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), string(got)); diff != "" {
					t.Fatalf("%s (-official +ours):\n%s", file, diff)
				}
			}
		}
	}
}
