package scoring

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/prforge/prforge/internal/model"
)

// controlsDiff changes lines 5 and 40 of a production file.
const controlsDiff = "diff --git a/app/a.py b/app/a.py\nindex 1..2 100644\n--- a/app/a.py\n+++ b/app/a.py\n" +
	"@@ -4,3 +4,3 @@\n four\n-five\n+FIVE\n six\n@@ -39,3 +39,3 @@\n x\n-forty\n+FORTY\n y\n" +
	"diff --git a/tests/test_a.py b/tests/test_a.py\nindex 1..2 100644\n--- a/tests/test_a.py\n+++ b/tests/test_a.py\n@@ -1 +1 @@\n-a\n+b\n"

// controlsCandidate shows controlsDiff; one person approved the head and wrote a
// comment on line 22, which is 17 lines from the first change and 18 from the second.
func controlsCandidate(t *testing.T, change func(*model.Candidate)) *model.Candidate {
	t.Helper()
	line := 22
	c := &model.Candidate{
		Pull: &model.PullRequest{
			HeadOid: "h",
			Reviews: []model.Review{{Author: model.Account{Login: "ann"}, State: model.Approved, CommitOid: "h"}},
			Threads: []model.Thread{{Path: "app/a.py", Side: model.Right, Line: &line, OriginalLine: &line, Subject: model.SubjectLine,
				Comments: []model.Comment{{ID: 1, Author: model.Account{Login: "ann"}, OriginalOid: "h", CommitOid: "h", DiffHunk: "@@ -22 +22 @@\n z"}}}},
		},
		Labels: &model.Labels{Reviewers: []string{"ann"}, Comments: []model.CommentLabel{{CommentID: 1, Class: model.ClassHuman, Substantive: true}}},
		Final:  &model.Final{},
	}
	c.Final.Pull = c.Pull
	c.SetFinalDiff(&model.Diff{Text: controlsDiff})
	if change != nil {
		change(c)
	}
	return c
}

func TestControlHunks(t *testing.T) {
	at := func(n int) func(*model.Candidate) {
		return func(c *model.Candidate) {
			th := &c.Pull.Threads[0]
			th.Line, th.OriginalLine = &n, &n
			th.Comments[0].DiffHunk = fmt.Sprintf("@@ -%d +%d @@\n z", n, n)
		}
	}
	for name, tc := range map[string]struct {
		change func(*model.Candidate)
		want   [2]model.ControlReason
	}{
		"clean":             {nil, [2]model.ControlReason{"", ""}},
		"eleven lines away": {at(16), [2]model.ControlReason{"", ""}},
		"ten lines away":    {at(15), [2]model.ControlReason{model.ControlCommented, ""}},
		"ten lines before":  {at(30), [2]model.ControlReason{"", model.ControlCommented}},
		"a bot's comment":   {func(c *model.Candidate) { at(5)(c); c.Labels.Comments[0].Class = model.ClassBot }, [2]model.ControlReason{model.ControlNotReviewed, model.ControlNotReviewed}},
		"no place":          {func(c *model.Candidate) { th := &c.Pull.Threads[0]; th.Line, th.Comments[0].OriginalOid = nil, "lost" }, [2]model.ControlReason{model.ControlPlaceUnknown, model.ControlPlaceUnknown}},
		"on the file": {func(c *model.Candidate) {
			th := &c.Pull.Threads[0]
			th.Line, th.OriginalLine, th.Subject = nil, nil, model.SubjectFile
		}, [2]model.ControlReason{"", ""}},
		"approved before":    {func(c *model.Candidate) { c.Pull.Reviews[0].CommitOid = "before" }, [2]model.ControlReason{model.ControlNotReviewed, model.ControlNotReviewed}},
		"only commented":     {func(c *model.Candidate) { c.Pull.Reviews[0].State = model.Commented }, [2]model.ControlReason{model.ControlNotReviewed, model.ControlNotReviewed}},
		"approved by author": {func(c *model.Candidate) { c.Labels.Reviewers = nil }, [2]model.ControlReason{model.ControlNotReviewed, model.ControlNotReviewed}},
		"on another file":    {func(c *model.Candidate) { c.Pull.Threads[0].Path = "app/b.py" }, [2]model.ControlReason{model.ControlNotReviewed, model.ControlNotReviewed}},
		"merged otherwise": {func(c *model.Candidate) {
			c.Reviewed = &model.Reviewed{}
			c.SetDiff(&model.Diff{Text: "diff --git a/app/a.py b/app/a.py\nindex 1..3 100644\n--- a/app/a.py\n+++ b/app/a.py\n@@ -4,3 +4,3 @@\n four\n-five\n+Five\n six\n@@ -50,3 +50,3 @@\n x\n-forty\n+FORTY\n y\n"})
		}, [2]model.ControlReason{model.ControlChanged, ""}},
	} {
		t.Run(name, func(t *testing.T) {
			got := ControlHunks(controlsCandidate(t, tc.change))
			if len(got) != 2 || [2]model.ControlReason{got[0].Reason, got[1].Reason} != tc.want {
				t.Errorf("got %+v, want %q", got, tc.want)
			}
			for _, h := range got {
				if clean := h.Reason == ""; clean != reflect.DeepEqual(h.By, []string{"ann"}) {
					t.Errorf("%q: by %v", h.Reason, h.By)
				}
			}
		})
	}
}

func TestDeclinedFindings(t *testing.T) {
	ann, bob := &model.Account{Login: "ann"}, &model.Account{Login: "bob"}
	for name, tc := range map[string]struct {
		state    model.CodeState
		valid    model.Validation
		resolved *model.Account
		want     string
	}{
		"refused":                   {model.StateAtHead, model.ValidDeclined, nil, declinedByAuthor},
		"refused, and changed":      {model.StateNear, model.ValidDeclined, nil, declinedByAuthor},
		"resolved by the reviewer":  {model.StateUntouched, model.ValidNone, ann, resolvedByReviewer},
		"resolved by somebody else": {model.StateUntouched, model.ValidNone, bob, ""},
		"agreed, nothing done":      {model.StateUntouched, model.ValidAcknowledged, ann, ""},
		"open":                      {model.StateUntouched, model.ValidNone, nil, ""},
	} {
		c := controlsCandidate(t, func(c *model.Candidate) {
			c.States = []model.CommentState{{CommentID: 1, State: tc.state, Valid: tc.valid}}
			c.Pull.Threads[0].IsResolved, c.Pull.Threads[0].ResolvedBy = tc.resolved != nil, tc.resolved
		})
		got := ""
		for _, d := range DeclinedFindings(c) {
			got = d.Because
		}
		if got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}
