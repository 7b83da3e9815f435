package review

import (
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/diff"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/fakegithub"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
	"github.com/prforge/prforge/stages/run/runtest"
)

// The property of reviewed mode: every annotated comment stands at head_commit,
// its line is the last one of its hunk, and what is left out stands elsewhere.
func TestAnnotation_CommentsApplyToRevision(t *testing.T) {
	b := world.FromCollected(t)
	runtest.RunBuild(t, b)
	r, err := load.Open(b.Out)
	if err != nil {
		t.Fatal(err)
	}
	if r.Manifest.Profile != "sound" || r.Manifest.Revision != "reviewed" {
		t.Fatalf("profile %q, revision %q", r.Manifest.Profile, r.Manifest.Revision)
	}
	earlier, left, truths := 0, 0, map[int64]bool{}
	for rec, err := range r.Records() {
		if err != nil {
			t.Fatal(err)
		}
		e, err := r.Evidence(rec.TaskID)
		if err != nil {
			t.Fatal(err)
		}
		hidden := 0
		for _, c := range e.Comments {
			if c.Reason != nil && *c.Reason == string(verdict.NotShown) {
				hidden++
			}
		}
		if v := e.Revision; v.Kind != "reviewed" || v.Commit != rec.HeadCommit || v.Base != rec.BaseCommit || v.Standing != rec.NumSubstantiveComments+hidden || v.DescriptionAsOf == nil {
			t.Errorf("%s: %+v for %s", rec.TaskID, v, rec.HeadCommit)
		}
		if e.Revision.FinalHead != rec.HeadCommit {
			earlier++
		}
		diff, err := unidiff.Parse(rec.DiffPatch)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range e.Comments {
			hunk, err := unidiff.ParseExcerpt(c.DiffHunk)
			stands := err == nil && diff.Stands(c.OriginalPath, hunk) == unidiff.Stands
			switch {
			case c.GroundTruth && truths[c.DatabaseID]:
				t.Errorf("%s: comment %d is in two records", rec.TaskID, c.DatabaseID)
			case c.GroundTruth && c.Subject != model.SubjectFile && !(stands && c.Anchor == model.AnchorExact && c.Line != nil && *c.Line == *c.OriginalLine):
				t.Errorf("%s: comment %d does not stand there: anchor %s", rec.TaskID, c.DatabaseID, c.Anchor)
			case c.Reason != nil && *c.Reason == string(verdict.OtherRevision):
				left++
			}
			truths[c.DatabaseID] = truths[c.DatabaseID] || c.GroundTruth
		}
	}
	if earlier == 0 || left == 0 {
		t.Errorf("%d records show an earlier revision, %d comments are of another", earlier, left)
	}
}

func TestRevision_CommitsGone(t *testing.T) {
	one := 1
	it := &run.Item{Candidate: &model.Candidate{
		Pull: &model.PullRequest{Threads: []model.Thread{
			{OriginalLine: &one, Comments: []model.Comment{{ID: 1, OriginalOid: "gone"}}},
			{OriginalLine: &one, Comments: []model.Comment{{ID: 2, OriginalOid: "here"}}},
		}},
		Labels: &model.Labels{Comments: []model.CommentLabel{{CommentID: 1, Substantive: true}, {CommentID: 2, Substantive: true}}},
	}}
	set := &model.RevisionSet{Candidates: []model.RevisionCandidate{{Oid: "here", Source: model.RevisionFromGit, Stands: []int64{2}}, {Oid: "gone", Problem: "not our ref"}}}
	if v := (revisionStage{}).tooFew(it, set, enough(1, 2)); v.Outcome != verdict.OutcomeUndetermined || v.Code != verdict.RevisionUnreachable {
		t.Errorf("a commit is gone: %+v", v)
	}
	set.Candidates[1] = model.RevisionCandidate{Oid: "gone", Source: model.RevisionFromGit}
	if v := (revisionStage{}).tooFew(it, set, enough(1, 2)); v.Outcome != verdict.OutcomeReject || v.Code != verdict.TooFewStanding {
		t.Errorf("every commit is here: %+v", v)
	}
}

