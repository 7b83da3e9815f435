package contextbuilder

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/prforge/prforge/internal/model"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden builds the contexts of a small change in each language.
func TestGolden(t *testing.T) {
	archives, err := filepath.Glob("../internal/languages/*/testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("%d archives: %v", len(archives), err)
	}
	for _, name := range archives {
		language := strings.TrimSuffix(filepath.Base(name), ".txtar")
		if language == "syntax" || language == "imports" {
			continue
		}
		t.Run(language, func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			in := Input{Repo: model.RepoRef{Owner: "example", Name: "shop"}, Title: "Give up sooner", Language: language, PRType: "bug_fix"}
			base := memory{}
			for _, f := range archive.Files {
				switch path, isBase := strings.CutPrefix(f.Name, "base/"); {
				case isBase:
					base[path] = string(f.Data)
				case f.Name == "diff":
					in.Diff = mustParse(t, string(f.Data))
				default:
					in.Description = string(f.Data)
				}
			}
			in.Base, in.FilesChanged = base, len(in.Diff.Files)
			r, err := newTestBuilder(DefaultOptions()).Build(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			for i, c := range []Context{r.A, r.B, r.C} {
				holds(t, c, []int{2000, 2200, 2500}[i])
				checkHunksOf(t, in, c.Rendered)
				file := strings.TrimSuffix(name, "txtar") + string(c.Config) + ".md"
				if *update {
					if err := os.WriteFile(file, []byte(c.Rendered), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if c.Rendered != string(want) {
					t.Errorf("%s differs from %s: look at it, then run with -update", c.Config, file)
				}
			}
			for _, l := range r.C.Layers {
				if !l.Filled && l.Layer != 4 { // in a change so small the layers above show all that 4 would say
					t.Errorf("layer %d is empty", l.Layer)
				}
			}
		})
	}
}
