package review

import (
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/stages/run"
)

// TestFunnelAndReasonsAgree: what the funnel calls a stage is what docs/reasons.md
// files its codes under.
func TestFunnelAndReasonsAgree(t *testing.T) {
	b := world.FromCollected(t)
	s, err := run.Rules(b.Env, b.Config)
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]bool{ // those that give no reason of their own
		verdict.StageLabel: true, verdict.StageScore: true, verdict.StageAnchor: true, verdict.StageGrade: true,
	}
	for _, r := range verdict.Reasons() {
		for _, stage := range strings.Split(r.Stage, ", ") {
			reasons[stage] = true
		}
	}
	for _, stage := range stepNames(s) {
		if !reasons[stage] {
			t.Errorf("docs/reasons.md has nothing about %s", stage)
		}
	}
}
