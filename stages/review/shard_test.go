package review

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/stages/run"
	"github.com/prforge/prforge/stages/run/runtest"
)

// TestShardsAreValues stores every shard of the built-in world as JSON and reads
// it back: the same value, and the same selection from it.
func TestShardsAreValues(t *testing.T) {
	build := world.FromCollected(t)
	s, err := run.Open(t.Context(), build.Env, build.Config)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	shards, err := run.EachRepository(context.Background(), s, s.Repositories(), FetchSamples, func(ctx context.Context, ref model.RepoRef) (*Shard, error) {
		return RunRepository(ctx, s, ref)
	})
	if err != nil {
		t.Fatal(err)
	}
	var stored []*Shard
	finals := 0
	for _, sh := range shards {
		data, err := json.Marshal(sh)
		if err != nil {
			t.Fatal(err)
		}
		back := new(Shard)
		if err := json.Unmarshal(data, back); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(back)
		if err != nil || string(again) != string(data) {
			t.Errorf("%s differs when it is read back (%v)", sh.Asked, err)
		}
		finals += len(back.Finalists)
		stored = append(stored, back)
	}
	if finals < 10 {
		t.Errorf("%d finalists: the world is not what it was", finals)
	}
	a, b := Merge(shards), Merge(stored)
	a.SelectPulls(s)
	b.SelectPulls(s)
	if len(a.Releases) == 0 || len(a.Releases) != len(b.Releases) {
		t.Fatalf("%d and %d releases", len(a.Releases), len(b.Releases))
	}
	for i := range a.Releases {
		if a.Releases[i].TaskID != b.Releases[i].TaskID {
			t.Errorf("release %d is %s and %s", i, a.Releases[i].TaskID, b.Releases[i].TaskID)
		}
	}
}

// TestWhatWasMeasuredIsReleased: the best score that a repository could have,
// how much of each layer a context holds, and a share that cannot be reached.
func TestWhatWasMeasuredIsReleased(t *testing.T) {
	b := world.FromCollected(t)
	b.Config.Selection.MinCopyleftShare = 1
	report := runtest.RunBuild(t, b)
	if report.CopyleftShort == 0 {
		t.Error("a share of 100 % was reached")
	}
	for r, err := range load.ReadLines[artifacts.RepositoryAudit](b.Out, artifacts.FileRepositories) {
		if err != nil {
			t.Fatal(err)
		}
		if r.RQS != nil && (r.Best == nil || *r.Best < *r.RQS) {
			t.Errorf("%s: score %v, best %v", r.Repo, r.RQS, r.Best)
		}
	}
	record, _ := runtest.SomeRecord(t, b)
	e, err := load.ReadJSON[artifacts.Evidence](b.Out, artifacts.FileEvidence(record.TaskID))
	if err != nil || len(e.Contexts) != 3 {
		t.Fatalf("contexts %+v, %v", e.Contexts, err)
	}
	if last := e.Contexts[2]; last.Config != "config_C" || len(last.Layers) != 7 || last.Layers[2].Tokens == 0 {
		t.Errorf("%+v", last)
	}
}
