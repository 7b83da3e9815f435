package escaped

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/snapshot"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/internal/demo"
	"github.com/prforge/prforge/internal/fakegithub"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
	"github.com/prforge/prforge/stages/run/runtest"
)

const withSnapshots = "snapshots: true"

var update = flag.Bool("update", false, "rewrite testdata/manifest.json")

func TestGolden(t *testing.T) { world.Golden(t, *update) }

func TestEscaped_SameBytesHoweverTheRunGoes(t *testing.T) {
	first := world.FromCollected(t, withSnapshots)
	first.Workers, first.Shards = 1, 1
	if report := runtest.RunBuild(t, first); report.Records != 3 {
		t.Fatalf("%d records: the world is not what it was", report.Records)
	}
	want := runtest.ManifestOf(t, first)
	compare := func(t *testing.T, b *runtest.Build) {
		t.Helper()
		runtest.RunBuild(t, b)
		if runtest.ManifestOf(t, b) != want {
			t.Error("another dataset")
		}
	}
	t.Run("three repositories at once, eight workers", func(t *testing.T) {
		b := world.FromCollected(t, withSnapshots)
		b.Workers, b.Shards = 8, 3
		compare(t, b)
	})
	t.Run("cold", func(t *testing.T) { compare(t, world.Demo(t, world.Server(t), t.TempDir(), withSnapshots)) })
	t.Run("warm", func(t *testing.T) {
		b := world.Demo(t, world.Server(t), t.TempDir(), withSnapshots)
		b.State, b.Connect = first.State, runtest.Offline(t)
		compare(t, b)
	})
	t.Run("from its own raw records", func(t *testing.T) {
		b := world.Demo(t, world.Server(t), t.TempDir(), withSnapshots)
		b.From, b.Connect = first.Out, runtest.Offline(t)
		compare(t, b)
	})
	for _, stage := range []string{verdict.StageFilter, verdict.StageContexts} {
		t.Run("interrupted at "+stage, func(t *testing.T) {
			b := world.Demo(t, world.Server(t), t.TempDir(), withSnapshots)
			ctx, cancel := context.WithCancel(t.Context())
			silent := b.Progress
			b.Progress = stopAt{pipeline.Silent{}, stage, cancel}
			if _, err := b.Run(ctx); !errors.Is(err, context.Canceled) {
				t.Fatalf("it was not interrupted: %v", err)
			}
			b.Progress = silent
			compare(t, b)
		})
	}
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

func TestSnapshots_HoldTheShownRevisionAndNothingLater(t *testing.T) {
	b := world.FromCollected(t, withSnapshots)
	runtest.RunBuild(t, b)
	check := func(dir string) *verify.Report {
		t.Helper()
		m, err := load.ReadManifest(dir)
		if err != nil {
			t.Fatal(err)
		}
		report, err := Benchmark().Verify(t.Context(), dir, m)
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	if report := check(b.Out); !report.OK() || len(report.Warnings) > 0 {
		t.Fatalf("%+v", report)
	}
	if card, err := os.ReadFile(filepath.Join(b.Out, "README.md")); err != nil || !strings.Contains(string(card), "kettle | Apache-2.0 | 1 |") {
		t.Errorf("the card lacks the license of a snapshot: %v\n%s", err, card)
	}
	set, err := snapshot.Open(b.Out)
	if err != nil {
		t.Fatal(err)
	}
	answers := answersOf(t, b.Out)
	for id, a := range answers {
		tree := filepath.Join(t.TempDir(), "tree")
		stat, err := set.Checkout(t.Context(), id, tree)
		if err != nil || stat.Head != a.Head || stat.Base != a.Base {
			t.Fatalf("%s: %+v, %v", id, stat, err)
		}
		for _, l := range a.Lines {
			text, err := os.ReadFile(filepath.Join(tree, l.Path))
			if lines := strings.Split(string(text), "\n"); err != nil || lines[l.Line-1] != l.Text {
				t.Errorf("%s: line %d of %s is not the faulty one: %v", id, l.Line, l.Path, err)
			}
		}
		if err := exec.CommandContext(t.Context(), "git", "-C", tree, "cat-file", "-e", a.Fix).Run(); err == nil {
			t.Errorf("%s: the fix is there", id)
		}
	}

	// A control: the check finds what a snapshot does hold.
	some, tree := answers["tidelog__65"], filepath.Join(t.TempDir(), "tree")
	if _, err := set.Checkout(t.Context(), some.QuestionID, tree); err != nil {
		t.Fatal(err)
	}
	raw, err := exec.CommandContext(t.Context(), "git", "-C", tree, "cat-file", "commit", "base").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, parent, _ := strings.Cut(string(raw), "\nparent ")
	for kind, damage := range map[verify.Kind]func(*model.EscapedAnswer){
		verify.SnapshotCommit: func(a *model.EscapedAnswer) { a.Fix = parent[:40] },
		verify.SnapshotText:   func(a *model.EscapedAnswer) { a.Statement = strings.TrimSpace(some.Lines[0].Text) },
		verify.SnapshotIndex:  func(a *model.EscapedAnswer) { a.Head = a.Base },
		faultRecords:          func(a *model.EscapedAnswer) { a.AgeDays++ },
	} {
		c := runtest.CopyOf(t, b.Out)
		runtest.ChangeLines(c, "escaped/answers.jsonl", func(all []*model.EscapedAnswer) []*model.EscapedAnswer {
			for _, a := range all {
				if a.QuestionID == some.QuestionID {
					damage(a)
				}
			}
			return all
		})
		c.Relist()
		found := false
		report := check(c.Dir)
		for _, f := range append(report.Faults, report.Warnings...) {
			found = found || f.Kind == kind && f.Text != ""
		}
		if !found {
			t.Errorf("%s was not found: %+v", kind, report)
		}
	}
}

// A repository under two names gives its records once, and nothing is frozen without a record.
func TestRepositories_TwiceAndWithoutRecords(t *testing.T) {
	b := world.FromCollected(t)
	b.Config.Repositories = config.Repositories{"northgate/teakettle", "northgate/kettle"}
	if report := runtest.RunBuild(t, b); report.Records != 1 {
		t.Errorf("%d records", report.Records)
	}
	b = world.FromCollected(t)
	b.Config.Repositories, b.AllowPartial = config.Repositories{"millbrook/ledgerline"}, false
	if report, err := b.Run(t.Context()); !errors.Is(err, run.ErrEmpty) {
		t.Errorf("%v: %+v", err, report)
	}
}

// What was pushed and written after the approval is not shown.
func TestRevision_ShowsWhatWasApproved(t *testing.T) {
	later, err := demo.Later()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range later.Repos {
		for _, p := range r.Pulls {
			if r.Name == "tidelog" && p.Number == 65 {
				edit := fakegithub.Edit{Kind: fakegithub.Write, Path: "lib/late.js", Content: []byte("late();\n")}
				p.Steps = append(p.Steps, fakegithub.Step{Message: "Late", Edits: []fakegithub.Edit{edit}})
				p.Talk = append(p.Talk, fakegithub.Event{Kind: fakegithub.Push})
				p.FirstBody, p.Body, p.EditedAt = p.Body, "Said too late.", p.ClosedAt.Add(time.Hour)
			}
		}
	}
	before := mirrors
	t.Cleanup(func() { mirrors = before })
	mirrors = t.TempDir()
	server, err := fakegithub.Start(later, fakegithub.Options{Now: runtest.Time.Now, Dir: mirrors})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	b := world.Demo(t, server, t.TempDir())
	b.Config.Repositories, b.AllowPartial, b.Tune = config.Repositories{"quayside/tidelog"}, false, nil
	runtest.RunBuild(t, b)
	if a := answersOf(t, b.Out)["tidelog__65"]; a == nil || a.Revision != revisionReviewed {
		t.Fatalf("%+v", a)
	}
	for q, err := range load.ReadLines[model.EscapedQuestion](b.Out, "escaped/questions.jsonl") {
		if err != nil || strings.Contains(q.Description, "too late") || !strings.HasPrefix(q.Description, "Half of our services") || strings.Contains(q.Diff, "late.js") {
			t.Errorf("%v: %s\n%s", err, q.Description, q.Diff)
		}
	}
}

// Neither a record nor a raw record speaks of a fix whose pull request was taken down.
func TestTakedown_OfTheFixsPullRequest(t *testing.T) {
	const said, takedown = "level is in capitals", "takedown: {pull_requests: [{name: quayside/tidelog#77, date: 2026-10-01}]}"
	if !runtest.Holds(t, world.Built(t).Out, said) {
		t.Fatal("the fix's title is not in the dataset without a takedown: the search finds nothing")
	}
	b := world.FromCollected(t, takedown)
	if report := runtest.RunBuild(t, b); report.Records != 2 {
		t.Errorf("%d records, want those of the two other fixes", report.Records)
	}
	if found := runtest.Found(t, b.Out, said); len(found) > 0 {
		t.Errorf("%v", found)
	}
	again, err := run.Rebuild(t.Context(), b.Env, b.Out, Benchmark().Build)
	if err != nil || len(again.Differ) > 0 {
		t.Errorf("from its own raw records: %v, %v", again, err)
	}
}
