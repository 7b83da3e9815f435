package bugs

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/bugs"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/evaluate"
)

// The configured prompt is what a model is asked, and a run folder keeps to it.
func TestBugsAreAskedByTheConfiguredPrompt(t *testing.T) {
	r := world.Built(t)
	e := func(dir, prompt string) *evaluate.Evaluation {
		c := evaluate.ReferenceConfig(bugs.Benchmark{})
		c.Prompt, c.Draws = prompt, 100
		return &evaluate.Evaluation{
			Benchmarks: []evaluate.Benchmark{Benchmark().Evaluated}, Dataset: r.Out, Run: dir, Config: c, Choice: evaluate.Choice{Models: []string{"oracle"}, Configs: []string{"A"}, Limit: 1},
			Host: pipeline.Quiet(1), Now: func() time.Time { return time.Unix(0, 0) },
			Confirm: func(evaluate.Estimate) error { return nil },
		}
	}
	asked := map[string]string{}
	for _, prompt := range []string{"", "review", "told", "tests"} {
		dir := filepath.Join(t.TempDir(), "run")
		out, err := e(dir, prompt).Evaluate(t.Context())
		noError(t, err)
		for it, err := range load.ReadLines[evaluation.Item](dir, "tasks.jsonl") {
			noError(t, err)
			q := bugs.Benchmark{}.Question(*it, "config_A", false)
			asked[prompt] = q.System
		}
		if said := strings.Contains(strings.Join(out.Report.Warnings, "\n"), "prompt "+prompt+","); said != (prompt != "") {
			t.Errorf("%q: the report says %q", prompt, out.Report.Warnings)
		}
		if prompt != "told" {
			continue
		}
		if _, err := e(dir, "review").Evaluate(t.Context()); !evaluate.IsPlanError(err) || !strings.Contains(err.Error(), "planned with another prompt;") {
			t.Errorf("another prompt in the same run folder: %v", err)
		}
	}
	if asked[""] != asked["review"] || !strings.HasPrefix(asked["told"], asked["review"]) || !strings.Contains(asked["told"], "at most one") || !strings.Contains(asked["tests"], "unit test") {
		t.Errorf("asked %q", asked)
	}
	if _, err := e(filepath.Join(t.TempDir(), "run"), "hint").Evaluate(t.Context()); !evaluate.IsPlanError(err) || !strings.Contains(err.Error(), `prompt: is "hint", want review, told, tests`) {
		t.Errorf("no such prompt: %v", err)
	}
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The split has as many questions of each level, and the controls of these and of
// no others.
func TestBugSplit(t *testing.T) {
	r := world.FromCollected(t)
	r.Config.Bugs.SplitPerLevel, r.Config.Bugs.ControlsEvery = 1, 1
	runBugs(t, r, nil)
	split, err := load.ReadJSON[artifacts.Validated](r.Out, "evals/levels.json")
	noError(t, err)
	chosen, levels := map[string]bool{}, map[int]int{}
	for _, id := range split.TaskIDs {
		chosen[id] = true
	}
	questions, controls := 0, 0
	for _, a := range answersOf(t, r.Out) {
		if a.Fault == nil && chosen[a.QuestionID] != chosen[*a.ControlOf] {
			t.Errorf("control of %s: %v", *a.ControlOf, chosen[a.QuestionID])
		}
		switch {
		case a.Fault != nil:
			questions++
			if chosen[a.QuestionID] {
				levels[a.Level]++
			}
		case chosen[a.QuestionID]:
			controls++
		}
	}
	if questions <= len(levels) || controls == 0 || len(levels) < 3 {
		t.Fatalf("%d questions of %d levels, %d controls: the world is not what it was", questions, len(levels), controls)
	}
	for level, n := range levels {
		if n != 1 {
			t.Errorf("level %d: %d questions", level, n)
		}
	}
}

// The reference reviewers have on a built dataset the results that they are
// made for, and the questions give nothing of the key away.
func TestBugsAreEvaluated(t *testing.T) {
	r := world.Built(t)
	b, items, err := evaluate.Open([]evaluate.Benchmark{Benchmark().Evaluated}, r.Out)
	if err != nil || len(items) != len(answersOf(t, r.Out)) || b.Name() != "bugs" {
		t.Fatalf("%d items of %d, error %v", len(items), len(answersOf(t, r.Out)), err)
	}
	sum := map[string]map[string]evaluation.Rate{}
	imports := 0
	for _, it := range items {
		if it.Groups["family"] == "import" {
			imports++
		}
		for _, name := range b.References() {
			for config := range it.Prompts {
				text, err := b.Refer(name, it, config)
				if err != nil {
					t.Fatal(err)
				}
				score, err := b.Score(it, config, b.Read(it, text), nil)
				if err != nil {
					t.Fatal(err)
				}
				at := name + " " + config
				if sum[at] == nil {
					sum[at] = map[string]evaluation.Rate{}
				}
				for metric, rate := range score.Rates {
					s := sum[at][metric]
					sum[at][metric] = evaluation.Rate{N: s.N + rate.N, Of: s.Of + rate.Of}
				}
			}
		}
	}
	if imports == 0 {
		t.Error("the dataset has no fault that a linter of one file does not see")
	}
	for _, config := range []string{"config_A", "config_B", "config_C"} {
		of := func(name, metric string) evaluation.Rate { return sum[name+" "+config][metric] }
		oracle, linter, checker := of("oracle", "strict"), of("linter", "strict"), of("checker", "strict")
		if oracle.N != oracle.Of || oracle.Of == 0 || of("oracle", "alarmed_controls").N != 0 {
			t.Errorf("%s: oracle: %+v", config, oracle)
		}
		if config == "config_A" { // which does not show what an import lacks
			if got := of("checker", "undecidable_found"); got.N != 0 || got.Of != imports || linter != oracle {
				t.Errorf("checker without the other file: %+v; linter %+v, oracle %+v", got, linter, oracle)
			}
		} else {
			if linter.N != oracle.N-imports || of("linter", "import_strict").N != 0 {
				t.Errorf("%s: linter finds %+v of %+v, with %d imports", config, linter, oracle, imports)
			}
			if checker != oracle || of("checker", "import_strict").N != imports {
				t.Errorf("%s: checker finds %+v of %+v", config, checker, oracle)
			}
		}
		for _, name := range []string{"linter", "checker", "raises", "silent"} {
			if of(name, "alarmed_controls").N != 0 {
				t.Errorf("%s: %s raises false alarms", config, name)
			}
		}
		if of("silent", "credit").N != 0 || of("raises", "credit").N != 0 {
			t.Errorf("%s: silent: %+v, raises: %+v", config, of("silent", "credit"), of("raises", "credit"))
		}
		if c := of("shotgun", "alarmed_controls"); c.N != c.Of || c.Of == 0 {
			t.Errorf("%s: shotgun: %+v", config, c)
		}
	}
}
