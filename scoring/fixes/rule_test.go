package fixes_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/scoring/fixes"
)

func parse(t *testing.T, text string) *unidiff.Diff {
	t.Helper()
	d, err := unidiff.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const fixDiff = `diff --git a/pkg/a.go b/pkg/a.go
--- a/pkg/a.go
+++ b/pkg/a.go
@@ -10,5 +10,4 @@ func f() {
 	total := 0
 	// a comment
-	// another
-	total = total + count(items)
+	total += sum(items)
 	return
diff --git a/pkg/a_test.go b/pkg/a_test.go
--- a/pkg/a_test.go
+++ b/pkg/a_test.go
@@ -1,1 +1,2 @@
 package a
+func TestA(t *testing.T) { t.Fatal() }
`

func TestChange(t *testing.T) {
	c := fixes.Change(parse(t, fixDiff), fixes.DefaultOptions())
	if c.Files != 1 || c.Deleted != 1 || c.Added != 1 || !c.Tests {
		t.Errorf("%+v", c)
	}
	if len(c.Lines) != 1 || c.Lines[0].Line != 13 || c.Lines[0].Near || !strings.Contains(c.Lines[0].Text, "count(items)") {
		t.Errorf("%+v", c.Lines)
	}
	only := fixes.Change(parse(t, strings.ReplaceAll(strings.ReplaceAll(fixDiff, "-\t// another\n-\ttotal = total + count(items)\n", ""), "-10,5 +10,4", "-10,3 +10,4")), fixes.DefaultOptions())
	if len(only.Lines) != 1 || !only.Lines[0].Near || only.Lines[0].Line != 10 {
		t.Errorf("of what only inserts: %+v", only.Lines)
	}
}

// What a project runs on itself is none of its production code.
func TestChange_Tooling(t *testing.T) {
	for _, path := range []string{"fuzz/a.go", "cranelift/fuzzgen/a.go", "a/benchmarks/a.go", "scripts/a.go", ".github/a/a.go", "hack/a.go", "ci/a.go", ".ci/a.go", "examples/a.go", "e2e/a.go"} {
		if c := fixes.Change(parse(t, strings.ReplaceAll(fixDiff, "pkg/a.go", path)), fixes.DefaultOptions()); c.Files != 0 || len(c.Lines) != 0 {
			t.Errorf("%s: %+v", path, c)
		}
	}
	for _, path := range []string{"tools/a.go", "cli/a.go", "description/a.go", "scripting/a.go", "pkg/fuzzer.go"} {
		if c := fixes.Change(parse(t, strings.ReplaceAll(fixDiff, "pkg/a.go", path)), fixes.DefaultOptions()); c.Files != 1 {
			t.Errorf("%s: %+v", path, c)
		}
	}
}

// A comment that is inserted is near no faulty line.
func TestChange_CommentInserted(t *testing.T) {
	const diff = "diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -10,2 +10,3 @@\n \ttotal := 0\n+\t// items are counted\n \treturn total\n"
	if c := fixes.Change(parse(t, diff), fixes.DefaultOptions()); len(c.Lines) != 0 {
		t.Errorf("%+v", c.Lines)
	}
}

// A revert leads to the pull request of the commit that it names, whatever lines it has.
func TestLinks_RevertNamesItsCommit(t *testing.T) {
	h := history(3, "Take it back", "This reverts commit aaaaaaaa1.")
	h.Commits[0].Change.Lines = nil
	if links := fixes.Links(h, fixes.DefaultOptions()); len(links[10]) != 1 {
		t.Errorf("%+v", links)
	}
	h.Commits[0].Refs = nil
	if links := fixes.Links(h, fixes.DefaultOptions()); len(links) != 0 {
		t.Errorf("of a commit that is not known: %+v", links)
	}
}

func day(n int) time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, n) }

