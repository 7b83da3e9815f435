package bugs

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/diff"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/collectors/python"
	"github.com/prforge/prforge/evaluation/cheats"
	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/injection/bugs"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/run"
	"github.com/prforge/prforge/stages/run/runtest"
)

var update = flag.Bool("update", false, "rewrite testdata/manifest.json")

func TestGolden(t *testing.T) { world.Golden(t, *update) }

// runBugs builds the bugs benchmark.
func runBugs(t *testing.T, b *runtest.Build, confirm Confirm) *run.Report {
	t.Helper()
	s, err := run.Open(t.Context(), b.Env, b.Config)
	if err != nil {
		t.Fatal(err)
	}
	report, err := Build(t.Context(), s, confirm)
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return report
}

func answersOf(t *testing.T, dir string) []*model.BugAnswer {
	t.Helper()
	var out []*model.BugAnswer
	for a, err := range load.ReadLines[model.BugAnswer](dir, artifacts.FileBugAnswers) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, a)
	}
	return out
}

func TestBugsAreTheSameBytesHoweverTheRunGoes(t *testing.T) {
	first := world.FromCollected(t)
	first.Workers, first.Shards = 1, 1
	report := runBugs(t, first, nil)
	if report.Records < 6 || report.Benchmark != artifacts.Bugs {
		t.Fatalf("%d questions: the world is not what it was", report.Records)
	}
	want := runtest.ManifestOf(t, first)
	kinds := map[string]int{}
	for _, a := range answersOf(t, first.Out) {
		kinds[a.Family]++
		if a.Repo != "lanternworks/parcelpost" || a.License == nil {
			t.Errorf("%s is from %s, license %v", a.QuestionID, a.Repo, a.License)
		}
	}
	for _, family := range []string{"undeclared_name", "indentation", "import", "none"} {
		if kinds[family] == 0 {
			t.Errorf("no question of the family %s: %v", family, kinds)
		}
	}

	t.Run("eight workers", func(t *testing.T) {
		b := world.FromCollected(t)
		b.Workers, b.Shards = 8, 8
		runBugs(t, b, nil)
		if runtest.ManifestOf(t, b) != want || runtest.ManifestOf(t, world.Built(t)) != want {
			t.Error("another dataset")
		}
	})
	t.Run("from its own raw records", func(t *testing.T) {
		b := world.Demo(t, world.Server(t), t.TempDir())
		b.From, b.Connect = first.Out, runtest.Offline(t)
		runBugs(t, b, nil)
		if runtest.ManifestOf(t, b) != want {
			t.Error("another dataset")
		}
	})
	t.Run("with Python", func(t *testing.T) {
		b := world.Demo(t, world.Server(t), t.TempDir())
		b.State = first.State
		runBugs(t, b, confirmWith(t))
		if runtest.ManifestOf(t, b) != want {
			t.Error("another dataset")
		}
	})
	t.Run("interrupted and resumed", func(t *testing.T) {
		b := world.FromCollected(t)
		s, err := run.Open(t.Context(), b.Env, b.Config)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		s.Progress = stopAt{pipeline.Silent{}, verdict.StageInject, cancel}
		_, err = Build(ctx, s, nil)
		if err := errors.Join(s.Close()); err != nil {
			t.Fatal(err)
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("it was not interrupted: %v", err)
		}
		runBugs(t, b, nil)
		if runtest.ManifestOf(t, b) != want {
			t.Error("another dataset")
		}
	})
}

// stopAt ends a run when a stage begins.
type stopAt struct {
	pipeline.Silent
	stage string
	stop  func()
}

func (s stopAt) Doing(_ string, now pipeline.Step) {
	if now.Stage == s.stage {
		s.stop()
	}
}

// confirmWith is a CPython, or the test is skipped.
func confirmWith(t *testing.T) Confirm {
	t.Helper()
	checker, err := python.NewChecker(t.Context(), python.DefaultOptions())
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	t.Cleanup(checker.Close)
	return checker.Check
}

