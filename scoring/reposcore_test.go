package scoring

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/internal/verdict"
)

// points scores one part of otherwise unknown facts; -1 when it is missing.
func points(t *testing.T, facts RepositoryFacts, name string) float64 {
	t.Helper()
	for _, p := range ScoreRepository(facts, DefaultRepositoryScoreOptions()).Parts {
		if p.Name != name {
			continue
		}
		if p.Points == nil {
			if p.Note == "" {
				t.Errorf("%s is missing without a reason", name)
			}
			return -1
		}
		if *p.Points < p.Max && p.Note == "" {
			t.Errorf("%s: %f of %f points and no word on what would raise it", name, *p.Points, p.Max)
		}
		return *p.Points
	}
	t.Fatalf("no part %s", name)
	return 0
}

func TestRQSParts(t *testing.T) {
	type test struct {
		facts RepositoryFacts
		want  float64
	}
	comments := func(all, good int) RepositoryFacts {
		return RepositoryFacts{Comments: &CommentSample{Pulls: 30, Comments: all, Substantive: good}}
	}
	tests := map[string][]test{
		"review_culture": {{RepositoryFacts{}, -1}, {comments(0, 0), 0}, {comments(100, 0), 0}, {comments(100, 25), 15}, {comments(100, 49), 29.4}, {comments(100, 50), 30}, {comments(100, 51), 30}},
		"pr_recency":     {{RepositoryFacts{}, -1}, {RepositoryFacts{RecentPulls: ptr(0)}, 0}, {RepositoryFacts{RecentPulls: ptr(29)}, 24.17}, {RepositoryFacts{RecentPulls: ptr(30)}, 25}, {RepositoryFacts{RecentPulls: ptr(31)}, 25}},
		"pr_volume":      {{RepositoryFacts{}, -1}, {RepositoryFacts{MonthlyPulls: ptr(0.0)}, 0}, {RepositoryFacts{MonthlyPulls: ptr(10.0)}, 7.5}, {RepositoryFacts{MonthlyPulls: ptr(20.0)}, 15}, {RepositoryFacts{MonthlyPulls: ptr(99.0)}, 15}},
		"contamination": {{RepositoryFacts{}, -1}, {RepositoryFacts{Stars: ptr(0)}, 10}, {RepositoryFacts{Stars: ptr(9)}, 8}, {RepositoryFacts{Stars: ptr(99_999)}, 0}, {RepositoryFacts{Stars: ptr(100_000)}, 0}, {RepositoryFacts{Stars: ptr(1_000_000)}, 0},
			{RepositoryFacts{Stars: ptr(4348)}, 2.72}},
	}
	for name, cases := range tests {
		for _, tt := range cases {
			if got := points(t, tt.facts, name); got != tt.want {
				t.Errorf("%s of %+v: %g, want %g", name, tt.facts, got, tt.want)
			}
		}
	}
}

func TestRQSTestQuality(t *testing.T) {
	tree := func(tests, sources int, more ...string) *TreeFacts {
		tf := &TreeFacts{Paths: more, Configs: map[string]string{}}
		for i := range tests {
			tf.Paths = append(tf.Paths, fmt.Sprintf("tests/test_%d.py", i))
		}
		for i := range sources - tests {
			tf.Paths = append(tf.Paths, fmt.Sprintf("app/file_%d.py", i))
		}
		return tf
	}
	with := func(tf *TreeFacts, path, text string) *TreeFacts {
		tf.Paths = append(tf.Paths, path)
		tf.Configs[path] = text
		return tf
	}
	tests := []struct {
		name                string
		tree                *TreeFacts
		files, ci, coverage float64
	}{
		{"unknown", nil, -1, -1, -1},
		{"nothing", tree(0, 0), 0, 0, 0},
		{"no tests", tree(0, 100), 0, 0, 0},
		{"one test", tree(1, 100), 4, 0, 0},
		{"below the share", tree(4, 100), 4, 0, 0},
		{"at the share", tree(5, 100), 8, 0, 0},
		{"vendored and docs do not count", tree(5, 100, "vendor/a.go", "docs/a.md", "data.json"), 8, 0, 0},
		{"workflow, unread", tree(5, 100, ".github/workflows/test.yml"), 8, 7, -1},
		{"workflow, no coverage", with(tree(5, 100), ".github/workflows/test.yml", "run: go test ./..."), 8, 7, 0},
		{"workflow, coverage", with(tree(5, 100), ".github/workflows/test.yml", "run: go test -coverprofile=c.out ./..."), 8, 7, 5},
		{"coverage file", tree(0, 0, ".coveragerc"), 0, 0, 5},
		{"codecov file", tree(0, 0, ".github/codecov.yml"), 0, 0, 5},
		{"pyproject", with(tree(0, 0), "pyproject.toml", "[tool.coverage.run]\nbranch = true"), 0, 0, 5},
		{"package.json", with(tree(0, 0), "package.json", `{"scripts": {"test": "nyc mocha"}}`), 0, 0, 5},
		{"vitest", with(tree(0, 0), "package.json", `{"devDependencies": {"@vitest/coverage-v8": "1"}}`), 0, 0, 5},
		{"pom", with(tree(0, 0), "pom.xml", "<artifactId>jacoco-maven-plugin</artifactId>"), 0, 0, 5},
		{"the word alone is no tool", with(tree(0, 0), "package.json", `{"description": "great coverage of everything"}`), 0, 0, 0},
		{"travis", with(tree(0, 0), ".travis.yml", "script: make"), 0, 7, 0},
		{"circle", with(tree(0, 0), ".circleci/config.yml", "version: 2"), 0, 7, 0},
		{"a workflow of a fixture is none", tree(0, 0, "tests/data/.github/workflows/x.yml"), 0, 0, 0},
	}
	for _, tt := range tests {
		facts := RepositoryFacts{Tree: tt.tree}
		if f, ci, c := points(t, facts, "test_files"), points(t, facts, "ci_configuration"), points(t, facts, "coverage_tooling"); f != tt.files || ci != tt.ci || c != tt.coverage {
			t.Errorf("%s: %g %g %g, want %g %g %g", tt.name, f, ci, c, tt.files, tt.ci, tt.coverage)
		}
	}
}

