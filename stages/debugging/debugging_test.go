package debugging

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/debugging"
	"github.com/prforge/prforge/artifacts/diff"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/collectors/models/endpoint"
	"github.com/prforge/prforge/collectors/python"
	"github.com/prforge/prforge/collectors/sandbox"
	"github.com/prforge/prforge/evaluation/cheats"
	scripts "github.com/prforge/prforge/injection/debugging"
	"github.com/prforge/prforge/internal/demo"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/testenv"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/evaluate"
	"github.com/prforge/prforge/stages/run"
	"github.com/prforge/prforge/stages/run/runtest"
)

// fakePython is a Python that knows the scripts of a test: one that is as it was
// runs to its end, a changed one raises two lines below its first change.
type fakePython struct {
	scripts map[string][]byte // by path
	broken  string            // a path that cannot be run
	why     error             // of it
}

func (f fakePython) Runtime(context.Context) (model.Runtime, error) {
	return model.Runtime{Python: "3.0", Implementation: "fake", Machine: "none", System: "none", Libraries: map[string]string{"numpy": "1"}}, nil
}

func (f fakePython) Run(_ context.Context, job python.Job) (python.Trial, error) {
	if job.Script.Path == f.broken {
		return python.Trial{}, f.why
	}
	before, after := bytes.Split(f.scripts[job.Script.Path], []byte("\n")), bytes.Split(job.Script.Code, []byte("\n"))
	run := &model.ScriptRun{Status: model.RunOK, Output: "same"}
	last := len(after)
	for i := range after {
		if !bytes.Equal(before[i], after[i]) {
			last = min(i+3, len(after)-1)
			run.Status, run.Output = model.RunRaised, ""
			run.Exception = &model.ScriptException{
				Type: []string{"ValueError", "KeyError", "TypeError", "NameError"}[i%4], Module: "builtins", Message: "on " + string(after[i]),
				Frames: []model.ScriptFrame{{Line: last, First: last, Last: last, Function: "<module>"}},
			}
			break
		}
	}
	for line := 1; line <= last; line++ {
		run.Statements = append(run.Statements, model.ExecutedStatement{First: line, Last: line, Runs: 1, Start: line, End: line})
	}
	return python.Trial{Agrees: true, Record: run}, nil
}

// otherPython is of another version.
type otherPython struct{ fakePython }

func (otherPython) Runtime(context.Context) (model.Runtime, error) {
	return model.Runtime{Python: "3.1", Implementation: "fake", Libraries: map[string]string{"numpy": "1"}}, nil
}

