package stages

import (
	"testing"

	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/stages/config"
)

// Of a pull request that could not be decided a dataset has one verdict, which is said;
// one that was never looked at is something else, and why is said too.
func TestExplainFrom_Undetermined(t *testing.T) {
	dir := t.TempDir() + "/sample"
	sample := artifactstest.Dataset(artifactstest.Tasks())
	cfg, err := config.Parse("prforge.yaml", []byte("repositories: [acme/widget]\ndataset: {freeze_date: 2026-04-15}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if sample.Config, err = cfg.Canonical(nil); err != nil {
		t.Fatal(err)
	}
	if err := freeze.Freeze(t.Context(), dir, sample); err != nil {
		t.Fatal(err)
	}
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
