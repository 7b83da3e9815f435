package stages

import (
	"flag"
	"os"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/internal/config"
	"github.com/prforge/prforge/scoring"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden_DefaultDebugging compares the defaults of the debugging benchmark
// with what they were.
func TestGolden_DefaultDebugging(t *testing.T) {
	const file = "testdata/golden/debugging.yaml"
	got, err := yaml.Marshal(DefaultDebugging())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("other defaults (-before +now):\n%s", d)
	}
}

// TestParametersOfTheSample compares the numbers that the sample dataset is made
// by, which are written out there, with the defaults of the configuration.
func TestParametersOfTheSample(t *testing.T) {
	c := config.Default()
	if d := cmp.Diff(artifactstest.Parameters(), parameters(&c, scoring.DefaultRVSOptions())); d != "" {
		t.Errorf("(-sample +defaults):\n%s", d)
	}
}