// scriptWorld writes scripts and gives a build of them.
func scriptWorld(t *testing.T, workers int) *Build {
	t.Helper()
	dir := t.TempDir()
	known := map[string][]byte{}
	for _, name := range []string{"one.py", "two.py", "three.py"} {
		code := "\"\"\"Sums of " + name + ".\"\"\"\nimport math\n\n"
		for i := range 12 {
			v := string(rune('a' + i))
			code += "value_" + v + " = math.sqrt(" + v + "_source, 1, base=2)\n\nprint(value_" + v + ", open('data.csv'))\n\n"
		}
		code += "print('end')\n"
		known[name] = []byte(code)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(code), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"data.csv": "x,y\n1,2\n", "library.py": "def f():\n    pass\n", "unused.csv": "z\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cfg := DefaultConfig()
	cfg.Dataset.FreezeDate, _ = config.ParseDate("2026-11-01")
	cfg.Scripts = []ScriptSource{{Folder: dir, License: "MIT", Repository: "a/b", Commit: "c0ffee", PRNumber: 7}}
	cfg.Quotas, cfg.Ceilings = scripts.Quotas{PerScript: 6}, cheats.Ceilings{}
	out := t.TempDir()
	return &Build{Config: &cfg, Env: run.Env{Host: pipeline.Quiet(workers), State: filepath.Join(out, "state"), Out: filepath.Join(out, "dataset")}, runner: fakePython{scripts: known}}
}

func runDebugging(t *testing.T, d *Build) *run.Report {
	t.Helper()
	r, err := d.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestBuildWithoutScripts: where no script is found nothing is frozen; where none
// gives a sample the dataset says why.
func TestBuildWithoutScripts(t *testing.T) {
	d := scriptWorld(t, 1)
	d.Config.Scripts[0].Paths = []string{"*.ipynb"}
	if r, err := d.Run(t.Context()); !errors.Is(err, run.ErrEmpty) || r == nil || r.Frozen {
		t.Errorf("report %+v, error %v: want %v and nothing frozen", r, err, run.ErrEmpty)
	}
	d.AllowPartial = true
	if r := runDebugging(t, d); !r.Frozen || r.Records != 0 {
		t.Errorf("with AllowPartial: %+v", r)
	}
}

// A speller finds most errors of this world, whose quotas are off.
func TestBuild_TooEasy(t *testing.T) {
	d := scriptWorld(t, 1)
	d.Config.Ceilings = DefaultConfig().Ceilings
	var easy *cheats.TooEasyError
	if _, err := d.Run(t.Context()); !errors.As(err, &easy) || easy.Result.Cheat != "speller" {
		t.Errorf("error %v, want the speller over its ceiling", err)
	}
	if _, err := os.Stat(d.Out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a dataset that is too easy was frozen: %v", err)
	}
}

func TestBuild_MoreThanFourErrors(t *testing.T) {
	d := scriptWorld(t, 1)
	d.Config.Compose = ScriptCompose{More: 1, Tries: 4}
	runDebugging(t, d)
	most := 0
	for _, s := range samplesOf(t, d.Out) {
		if s.Kind == debugging.Multi && s.ErrorCount < 5 {
			t.Errorf("%s has %d errors", s.SampleID, s.ErrorCount)
		}
		most = max(most, s.ErrorCount)
	}
	if most < 5 {
		t.Errorf("at most %d errors a script", most)
	}
}

// tree is every file below a folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func sameTree(t *testing.T, what string, a, b map[string]string) {
	t.Helper()
	if len(a) != len(b) || len(a) == 0 {
		t.Errorf("%s: %d and %d files", what, len(a), len(b))
	}
	for p := range a {
		if a[p] != b[p] {
			t.Errorf("%s: %s differs", what, p)
		}
	}
}

func TestDebuggingBuildsTheSameBytes(t *testing.T) {
	one := scriptWorld(t, 1)
	report := runDebugging(t, one)
	files := tree(t, one.Out)
	if !report.Frozen || report.Records < 15 || report.LookedAt != 4 || files["data/one/data.csv"] == "" || files["data/one/unused.csv"] != "" {
		t.Fatalf("%+v", report)
	}
	verified, err := verifyDataset(t.Context(), one.Out, nil)
	if err != nil || !verified.OK() || verified.Checks < 300 {
		t.Fatalf("%+v, error %v", verified, err)
	}

	again := *one
	again.Out, again.Workers, again.Cold = one.Out+"8", 8, true
	again.State = one.State + "8"
	runDebugging(t, &again)
	sameTree(t, "8 workers, cold", files, tree(t, again.Out))

	from := *one
	from.Out, from.State, from.From, from.runner = one.Out+"from", one.State+"from", one.Out, nil
	cfg, err := LoadConfig(filepath.Join(one.Out, debugging.FileConfig), DefaultConfig())
	if err != nil {
		t.Fatal(err)
	}
	from.Config = cfg
	runDebugging(t, &from)
	sameTree(t, "from its own records", files, tree(t, from.Out))

	box := fakePython{scripts: one.runner.(fakePython).scripts}
	rerun, err := rerunSamples(t.Context(), one.Out, []int{4, 5}, box, 2)
	if err != nil || rerun.Same != report.Records || len(rerun.Differ) != 0 {
		t.Errorf("rerun %+v, error %v", rerun, err)
	}
	if _, err = rerunSamples(t.Context(), one.Out, []int{4}, otherPython{box}, 2); !errors.Is(err, errRuntimeDiffers) {
		t.Errorf("other versions ran the samples: %v", err)
	}
	box.scripts["one.py"] = bytes.ReplaceAll(box.scripts["one.py"], []byte("value_a"), []byte("value_z"))
	if rerun, err = rerunSamples(t.Context(), one.Out, []int{4}, box, 2); err != nil || len(rerun.Differ) == 0 {
		t.Errorf("another Python gave the same: %+v, error %v", rerun, err)
	}
}

// A build that was stopped goes on from the runs that it kept.
func TestDebuggingGoesOnAfterAnInterruption(t *testing.T) {
	whole := scriptWorld(t, 2)
	runDebugging(t, whole)
	cut := *whole
	cut.State, cut.Out = whole.State+"cut", whole.Out+"cut"
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	_, err := cut.Run(ctx)
	cancel()
	if err == nil {
		t.Log("it was done before it was stopped")
	} else {
		runDebugging(t, &cut)
	}
	sameTree(t, "interrupted", tree(t, whole.Out), tree(t, cut.Out))
}

func TestScript_CannotRun(t *testing.T) {
	d := scriptWorld(t, 2)
	d.runner = fakePython{scripts: d.runner.(fakePython).scripts, broken: "two.py", why: errors.New("no more processes")}
	r, err := d.Run(t.Context())
	if !errors.Is(err, run.ErrPartial) || r.Frozen || len(r.Failures) != 1 || r.Failures[0].Code != string(verdict.ScriptFailed) || !strings.Contains(r.Failures[0].Error, "no more processes") {
		t.Fatalf("%+v, error %v", r, err)
	}
	d.AllowPartial = true
	if r = runDebugging(t, d); !r.Frozen {
		t.Errorf("%+v", r)
	}
	for p, text := range tree(t, d.Out) {
		if strings.Contains(text, "no more processes") {
			t.Errorf("%s holds the error's own text", p)
		}
	}
}

// What no other script would fare better with ends the build, also where partial
// datasets are allowed.
func TestDebugging_WhatEndsARun(t *testing.T) {
	for name, why := range map[string]error{
		"the state cannot be written": fmt.Errorf("%w: input/output error", store.ErrState),
		"a full disk":                 &fs.PathError{Op: "write", Path: "script.py", Err: syscall.ENOSPC},
		"the injector refuses us":     &endpoint.Error{Status: 401},
		"no Python":                   python.ErrNotKept,
	} {
		t.Run(name, func(t *testing.T) {
			d := scriptWorld(t, 2)
			d.AllowPartial, d.runner = true, fakePython{scripts: d.runner.(fakePython).scripts, broken: "two.py", why: fmt.Errorf("two.py: %w", why)}
			if r, err := d.Run(t.Context()); !errors.Is(err, why) || r != nil {
				t.Errorf("%+v, error %v", r, err)
			}
			if _, err := os.Stat(d.Out); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("something was frozen: %v", err)
			}
		})
	}
}

