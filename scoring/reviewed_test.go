package scoring

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/internal/model"
)

// TestAsReviewed_Lines: a thread that stands at the revision has the lines that
// its hunk ends at, and every other thread has none, whatever GitHub says of it.
func TestAsReviewed_Lines(t *testing.T) {
	const hunk = "@@ -1,3 +1,4 @@\n a\n-b\n+B\n+C"
	thread := func(change func(*model.Thread)) model.Thread {
		th := model.Thread{
			Path: "a.py", Side: model.Right, Subject: model.SubjectLine, Line: ptr(90), StartLine: ptr(80),
			OriginalLine: ptr(3), OriginalStartLine: ptr(2), Comments: []model.Comment{{ID: 1, DiffHunk: hunk}},
		}
		change(&th)
		return th
	}
	for _, tc := range []struct {
		name        string
		thread      model.Thread
		line, start *int
	}{
		{"stands", thread(func(*model.Thread) {}), ptr(3), ptr(2)},
		{"stands, on one line", thread(func(th *model.Thread) { th.OriginalStartLine = nil }), ptr(3), nil},
		{"stands, from a line of the other side", thread(func(th *model.Thread) { th.StartSide = model.Left }), ptr(3), nil},
		{"stands, on a deleted line", thread(func(th *model.Thread) { th.Side = model.Left; th.OriginalStartLine = nil }), ptr(2), nil},
		{"does not stand", thread(func(th *model.Thread) { th.Comments[0].ID = 2 }), nil, nil},
		{"only the reply stands", thread(func(th *model.Thread) {
			th.Comments = []model.Comment{{ID: 2, DiffHunk: hunk}, {ID: 1, DiffHunk: hunk}}
		}), nil, nil},
		{"on a whole file", thread(func(th *model.Thread) { th.Subject = model.SubjectFile }), nil, nil},
		{"without a hunk", thread(func(th *model.Thread) { th.Comments[0].DiffHunk = "" }), nil, nil},
		{"with a hunk that is none", thread(func(th *model.Thread) { th.Comments[0].DiffHunk = "no hunk" }), nil, nil},
		{"without comments", thread(func(th *model.Thread) { th.Comments = nil }), nil, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := &model.PullRequest{Threads: []model.Thread{tc.thread}}
			got, _ := AsReviewed(p, model.RevisionCandidate{Stands: []int64{1}}, parse(t, edit("a.py", hunk+"\n c\n")), *date(t, "2026-01-05"))
			if len(got.Threads) != 1 {
				t.Fatalf("%d threads", len(got.Threads))
			}
			want := tc.thread
			want.Line, want.StartLine = tc.line, tc.start
			if d := cmp.Diff(want, got.Threads[0]); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if d := cmp.Diff(tc.thread, p.Threads[0]); d != "" {
				t.Errorf("the facts were changed:\n%s", d)
			}
		})
	}
}

// TestAsReviewed_Rest: head, counts and files are the revision's, title and
// description those of the time.
func TestAsReviewed_Rest(t *testing.T) {
	diff := parse(t, edit("b.py", "@@ -1,2 +1,2 @@\n a\n-b\n+B\n")+
		"diff --git a/a.py b/c.py\nsimilarity index 100%\nrename from a.py\nrename to c.py\n"+
		"diff --git a/a.py b/d.py\nsimilarity index 100%\ncopy from a.py\ncopy to d.py\n"+
		"diff --git a/a.txt b/a.txt\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n"+
		"diff --git a/z.txt b/z.txt\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/z.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n")
	p := &model.PullRequest{
		Title: "now", Body: "now", LastEditedAt: date(t, "2026-01-06"), HeadOid: "merged", Additions: 100, Deletions: 100, ChangedFiles: 100,
		Files: []model.ChangedFile{{Path: "other.py"}}, Incomplete: []string{"files", "labels"}, Labels: []string{"bug"},
		Renames: []model.Rename{{At: *date(t, "2026-01-06"), From: "before", To: "now"}},
		Edits:   []model.Edit{{At: *date(t, "2026-01-04"), Body: "before"}, {At: *date(t, "2026-01-06"), Body: "now"}},
	}
	got, known := AsReviewed(p, model.RevisionCandidate{Oid: "reviewed"}, diff, *date(t, "2026-01-05"))
	want := *p
	want.Title, want.Body, want.HeadOid, want.Additions, want.Deletions, want.ChangedFiles = "before", "before", "reviewed", 3, 2, 5
	want.Incomplete = []string{"labels"}
	want.Files = []model.ChangedFile{
		{Path: "a.txt", Additions: 2, Change: model.FileAdded},
		{Path: "b.py", Additions: 1, Deletions: 1, Change: model.FileModified},
		{Path: "c.py", Change: model.FileRenamed},
		{Path: "d.py", Change: model.FileCopied},
		{Path: "z.txt", Deletions: 1, Change: model.FileDeleted},
	}
	if d := cmp.Diff(&want, got); d != "" || !known {
		t.Errorf("known %t (-want +got):\n%s", known, d)
	}
	if got, known := AsReviewed(p, model.RevisionCandidate{}, diff, *date(t, "2026-01-03")); known || got.Body != "now" {
		t.Errorf("a description before the first known one: %q, known %t", got.Body, known)
	}
}
