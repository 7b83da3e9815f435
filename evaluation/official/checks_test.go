package official

import (
	"github.com/prforge/prforge/evaluation/internal/python"
)

// checks are the warnings of the harness about a result. They change nothing.
func (r Result) checks() []string {
	var out []string
	for _, rate := range []struct {
		name  string
		value Float
	}{
		{"detection_rate", r.DetectionRate}, {"false_positive_rate", r.FalsePositiveRate},
		{"actionability_score", r.Actionability}, {"semantic_alignment", r.SemanticAlignment},
		{"adjacent_detection_rate", r.AdjacentDetection}, {"precision", r.Precision}, {"recall", r.Recall},
		{"f1_score", r.F1}, {"hallucination_rate", r.Hallucination}, {"redundancy_penalty", r.Redundancy},
		{"plausible_penalty", r.PlausiblePenalty}, {"fallback_penalty", r.FallbackPenalty},
		{"judge_alignment_agreement", r.JudgeAlignmentAgreement},
	} {
		if outside(rate.value) {
			out = append(out, "out_of_range_"+rate.name+": "+python.Float(float64(rate.value)))
		}
	}
	if r.AdjacentDetection != 0 && (r.Config == long("A") || r.Config == long("B")) {
		out = append(out, "D6_nonzero_in_"+r.Config+": "+python.Float(float64(r.AdjacentDetection)))
	}
	if outside(r.Overall) {
		out = append(out, "overall_score_out_of_range: "+python.Float(float64(r.Overall)))
	}
	if r.Caught+r.Missed != r.Humans {
		out = append(out, "human_comment_count_mismatch")
	}
	if r.Confirmed+r.Plausible+r.Fabricated != r.AgentComments {
		out = append(out, "agent_comment_classification_count_mismatch")
	}
	return out
}

func outside(x Float) bool { return x < 0 || x > 1 }

// failures are the checks with what the run adds: an unusable answer of the
// agent, a judge that could not be asked or read.
func (r Result) failures() []string {
	out := r.checks()
	if !r.AgentParseSuccess {
		out = append(out, "agent_parse_failed: "+text(r.AgentParseError))
	}
	if r.JudgeFallback {
		out = append(out, "judge_parse_fallback_used")
	}
	return out
}