func TestScript_WithoutLicense(t *testing.T) {
	d := scriptWorld(t, 1)
	d.Config.Scripts[0].License = ""
	r := runDebugging(t, d)
	if first := r.Funnel.Stages[0]; first.Reasons[string(verdict.LicenseMissing)] != 4 || r.Records != 0 {
		t.Errorf("%+v", first)
	}
}

// Each row damages one file so that one kind of fault must be found.
func TestVerifyFindsDamage(t *testing.T) {
	d := scriptWorld(t, 1)
	runDebugging(t, d)
	whole := tree(t, d.Out)
	if err := artifactstest.FollowsSchemas(d.Out); err != nil {
		t.Error(err)
	}
	runtest.IntactCopies(t, d.Out, func(dir string) (*verify.Report, error) { return verifyDataset(t.Context(), dir, nil) })
	for _, tc := range []struct{ kind, file, old, new string }{
		{"files", "README.md", "#", "##"},
		{"sample", "answers.jsonl", `"order":1`, `"order":2`},
		{"sample", "questions.jsonl", `"code_sha256":"`, `"code_sha256":"0`},
		{"sample", "answers.jsonl", `"hop_lines":2`, `"hop_lines":3`},
		{"lines", "answers.jsonl", `"cause_text":"`, `"cause_text":"x`},
		{"lines", "answers.jsonl", `"effect_line":`, `"effect_line":9`},
		{"change", "evidence/one__s1.json", "import math", "import  math"},
		{"leak", "evidence/one__s1.json", "Sums of", "Sums # of\\n#"},
		{"run", "evidence/one__s1.json", `"message": "`, `"message": "x`},
		{"sample", "evals/scripts.json", `"n": `, `"n": 1`},
		{"peel", "evidence/one__m1.json", `"shows": "one__s`, `"shows": "one__x`},
		{"data", "data/one/data.csv", "1,2", "1,3"},
		{"prompt", "prompts/one__s1.json", "Python 3.0", "Python 3.1"},
		{"prompt", "prompts/one__s1.json", "prforge-debugging-canary ", "prforge-debugging-canary 0"},
		{"prompt", "questions.jsonl", "prforge-debugging-canary ", "prforge-debugging-canary 0"},
		{"export", "export/dsdbench/single.jsonl", "Traceback", "Trace"},
		{"audit", "audit/funnel.json", `"in": 4`, `"in": 5`},
		{"manifest", "manifest.json", `"records": `, `"records": 1`},
		{"files", "schemas/script_answer.json", `"minimum": 1`, `"minimum": 0`},
	} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(d.Out)); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(whole[tc.file], tc.old) {
			t.Fatalf("%s has no %q", tc.file, tc.old)
		}
		if err := os.WriteFile(filepath.Join(dir, tc.file), []byte(strings.Replace(whole[tc.file], tc.old, tc.new, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := verifyDataset(t.Context(), dir, nil)
		if err != nil {
			t.Errorf("%s: %v", tc.kind, err)
			continue
		}
		found := false
		for _, f := range r.Faults {
			found = found || string(f.Kind) == tc.kind
		}
		if !found {
			t.Errorf("%s in %s was not found: %+v", tc.kind, tc.file, r.Faults)
		}
	}
}

// A changed copy differs in what was changed and in nothing else.
func TestDebuggingDiff(t *testing.T) {
	d := scriptWorld(t, 1)
	runDebugging(t, d)
	samples := samplesOf(t, d.Out)
	c := runtest.CopyOf(t, d.Out)
	lines := strings.SplitAfter(c.Read(debugging.FileQuestions), "\n")[1:]
	lines[0] = strings.Replace(lines[0], `"license":"`, `"license":"Other-`, 1)
	c.Write(debugging.FileQuestions, strings.Join(lines, ""))
	c.Write(debugging.FileAnswers, strings.Join(strings.SplitAfter(c.Read(debugging.FileAnswers), "\n")[1:], ""))
	c.Edit(artifacts.FileEvidence(samples[2].SampleID), "import math", "import  math")
	opened := func(dir string) *load.Reader {
		r, err := load.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	compare := func(old, new string) *diff.Difference {
		diff, err := diff.Compare(opened(old), opened(new))
		if err != nil {
			t.Fatal(err)
		}
		return diff
	}
	diff := compare(d.Out, c.Dir)
	if len(diff.Went) != 1 || diff.Went[0].Pull != samples[0].SampleID || diff.Went[0].Why == "" || len(diff.Came) != 0 || diff.Same != len(samples)-3 { // one gone, two changed
		t.Errorf("went %+v, came %+v, %d of %d the same", diff.Went, diff.Came, diff.Same, len(samples))
	}
	changed := map[string]string{}
	for _, change := range diff.Changed {
		for _, f := range change.Fields {
			changed[change.Pull] += f.Field + ": " + f.Old + " -> " + f.New + ";"
		}
	}
	if len(changed) != 2 || !strings.Contains(changed[samples[1].SampleID], `license: "MIT" -> "Other-MIT"`) || !strings.Contains(changed[samples[2].SampleID], "evidence") {
		t.Errorf("changed: %v", changed)
	}
	if back := compare(c.Dir, d.Out); len(back.Came) != 1 || len(back.Went) != 0 || len(back.Changed) != 2 {
		t.Errorf("the other way: %d came, %d went, %d changed", len(back.Came), len(back.Went), len(back.Changed))
	}
}

func TestSourcesStayInTheirFolder(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret.py")
	for p, text := range map[string]string{outside: "print('secret')\n", filepath.Join(dir, "a b-é.py"): "print(open('x y.csv'), open('d/ok.csv'))\n", filepath.Join(dir, "large.py"): strings.Repeat("#\n", maxScript)} {
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, link := range []string{"link.py", "x y.csv"} {
		if err := os.Symlink(outside, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "d"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "d", "ok.csv"), []byte("1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := folderScripts(t.Context(), dir, ScriptSource{}, 1<<20)
	if err != nil || len(got) != 1 || got[0].Path != "a b-é.py" || len(got[0].Inputs) != 1 || got[0].Inputs[0].Path != "d/ok.csv" {
		t.Errorf("%+v, error %v", got, err)
	}
}

// TestScriptID: names are ASCII, begin with no dash and no dot, and stay apart.
func TestScriptID(t *testing.T) {
	taken := map[string]bool{}
	for _, tc := range []struct{ path, want string }{
		{"a/b.py", "a.b"},
		{"a.b.py", "a.b-2"},
		{"2020_plot.py", "2020_plot"},
		{"-x.py", "x"},
		{".hidden/a.py", "hidden.a"},
		{"a b.py", "a-b"},
		{"---.py", "script"},
		{"'.py", "script-2"},
		{"数据.py", "script-5440f742"},
		{"分析.py", "script-2af437d3"},
		{"plots/数据.py", "plots-a11720ed"},
		{"a b-é.py", "a-b-1a20f73e"},
		{"donnée.py", "donn-e-58e26433"},
		{"x" + strings.Repeat("/-", 60) + ".py", "script-3"},
		{strings.Repeat("a", 200) + ".py", strings.Repeat("a", 100)},
	} {
		if got := scriptID(tc.path, taken); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.path, got, tc.want)
		}
	}
}

// The oracle is right everywhere, the reviewer that takes the effect for the
// cause nowhere where they differ, and the silent one is never wrong nor right.
func TestDebuggingIsEvaluated(t *testing.T) {
	d := scriptWorld(t, 2)
	report := runDebugging(t, d)
	b, items, err := evaluate.Open([]evaluate.Benchmark{Benchmark().Evaluated}, d.Out)
	if err != nil || len(items) != report.Records || b.Name() != "debugging" {
		t.Fatalf("%d items of %d, error %v", len(items), report.Records, err)
	}
	for _, it := range items {
		for name, want := range map[string]bool{"oracle": true, "effect": false, "silent": false} {
			text, err := b.Refer(name, it, "")
			if err != nil {
				t.Fatal(err)
			}
			score, err := b.Score(it, configNumbered, b.Read(it, text), nil)
			if err != nil {
				t.Fatal(err)
			}
			if r := score.Rates["cause_line_recall"]; (r.N == r.Of) != want {
				t.Errorf("%s on %s: cause %+v", name, it.ID, r)
			}
		}
		if it.Prompts[configPlain] == it.Prompts[configNumbered] || it.Groups["repo"] == "" || it.Groups["errors"] == "" || it.Groups["hop"] == "" {
			t.Errorf("%s: groups %v", it.ID, it.Groups)
		}
	}
}

// The second injector is a model. Each answer ends in the right code, and a
// second build asks nothing.
func TestModel_InjectsUnderSameChecks(t *testing.T) {
	answers := []string{
		`{"replacement": "value_a = math.sqrt(a_source, '1', base=2)"}`,
		`{"replacement": "x = 1; y = 2"}`,
		`{"replacement": "value_a = 1  # wrong"}`,
		`no idea`,
	}
	asked := 0
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reply, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"message": map[string]string{"role": "assistant", "content": answers[asked%len(answers)]}}}})
		asked++
		_, _ = w.Write(reply)
	}))
	defer endpoint.Close()
	d := scriptWorld(t, 1)
	d.Config.Injector = &ScriptInjector{Endpoint: endpoint.URL, Model: "m", PerScript: 4}
	d.Config.Quotas = scripts.Quotas{}
	runDebugging(t, d)
	if asked != 12 {
		t.Errorf("asked %d times, want 4 for each of 3 scripts", asked)
	}
	codes := map[verdict.Code]int{}
	for line := range strings.SplitSeq(tree(t, d.Out)["audit/decisions.jsonl"], "\n") {
		var x struct {
			Item string       `json:"item"`
			Code verdict.Code `json:"code"`
		}
		if line != "" && json.Unmarshal([]byte(line), &x) == nil && strings.Contains(x.Item, "/model@") {
			codes[x.Code]++
		}
	}
	if codes[verdict.MutantMoreThanOne] != 3 || codes[verdict.MutantLeaks] != 3 || codes[verdict.MutantUnparsed] != 3 || codes[""] == 0 {
		t.Errorf("codes %v", codes)
	}
	files := tree(t, d.Out)
	if !strings.Contains(files["answers.jsonl"], `"injector":"openai:m"`) {
		t.Error("no sample names the model")
	}
	again := *d
	again.Out = d.Out + "again"
	runDebugging(t, &again)
	if asked != 12 {
		t.Errorf("the second build asked %d times", asked-12)
	}
	from := again
	from.Out, from.State, from.From, from.runner = d.Out+"from", d.State+"from", d.Out, nil
	endpoint.Close()
	runDebugging(t, &from)
	sameTree(t, "from its own records", files, tree(t, from.Out))
}