// What CPython, bytecode and pyflakes say is compared with the key, of every
// family and of controls; each disagreement is a denial.
func TestConfirmOne(t *testing.T) {
	b, confirm := world.Built(t), confirmWith(t)
	all, err := ConfirmDataset(t.Context(), b.Out, confirm)
	if err != nil {
		t.Fatal(err)
	}
	drafts, err := readDrafts(b.Out)
	if err != nil {
		t.Fatal(err)
	}
	imports := 0
	for _, d := range drafts {
		wrong := d
		if d.Answer.Kind == "E5" {
			imports++
			d.Module = &injection.Module{Path: "m.py", Source: []byte(d.Answer.Fault.Intended + " = 1\n")}
			wrong.Module = &injection.Module{Path: "m.py", Source: []byte("def f():\n    global " + d.Answer.Fault.Name + "\n    " + d.Answer.Fault.Name + " = 1\n")}
		} else if d.Answer.Fault != nil {
			fault := *d.Answer.Fault
			fault.Name, fault.ReportLine = fault.Name+"x", fault.ReportLine+1
			wrong.Answer.Fault = &fault
		} else {
			wrong.Question.View += "    1  | print(nobody)\n"
		}
		if got, why := confirmOne(t.Context(), d, confirm); got != confirmedYes {
			t.Errorf("%s: %s, %s", d.Answer.Kind, got, why)
		}
		if got, why := confirmOne(t.Context(), wrong, confirm); got != confirmedNo {
			t.Errorf("%s, wrong: %s, %s", d.Answer.Kind, got, why)
		}
	}
	if len(all.Denied)+len(all.Undetermined) > 0 || all.Confirmed != len(drafts) || imports == 0 {
		t.Errorf("of %d with %d imports: %+v", len(drafts), imports, all)
	}
	fault := &model.BugFault{Name: "total", ReportLine: 2, Error: "UnboundLocalError"}
	for name, tc := range map[string]struct {
		checked python.Checked
		want    confirmed
	}{
		"bytecode says so":            {python.Checked{Early: map[string][]int{"total": {2}}}, confirmedYes},
		"bytecode says another":       {python.Checked{Early: map[string][]int{"total": {3}}}, confirmedNo},
		"bytecode is not known":       {python.Checked{}, confirmedOpen},
		"pyflakes says so":            {python.Checked{Early: map[string][]int{"total": {2}}, Pyflakes: map[string][]int{"total": {2}}}, confirmedYes},
		"pyflakes misses nothing":     {python.Checked{Early: map[string][]int{"total": {2}}, Pyflakes: map[string][]int{}}, confirmedNo},
		"pyflakes misses another too": {python.Checked{Early: map[string][]int{"total": {2}}, Pyflakes: map[string][]int{"total": {2}, "x": {1}}}, confirmedNo},
	} {
		if got, why := confirmNames(&tc.checked, fault, fault.Error); got != tc.want {
			t.Errorf("%s: %s, %s", name, got, why)
		}
	}
}

// Syntax that is newer than the interpreter is undetermined, of every family; the
// same error in a file whose original compiles is a denial.
func TestNewerSyntaxIsUndetermined(t *testing.T) {
	confirm := confirmWith(t)
	const newer = "total = 1\ntry:\n    total = 2\nexcept Later, Newest, of (Python):\n    pass\n"
	draft := func(original, shown, family string, f *model.BugFault, edit model.SourceEdit) bugs.Draft {
		d := bugs.Draft{}
		d.Question.Path, d.Question.View = "a.py", bugs.View(bugs.ModeFile, "a.py", []byte(shown), nil, "", "")
		d.Answer.Family, d.Answer.Fault, d.Answer.HeadBlob, d.Answer.Edits = family, f, bugs.BlobID([]byte(original)), []model.SourceEdit{edit}
		return d
	}
	name := model.BugFault{Name: "totl", Intended: "total", ReportLine: 1, CauseLine: 1, Error: "NameError"}
	space := model.BugFault{ReportLine: 6, CauseLine: 6, Error: "IndentationError"}
	for what, d := range map[string]bugs.Draft{
		"a name":         draft(newer+"print(total)\n", newer+"print(totl)\n", "undeclared_name", &name, model.SourceEdit{Offset: len(newer) + 6, Line: 6, Old: "total", New: "totl"}),
		"an indentation": draft(newer+"print(total)\n", newer+"  print(total)\n", "indentation", &space, model.SourceEdit{Offset: len(newer), Line: 6, New: "  "}),
	} {
		if got, why := confirmOne(t.Context(), d, confirm); got != confirmedOpen {
			t.Errorf("%s: %s, %s", what, got, why)
		}
	}
	for what, d := range map[string]bugs.Draft{
		"a name":         draft("total = 1\n", "total = = 1\n", "undeclared_name", &name, model.SourceEdit{Offset: 7, Line: 1, New: " ="}),
		"an indentation": draft("total = 1\n", "total = = 1\n", "indentation", &space, model.SourceEdit{Offset: 7, Line: 1, New: " ="}),
		"none":           draft("total = 1\n", "total = 2\n", "indentation", &space, model.SourceEdit{Offset: 8, Line: 1, Old: "1", New: "2"}),
	} {
		if got, why := confirmOne(t.Context(), d, confirm); got != confirmedNo {
			t.Errorf("%s, where the original compiles: %s, %s", what, got, why)
		}
	}
}