func TestRQSMaximaAndGate(t *testing.T) {
	full := RepositoryFacts{Comments: &CommentSample{30, 10, 10}, RecentPulls: ptr(100), MonthlyPulls: ptr(100.0), Stars: ptr(0),
		Tree: &TreeFacts{Paths: []string{"a.go", "a_test.go", ".travis.yml", ".coveragerc"}}}
	if r := ScoreRepository(full, DefaultRepositoryScoreOptions()); r.Score != 100 || r.Best != 100 || len(r.Missing) != 0 {
		t.Errorf("full marks are %g of %g, missing %v", r.Score, r.Best, r.Missing)
	}
	tests := []struct {
		name    string
		facts   RepositoryFacts
		outcome verdict.Outcome
		code    verdict.Code
	}{
		{"full", full, verdict.OutcomePass, ""},
		{"nothing known", RepositoryFacts{}, verdict.OutcomeUndetermined, verdict.RepositoryScoreMissing},
		{"at the limit", RepositoryFacts{Comments: &CommentSample{30, 100, 50}, RecentPulls: ptr(30), MonthlyPulls: ptr(0.0), Stars: ptr(100_000), Tree: &TreeFacts{Paths: []string{"a.go", ".coveragerc"}}}, verdict.OutcomePass, ""},
		{"below the limit", RepositoryFacts{Comments: &CommentSample{30, 100, 49}, RecentPulls: ptr(30), MonthlyPulls: ptr(0.0), Stars: ptr(100_000), Tree: &TreeFacts{Paths: []string{"a.go", ".coveragerc"}}}, verdict.OutcomeReject, verdict.RepositoryScoreTooLow},
		{"enough without what is missing", RepositoryFacts{Comments: &CommentSample{30, 100, 50}, RecentPulls: ptr(30), MonthlyPulls: ptr(20.0)}, verdict.OutcomePass, ""},
		{"missing part decides", RepositoryFacts{RecentPulls: ptr(30), MonthlyPulls: ptr(20.0), Stars: ptr(0), Tree: &TreeFacts{}}, verdict.OutcomeUndetermined, verdict.RepositoryScoreMissing},
		{"missing part cannot help", RepositoryFacts{RecentPulls: ptr(0), MonthlyPulls: ptr(20.0), Stars: ptr(100), Tree: &TreeFacts{}}, verdict.OutcomeReject, verdict.RepositoryScoreTooLow},
	}
	for _, tt := range tests {
		v := Gate(ScoreRepository(tt.facts, DefaultRepositoryScoreOptions()), DefaultRepositoryScoreOptions())
		if v.Outcome != tt.outcome || v.Code != tt.code {
			t.Errorf("%s: %+v", tt.name, v)
		}
	}
}

// TestRQSMonotone: more of what is good never lowers the score, and stars never
// raise it.
func TestRQSMonotone(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	o := DefaultRepositoryScoreOptions()
	for range 3000 {
		all := rng.IntN(50)
		good := rng.IntN(all + 1)
		f := RepositoryFacts{Comments: &CommentSample{30, all, good}, RecentPulls: ptr(rng.IntN(40)), MonthlyPulls: ptr(30 * rng.Float64()), Stars: ptr(rng.IntN(200_000)), Tree: &TreeFacts{}}
		before := ScoreRepository(f, o)
		g := f
		switch rng.IntN(4) {
		case 0:
			g.Comments = &CommentSample{30, all, min(all, good+1)}
		case 1:
			g.RecentPulls = ptr(*f.RecentPulls + 1)
		case 2:
			g.MonthlyPulls = ptr(*f.MonthlyPulls + 1)
		case 3:
			g.Stars = ptr(*f.Stars / 2)
		}
		after := ScoreRepository(g, o)
		if after.Score < before.Score || after.Score > 100 || before.Score < 0 {
			t.Fatalf("%+v %g, then %+v %g", f, before.Score, g, after.Score)
		}
	}
}

func TestCoverageConfigs(t *testing.T) {
	paths := []string{"z/deep/down/package.json", "pyproject.toml", ".github/workflows/a.yml", "README.md", "src/main.go"}
	if d := cmp.Diff([]string{".github/workflows/a.yml", "pyproject.toml"}, CoverageConfigs(paths)); d != "" {
		t.Error(d)
	}
	if got := CoverageConfigs([]string{strings.Repeat("a", 100_000) + "/package.json"}); len(got) != 1 {
		t.Errorf("a long path: %v", got)
	}
	many := make([]string, 0, 500)
	for i := range 500 {
		many = append(many, fmt.Sprintf(".github/workflows/%d.yml", i))
	}
	if got := CoverageConfigs(many); len(got) != maxCoverageConfigs {
		t.Errorf("%d files", len(got))
	}
}
