package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAddRepositoryKeepsCommentsAndOrder(t *testing.T) {
	for name, tc := range map[string]struct{ before, after string }{
		"block": {
			"# ours\nrepositories:\n  - b/b # second\n  - a/a   # first\n\n# dates\ndataset: {freeze_date: 2026-04-15}\n",
			"# ours\nrepositories:\n  - b/b # second\n  - a/a   # first\n  - c/c\n\n# dates\ndataset: {freeze_date: 2026-04-15}\n",
		},
		"flow": {
			"dataset: {freeze_date: 2026-04-15}\nrepositories: [b/b, a/a] # ours\n",
			"dataset: {freeze_date: 2026-04-15}\nrepositories: [b/b, a/a, c/c] # ours\n",
		},
		"last line without an end": {
			"dataset: {freeze_date: 2026-04-15}\nrepositories:\n- b/b",
			"dataset: {freeze_date: 2026-04-15}\nrepositories:\n- b/b\n- c/c\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "prforge.yaml")
			if err := os.WriteFile(path, []byte(tc.before), 0o644); err != nil {
				t.Fatal(err)
			}
			c, err := Load(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := AddRepository(c, "c/c"); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			if err != nil || string(got) != tc.after {
				t.Errorf("got:\n%s\nwant:\n%s", got, tc.after)
			}
			if _, err := AddRepository(c, "A/a"); name != "last line without an end" && (err == nil || !strings.Contains(err.Error(), "listed already")) {
				t.Errorf("a repository was added twice: %v", err)
			}
		})
	}
}

func TestAddRepositoryToTheFileThatIsNamed(t *testing.T) {
	dir := t.TempDir()
	path, list := filepath.Join(dir, "prforge.yaml"), filepath.Join(dir, "list.txt")
	if err := os.WriteFile(path, []byte("dataset: {freeze_date: 2026-04-15}\nrepositories: list.txt\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(list, []byte("# ours\na/a"), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	changed, err := AddRepository(c, "c/c")
	got, _ := os.ReadFile(list)
	if err != nil || changed != list || string(got) != "# ours\na/a\nc/c\n" {
		t.Errorf("%s changed to %q, %v", changed, got, err)
	}
}