// history has one fix of a line of #10, merged on day 0, on the given day.
func history(days int, subject, body string) *model.LaterHistory {
	unit := strings.Repeat("a", 40)
	return &model.LaterHistory{
		Units: map[string]model.Unit{unit: {Subject: "Count items (#10)", At: day(0)}},
		Commits: []model.LaterCommit{{
			Oid: strings.Repeat("f", 40), Unit: model.Unit{Subject: subject, Body: body, At: day(days)},
			Refs: map[string]string{"aaaaaaaa1": unit},
			Change: model.FixChange{Files: 1, Deleted: 1, Tests: true, Lines: []model.OriginLine{
				{Path: "pkg/a.go", From: "pkg/a.go", Line: 13, Text: "\ttotal = total + count(items)", Unit: unit},
			}},
		}},
	}
}

// texts gives the fix what GitHub says.
func texts(p model.CommitPull) func(*model.PullRequest, *model.LaterHistory) {
	return func(_ *model.PullRequest, h *model.LaterHistory) {
		fixes.AddTexts(h, map[string]model.CommitPull{strings.Repeat("f", 40): p})
	}
}

const introducing = `diff --git a/pkg/a.go b/pkg/a.go
--- a/pkg/a.go
+++ b/pkg/a.go
@@ -1,1 +1,2 @@
 package a
+	total = total + count(items)
`

