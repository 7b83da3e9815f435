package stages

import (
	"testing"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/internal/fakegithub"
)

// The reference reviewers have on a built dataset the results that they are
// made for, and the questions give nothing of the key away.
func TestBugsAreEvaluated(t *testing.T) {
	r := demoBuild(t, demoServer(t, fakegithub.Options{}), t.TempDir())
	report := runBugs(t, r, nil)
	b, items, err := openBenchmark(r.Out)
	if err != nil || len(items) != report.Records || b.Name() != "bugs" {
		t.Fatalf("%d items of %d, error %v", len(items), report.Records, err)
	}
	sum := map[string]map[string]evaluation.Rate{}
	imports := 0
	for _, it := range items {
		if it.Groups["family"] == "import" {
			imports++
		}
		for _, name := range b.References() {
			text, err := b.Refer(name, it)
			if err != nil {
				t.Fatal(err)
			}
			score, err := b.Score(it, "", b.Read(it, text), nil)
			if err != nil {
				t.Fatal(err)
			}
			if sum[name] == nil {
				sum[name] = map[string]evaluation.Rate{}
			}
			for metric, rate := range score.Rates {
				s := sum[name][metric]
				sum[name][metric] = evaluation.Rate{N: s.N + rate.N, Of: s.Of + rate.Of}
			}
		}
	}
	if imports == 0 {
		t.Error("the dataset has no fault that a linter of one file does not see")
	}
	oracle, linter := sum["oracle"]["strict"], sum["linter"]["strict"]
	if oracle.N != oracle.Of || oracle.Of == 0 || sum["oracle"]["alarmed_controls"].N != 0 {
		t.Errorf("oracle: %+v", sum["oracle"])
	}
	if linter.N != oracle.N-imports {
		t.Errorf("linter finds %d of %d, with %d imports", linter.N, linter.Of, imports)
	}
	if sum["silent"]["credit"].N != 0 || sum["raises"]["credit"].N != 0 || sum["raises"]["alarmed_controls"].N != 0 {
		t.Errorf("silent: %+v, raises: %+v", sum["silent"], sum["raises"])
	}
	if c := sum["shotgun"]["alarmed_controls"]; c.N != c.Of || c.Of == 0 {
		t.Errorf("shotgun: %+v", sum["shotgun"])
	}
}