// The built-in sample is built from records alone. It reaches the figures that
// facts.md section 8 asks of operators over a corpus, and its records are of the
// scripts that are there.
func TestTheBuiltInScriptsGiveADatasetWithoutPython(t *testing.T) {
	records := t.TempDir()
	if err := demo.Records(records); err != nil {
		t.Fatal(err)
	}
	cfg, err := LoadConfig(filepath.Join(records, debugging.FileConfig), DefaultConfig())
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	d := &Build{Config: cfg, Env: run.Env{Host: pipeline.Quiet(8), State: filepath.Join(out, "state"), Out: filepath.Join(out, "dataset"), From: records}}
	report := runDebugging(t, d)
	verified, err := verifyDataset(t.Context(), d.Out, nil)
	if err != nil || !verified.OK() {
		t.Fatalf("%+v, error %v", verified, err)
	}
	search, types, sizes, multiHop, single := report.Funnel.Stages[4], map[string]int{}, map[int]int{}, 0, 0
	for s, err := range debugging.Samples(d.Out) {
		if err != nil {
			t.Fatal(err)
		}
		if sizes[s.ErrorCount]++; s.Kind == debugging.Single {
			single++
			types[s.Errors[0].ErrorType]++
			if s.Errors[0].HopExecuted > 0 {
				multiHop++
			}
		}
	}
	if search.Stage != verdict.StageSearch || float64(search.Pass) < 0.6*float64(search.In) {
		t.Errorf("%d of %d changes crash", search.Pass, search.In)
	}
	if float64(multiHop) < 0.4*float64(single) || len(types) < 5 || sizes[2] == 0 || sizes[3] == 0 || sizes[4] == 0 {
		t.Errorf("%d of %d with several hops, types %v, sizes %v", multiHop, single, types, sizes)
	}
	for name, n := range types {
		if float64(n) > 0.3*float64(single) {
			t.Errorf("%s is %d of %d", name, n, single)
		}
	}
	files := os.DirFS("../../internal/demo/scripts")
	originals := map[string]string{}
	for e, err := range debugging.Samples(d.Out) {
		if err != nil {
			t.Fatal(err)
		}
		evidence, err := load.ReadJSON[debugging.Evidence](d.Out, debugging.FileEvidence(e.SampleID))
		if err != nil {
			t.Fatal(err)
		}
		originals[e.Path] = evidence.OriginalCode
	}
	for path, code := range originals {
		if have, err := fs.ReadFile(files, path); err != nil || string(have) != code {
			t.Errorf("the records of %s are of another script: rebuild them (internal/demo)", path)
		}
	}
	if len(originals) < 20 {
		t.Errorf("%d scripts have a sample", len(originals))
	}
}