func TestAccept(t *testing.T) {
	moved := introducing + "@@ -20,1 +21,0 @@\n-\ttotal = total + count(items)\n"
	for _, tc := range []struct {
		name, subject, body, diff string
		days, gradeA              int
		edit                      func(*model.PullRequest, *model.LaterHistory)
		code                      verdict.Code
		grade                     string
	}{
		{name: "of lines", subject: "Fix the total", days: 3, grade: "B"},
		{name: "soon", subject: "Fix the total", days: 60, gradeA: 60, grade: "A"},
		{name: "late", subject: "Fix the total", days: 61, gradeA: 60, grade: "B"},
		{name: "named, whatever its age", subject: "Fix the total", body: "#10 broke the total", days: 900, grade: "A"},
		{name: "named with a word of fault beside", subject: "Fix the total", body: "It was wrong. #10 counts items.", days: 9, grade: "B"},
		{name: "named by a fix for a linter", subject: "Fix clippy in the total", body: "#10 broke the total", days: 9, grade: "B"},
		{name: "named by a fix for another linter", subject: "style: fix the broken eslint check", body: "#10 broke the total", days: 9, grade: "B"},
		{name: "named by a fix of a platform", subject: "Fix the total on Windows", body: "#10 broke the total", days: 9, grade: "B"},
		{name: "named of another repository", subject: "Fix the total", body: "other/lib#10 broke the total", days: 9, code: verdict.LinkWrongPull},
		{name: "named of this one, by a former owner", subject: "Fix the total", body: "https://github.com/former/Shop/pull/10 broke the total", days: 9, grade: "A"},
		{name: "named by a fix of a fuzzer", subject: "Fix the fuzzers", body: "#10 broke the total", days: 9, grade: "B"},
		{name: "named in passing", subject: "Count without support", body: "#10 broke the total", days: 9, grade: "B"},
		{name: "named by a fix that adds", subject: "Fix the total: add what is missing", body: "#10 broke the total", days: 9, grade: "A"},
		{name: "a revert named", subject: "Fix the total", body: "#10 broke the total", days: 9, grade: "B", edit: func(p *model.PullRequest, _ *model.LaterHistory) { p.Title = `Revert "Count items"` }},
		{name: "a commit named", subject: "Fix the total", body: "aaaaaaaa1 broke the total", days: 1, grade: "A"},
		{name: "a revert that says why", subject: `Revert "Count items (#10)"`, body: "This reverts commit aaaaaaaa1.\nIt causes a crash.", days: 1, grade: "B"},
		{name: "a revert that does not", subject: `Revert "Count items (#10)"`, body: "This reverts commit aaaaaaaa1.", days: 1, code: verdict.RevertUnexplained},
		{name: "a revert that only lists", subject: `Revert "Count items that crash (#10)"`, body: "* Revert \"Count items that crash (#10)\"\n\nThis reverts commit aaaaaaaa1.\n\n* add a failing test", days: 1, code: verdict.RevertUnexplained},
		{name: "too soon", subject: "Fix the total", days: 2, code: verdict.LinkAge},
		{name: "too late", subject: "Fix the total", days: 541, code: verdict.LinkAge},
		{name: "before the merge", subject: "Fix the total", days: -1, code: verdict.LinkWrongPull},
		{name: "another merge", subject: "Fix the total", days: 9, code: verdict.LinkWrongPull, edit: func(p *model.PullRequest, _ *model.LaterHistory) { p.MergeCommit.Oid = strings.Repeat("b", 40) }},
		{name: "many files", subject: "Fix the total", days: 9, code: verdict.IntroducingTooLarge, edit: func(p *model.PullRequest, _ *model.LaterHistory) { p.ChangedFiles = 31 }},
		{name: "many lines", subject: "Fix the total", days: 9, code: verdict.IntroducingTooLarge, edit: func(p *model.PullRequest, _ *model.LaterHistory) { p.Additions = 1001 }},
		{name: "a refactoring", subject: "Fix the total", days: 9, code: verdict.IntroducingReworks, edit: func(p *model.PullRequest, _ *model.LaterHistory) { p.Title = "Refactor counting" }},
		{name: "a later requirement", subject: "Fix the total to support pandas 3", days: 9, code: verdict.LaterRequirement},
		{name: "an older issue", subject: "Fix the total", body: "Closes #9", days: 9, code: verdict.IssueOlder},
		{name: "a newer issue", subject: "Fix the total", body: "Closes #11", days: 9, gradeA: 60, grade: "A"},
		{name: "neither test nor issue", subject: "Fix the total", days: 9, code: verdict.NotReproducible, edit: func(_ *model.PullRequest, h *model.LaterHistory) { h.Commits[0].Change.Tests = false }},
		{name: "extended", subject: "Fix the total", days: 9, gradeA: 60, grade: "B", edit: func(_ *model.PullRequest, h *model.LaterHistory) { h.Commits[0].Change.Extends = true }},
		{name: "of a fix", subject: "Fix the total", days: 9, gradeA: 60, grade: "B", edit: func(p *model.PullRequest, _ *model.LaterHistory) { p.Title = "Fix counting" }},
		{name: "of a platform", subject: "Fix the total on Windows", days: 9, gradeA: 60, grade: "B"},
		{name: "only inserted", subject: "Fix the total", days: 9, gradeA: 60, grade: "B", edit: func(_ *model.PullRequest, h *model.LaterHistory) { h.Commits[0].Change.Lines[0].Near = true }},
		{name: "a first attempt", subject: "Fix the total", body: "#10 was a first attempt that caused this", days: 9, gradeA: 60, grade: "A"},
		{name: "an older issue, says GitHub", subject: "Fix the total", days: 9, code: verdict.IssueOlder, edit: texts(model.CommitPull{Issues: []model.LinkedIssue{{Number: 8}}})},
		{name: "a revert that GitHub explains", subject: `Revert "Count items (#10)"`, body: "This reverts commit aaaaaaaa1.", days: 1, grade: "B", edit: texts(model.CommitPull{Body: "It causes a crash. <!-- say why -->"})},
		{name: "a revert whose issue says why", subject: `Revert "Count items (#10)"`, body: "This reverts commit aaaaaaaa1.", days: 1, grade: "B", edit: texts(model.CommitPull{Issues: []model.LinkedIssue{{Number: 11, Title: "Totals are wrong"}}})},
		{name: "named by GitHub alone", subject: "Fix the total", body: "", days: 900, grade: "A", edit: texts(model.CommitPull{Body: "<!-- what broke? -->\r\n#10 broke the total\r\n"})},
		{name: "moved lines", subject: "Fix the total", days: 9, diff: moved, code: verdict.LinesMoved},
		{name: "named without lines", subject: "Count right", body: "#10 broke the total", days: 9, code: verdict.LinkNoLines, edit: func(_ *model.PullRequest, h *model.LaterHistory) { h.Commits[0].Change.Lines = nil }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := fixes.DefaultOptions()
			o.GradeADays = tc.gradeA
			h := history(tc.days, tc.subject, tc.body)
			merged := day(0)
			p := &model.PullRequest{Ref: model.PullRef{Repo: model.RepoRef{Owner: "example", Name: "shop"}, Number: 10}, Title: "Count items", MergedAt: &merged, MergeCommit: &model.MergeCommit{Oid: strings.Repeat("a", 40)}}
			if tc.edit != nil {
				tc.edit(p, h)
			}
			links := fixes.Links(h, o)[10]
			if len(links) != 1 {
				t.Fatalf("%d links", len(links))
			}
			diff := tc.diff
			if diff == "" {
				diff = introducing
			}
			v := fixes.Accept(links[0], p, parse(t, diff), o)
			if v.Code != tc.code {
				t.Fatalf("%s: %s (%s), want %q", v.Outcome, v.Code, v.Detail, tc.code)
			}
			if grade, why := fixes.GradeOf(links[0], p, o); tc.code == "" && (grade != tc.grade || (why == "") != (grade == "A")) {
				t.Errorf("grade %s, want %s (%s)", grade, tc.grade, why)
			}
		})
	}
}

