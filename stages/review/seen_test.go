package review

import (
	"strconv"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/convert"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/verdict"
)

// What raw records say of a released pull request's comments is what its
// evidence says; so it can be believed of the rejected ones, which have none.
func TestRawLabelsAreThoseOfTheEvidence(t *testing.T) {
	b := world.Built(t)
	raw, err := Raw(b.Out)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]*convert.Seen{}
	for f, err := range raw {
		if err != nil {
			t.Fatal(err)
		}
		if f.Seen != nil {
			seen[f.Seen.Repo+"#"+strconv.Itoa(f.Seen.Number)] = f.Seen
		}
	}
	for f := range raw { // a reader that stops early gets no more
		if f.Seen != nil {
			break
		}
	}
	r, err := load.Open(b.Out)
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]int{}
	for task, err := range r.Tasks() {
		if err != nil {
			t.Fatal(err)
		}
		s := seen[task.Record.Repo+"#"+strconv.Itoa(task.Record.PRNumber)]
		if s == nil || len(s.Comments) != len(task.Evidence.Comments) {
			t.Fatalf("%s: the raw records say %+v", task.Record.TaskID, s)
		}
		for i, want := range task.Evidence.Comments {
			if reasonOf(want) == string(verdict.NotShown) {
				continue // the contexts say so, not the raw records
			}
			if got := s.Comments[i]; got.GroundTruth != want.GroundTruth || reasonOf(got) != reasonOf(want) {
				t.Errorf("%s, %d: %v %s, the evidence says %v %s", task.Record.TaskID, want.DatabaseID, got.GroundTruth, reasonOf(got), want.GroundTruth, reasonOf(want))
			}
			reasons[reasonOf(want)]++
		}
	}
	if reasons[string(verdict.OtherRevision)] == 0 {
		t.Errorf("no comment stands at another revision: %v", reasons)
	}
}

func reasonOf(c artifacts.EvidenceComment) string {
	if c.Reason == nil {
		return ""
	}
	return *c.Reason
}