// The real thing: one script under the machine's own Python, warm and cold, and
// every sample run again.
func TestPython_SameWarmAndCold(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Python many times")
	}
	missing := t.Skipf
	if os.Getenv("CI") == "true" {
		missing = t.Fatalf
	}
	files := os.DirFS("../../internal/demo/scripts")
	code, err := fs.ReadFile(files, "stats_markov.py")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "stats_markov.py"), code, 0o644); err != nil {
		t.Fatal(err)
	}
	cfg := DefaultConfig()
	cfg.Dataset.FreezeDate, _ = config.ParseDate("2026-11-01")
	cfg.Scripts = []ScriptSource{{Folder: dir, License: "Apache-2.0"}}
	cfg.Plan.PerScript, cfg.Quotas, cfg.Seeds = 6, scripts.Quotas{PerScript: 3}, []int{1, 2}
	cfg.Compose = ScriptCompose{Two: 1, Tries: 2}
	out := t.TempDir()
	warm := &Build{Config: &cfg, Env: run.Env{Host: pipeline.Quiet(2), State: filepath.Join(out, "state"), Out: filepath.Join(out, "warm")}, Sandbox: sandbox.Auto}
	report, err := warm.Run(t.Context())
	if errors.Is(err, sandbox.ErrNone) || errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		missing("no Python in a sandbox: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if first := report.Funnel.Stages[1]; first.Reasons[string(verdict.ModuleMissing)] > 0 {
		missing("numpy is missing")
	}
	if report.Records < 3 || report.Runs.Warm == 0 {
		t.Fatalf("%+v", report)
	}
	verified, err := verifyDataset(t.Context(), warm.Out, nil)
	if err != nil || !verified.OK() {
		t.Errorf("%+v, error %v", verified, err)
	}
	cold := *warm
	cold.State, cold.Out, cold.Cold = warm.State+"cold", filepath.Join(out, "cold"), true
	if report = runDebugging(t, &cold); report.Runs.Warm != 0 {
		t.Errorf("%+v", report.Runs)
	}
	sameTree(t, "cold", tree(t, warm.Out), tree(t, cold.Out))
	rerun, err := RerunSamples(t.Context(), warm.Out, []int{21, 22}, cfg.Python, sandbox.Auto, 2, warm.Log)
	if err != nil || rerun.Same != rerun.Samples || rerun.Samples == 0 {
		t.Errorf("%+v, error %v", rerun, err)
	}
}

