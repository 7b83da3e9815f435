package diff

import (
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/verdict"
)

// TestWhy names the nearest decision about a record that is not there: its own, its
// script's, its repository's.
func TestWhy(t *testing.T) {
	decided := func(stage string) artifacts.Decision {
		return artifacts.Decision{Stage: stage, Outcome: artifacts.Rejected, Code: verdict.BelowFloor}
	}
	c := &contents{
		chosen:    map[string]bool{"o/r#1": true},
		decisions: map[string]artifacts.Decision{"o/r#2": decided("select"), "o/r": decided("quality"), "plots": decided("baseline"), "o/r#4": {Stage: "x", Outcome: artifacts.Rejected, Code: "c", Detail: "said"}},
	}
	for name, want := range map[string]string{
		"o/r#1 import": "its pull request is drawn from there, without import: the evidence of its other questions and the quotas say why",
		"o/r#2 import": "rejected at select: below_inclusion_floor",
		"o/r#2":        "rejected at select: below_inclusion_floor",
		"o/r#3":        "its repository was rejected at quality: below_inclusion_floor",
		"o/r#4":        "rejected at x: c (said)",
		"o/r":          "rejected at quality: below_inclusion_floor",
		"plots__2":     "rejected at baseline: below_inclusion_floor",
		"o/other#1":    "otherwise",
	} {
		if got := c.why(name, "otherwise"); got.Why != want || got.Pull != name {
			t.Errorf("%s: %q, want %q", name, got.Why, want)
		}
	}
}
