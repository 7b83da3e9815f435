package debugging

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/debugging"
	"github.com/prforge/prforge/artifacts/load"
	scripts "github.com/prforge/prforge/injection/debugging"
	"github.com/prforge/prforge/internal/fakegithub"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
	"github.com/prforge/prforge/stages/run/runtest"
)

// drawing is a program that the operators find something in.
func drawing(about string) string {
	code := about + "\nimport math\n\n"
	for _, v := range "abcdefgh" {
		name := string(v)
		code += "value_" + name + " = math.sqrt(" + name + "_source, 1, base=2)\n\nprint(value_" + name + ", open('data.csv'))\n\n"
	}
	return code
}

// scriptsWorld is a GitHub with one repository that has examples, and pull
// requests that change them.
func scriptsWorld(t *testing.T) *fakegithub.Server {
	t.Helper()
	license, err := os.ReadFile("../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	notebook, err := json.Marshal(map[string]any{
		"nbformat": 4, "metadata": map[string]any{"kernelspec": map[string]string{"language": "python"}},
		"cells": []map[string]string{{"cell_type": "markdown", "source": "# Roots in a notebook"}, {"cell_type": "code", "source": drawing("%matplotlib inline")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	const pull = "author: mira\ncreated: 2026-02-0%\nclosed: 2026-02-1%\nby: tomas\n"
	files := map[string]string{
		"world.txtar": "",
		"acme/plots/repo.txtar": "id: 7\nstars: 400\nlanguage: Python\ncreated: 2025-03-03\n-- LICENSE --\n" + string(license) +
			"-- examples/one.py --\n" + drawing(`"""Roots of one."""`) + "-- examples/data.csv --\nx,y\n1,2\n-- plots/__init__.py --\n-- plots/module.py --\n" + drawing("") +
			"-- tests/test_one.py --\n" + drawing("") + "-- notes/roots.ipynb --\n" + string(notebook) + "\n-- notes/data.csv --\nz\n3\n",
		"acme/plots/3.txtar": "title: Draw another root\n" + strings.ReplaceAll(pull, "%", "1") + "-- body --\nb\n-- 1 write examples/new.py --\n" + strings.TrimPrefix(drawing(""), "\n") +
			"-- 1 edit examples/one.py --\n@@\n-\"\"\"Roots of one.\"\"\"\n+\"\"\"Roots of one, and of another.\"\"\"\n",
		"acme/plots/4.txtar": "title: Not wanted\nmethod: closed\n" + strings.ReplaceAll(strings.ReplaceAll(pull, "%", "2"), "by: tomas\n", "") + "-- body --\nb\n-- 1 write examples/closed.py --\n" + drawing(""),
		"acme/plots/5.txtar": "title: Say more\n" + strings.ReplaceAll(pull, "%", "3") + "-- body --\nb\n-- 1 write README.md --\nmore\n-- 1 write plots/module.py --\nprint(1)\n",
	}
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	world, err := fakegithub.ParseWorld(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return fakegithub.ForTest(t, world, fakegithub.Options{})
}

// searching is a build whose scripts come from the merged pull requests of a
// world, and from its repository at the head of one of them.
func searching(t *testing.T, server *fakegithub.Server, dir string) *Build {
	t.Helper()
	pulls, err := config.Parse("prforge.yaml", []byte("version: 1\ndataset: {name: d, freeze_date: 2026-04-15}\nrepositories: [acme/plots]\n"))
	if err != nil {
		t.Fatal(err)
	}
	env := runtest.NewWorld(nil).Demo(t, server, dir).Env
	env.Out = ""
	cfg := DefaultConfig()
	cfg.Dataset.FreezeDate, _ = config.ParseDate("2026-11-01")
	cfg.Quotas = scripts.Quotas{PerScript: 3}
	cfg.Scripts = []ScriptSource{{PullRequests: "prforge.yaml"}}
	return &Build{
		Config: &cfg, Env: run.Env{Host: pipeline.Quiet(2), State: env.State, Out: filepath.Join(dir, "dataset"), CloneURL: env.CloneURL},
		Pulls: func(_ context.Context, file string, use func(*run.Session) error) error {
			if file != "prforge.yaml" {
				t.Errorf("asked for %s", file)
			}
			s, err := run.Open(t.Context(), env, pulls)
			if err != nil {
				return err
			}
			return errors.Join(use(s), s.Close())
		},
		runner: fakePython{scripts: map[string][]byte{
			"one.py": []byte(drawing(`"""Roots of one, and of another."""`)), "new.py": []byte(strings.TrimPrefix(drawing(""), "\n")),
			"roots.py": []byte(drawing("# %matplotlib inline")),
		}},
	}
}

func samplesOf(t *testing.T, dir string) []debugging.Sample {
	t.Helper()
	var out []debugging.Sample
	for s, err := range debugging.Samples(dir) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, *s)
	}
	return out
}

// The dataset of scripts of a repository and a pull request is what it was.
func TestGolden_Scripts(t *testing.T) {
	d := searching(t, scriptsWorld(t), t.TempDir())
	runDebugging(t, d)
	runtest.Golden(t, d.Out, *update)
	if _, err := os.Stat(filepath.Join(d.State, run.ReportFile)); err != nil {
		t.Errorf("the run left no report: %v", err)
	}
}

// Scripts are found in merged pull requests, as they leave them, and in a
// repository at a commit: examples and notebooks, but no modules of packages and
// no tests, each with commit, path and license.
func TestScriptsAreFoundInRepositoriesAndPullRequests(t *testing.T) {
	server := scriptsWorld(t)
	d := searching(t, server, t.TempDir())
	report := runDebugging(t, d)
	heads := map[string]string{} // path -> commit
	for _, s := range samplesOf(t, d.Out) {
		if s.Repo != "acme/plots" || s.PRNumber == nil || *s.PRNumber != 3 || s.License != "Apache-2.0" || len(s.Commit) != 40 || len(s.DataFiles) != 1 {
			t.Errorf("%s: %s #%v at %s, license %s, %d files", s.SampleID, s.Repo, s.PRNumber, s.Commit, s.License, len(s.DataFiles))
		}
		if s.Path == "examples/new.py" && s.Task != "Draw another root" || s.Path == "examples/one.py" && s.Task != "Roots of one, and of another." {
			t.Errorf("%s is for %q", s.Path, s.Task)
		}
		heads[s.Path] = s.Commit
	}
	if report.LookedAt != 2 || len(heads) != 2 {
		t.Fatalf("%d scripts, samples of %v", report.LookedAt, heads)
	}
	codes := map[string]verdict.Code{}
	for line, err := range load.ReadLines[artifacts.Rejection](d.Out, artifacts.FileDecisions) {
		if err != nil {
			t.Fatal(err)
		}
		if line.Kind == artifacts.KindPullRequest && line.Code != "" {
			codes[strconv.Itoa(*line.PRNumber)] = verdict.Code(line.Code)
		}
	}
	if codes["4"] != verdict.NotMerged || codes["5"] != verdict.NoFittingFile {
		t.Errorf("codes %v", codes)
	}
	verified, err := verifyDataset(t.Context(), d.Out, nil)
	if err != nil || !verified.OK() {
		t.Errorf("%+v, error %v", verified, err)
	}
	checkFrom(t, d)

	d = searching(t, server, t.TempDir())
	d.Config.Scripts = []ScriptSource{{Repository: "acme/plots", Commit: heads["examples/one.py"], Paths: []string{"examples/o*.py", "**/*.ipynb", "plots/**", "tests/**"}}}
	d.Config.Licenses = []string{"Apache-2.0"}
	runDebugging(t, d)
	paths := map[string]string{}
	for _, s := range samplesOf(t, d.Out) {
		paths[s.Path] = s.Task
		if s.Commit != heads["examples/one.py"] || s.License != "Apache-2.0" || s.PRNumber != nil || len(s.DataFiles) != 1 {
			t.Errorf("%+v", s)
		}
	}
	if len(paths) != 2 || paths["notes/roots.ipynb"] != "# Roots in a notebook" {
		t.Errorf("samples of %v", paths)
	}
	checkFrom(t, d)

	d = searching(t, server, t.TempDir())
	d.Config.Licenses = []string{"MIT"}
	if r := runDebugging(t, d); r.Records != 0 || stageOf(r, verdict.StageScript).Reasons[string(verdict.LicenseNotListed)] != 2 {
		t.Errorf("%+v", r.Funnel)
	}
}

func stageOf(r *run.Report, name string) verdict.StageCounts {
	for _, s := range r.Funnel.Stages {
		if s.Stage == name {
			return s
		}
	}
	return verdict.StageCounts{}
}

// checkFrom builds a dataset from its own records: the same bytes, and nobody is
// asked.
func checkFrom(t *testing.T, d *Build) {
	t.Helper()
	cfg, err := LoadConfig(filepath.Join(d.Out, debugging.FileConfig), DefaultConfig())
	if err != nil {
		t.Fatal(err)
	}
	from := &Build{Config: cfg, Env: run.Env{Host: pipeline.Quiet(1), State: d.State + "from", Out: d.Out + "from", From: d.Out}}
	runDebugging(t, from)
	sameTree(t, "from its own records", tree(t, d.Out), tree(t, from.Out))
}

// What is taken down is nowhere in the dataset, raw records included; a tombstone
// says that something was.
func TestScriptsAreTakenDown(t *testing.T) {
	server := scriptsWorld(t)
	whole := searching(t, server, t.TempDir())
	runDebugging(t, whole)
	date, err := config.ParseDate("2026-04-16")
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		list  ScriptTakedown
		gone  string // a text that is nowhere
		kind  string
		stays bool // some sample
	}{
		"script":       {ScriptTakedown{Scripts: []config.TakedownEntry{{Name: "acme/plots:examples/new.py", Date: date}}}, "examples/new.py", "script", true},
		"pull request": {ScriptTakedown{PullRequests: []config.TakedownEntry{{Name: "acme/plots#3", Date: date}}}, "examples/one.py", "pull_request", false},
		"repository":   {ScriptTakedown{Repositories: []config.TakedownEntry{{Name: "Acme/Plots", Date: date}}}, "acme/plots", "repository", false},
	} {
		t.Run(name, func(t *testing.T) {
			from := []string{whole.Out}
			if tc.kind == "script" {
				from = append(from, "")
			}
			for _, from := range from {
				d := searching(t, server, t.TempDir())
				d.Config.Takedown, d.From = &tc.list, from
				if from != "" {
					d.runner, d.Pulls = nil, nil
				}
				r := runDebugging(t, d)
				if (r.Records > 0) != tc.stays || runtest.Holds(t, d.Out, tc.gone) {
					t.Errorf("from %q: %d samples, %s in %v", from, r.Records, tc.gone, runtest.Found(t, d.Out, tc.gone))
				}
				tombstones, err := os.ReadFile(filepath.Join(d.Out, artifacts.FileTombstones))
				if err != nil || string(tombstones) != `{"date":"2026-04-16","kind":"`+tc.kind+`"}`+"\n" {
					t.Errorf("tombstones %s, error %v", tombstones, err)
				}
				verified, err := verifyDataset(t.Context(), d.Out, nil)
				if err != nil || !verified.OK() {
					t.Errorf("%+v, error %v", verified, err)
				}
				checkFrom(t, d)
			}
		})
	}
}

func TestPathsOfScripts(t *testing.T) {
	paths := []string{"a.py", "b.txt", "examples/a.py", "examples/deep/b.ipynb", "pkg/__init__.py", "pkg/m.py", "tests/test_a.py", ".ci/run.py", "pkg/scripts/run.py"}
	for _, tc := range []struct {
		patterns []string
		want     string
	}{
		{nil, "a.py examples/a.py examples/deep/b.ipynb pkg/scripts/run.py"},
		{[]string{"examples/*"}, "examples/a.py"},
		{[]string{"examples/**"}, "examples/a.py examples/deep/b.ipynb"},
		{[]string{"**/*.py"}, "a.py examples/a.py pkg/scripts/run.py"},
		{[]string{"*.py", "**/b.*"}, "a.py examples/deep/b.ipynb"},
		{[]string{"examples/a+py", "(", "a?py"}, ""},
	} {
		if got := strings.Join(outsidePackages(paths, matching(paths, tc.patterns)), " "); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.patterns, got, tc.want)
		}
	}
	byFolder := scriptTree{paths: []string{"a.csv", "d/x.csv", "d/e/y.csv", "d/run.py", "d/.hidden", "d/e/f/z.csv"}}.byFolder()
	for script, want := range map[string]string{"run.py": "a.csv d/x.csv", "d/run.py": "e/y.csv x.csv"} {
		if got := strings.Join(named(byFolder, script, []byte("open('a.csv', 'd/x.csv', 'e/y.csv', 'f/z.csv', '.hidden', 'run.py')")), " "); got != want {
			t.Errorf("%s: %q, want %q", script, got, want)
		}
	}
}
