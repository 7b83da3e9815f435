package cli

import (
	"strings"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/stages/run"
)

func TestScoreText_NotComputed(t *testing.T) {
	e := &artifacts.Evidence{Language: "Go", PRType: artifacts.ValueEvidence{Value: "bug_fix"}}
	for _, c := range []struct {
		missing []string
		want    string
	}{
		{[]string{run.NoScores, run.NoGrade}, "review value: not computed\ndifficulty, type and language: not computed"},
		{[]string{run.NoScores}, "review value: not computed\ndifficulty ; type bug_fix (); language Go"},
	} {
		if got := scoreText(&run.Explanation{Evidence: e, NotComputed: c.missing}); got != c.want {
			t.Errorf("%v: %q", c.missing, got)
		}
	}
	if got := scoreText(&run.Explanation{Evidence: e, NotComputed: []string{run.NoGrade}}); !strings.HasPrefix(got, "review value 0.000 = ") || !strings.HasSuffix(got, "not computed") {
		t.Errorf("a score that was computed: %q", got)
	}
}

// Only a released pull request has ground truth.
func TestCommentText_WouldBe(t *testing.T) {
	var c artifacts.EvidenceComment
	c.GroundTruth = true
	for released, want := range map[bool]string{true: "  ground truth ", false: "  would be ground truth "} {
		if got := commentText(1, 1, c, released); !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
}
