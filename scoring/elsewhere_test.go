package scoring

import (
	"testing"

	"github.com/prforge/prforge/internal/model"
)

// TestAddressedElsewhere: what a comment names was changed in another file, or
// in its own one further than ten lines away, and not by the base branch.
func TestAddressedElsewhere(t *testing.T) {
	const other = "diff --git a/new.py b/new.py\nindex 1111111..2222222 100644\n--- a/new.py\n+++ b/new.py\n@@ -2 +2 @@\n-import sys\n+import shutil\n"
	away := edit("app.py", "@@ -25 +25 @@\n-    flush_all(data)\n+    flush(data)\n")
	beside := edit("app.py", "@@ -24 +24 @@\n-    flush_all(data)\n+    flush(data)\n")
	none, file, name := "", "new.py", "flush_all"
	tests := map[string]struct {
		body  string
		oid   string
		paths []string
		text  string
		base  string
		want  *string
	}{
		"a path":                           {body: "Please do it in `new.py`, too.", paths: []string{"app.py", "new.py"}, text: other, want: &file},
		"a path that was not changed":      {body: "Please do it in `new.py`, too.", paths: []string{"app.py", "new.py"}, text: away, want: &none},
		"a path that the base changed":     {body: "Please do it in `new.py`, too.", paths: []string{"app.py", "new.py"}, text: other, base: other, want: &none},
		"a path that was not compared":     {body: "Please do it in `new.py`, too.", paths: []string{"app.py"}, text: away},
		"a path that is not in the diff":   {body: "As in `lib/elsewhere.py`.", paths: []string{"app.py"}, text: away, want: &none},
		"the comment's own file":           {body: "All of `app.py` is like this.", paths: []string{"app.py"}, text: away, want: &none},
		"a name, eleven lines away":        {body: "`flush_all()` should go.", paths: []string{"app.py"}, text: away, want: &name},
		"a name, ten lines away":           {body: "`flush_all()` should go.", paths: []string{"app.py"}, text: beside, want: &none},
		"a part of a name":                 {body: "`flush_al()` should go.", paths: []string{"app.py"}, text: away, want: &none},
		"no name":                          {body: "This should go.", paths: []string{"app.py"}, text: away, want: &none},
		"written on the final head":        {body: "`flush_all()` should go.", oid: head, want: &none},
		"written on a commit that is lost": {body: "`flush_all()` should go.", oid: "9999999999999999999999999999999999999999"},
	}
	for what, tc := range tests {
		t.Run(what, func(t *testing.T) {
			line, oid := 14, then
			if tc.oid != "" {
				oid = tc.oid
			}
			thread := model.Thread{Path: "app.py", Side: model.Right, OriginalLine: &line, Subject: model.SubjectLine,
				Comments: []model.Comment{{ID: 1, Body: tc.body, DiffHunk: stateHunk, OriginalOid: oid}}}
			final := Final{
				Pull: &model.PullRequest{HeadOid: head, Threads: []model.Thread{thread}}, Diff: parse(t, finalText), Base: forkNow,
				Revisions: []model.RevisionDiff{{From: then, To: head, ForkPoint: forkNow, Paths: tc.paths, Text: tc.text}},
			}
			if tc.base != "" {
				final.Revisions[0].ForkPoint = forkThen
				final.Revisions = append(final.Revisions, model.RevisionDiff{From: forkThen, To: forkNow, Paths: tc.paths, Text: tc.base})
			}
			got := CommentStates(final)[0].Elsewhere
			if (got == nil) != (tc.want == nil) || got != nil && *got != *tc.want {
				t.Errorf("got %s, want %s", show(got), show(tc.want))
			}
		})
	}
}

func show(s *string) string {
	if s == nil {
		return "unknown"
	}
	return "\"" + *s + "\""
}