// Each threshold takes its own value in, and the next one not.
func TestThresholds(t *testing.T) {
	line := func(unit string, near bool) model.OriginLine {
		return model.OriginLine{Path: "pkg/a.go", From: "pkg/a.go", Text: "\ttotal = total + count(items)", Unit: unit, Near: near}
	}
	mine, other := strings.Repeat("a", 40), strings.Repeat("c", 40)
	near := func(own, others int) []model.OriginLine {
		return slices.Concat(slices.Repeat([]model.OriginLine{line(mine, true)}, own), slices.Repeat([]model.OriginLine{line(other, true)}, others))
	}
	for _, tc := range []struct {
		name     string
		in, out  func(*model.PullRequest, *model.FixChange)
		linked   bool // out still leads back
		evidence fixes.Evidence
	}{
		{"max_deleted_lines", func(_ *model.PullRequest, c *model.FixChange) { c.Deleted = 20 }, func(_ *model.PullRequest, c *model.FixChange) { c.Deleted = 21 }, false, fixes.Deleted},
		{"max_added_lines", func(_ *model.PullRequest, c *model.FixChange) { c.Added = 200 }, func(_ *model.PullRequest, c *model.FixChange) { c.Added = 201 }, false, fixes.Deleted},
		{"max_files", func(_ *model.PullRequest, c *model.FixChange) { c.Files = 3 }, func(_ *model.PullRequest, c *model.FixChange) { c.Files = 4 }, false, fixes.Deleted},
		{"near_share", func(_ *model.PullRequest, c *model.FixChange) { c.Lines = near(4, 1) }, func(_ *model.PullRequest, c *model.FixChange) { c.Lines = near(3, 1) }, false, fixes.Near},
		{"introducing_files", func(p *model.PullRequest, _ *model.FixChange) { p.ChangedFiles = 30 }, func(p *model.PullRequest, _ *model.FixChange) { p.ChangedFiles = 31 }, true, fixes.Deleted},
		{"introducing_lines", func(p *model.PullRequest, _ *model.FixChange) { p.Additions = 1000 }, func(p *model.PullRequest, _ *model.FixChange) { p.Additions = 1001 }, true, fixes.Deleted},
		{"min_days", func(*model.PullRequest, *model.FixChange) {}, func(*model.PullRequest, *model.FixChange) {}, true, fixes.Deleted},
	} {
		for _, outside := range []bool{false, true} {
			days, edit := 3, tc.in
			if outside {
				edit = tc.out
			}
			if outside && tc.name == "min_days" {
				days = 2
			}
			h := history(days, "Fix the total", "")
			h.Units[other] = model.Unit{Subject: "Another (#11)", At: day(0)}
			merged := day(0)
			p := &model.PullRequest{Ref: model.PullRef{Number: 10}, Title: "Count items", MergedAt: &merged, MergeCommit: &model.MergeCommit{Oid: mine}}
			edit(p, &h.Commits[0].Change)
			links := fixes.Links(h, fixes.DefaultOptions())[10]
			if len(links) != 1 {
				if !outside || tc.linked {
					t.Errorf("%s: %d links, outside %v", tc.name, len(links), outside)
				}
				continue
			}
			v := fixes.Accept(links[0], p, parse(t, introducing), fixes.DefaultOptions())
			if (v.Outcome == verdict.OutcomePass) == outside || links[0].Evidence != tc.evidence {
				t.Errorf("%s: outside %v, %s, %s (%s)", tc.name, outside, links[0].Evidence, v.Outcome, v.Code)
			}
		}
	}
}

