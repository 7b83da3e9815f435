package debugging

import (
	"flag"
	"os"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden_DefaultDebugging compares the defaults of the debugging benchmark
// with what they were.
func TestGolden_DefaultDebugging(t *testing.T) {
	const file = "testdata/golden/debugging.yaml"
	got, err := yaml.Marshal(DefaultConfig())
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
