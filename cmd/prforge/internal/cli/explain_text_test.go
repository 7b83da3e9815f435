package cli

import (
	"strings"
	"testing"

	"github.com/prforge/prforge/artifacts"
)

// TestRevisionText: explain says that a description was edited after the review where it
// was, and only there.
func TestRevisionText(t *testing.T) {
	for edited, lines := range map[bool]int{false: 2, true: 3} {
		got := revisionText(artifacts.RevisionEvidence{Kind: "reviewed", Commit: "c", FinalHead: "h", Standing: 2, Reachable: 3, Candidates: 4, Lost: 1, EditedAfterReview: edited})
		if n := strings.Count(got, "\n") + 1; n != lines || strings.Contains(got, "was edited after the review") != edited {
			t.Errorf("edited %v:\n%s", edited, got)
		}
	}
	if got := revisionText(artifacts.RevisionEvidence{Kind: "final", FinalHead: "h", Standing: 2, EditedAfterReview: true}); got != "revision: what was merged, h; substantive comments that stand there: 2" {
		t.Error(got)
	}
}
