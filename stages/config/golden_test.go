package config

import (
	"flag"
	"os"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden_Profiles compares the whole configuration that a profile gives
// without any other key with what it was.
func TestGolden_Profiles(t *testing.T) {
	for _, profile := range []string{sound, published} {
		t.Run(profile, func(t *testing.T) {
			c, err := Parse("prforge.yaml", []byte(minimal+"profile: "+profile+"\n"))
			if err != nil {
				t.Fatal(err)
			}
			got, err := yaml.Marshal(c)
			if err != nil {
				t.Fatal(err)
			}
			file := "testdata/golden/" + profile + ".yaml"
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
		})
	}
}
