package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

const minimal = "repositories: [celery/celery, gofiber/fiber]\ndataset: {freeze_date: 2026-04-15}\n"

func TestDefaultsFillWhatIsNotSaid(t *testing.T) {
	c, err := Parse("x.yaml", []byte(minimal))
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	if c.Window != want.Window || !reflect.DeepEqual(c.Filters, want.Filters) || c.Dataset.Name != want.Dataset.Name {
		t.Errorf("defaults were lost: %+v", c)
	}
	if got := c.Since(); !got.Equal(time.Date(2025, 10, 15, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("Since = %v", got)
	}
	if got := c.Until(); !got.Equal(time.Date(2026, 3, 16, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("Until = %v", got)
	}
	if refs := c.Refs(); len(refs) != 2 || refs[1].String() != "gofiber/fiber" {
		t.Errorf("Refs = %v", refs)
	}
}

func TestFaultsNameFileLineAndKey(t *testing.T) {
	for _, tc := range []struct{ name, yaml, want string }{
		{"unknown key", minimal + "window:\n  monhts: 6\n", "x.yaml:4: window.monhts: unknown key (did you mean window.months?)"},
		{"unknown key in braces", minimal + "rqs: {reviewed_pulls: 3, min_scor: 40}\n", "x.yaml:3: rqs.min_scor: unknown key (did you mean rqs.min_score?)"},
		{"unknown key like none", minimal + "rqs:\n  nonsense: 1\n", "x.yaml:4: rqs.nonsense: unknown key; "},
		{"a key of another mapping", "repositories: [a/b]\nfreezedate: 2026-04-15\n", "x.yaml:2: freezedate: unknown key (did you mean dataset.freeze_date?)"},
		{"wrong type", minimal + "window:\n  months: six\n", "x.yaml:4: window.months: \"six\" is not a whole number"},
		{"wrong type of a group", minimal + "window: six\n", "x.yaml:3: window: \"six\" is not a mapping"},
		{"a number for a group of keys", minimal + "rqs: {min_score: [1]}\n", "rqs.min_score: "},
		{"nothing at all", " \n", "x.yaml: is empty; 'prforge init'"},
		{"a link for a name", "dataset: {freeze_date: 2026-04-15}\nrepositories: [https://github.com/celery/celery]\n", "write celery/celery"},
		{"months without end", minimal + "window: {months: 9999999999}\n", "window.months: is 9999999999; the most possible is 1200"},
		{"takedown without a date", minimal + "takedown:\n  accounts: [{name: x}]\n", "takedown.accounts[0].date: is missing"},
		{"syntax", minimal + "window: {months: 6\n", "x.yaml:"},
		{"no repositories", "dataset: {freeze_date: 2026-04-15}\n", "x.yaml: repositories: is missing"},
		{"no freeze date", "repositories: [a/b]\n", "x.yaml: dataset.freeze_date: is missing"},
		{"bad date", "repositories: [a/b]\ndataset:\n  freeze_date: 15.4.2026\n", `"15.4.2026" is not a date`},
		{"bad repository", "dataset: {freeze_date: 2026-04-15}\nrepositories: [../etc]\n", "x.yaml:2: repositories: "},
		{"bad share", minimal + "filters:\n  max_ai_share: 1.5\n", "x.yaml:4: filters.max_ai_share: is 1.5"},
		{"floor below hard floor", minimal + "rvs:\n  floor: 0.1\n", "x.yaml:4: rvs.floor: is 0.1"},
		{"empty window", minimal + "window:\n  months: 1\n  min_age_days: 60\n", "window: is empty"},
		{"unknown version", minimal + "version: 2\n", "x.yaml:3: version: is 2"},
		{"unknown provider", minimal + "summary: {provider: magic}\n", "summary.provider: \"magic\" is not known"},
		{"endpoint without address", minimal + "encoder: {provider: openai}\n", "encoder.endpoint"},
		{"homepage that is none", "repositories: [a/b]\ndataset: {freeze_date: 2026-04-15, homepage: example.org}\n", "dataset.homepage: \"example.org\" is not the URL"},
		{"license by name", "repositories: [a/b]\ndataset: {freeze_date: 2026-04-15, license: MIT}\n", "dataset.license: \"MIT\" is not the URL"},
		{"unknown tokenizer", minimal + "contexts: {tokenizer: gpt2}\n", "contexts.tokenizer"},
		{"tiny budget", minimal + "contexts: {budgets: {A: 10}}\n", "contexts.budgets.A: is 10"},
		{"a diff of no kind", minimal + "contexts: {diff: all}\n", `contexts.diff: "all" is not known; budget and whole are`},
		{"little around a diff", minimal + "contexts: {around: {A: 100}}\n", "contexts.around.A: is 100"},
		{"falling room around a diff", minimal + "contexts: {around: {A: 600, B: 599, C: 700}}\n", "contexts.around.B: is 599; the least possible is 600"},
		{"falling budgets", minimal + "contexts: {budgets: {A: 3000, B: 2999, C: 16000}}\n", "contexts.budgets.B: is 2999; the least possible is 3000"},
		{"falling budgets of B and C", minimal + "contexts: {budgets: {A: 3000, B: 4000, C: 3999}}\n", "contexts.budgets.C: is 3999; the least possible is 4000"},
		{"a minimum over the quota", minimal + "bugs: {quotas: {per_kind: 2, min_per_kind: 3}}\n", "bugs.quotas.min_per_kind: is 3, more than per_kind, 2"},
		{"pseudonyms without a key", minimal + "privacy: {pseudonyms: true, key_env: \"\"}\n", "privacy.key_env: is missing"},
		{"bad takedown", minimal + "takedown:\n  pull_requests:\n    - {name: dask, date: 2026-01-01}\n", "takedown.pull_requests[0].name"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Parse("x.yaml", []byte(tc.yaml))
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want it to say %q", err, tc.want)
			}
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %q", err)
			}
		})
	}
}