// TestFurtherRecords builds with revisions: all: what stands elsewhere becomes a
// further record of its pull request, which is decided, verified, explained,
// compared and built again by itself.
func TestFurtherRecords(t *testing.T) {
	b := world.FromCollected(t)
	b.Config.Repositories = config.Repositories{"quayside/tidelog"}
	runtest.RunBuild(t, b)
	plain := b.Out
	b.Out += "-all"
	b.Config.Revisions = config.RevisionsAll
	runtest.RunBuild(t, b)

	r, err := load.Open(b.Out)
	if err != nil {
		t.Fatal(err)
	}
	before, err := load.Open(plain)
	if err != nil {
		t.Fatal(err)
	}
	diff, err := diff.Compare(before, r)
	if err != nil || len(diff.Came) != 2 || diff.Came[1].Pull != "quayside/tidelog#67@2" || len(diff.Went) > 0 {
		t.Errorf("%v: %+v", err, diff)
	}
	first, err := r.Evidence("tidelog__67")
	if err != nil {
		t.Fatal(err)
	}
	second, err := r.Evidence("tidelog__67@2")
	if err != nil {
		t.Fatal(err)
	}
	if first.Revision.Commit == second.Revision.Commit || len(first.Verdicts) != len(second.Verdicts) {
		t.Errorf("%+v, %+v", first.Revision, second.Revision)
	}
	record := 0
	for i, c := range second.Comments {
		if c.GroundTruth && first.Comments[i].GroundTruth {
			t.Errorf("comment %d is in both", c.DatabaseID)
		}
		if c.Reason != nil && (*c.Reason == string(verdict.OtherRevision) || *c.Reason == string(verdict.OtherRecord)) {
			record++
		}
	}
	if record == 0 {
		t.Error("the second record says nothing of the comments of the first")
	}
	e := &run.Explanation{}
	is := func(repo string, number int) bool { return repo == "quayside/tidelog" && number == 67 }
	if done, err := explainRecord(b.Out, e, is, 2); !done || err != nil || e.Records != 2 || e.Evidence.TaskID != "tidelog__67@2" {
		t.Errorf("explain: %v, %v: %+v", done, err, e)
	}
	report, err := verifyDataset(t.Context(), b.Out, nil)
	if err != nil || !report.OK() {
		t.Errorf("%v: %+v", err, report)
	}
	again, err := run.Rebuild(t.Context(), run.Env{Host: pipeline.Quiet(1)}, b.Out, Build)
	if err != nil || len(again.Differ) > 0 {
		t.Errorf("%v: %+v", err, again)
	}
}

// TestRevisionsThatGitHasNoMore: the API still compares what git lost, and what
// it said is kept, so that nobody is asked when the dataset is built again.
func TestRevisionsThatGitHasNoMore(t *testing.T) {
	decided := func(b *runtest.Build) (artifacts.Decision, string) {
		t.Helper()
		runtest.RunBuild(t, b)
		for d, err := range load.ReadLines[artifacts.Decision](b.Out, artifacts.FileDecisions) {
			if err == nil && d.Name() == "northgate/kettle#212" {
				return *d, runtest.ManifestOf(t, b)
			}
		}
		t.Fatal("#212 was not decided")
		return artifacts.Decision{}, ""
	}
	server := runtest.DemoServer(t, fakegithub.Options{APIKeepsPurged: true})
	b := world.Demo(t, server, t.TempDir())
	b.Config.Repositories = config.Repositories{"northgate/teakettle"}
	b.Config.RVS.HardFloor, b.Config.RVS.Floor = 0, 0
	d, manifest := decided(b)
	if d.Outcome != artifacts.Selected {
		t.Fatalf("%+v", d)
	}
	e, err := load.ReadJSON[artifacts.Evidence](b.Out, artifacts.FileEvidence("kettle__212"))
	if err != nil || e.Diff.Source != model.DiffFromREST || !e.Diff.BaseVerified {
		t.Errorf("%v: %+v", err, e.Diff)
	}

	again := world.Demo(t, server, t.TempDir())
	again.Config, again.From, again.Offline = b.Config, b.Out, true
	if _, same := decided(again); same != manifest {
		t.Error("built again from itself it differs")
	}
	plain := world.FromCollected(t)
	plain.Config.RVS.HardFloor, plain.Config.RVS.Floor = 0, 0
	if d, _ := decided(plain); d.Outcome != artifacts.Undetermined || d.Code != verdict.RevisionUnreachable {
		t.Errorf("without the API: %+v", d)
	}
}

// TestAtRevision: what was answered before the revision is no comment of another.
func TestAtRevision(t *testing.T) {
	labels := &model.Labels{Substantive: 4}
	for id := range int64(4) {
		labels.Comments = append(labels.Comments, model.CommentLabel{CommentID: id + 1, Substantive: true})
	}
	r := &model.Reviewed{Candidate: model.RevisionCandidate{Stands: []int64{1, 2, 3}}, Standing: []int64{1}, Answered: []int64{2}}
	got := atRevision(labels, r)
	want := []verdict.Code{"", verdict.AnsweredBefore, verdict.OtherRecord, verdict.OtherRevision}
	for i, c := range got.Comments {
		if c.Reason != string(want[i]) {
			t.Errorf("comment %d: %q, want %q", c.CommentID, c.Reason, want[i])
		}
	}
	if got.Substantive != 1 {
		t.Errorf("%d are left", got.Substantive)
	}
}