// Nothing is frozen that a reviewer solves who reads no meaning.
func TestBuild_TooEasy(t *testing.T) {
	b := world.FromCollected(t)
	b.Config.Bugs.Ceilings = cheats.Ceilings{Level: 0.01, MinItems: 1}
	var easy *cheats.TooEasyError
	if _, err := b.Run(t.Context()); !errors.As(err, &easy) {
		t.Errorf("error %v, want one that a ceiling was passed", err)
	}
	if _, err := os.Stat(b.Out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a dataset that is too easy was frozen: %v", err)
	}
}

// A CPython that denies a fault ends the build: it is an internal error.
func TestBuild_Denial(t *testing.T) {
	b := world.FromCollected(t)
	s, err := run.Open(t.Context(), b.Env, b.Config)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Build(t.Context(), s, func(context.Context, string, []byte) (*python.Checked, error) { return &python.Checked{}, nil })
	if err == nil || errors.Is(err, run.ErrPartial) {
		t.Errorf("error: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(b.Out, artifacts.FileManifest)); err == nil {
		t.Error("frozen all the same")
	}
}

// Every pull request has its reason in the audit, and one that is taken down has
// no question.
func TestBugsAuditAndTakedown(t *testing.T) {
	b := world.FromCollected(t)
	report := runBugs(t, b, nil)
	codes := map[verdict.Code]int{}
	for d, err := range load.ReadLines[artifacts.Decision](b.Out, artifacts.FileDecisions) {
		if err != nil {
			t.Fatal(err)
		}
		codes[d.Code]++
	}
	if codes[verdict.NoFittingFile] == 0 {
		t.Errorf("codes: %v", codes)
	}
	for _, st := range report.Funnel.Stages {
		if st.In != st.Pass+st.Reject+st.Undetermined+st.Failed {
			t.Errorf("%s: %+v", st.Stage, st)
		}
	}

	t.Run("explained from the dataset", func(t *testing.T) {
		ref, questions := model.PullRef{}, map[string]bool{}
		for _, a := range answersOf(t, b.Out) {
			if ref.Number == 0 {
				ref = model.PullRef{Repo: model.RepoRef{Owner: "lanternworks", Name: "parcelpost"}, Number: a.PRNumber}
			}
			if a.PRNumber == ref.Number {
				questions[a.QuestionID] = true
			}
		}
		e := &run.Explanation{}
		of := func(repo string, number int) bool { return repo == ref.Repo.String() && number == ref.Number }
		if done, err := explainQuestions(b.Out, e, of, 1); done || err != nil {
			t.Fatal(done, err)
		}
		found, _ := e.Questions.(explained)
		for _, q := range found {
			if !questions[q.Question.QuestionID] {
				t.Errorf("%s is not of %s", q.Question.QuestionID, ref)
			}
		}
		if len(found) != len(questions) {
			t.Errorf("%d questions of %d", len(found), len(questions))
		}
	})
	t.Run("no site", func(t *testing.T) {
		only := world.FromCollected(t)
		only.State = b.State
		only.Config.Bugs.Mode, only.Config.Bugs.MinAdded = "change", 1
		only.Config.Bugs.Quotas.UndeclaredName, only.Config.Bugs.Quotas.Indentation = 0, 0
		report := runBugs(t, only, nil)
		if reasons := reasonsAt(report, verdict.StageInject); reasons[string(verdict.NoSite)] == 0 {
			t.Errorf("reasons: %v", reasons)
		}
		if reasonsAt(report, verdict.StageDraw)[string(verdict.NoSite)] != 0 {
			t.Error("a reason of another stage")
		}
	})
	t.Run("minimums", func(t *testing.T) {
		asked := world.FromCollected(t)
		asked.State = b.State
		asked.Config.Bugs.Quotas.MinPerKind, asked.Config.Bugs.Quotas.UndeclaredName = 1, 3
		report := runBugs(t, asked, nil)
		kinds := map[string]bool{}
		for _, a := range answersOf(t, asked.Out) {
			kinds["kind "+a.Kind] = true
		}
		card, err := os.ReadFile(filepath.Join(asked.Out, artifacts.FileCard))
		if err != nil {
			t.Fatal(err)
		}
		if len(report.Short) < 4 { // of 7 kinds of undeclared names there are 3 at most
			t.Errorf("short: %+v", report.Short)
		}
		for _, g := range report.Short {
			if kinds[g.Group] || !strings.Contains(string(card), fmt.Sprintf("* %s: %d of %d\n", g.Group, g.Have, g.Want)) {
				t.Errorf("%+v; there are %v; the card says\n%s", g, kinds, card)
			}
		}
		if got := verified(t, asked.Out); len(got) != 0 {
			t.Errorf("drawn again: %v", got)
		}
	})
	t.Run("taken down", func(t *testing.T) {
		gone := answersOf(t, b.Out)[0]
		down := world.FromCollected(t, "takedown: {pull_requests: [{name: "+gone.Repo+"#"+strconv.Itoa(gone.PRNumber)+", date: 2026-04-01}]}")
		runBugs(t, down, nil)
		if slices.ContainsFunc(answersOf(t, down.Out), func(a *model.BugAnswer) bool { return a.PRNumber == gone.PRNumber }) {
			t.Error("it has questions still")
		}
		if _, err := os.Stat(filepath.Join(down.Out, artifacts.FileTombstones)); err != nil {
			t.Error(err)
		}
	})
}

func reasonsAt(r *run.Report, stage string) map[string]int {
	for _, st := range r.Funnel.Stages {
		if st.Stage == stage {
			return st.Reasons
		}
	}
	return nil
}

// What became of questions between two datasets is told with its reason.
func TestBugsDiff(t *testing.T) {
	built := func(set func(*runtest.Build), lines ...string) *load.Reader {
		b := world.FromCollected(t, lines...)
		set(b)
		runBugs(t, b, nil)
		r, err := load.Open(b.Out)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	old := built(func(*runtest.Build) {})
	first := answersOf(t, old.Dir)[0]
	against := func(new *load.Reader) *diff.Difference {
		d, err := diff.Compare(old, new)
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Changed)+len(d.Went)+d.Same != len(answersOf(t, old.Dir)) || len(d.Changed)+len(d.Came)+d.Same != len(answersOf(t, new.Dir)) {
			t.Errorf("%d came, %d went, %d changed, %d the same", len(d.Came), len(d.Went), len(d.Changed), d.Same)
		}
		return d
	}
	if d := against(old); len(d.Came)+len(d.Went)+len(d.Changed)+len(d.Settings) > 0 {
		t.Errorf("the same dataset: %+v", d)
	}
	d := against(built(func(b *runtest.Build) { b.Config.Bugs.Seed = 7 }))
	causes := map[string]bool{}
	for _, c := range d.Changed {
		causes[c.Cause] = true
		if len(c.Fields) == 0 || c.Cause == "" {
			t.Errorf("%+v", c)
		}
	}
	if !causes["another kind of fault is drawn"] || !slices.ContainsFunc(d.Settings, func(f diff.FieldChange) bool { return f.Field == "options.seed" && f.New == "7" }) {
		t.Errorf("causes %v, settings %+v", causes, d.Settings)
	}
	d = against(built(func(b *runtest.Build) { b.Config.Bugs.Quotas.Import, b.Config.Bugs.ControlsEvery = 0, 0 }))
	if len(d.Went) == 0 || len(d.Came) > 0 { // another file may have most families now
		t.Errorf("no imports and controls: %d went, %d came", len(d.Went), len(d.Came))
	}
	for _, c := range d.Went {
		if !strings.Contains(c.Why, "is drawn from there, without ") && c.Code != verdict.OverQuestionQuota {
			t.Errorf("%+v", c)
		}
	}
	d = against(built(func(*runtest.Build) {}, "takedown: {pull_requests: [{name: "+first.Repo+"#"+strconv.Itoa(first.PRNumber)+", date: 2026-04-01}]}"))
	if !slices.ContainsFunc(d.Went, func(c diff.Change) bool {
		return strings.HasPrefix(c.Pull, first.Repo+"#"+strconv.Itoa(first.PRNumber)+" ") && strings.Contains(c.Why, "taken down")
	}) {
		t.Errorf("taken down: %+v", d.Went)
	}
}