func TestRepositoriesFromAFile(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, "list.txt")
	if err := os.WriteFile(list, []byte("# ours\ndask/dask # python\n\nnetty/netty\nDASK/dask\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := Parse(filepath.Join(dir, "x.yaml"), []byte("repositories: list.txt\ndataset: {freeze_date: 2026-04-15}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if refs := c.Refs(); len(refs) != 2 || refs[0].String() != "dask/dask" {
		t.Errorf("Refs = %v", refs)
	}
	if err := os.WriteFile(list, []byte("dask/dask\nnot a name\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Parse(filepath.Join(dir, "x.yaml"), []byte("repositories: list.txt\ndataset: {freeze_date: 2026-04-15}\n")); err == nil || !strings.Contains(err.Error(), "list.txt:2:") {
		t.Errorf("got %v", err)
	}
	if _, err := Parse(filepath.Join(dir, "x.yaml"), []byte("repositories: ['@file:list.txt']\ndataset: {freeze_date: 2026-04-15}\n")); err == nil || !strings.Contains(err.Error(), "is not a repository") {
		t.Errorf("an entry of a list named a file: %v", err)
	}
}

func TestCanonicalFollowsWhatChangesTheDataset(t *testing.T) {
	canonical := func(text string) string {
		c, err := Parse("x.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		canonical, err := c.Canonical(nil)
		if err != nil {
			t.Fatal(err)
		}
		return string(canonical)
	}
	if canonical(minimal) == canonical(minimal+"filters: {max_added_lines: 801}\n") {
		t.Error("a limit changed and the canonical text did not")
	}
	if canonical(minimal) != canonical(minimal+"github_app: {app_id: 7}\n") {
		t.Error("how to sign in changes no byte of the dataset, but it changed the canonical text")
	}
}

// Editors of some systems put a mark before the text, and save in other encodings.
func TestLoad_Encodings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "prforge.yaml")
	for text, want := range map[string]string{"\ufeff" + minimal: "", minimal + "# caf\xe9\n": "is not UTF-8 text"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
