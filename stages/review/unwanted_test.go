package review

import (
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

func TestUnwanted(t *testing.T) {
	question, finding := string(verdict.BareQuestion), string(verdict.TooFewWords)
	for name, tc := range map[string]struct {
		reason *string
		state  model.CodeState
		valid  model.Validation
		want   bool
	}{
		"nothing came of it":            {&question, model.StateUntouched, model.ValidNone, true},
		"refused":                       {&question, model.StateFar, model.ValidDeclined, true},
		"acted on":                      {&question, model.StateEdited, model.ValidEdited, false},
		"its file left, as agreed":      {&question, model.StateFileGone, model.ValidEditedAcknowledged, false},
		"agreed to":                     {&question, model.StateUntouched, model.ValidAcknowledged, false},
		"too short to be a finding":     {&finding, model.StateUntouched, model.ValidNone, false},
		"a finding of the ground truth": {nil, model.StateUntouched, model.ValidNone, false},
	} {
		k := artifacts.EvidenceComment{Reason: tc.reason, CodeState: &tc.state, Validation: &tc.valid}
		if got := unwanted(&k); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