// The likeness is the share of tokens that two lines have in common; from 0.4 on it says that lines were moved.
func TestThresholds_Similarity(t *testing.T) {
	lines := []model.OriginLine{{From: "pkg/a.go", Text: "a b c d e f g"}}
	for _, tc := range []struct {
		deleted string
		want    float64
	}{{"a b c d x y z", 0.4}, {"a b c x y z w", 3.0 / 11}} {
		d := parse(t, "diff --git a/pkg/a.go b/pkg/a.go\n--- a/pkg/a.go\n+++ b/pkg/a.go\n@@ -1,1 +1,1 @@\n-"+tc.deleted+"\n+a b c d e f g\n")
		if got := fixes.Likeness(d, lines); got != tc.want {
			t.Errorf("%s: %v, want %v", tc.deleted, got, tc.want)
		}
	}
}

func TestLinks_None(t *testing.T) {
	for name, edit := range map[string]func(*model.LaterHistory){
		"no fix": func(h *model.LaterHistory) { h.Commits[0].Subject = "Count faster" },
		"a chore": func(h *model.LaterHistory) {
			h.Commits[0].Unit = model.Unit{Subject: "chore: count", Body: "#10 broke it", At: day(9)}
		},
		"another label": func(h *model.LaterHistory) { texts(model.CommitPull{Labels: []string{"enhancement"}})(nil, h) },
		"documentation": func(h *model.LaterHistory) { h.Commits[0].Subject = "Fix the docs" },
		"two origins": func(h *model.LaterHistory) {
			h.Commits[0].Change.Lines = append(h.Commits[0].Change.Lines, model.OriginLine{Unit: strings.Repeat("c", 40)})
		},
		"too large": func(h *model.LaterHistory) { h.Commits[0].Change.Deleted = 21 },
		"a list of names": func(h *model.LaterHistory) {
			h.Commits[0].Unit = model.Unit{Subject: "Count", Body: "#10 and #12 broke it", At: day(9)}
		},
		"a revert of several": func(h *model.LaterHistory) {
			h.Commits[0].Unit = model.Unit{Subject: "Revert what broke it", Body: "Reverts #10\n\nReverts #12\n\nThey cause a crash.", At: day(9)}
		},
		"a cleanup": func(h *model.LaterHistory) {
			h.Commits[0].Unit = model.Unit{Subject: "Clean up", Body: "#10 broke it", At: day(9)}
		},
		"too many files":     func(h *model.LaterHistory) { h.Commits[0].Change.Files = 4 },
		"its own correction": func(h *model.LaterHistory) { h.Commits[0].Subject = "Fix the total (#10)" },
	} {
		h := history(9, "Fix the total", "")
		edit(h)
		if links := fixes.Links(h, fixes.DefaultOptions()); len(links) != 0 {
			t.Errorf("%s: %+v", name, links)
		}
	}
}

func TestPlace(t *testing.T) {
	want := []model.OriginLine{{From: "pkg/a.go", Text: "total = total + count(items)"}, {From: "pkg/a.go", Text: "absent"}, {From: "pkg/b.go", Text: "total = total + count(items)"}}
	got := fixes.Place(parse(t, introducing), want)
	if !slices.Equal(got, []model.FaultLine{{Path: "pkg/a.go", Line: 2, Text: "\ttotal = total + count(items)"}}) {
		t.Errorf("%+v", got)
	}
}

func TestNumberAndTitle(t *testing.T) {
	for _, tc := range []struct {
		u      model.Unit
		number int
		title  string
	}{
		{model.Unit{Subject: "Fix x (#12)"}, 12, "Fix x"},
		{model.Unit{Subject: "Merge pull request #7 from a/b", Body: "Fix y\n\nMore"}, 7, "Fix y"},
		{model.Unit{Subject: "Fix #3"}, 0, "Fix #3"},
	} {
		if fixes.Number(tc.u) != tc.number || fixes.Title(tc.u) != tc.title {
			t.Errorf("%+v: #%d %q", tc.u, fixes.Number(tc.u), fixes.Title(tc.u))
		}
	}
}

