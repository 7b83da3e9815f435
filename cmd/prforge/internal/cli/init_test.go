package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/cmd/prforge/internal/cli/topics"
	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/debugging"
)

func TestDebuggingTemplateHoldsTheDefaults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "debugging.yaml")
	if err := os.WriteFile(path, topics.Debugging, 0o644); err != nil {
		t.Fatal(err)
	}
	want := debugging.DefaultConfig()
	got, err := debugging.LoadConfig(path, debugging.Config{})
	if err != nil {
		t.Fatal(err)
	}
	want.File, want.Dir, want.Scripts, want.Dataset.FreezeDate = got.File, got.Dir, got.Scripts, got.Dataset.FreezeDate
	if diff := cmp.Diff(want, *got); diff != "" {
		t.Errorf("debugging.yaml differs from the defaults (-default +file):\n%s", diff)
	}
	for _, key := range []string{"injector:", "takedown:", "licenses:", "pull_requests: prforge.yaml", "commit:", "paths:"} {
		if !strings.Contains(string(topics.Debugging), key) {
			t.Errorf("debugging.yaml says nothing of %s", key)
		}
	}
}

// The commented file must say exactly what the defaults are.
func TestTemplateHoldsTheDefaults(t *testing.T) {
	got, err := config.Parse("prforge.yaml", topics.Config)
	if err != nil {
		t.Fatal(err)
	}
	want := config.Default()
	want.File, want.Dir = got.File, got.Dir
	want.Repositories, want.Dataset.FreezeDate = got.Repositories, got.Dataset.FreezeDate
	want.Accounts, want.Takedown = got.Accounts, got.Takedown
	if diff := cmp.Diff(want, *got, cmp.Comparer(func(a, b *languages.Set) bool { return slices.Equal(a.Families(), b.Families()) })); diff != "" {
		t.Errorf("prforge.yaml differs from the defaults (-default +file):\n%s", diff)
	}

	team := strings.Replace(string(topics.Config), "repositories_visibility: public", "repositories_visibility: any", 1)
	if got, err = config.Parse("prforge.yaml", []byte(team)); err != nil || !got.Privacy.Pseudonyms {
		t.Errorf("with repositories_visibility: any in prforge.yaml names are no pseudonyms: %v", err)
	}
}

// The configuration for the paper's repositories says what prforge understands, and asks for the paper's questions.
func TestPaperConfiguration(t *testing.T) {
	name := filepath.Join("..", "..", "..", "..", "docs", "pull-requests-with-bugs.yaml")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := config.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	if q := c.Bugs.Quotas; len(c.Repositories) != 2 || q.UndeclaredName != 30 || q.Indentation != 30 || q.Import+q.Logic != 0 || c.Bugs.Ceilings.Own["pyflakes"] != 0 {
		t.Errorf("read as %v, %+v, %+v", c.Repositories, q, c.Bugs.Ceilings)
	}
}