// A script that imports a module from a folder of python.paths runs again with these
// paths, and without them fails where it imports.
func TestRerunSamples_Paths(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Python many times")
	}
	dir := t.TempDir()
	environment, elsewhere, folder := filepath.Join(dir, "venv"), filepath.Join(dir, "elsewhere"), filepath.Join(dir, "scripts")
	if out, err := exec.Command(testenv.Tool(t, "/usr/bin/python3"), "-m", "venv", "--without-pip", environment).CombinedOutput(); err != nil {
		testenv.Missing(t, "no virtual environments: %s", out)
	}
	packages, err := filepath.Glob(filepath.Join(environment, "lib/python3*/site-packages"))
	if err != nil || len(packages) != 1 {
		t.Fatalf("site-packages %q: %v", packages, err)
	}
	script := "import outside\n\nwidth = outside.SIZE * 2\nnames = ['a', 'b', 'c']\nfor i in range(len(names)):\n    print(names[i].ljust(width))\n"
	for path, text := range map[string]string{
		filepath.Join(packages[0], "more.pth"): elsewhere + "\n", filepath.Join(elsewhere, "outside.py"): "SIZE = 4\n", filepath.Join(folder, "columns.py"): script,
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	cfg := DefaultConfig()
	cfg.Dataset.FreezeDate, _ = config.ParseDate("2026-11-01")
	cfg.Scripts = []ScriptSource{{Folder: folder, License: "Apache-2.0"}}
	cfg.Python.Interpreter, cfg.Python.Paths = filepath.Join(environment, "bin/python3"), []string{elsewhere}
	cfg.Quotas, cfg.Seeds, cfg.Compose = scripts.Quotas{PerScript: 1}, []int{1}, ScriptCompose{Tries: 1}
	d := &Build{Config: &cfg, Env: run.Env{Host: pipeline.Quiet(2), State: filepath.Join(dir, "state"), Out: filepath.Join(dir, "dataset")}, Sandbox: sandbox.Auto}
	if _, err := d.Run(t.Context()); errors.Is(err, sandbox.ErrNone) {
		testenv.Missing(t, "no sandbox: %v", err)
	} else if err != nil {
		t.Fatal(err)
	}
	rerun, err := RerunSamples(t.Context(), d.Out, []int{7}, cfg.Python, sandbox.Auto, 1, d.Log)
	if err != nil || rerun.Same != 1 || rerun.Samples != 1 {
		t.Errorf("with paths %+v, error %v", rerun, err)
	}
	cfg.Python.Paths = nil
	rerun, err = RerunSamples(t.Context(), d.Out, []int{7}, cfg.Python, sandbox.Auto, 1, d.Log)
	if err != nil || rerun.Same != 0 || rerun.Samples != 1 {
		t.Errorf("without paths %+v, error %v", rerun, err)
	}
}
