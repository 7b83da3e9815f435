package scoring

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/internal/model"
)

// TestRVSPublished is the paper's own example, dask/dask#12221.
func TestRVSPublished(t *testing.T) {
	in := model.RVSInputs{Substantive: 2, Threads: 3, Files: 2, ChangedLines: 156, Directories: 2, AnsweredThreads: 1, Reviewers: 2, TestsModified: true}
	want := model.RVS{Inputs: in, Depth: 0.325, Complexity: 0.314, Discussion: 0.2, Test: 1, Bug: 0, Score: 0.334}
	if d := cmp.Diff(want, RVS(in, DefaultRVSOptions())); d != "" {
		t.Error(d)
	}
}

func TestRVSParts(t *testing.T) {
	tests := map[string]struct {
		in   model.RVSInputs
		want model.RVS
	}{
		"nothing":              {model.RVSInputs{}, model.RVS{}},
		"depth below full":     {model.RVSInputs{Substantive: 19}, model.RVS{Depth: 0.95, Score: 0.238}},
		"depth full":           {model.RVSInputs{Substantive: 20}, model.RVS{Depth: 1, Score: 0.25}},
		"depth above full":     {model.RVSInputs{Substantive: 21}, model.RVS{Depth: 1, Score: 0.25}},
		"threads":              {model.RVSInputs{Threads: 1}, model.RVS{Depth: 0.075, Score: 0.019}},
		"change requests":      {model.RVSInputs{ChangeRequests: 1}, model.RVS{Depth: 0.1, Score: 0.025}},
		"files":                {model.RVSInputs{Files: 5}, model.RVS{Complexity: 0.1, Score: 0.02}},
		"files full":           {model.RVSInputs{Files: 11}, model.RVS{Complexity: 0.2, Score: 0.04}},
		"lines":                {model.RVSInputs{ChangedLines: 399}, model.RVS{Complexity: 0.599, Score: 0.12}},
		"lines full":           {model.RVSInputs{ChangedLines: 400}, model.RVS{Complexity: 0.6, Score: 0.12}},
		"directories":          {model.RVSInputs{Directories: 9}, model.RVS{Complexity: 0.18, Score: 0.036}},
		"discussion":           {model.RVSInputs{AnsweredThreads: 7, Reviewers: 7}, model.RVS{Discussion: 0.933, Score: 0.187}},
		"discussion full":      {model.RVSInputs{AnsweredThreads: 8, Reviewers: 7}, model.RVS{Discussion: 1, Score: 0.2}},
		"tests added":          {model.RVSInputs{TestsAdded: true}, model.RVS{Test: 0.5, Score: 0.075}},
		"tests modified":       {model.RVSInputs{TestsModified: true, TestsAdded: true}, model.RVS{Test: 1, Score: 0.15}},
		"bug fix":              {model.RVSInputs{BugFix: true}, model.RVS{Bug: 1, Score: 0.2}},
		"all of it, many fold": {model.RVSInputs{Substantive: 1e6, Threads: 1e6, ChangeRequests: 1e6, Files: 1e6, ChangedLines: 1e6, Directories: 1e6, AnsweredThreads: 1e6, Reviewers: 1e6, TestsModified: true, BugFix: true}, model.RVS{Depth: 1, Complexity: 1, Discussion: 1, Test: 1, Bug: 1, Score: 1}},
	}
	for name, tt := range tests {
		tt.want.Inputs = tt.in
		if d := cmp.Diff(tt.want, RVS(tt.in, DefaultRVSOptions())); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestRVSProperties: within [0, 1], recomputable from the released parts, and
// more of anything never lowers it.
func TestRVSProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	o := DefaultRVSOptions()
	for range 20000 {
		in := model.RVSInputs{Substantive: rng.IntN(30), Threads: rng.IntN(30), ChangeRequests: rng.IntN(6), Files: rng.IntN(15), ChangedLines: rng.IntN(600),
			Directories: rng.IntN(14), AnsweredThreads: rng.IntN(12), Reviewers: rng.IntN(8), TestsModified: rng.IntN(2) == 0, TestsAdded: rng.IntN(2) == 0, BugFix: rng.IntN(2) == 0}
		r := RVS(in, o)
		sum := 0.25*r.Depth + 0.20*r.Complexity + 0.20*r.Discussion + 0.15*r.Test + 0.20*r.Bug
		if math.Abs(sum-r.Score) >= 0.0016 || r.Score < 0 || r.Score > 1 {
			t.Fatalf("%+v: parts give %f", r, sum)
		}
		more := in
		switch rng.IntN(11) {
		case 0:
			more.Substantive++
		case 1:
			more.Threads++
		case 2:
			more.ChangeRequests++
		case 3:
			more.Files++
		case 4:
			more.ChangedLines++
		case 5:
			more.Directories++
		case 6:
			more.AnsweredThreads++
		case 7:
			more.Reviewers++
		case 8:
			more.TestsModified = true
		case 9:
			more.TestsAdded = true
		case 10:
			more.BugFix = true
		}
		if m := RVS(more, o); m.Score < r.Score {
			t.Fatalf("%+v scores %f, %+v scores %f", in, r.Score, more, m.Score)
		}
	}
}

func TestRVSInputs(t *testing.T) {
	pull := &model.PullRequest{Title: "Fix closing"}
	labels := &model.Labels{Substantive: 2, Threads: 3, ChangeRequests: 1, AnsweredThreads: 1, Reviewers: []string{"a", "b"}}
	added := "diff --git a/tests/test_new.py b/tests/test_new.py\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/tests/test_new.py\n@@ -0,0 +1 @@\n+x\n"
	renamed := "diff --git a/tests/test_a.py b/tests/test_b.py\nsimilarity index 100%\nrename from tests/test_a.py\nrename to tests/test_b.py\n"
	deleted := "diff --git a/tests/test_old.py b/tests/test_old.py\ndeleted file mode 100644\nindex 1..0\n--- a/tests/test_old.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
	tests := map[string]struct {
		diff            string
		files, lines    int
		directories     int
		modified, added bool
	}{
		"no tests":       {finalText, 3, 9, 1, false, false},
		"test added":     {finalText + added, 4, 10, 2, false, true},
		"test modified":  {finalText + edit("tests/test_app.py", "@@ -1 +1 @@\n-a\n+b\n"), 4, 11, 2, true, false},
		"test renamed":   {renamed, 1, 0, 1, false, false},
		"test deleted":   {deleted, 1, 1, 1, false, false},
		"same directory": {edit("a/b.py", "@@ -1 +1 @@\n-a\n+b\n") + edit("a/c.py", "@@ -1 +1 @@\n-a\n+b\n"), 2, 4, 1, false, false},
	}
	for name, tt := range tests {
		want := model.RVSInputs{Substantive: 2, Threads: 3, ChangeRequests: 1, AnsweredThreads: 1, Reviewers: 2, BugFix: true,
			Files: tt.files, ChangedLines: tt.lines, Directories: tt.directories, TestsModified: tt.modified, TestsAdded: tt.added}
		if d := cmp.Diff(want, RVSInputs(pull, labels, parse(t, tt.diff))); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestSecondRVS(t *testing.T) {
	for _, tc := range []struct {
		in   model.RVS2
		want float64
	}{
		{model.RVS2{}, 0},
		{model.RVS2{Validated: 2, Standing: 2, Reviewers: 1, Coverage: 0.5}, 0.405},
		{model.RVS2{Validated: 5, Standing: 5, Reviewers: 3, Coverage: 1}, 1},
		{model.RVS2{Validated: 9, Standing: 12, Reviewers: 7, Coverage: 1}, 1},
		{model.RVS2{Coverage: 1}, 0.15},
	} {
		if got := SecondRVS(tc.in, DefaultRVS2Options()).Score; got != tc.want {
			t.Errorf("%+v: %v, want %v", tc.in, got, tc.want)
		}
	}
}