func TestSymptom(t *testing.T) {
	for _, tc := range []struct{ statement, want string }{
		{
			"Fix corruption\n\nMotivation:\n\n#15165 introduced a regression in setCharSequence(...) that can lead to data corruption. See https://x.y/z\n\nModifications:\n\nCheck the bounds.\n",
			"… introduced a regression in … that can lead to data corruption.",
		},
		{"Fix it\n\nThe queue loses its parcels\nafter a restart.\n- and others wait behind them", "The queue loses its parcels after a restart. - and others wait behind them."},
		{"The queue loses parcels after a restart", "The queue loses parcels after a restart"},
		{"Fix the queue", ""},
	} {
		if got := fixes.Symptom(tc.statement); got != tc.want {
			t.Errorf("%q: got %q, want %q", tc.statement, got, tc.want)
		}
	}
}

func TestStatement(t *testing.T) {
	issue := model.LinkedIssue{Number: 11, Title: "Totals are wrong", Body: "<!-- form -->\r\nThe total is zero.\n- [x] I looked for it"}
	for _, tc := range []struct {
		name         string
		fix          model.Unit
		introducing  string
		text, source string
	}{
		{"the message", model.Unit{Subject: "Fix it (#12)", Body: "It was zero.\n\nSigned-off-by: a"}, "", "Fix it\n\nIt was zero.", "fix"},
		{"a title alone", model.Unit{Subject: "Fix it (#12)"}, "", "Fix it", "fix"},
		{"the issue", model.Unit{Subject: "Fix it (#12)", Pull: model.CommitPull{Body: "Ready.", Issues: []model.LinkedIssue{issue}}}, "", "Totals are wrong\n\nThe total is zero.", "issue"},
		{"the description, of a merge", model.Unit{Subject: "Merge pull request #12 from a/b", Body: "Fix it", Pull: model.CommitPull{Body: "It was zero."}}, "", "Fix it\n\nIt was zero.", "fix"},
		{"a revert", model.Unit{Subject: `Revert "Count"`, Body: "This reverts commit aaaaaaaa1.", Pull: model.CommitPull{Body: "It fails."}}, "", "Revert \"Count\"\n\nThis reverts commit aaaaaaaa1.\n\nIt fails.", "revert"},
		{"a form", model.Unit{Subject: "Fix it (#12)", Body: "# Motivation of the change\nIt was zero."}, "# Motivation of the change\nCount.", "Fix it\n\nIt was zero.", "fix"},
	} {
		if text, source := fixes.Statement(tc.fix, tc.introducing); text != tc.text || source != tc.source {
			t.Errorf("%s: %q from %s, want %q from %s", tc.name, text, source, tc.text, tc.source)
		}
	}
}

func TestAsked(t *testing.T) {
	h := history(9, "Fix the total", "")
	unit, fix := strings.Repeat("a", 40), strings.Repeat("f", 40)
	if got := fixes.Asked(h); !slices.Equal(got, []string{fix}) {
		t.Errorf("%v, want the fix alone", got)
	}
	h.Units[unit] = model.Unit{Subject: "Count items", At: day(0)}
	if got := fixes.Asked(h); !slices.Equal(got, []string{unit, fix}) {
		t.Errorf("%v, want the unit without a number, too", got)
	}
	fixes.AddTexts(h, map[string]model.CommitPull{unit: {Number: 10}})
	merged := day(0)
	p := &model.PullRequest{Ref: model.PullRef{Number: 10}, Title: "Count items", MergedAt: &merged, MergeCommit: &model.MergeCommit{Oid: strings.Repeat("b", 40)}}
	links := fixes.Links(h, fixes.DefaultOptions())[10]
	if len(links) != 1 {
		t.Fatalf("%d links to what GitHub knows the number of", len(links))
	}
	if v := fixes.Accept(links[0], p, parse(t, introducing), fixes.DefaultOptions()); v.Outcome != verdict.OutcomePass {
		t.Errorf("a commit of a rebased branch: %s", v.Code)
	}
}
