package filters

import (
	"testing"
	"time"

	"github.com/prforge/prforge/filters/authorship"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// one finds a filter by its id.
func one(t testing.TB, id string) Filter {
	t.Helper()
	registry, err := authorship.New(authorship.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range All(registry, DefaultOptions()) {
		if f.ID() == id {
			return f
		}
	}
	t.Fatalf("no filter %q", id)
	return nil
}

// sound is a candidate that passes all ten filters.
func sound() *model.Candidate {
	merged := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	share := 0.0
	c := &model.Candidate{
		Repo: &model.Repository{Ref: model.RepoRef{Owner: "acme", Name: "app"}},
		Pull: &model.PullRequest{
			Title: "Close the file", State: model.Merged, MergedAt: &merged, Author: model.Account{Login: "jane", Type: model.User},
			Additions: 1, Deletions: 1, ChangedFiles: 1, Files: []model.ChangedFile{{Path: "src/app.go"}},
		},
		Labels: &model.Labels{Substantive: 2, AIShare: &share},
		Diff: &model.Diff{Source: model.DiffFromREST, Text: "diff --git a/src/app.go b/src/app.go\nindex 1111111..2222222 100644\n" +
			"--- a/src/app.go\n+++ b/src/app.go\n@@ -1 +1 @@\n-a\n+b\n"},
		Base:    &model.Base{ForkPoint: "0123456789012345678901234567890123456789", Verified: true, Method: "merge-base"},
		Sources: true,
		RVS:     &model.RVS{Score: 0.5},
	}
	c.SetDiff(c.Diff)
	return c
}

// check is one row of a filter's table.
type check struct {
	name    string
	change  func(*model.Candidate)
	outcome verdict.Outcome
	code    verdict.Code
}

// table runs a filter over changes of a sound candidate, which must pass, and
// asks for evidence and a sentence in every verdict that is not a pass.
func table(t *testing.T, id string, rows []check) {
	t.Helper()
	f := one(t, id)
	if v := f.Check(sound()); v.Outcome != verdict.OutcomePass {
		t.Fatalf("a sound candidate: %+v", v)
	}
	for _, row := range rows {
		c := sound()
		row.change(c)
		c.SetDiff(c.Diff)
		v := f.Check(c)
		if v.Outcome != row.outcome || v.Code != row.code {
			t.Errorf("%s: %s %s (%s), want %s %s", row.name, v.Outcome, v.Code, v.Detail, row.outcome, row.code)
		}
		if v.Outcome != verdict.OutcomePass && v.Detail == "" {
			t.Errorf("%s: no detail", row.name)
		}
	}
}

// files replaces the changed files.
func files(paths ...string) func(*model.Candidate) {
	return func(c *model.Candidate) {
		c.Pull.Files = nil
		for _, p := range paths {
			c.Pull.Files = append(c.Pull.Files, model.ChangedFile{Path: p})
		}
		c.Pull.ChangedFiles = len(paths)
	}
}

// without names a list that GitHub did not give whole.
func without(list string) func(*model.Candidate) {
	return func(c *model.Candidate) { c.Pull.Incomplete = append(c.Pull.Incomplete, list) }
}

// TestOrder checks the list against spec section 5.
func TestOrder(t *testing.T) {
	want := []string{"merged", "substantive-comments", "non-test-change", "not-docs-only", "not-dependency-update",
		"not-ai-dominated", "diff-parseable", "base-accessible", "repository-public", "review-value"}
	registry, err := authorship.New(authorship.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := All(registry, DefaultOptions())
	if len(all) != len(want) {
		t.Fatalf("%d filters, want %d", len(all), len(want))
	}
	for i, f := range all {
		if f.ID() != want[i] {
			t.Errorf("filter %d is %s, want %s", i+1, f.ID(), want[i])
		}
		if v := f.Check(sound()); v.Outcome != verdict.OutcomePass {
			t.Errorf("%s on a sound candidate: %+v", f.ID(), v)
		}
	}
}

// TestNothingCollected gives every filter a candidate of which only the pull
// request itself is known: none may pass silently what it cannot see.
func TestNothingCollected(t *testing.T) {
	registry, err := authorship.New(authorship.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range All(registry, DefaultOptions()) {
		c := &model.Candidate{Pull: sound().Pull}
		v := f.Check(c)
		switch f.ID() {
		case "merged", "non-test-change", "not-docs-only", "not-dependency-update":
			if v.Outcome != verdict.OutcomePass {
				t.Errorf("%s: %+v", f.ID(), v)
			}
		default:
			if v.Outcome != verdict.OutcomeUndetermined || v.Code == "" {
				t.Errorf("%s: %+v, want undetermined", f.ID(), v)
			}
		}
	}
}
