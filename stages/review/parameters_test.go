package review

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/scoring"
	"github.com/prforge/prforge/stages/config"
)

// TestParametersOfTheSample compares the numbers that the sample dataset is made
// by, which are written out there, with the defaults of the configuration, but
// that its contexts keep to budgets and its records have two comments.
func TestParametersOfTheSample(t *testing.T) {
	c := config.Default()
	c.Contexts.Diff, c.Filters.MinSubstantiveComments = config.DiffBudget, 2
	if d := cmp.Diff(artifactstest.Parameters(), parameters(&c, scoring.DefaultRVSOptions())); d != "" {
		t.Errorf("(-sample +defaults):\n%s", d)
	}
}
