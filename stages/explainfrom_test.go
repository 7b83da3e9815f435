package stages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/stages/config"
)

// Of a pull request that could not be decided a dataset has one verdict, which is said;
// one that was never looked at is something else, and why is said too.
func TestExplainFrom_Undetermined(t *testing.T) {
	dir := frozen(t, artifactstest.Dataset(artifactstest.Tasks()))
	widget := model.RepoRef{Owner: "Acme", Name: "widget"}
	e, err := ExplainFrom(dir, model.PullRef{Repo: widget, Number: 9}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Verdicts) != 1 || e.Verdicts[0].Outcome != verdict.OutcomeUndetermined || e.Verdicts[0].Code != verdict.BaseMissing || e.Verdicts[0].Filter != "base-accessible" {
		t.Errorf("the verdicts are %+v", e.Verdicts)
	}
	for want, ref := range map[string]model.PullRef{
		"acme/quiet#1: the dataset says nothing of it: its repository was left out (rqs_too_low), so it was never looked at":                   {Repo: model.RepoRef{Owner: "acme", Name: "quiet"}, Number: 1},
		"acme/other#1: the dataset says nothing of it: its repository was not looked at":                                                       {Repo: model.RepoRef{Owner: "acme", Name: "other"}, Number: 1},
		"Acme/widget#999: the dataset says nothing of it: it was never looked at: no pull request of this number was merged within the window": {Repo: widget, Number: 999},
	} {
		if _, err := ExplainFrom(dir, ref, 1); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// Of a rejected pull request a dataset has its verdicts, of one that was selected and has
// no record the last of them; a further record is another item.
func TestExplainFrom_Decided(t *testing.T) {
	sample := artifactstest.Dataset(nil)
	number := 8
	decided := func(kind artifacts.Kind, mark, stage string, as artifacts.Fate, code verdict.Code, lines ...artifacts.VerdictLine) artifacts.Rejection {
		return artifacts.Rejection{Verdicts: lines, Decision: artifacts.Decision{Kind: kind, Repo: "acme/widget", PRNumber: &number, Item: mark, Stage: stage, Outcome: as, Code: code}}
	}
	lines := []artifacts.VerdictLine{{Filter: "first", Outcome: verdict.OutcomePass, Evidence: []verdict.Evidence{}},
		{Filter: "merged", Outcome: verdict.OutcomeReject, Code: verdict.NotMerged, Evidence: []verdict.Evidence{}}}
	sample.Decisions = freeze.Seq(decided(artifacts.KindPullRequest, "", "merged", artifacts.Rejected, verdict.NotMerged, lines...),
		decided(artifacts.KindRevision, "@2", "select", artifacts.Selected, ""))
	dir := frozen(t, sample)
	ref := model.PullRef{Repo: model.RepoRef{Owner: "acme", Name: "Widget"}, Number: number}
	e, err := ExplainFrom(dir, ref, 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(lines, e.Verdicts); diff != "" || e.Repository.Repo != "acme/widget" || e.Weights != sample.Manifest.Parameters.RVSWeights {
		t.Errorf("%+v, %+v, verdicts (-want +got):\n%s", e.Repository, e.Weights, diff)
	}
	e, err = ExplainFrom(dir, ref, 2)
	if err != nil || len(e.Verdicts) != 1 || e.Verdicts[0].Filter != "select" || e.Verdicts[0].Outcome != verdict.OutcomePass {
		t.Errorf("a further record: %+v, %v", e, err)
	}
	if _, err := ExplainFrom(dir, ref, 3); err == nil || !strings.Contains(err.Error(), "there was no record 3 of it") {
		t.Errorf("a record that is none: %v", err)
	}
	if _, err := ExplainFrom(dir, model.PullRef{Repo: ref.Repo, Number: 999}, 1); err == nil || !strings.Contains(err.Error(), "it was never looked at") {
		t.Errorf("a pull request that was not looked at: %v", err)
	}
	for _, file := range []string{artifacts.FileDecisions, artifacts.FileRejections, artifacts.FileRecords, artifacts.FileRepositories, artifacts.FileManifest} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte("{\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ExplainFrom(dir, ref, 2); err == nil || strings.Contains(err.Error(), "says nothing") {
			t.Errorf("%s is broken: %v", file, err)
		}
	}
}

// A task id names a record of a pull request.
func TestPullOfTask(t *testing.T) {
	tasks := artifactstest.Tasks()
	dir := frozen(t, artifactstest.Dataset(tasks))
	last := tasks[len(tasks)-1].Record
	ref, record, err := PullOfTask(dir, last.TaskID)
	if err != nil || ref.Repo.String() != last.Repo || ref.Number != last.PRNumber || record != 1 {
		t.Errorf("%v, %d, %v", ref, record, err)
	}
	if _, _, err := PullOfTask(dir, "widget__0"); err == nil || !strings.Contains(err.Error(), "no record has this task id") {
		t.Errorf("a task that is none: %v", err)
	}
	records := filepath.Join(dir, artifacts.FileRecords)
	if err := os.WriteFile(records, []byte("{\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := PullOfTask(dir, last.TaskID); err == nil || strings.Contains(err.Error(), "task id") {
		t.Errorf("records that are broken: %v", err)
	}
	if err := os.Remove(records); err != nil {
		t.Fatal(err)
	}
	if _, _, err := PullOfTask(dir, last.TaskID); err == nil || !strings.Contains(err.Error(), "has no task ids") {
		t.Errorf("no records: %v", err)
	}
}

// frozen freezes a dataset of which the configuration can be read.
func frozen(t *testing.T, d freeze.Dataset) (dir string) {
	t.Helper()
	cfg, err := config.Parse("prforge.yaml", []byte("repositories: [acme/widget]\ndataset: {freeze_date: 2026-04-15}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if d.Config, err = cfg.Canonical(nil); err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "sample")
	if err := freeze.Freeze(t.Context(), dir, d); err != nil {
		t.Fatal(err)
	}
	return dir
}
