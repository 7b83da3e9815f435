package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/internal/config"
)

// The commented file must say exactly what the defaults are.
func TestTemplateHoldsTheDefaults(t *testing.T) {
	got, err := config.Parse("prforge.yaml", configTemplate)
	if err != nil {
		t.Fatal(err)
	}
	want := config.Default()
	want.File, want.Dir = got.File, got.Dir
	want.Repositories, want.Dataset.FreezeDate = got.Repositories, got.Dataset.FreezeDate
	want.Accounts, want.Takedown = got.Accounts, got.Takedown
	if diff := cmp.Diff(want, *got); diff != "" {
		t.Errorf("prforge.yaml differs from the defaults (-default +file):\n%s", diff)
	}
}
