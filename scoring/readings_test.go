package scoring

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/prforge/prforge/internal/model"
)

// reading is one public comment as a person read it: whether the code under it
// was changed in answer before the merge, with the state that CommentStates gave
// on the public world. The reader saw comment, replies and both versions of the
// code, and no state.
type reading struct {
	CommentID int64           `json:"comment_id"`
	Pull      string          `json:"pull"`
	Reading   string          `json:"reading"` // addressed, standing
	Elsewhere bool            `json:"elsewhere"`
	State     model.CodeState `json:"state"`
	Why       string          `json:"why"`
}

// TestReadings holds docs/ground-truth.md to the figures of the readings.
func TestReadings(t *testing.T) {
	f, err := os.Open("testdata/readings.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seen := map[int64]bool{}
	var both, missed, wrong, neither, told int
	for s := bufio.NewScanner(f); s.Scan(); {
		var r reading
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if seen[r.CommentID] || r.Why == "" || r.Reading != "addressed" && r.Reading != "standing" {
			t.Errorf("%+v", r)
		}
		seen[r.CommentID] = true
		if r.State.Addressed() || r.State.Standing() {
			told++
		}
		switch read := r.Reading == "addressed"; {
		case read && r.State.Addressed():
			both++
		case read:
			missed++
		case r.State.Addressed():
			wrong++
		default:
			neither++
		}
	}
	n := float64(both + missed + wrong + neither)
	observed := float64(both+neither) / n
	expected := (float64((both+wrong)*(both+missed)) + float64((missed+neither)*(wrong+neither))) / (n * n)
	got := fmt.Sprintf("%d comments, %d told; precision %d/%d, recall %d/%d, kappa %.2f",
		both+missed+wrong+neither, told, both, both+wrong, both, both+missed, (observed-expected)/(1-expected))
	if want := "61 comments, 51 told; precision 39/39, recall 39/49, kappa 0.61"; got != want {
		t.Errorf("got %s; docs/ground-truth.md says %s", got, want)
	}
}
