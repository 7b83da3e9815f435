package stages

import (
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/fakegithub"
	"github.com/prforge/prforge/internal/verdict"
)

// TestFunnelAndReasonsAgree: what the funnel calls a stage is what docs/reasons.md
// files its codes under.
func TestFunnelAndReasonsAgree(t *testing.T) {
	s, err := demoBuild(t, demoServer(t, fakegithub.Options{}), t.TempDir()).settings()
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
	for _, stage := range stageNames(s) {
		if !reasons[stage] {
			t.Errorf("docs/reasons.md has nothing about %s", stage)
		}
	}
}
