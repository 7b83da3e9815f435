package artifactstest

import (
	"time"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// patch changes a source file and a test. In the source file, new lines 1 and 3 are added and old line 2 is deleted;
// new lines 2 and 4 are context. Only code that checks the side places a comment on the deleted line correctly.
const patch = `diff --git a/src/app.py b/src/app.py
index 1111111..2222222 100644
--- a/src/app.py
+++ b/src/app.py
@@ -1,3 +1,4 @@
+import sys
 def parse(text):
-    return text
+    return text.strip()
 MODE = "a"
diff --git a/tests/test_app.py b/tests/test_app.py
index 3333333..4444444 100644
--- a/tests/test_app.py
+++ b/tests/test_app.py
@@ -1 +1,2 @@
 import app
+assert app.parse(" x ") == "x"
`

const (
	prose1 = "This strips the text although callers of `parse` rely on the trailing newline being kept."
	prose2 = "The old `return text` handled bytes as well, and now a bytes argument fails in strip."
	prose3 = "Please look at how `MODE` is read here, because two threads may change it at once."
	prose4 = "`load()` in that other file still calls this with None, which would now raise an error."
)

// Candidates are the graded candidates that the tasks are made from, fresh on
// every call.
func Candidates() []*model.Candidate {
	widget := model.RepoRef{Owner: "acme", Name: "widget"}
	gadget := model.RepoRef{Owner: "acme", Name: "gadget"}
	shared := []remark{
		{by: "coderabbitai", body: "Consider adding a docstring to this function for readers of the code.",
			path: "src/app.py", side: model.Right, line: 3, method: model.AnchorExact, inDiff: true, reason: verdict.ByBot},
		{by: "bob", body: "Nice!", path: "src/app.py", side: model.Right, line: 3, method: model.AnchorExact, inDiff: true,
			reason: verdict.TooFewWords},
		{by: "ghost", body: "I am gone but this sentence about `parse` has enough words to count as prose.",
			path: "src/app.py", side: model.Right, line: 3, method: model.AnchorExact, inDiff: true, reason: verdict.ByGhost},
	}
	one := append([]remark{
		{by: "bob", body: prose1, path: "src/app.py", side: model.Right, line: 3, method: model.AnchorExact, inDiff: true,
			truth: true, change: true},
		{by: "ann", body: "Good point, fixed.", path: "src/app.py", side: model.Right, line: 3, method: model.AnchorExact,
			inDiff: true, reason: verdict.ByPullAuthor, replies: true},
		{by: "eve", body: prose2, path: "src/app.py", side: model.Left, line: 2, method: model.AnchorRemapped, inDiff: true,
			truth: true},
	}, shared...)
	two := append([]remark{
		{by: "bob", body: prose1, path: "src/app.py", side: model.Right, line: 3, method: model.AnchorExact, inDiff: true,
			truth: true},
		{by: "eve", body: prose3, path: "src/app.py", side: model.Right, line: 4, method: model.AnchorHunk, truth: true},
	}, shared...)
	three := append([]remark{
		{by: "bob", body: prose1, path: "src/app.py", side: model.Right, line: 3, method: model.AnchorExact, inDiff: true,
			truth: true},
		{by: "eve", body: prose4, path: "src/other.py", side: model.Right, method: model.AnchorNone, truth: true},
	}, shared...)
	return []*model.Candidate{
		newCandidate(widget, 1, "MIT", model.Type1, one),
		newCandidate(widget, 2, "MIT", model.Type2, two),
		newCandidate(gadget, 3, "GPL-3.0-only", model.Type3, three),
	}
}

func newCandidate(repo model.RepoRef, number int, spdx string, difficulty model.Difficulty,
	remarks []remark) *model.Candidate {
	merged := day.Add(48 * time.Hour)
	c := &candidate{
		Repo: &model.Repository{Ref: repo, Asked: repo, SPDX: spdx, Language: "Python"},
		Pull: &model.PullRequest{
			Ref: model.PullRef{Repo: repo, Number: number}, Title: "fix: keep <b>text</b> whole",
			Body:  "Fixes a bug.\r\n\r\nThanks @bob & co.",
			State: model.Merged, Author: account("ann"), CreatedAt: day, MergedAt: &merged,
			BaseRefOid: oid("c", number), HeadOid: oid("d", number), Additions: 3, Deletions: 1, ChangedFiles: 2,
		},
		Diff: &model.Diff{HeadOid: oid("d", number), Source: model.DiffFromREST, Text: patch},
		Base: &model.Base{ForkPoint: oid("b", number), Method: "merge-base", Verified: true},
		Labels: &model.Labels{Reviewers: []string{"bob", "eve"}, HasRequestedChanges: true, ChangeRequests: 1,
			Threads: len(remarks)},
		Grade: &model.Grade{Difficulty: difficulty, PRType: "bug_fix", TypeFrom: "prefix: fix", Language: "Python"},
	}
	for i, r := range remarks {
		c.add(int64(100*number+i), r)
	}
	return c.finish()
}
