package scoring

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

func ptr[T any](v T) *T { return &v }

// edit is the git diff of a file, from hunks.
func edit(path string, hunks ...string) string {
	return "diff --git a/" + path + " b/" + path + "\nindex 1111111..2222222 100644\n--- a/" + path + "\n+++ b/" + path + "\n" + strings.Join(hunks, "")
}

func parse(t *testing.T, text string) *unidiff.Diff {
	t.Helper()
	d, err := unidiff.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// The final diff of the tests: app.py changes in two places, old.py became
// new.py, gone.py is deleted.
var finalText = edit("app.py",
	"@@ -10,6 +10,7 @@ def load(path):\n     data = read(path)\n     if not data:\n         return None\n-    return decode(data)\n+    text = decode(data)\n+    return parse(text)\n \n def save(path):\n",
	"@@ -40,3 +41,3 @@ def close(handle):\n     handle.flush()\n-    handle.close()\n+    handle.close(wait=True)\n     log(handle)\n") +
	"diff --git a/old.py b/new.py\nsimilarity index 90%\nrename from old.py\nrename to new.py\nindex 3..4\n--- a/old.py\n+++ b/new.py\n@@ -1,2 +1,2 @@\n import os\n-import sys\n+import shutil\n" +
	"diff --git a/gone.py b/gone.py\ndeleted file mode 100644\nindex 5..0\n--- a/gone.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-def unused_helper():\n-    pass\n"

const head, then = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"

// appHunk is the beginning of app.py's first hunk as the comment showed it.
const appHunk = "@@ -10,6 +10,7 @@ def load(path):\n     data = read(path)\n     if not data:\n         return None\n-    return decode(data)\n"

func TestAnchors(t *testing.T) {
	right := func(line, original *int, hunk, oid string) model.Thread {
		return model.Thread{Path: "app.py", Side: model.Right, Line: line, OriginalLine: original, Subject: model.SubjectLine, IsOutdated: line == nil,
			Comments: []model.Comment{{ID: 1, DiffHunk: hunk, OriginalOid: oid}}}
	}
	with := func(th model.Thread, change func(*model.Thread)) model.Thread { change(&th); return th }
	revision := func(text string, paths ...string) []model.RevisionDiff {
		return []model.RevisionDiff{{From: then, To: head, Paths: append(paths, "app.py"), Text: text}}
	}
	tests := map[string]struct {
		thread    model.Thread
		revisions []model.RevisionDiff
		want      model.Anchor
		note      string // what the note has to contain
	}{
		"GitHub's line, added": {thread: right(ptr(14), ptr(14), appHunk+"+    text = decode(data)\n+    return parse(text)", head),
			want: model.Anchor{Path: "app.py", Line: ptr(14), Method: model.AnchorExact, InDiff: true, OriginalLine: ptr(14)}},
		"GitHub's line, context": {thread: right(ptr(10), ptr(10), "@@ -10,6 +10,7 @@\n     data = read(path)", head),
			want: model.Anchor{Path: "app.py", Line: ptr(10), Method: model.AnchorExact, OriginalLine: ptr(10)}},
		"GitHub's line outside every hunk": {thread: right(ptr(300), ptr(300), "@@ -300 +300 @@\n x = 1", head),
			want: model.Anchor{Path: "app.py", Line: ptr(300), Method: model.AnchorExact, OriginalLine: ptr(300)}},
		"GitHub's line with a range": {thread: with(right(ptr(14), ptr(14), appHunk+"+    text = decode(data)\n+    return parse(text)", head), func(th *model.Thread) { th.StartLine, th.OriginalStartLine = ptr(13), ptr(13) }),
			want: model.Anchor{Path: "app.py", Line: ptr(14), StartLine: ptr(13), Method: model.AnchorExact, InDiff: true, OriginalLine: ptr(14)}},
		"a range from the other side": {thread: with(right(ptr(14), ptr(14), appHunk+"+    text = decode(data)\n+    return parse(text)", head), func(th *model.Thread) {
			th.StartSide, th.StartLine, th.OriginalStartLine = model.Left, ptr(13), ptr(13)
		}),
			want: model.Anchor{Path: "app.py", Line: ptr(14), Method: model.AnchorExact, InDiff: true, OriginalLine: ptr(14)}},
		"GitHub's line, left": {thread: with(right(ptr(13), ptr(13), strings.TrimSuffix(appHunk, "\n"), head), func(th *model.Thread) { th.Side = model.Left }),
			want: model.Anchor{Path: "app.py", Line: ptr(13), Method: model.AnchorExact, InDiff: true, OriginalLine: ptr(13)}},
		"GitHub's line, left, deleted file": {thread: with(right(ptr(1), ptr(1), "@@ -1,2 +0,0 @@\n-def unused_helper():", head), func(th *model.Thread) { th.Side, th.Path = model.Left, "gone.py" }),
			want: model.Anchor{Path: "gone.py", Line: ptr(1), Method: model.AnchorExact, InDiff: true, OriginalLine: ptr(1)}},
		"GitHub's line, left, under the old name": {thread: with(right(ptr(2), ptr(2), "@@ -1,2 +1,2 @@\n import os\n-import sys", head), func(th *model.Thread) { th.Side, th.Path = model.Left, "old.py" }),
			want: model.Anchor{Path: "new.py", Line: ptr(2), Method: model.AnchorExact, InDiff: true, OriginalLine: ptr(2)}},
		"file comment": {thread: with(right(nil, nil, "", head), func(th *model.Thread) { th.Subject = model.SubjectFile }),
			want: model.Anchor{Path: "app.py", Method: model.AnchorFile}, note: "whole file"},
		"file left the pull request": {thread: with(right(nil, ptr(7), "@@ -1,9 +1,9 @@\n+x", then), func(th *model.Thread) { th.Path = "dropped.py" }),
			want: model.Anchor{Path: "dropped.py", Method: model.AnchorNone, OriginalLine: ptr(1)}, note: "left the pull request"},
		"the hunk is believed over the number": {thread: right(ptr(14), ptr(99), appHunk+"+    text = decode(data)\n+    return parse(text)", head),
			want: model.Anchor{Path: "app.py", Line: ptr(14), Method: model.AnchorExact, InDiff: true, OriginalLine: ptr(14)}, note: "the hunk is believed"},

		"survived below an insertion": {thread: right(nil, ptr(10), "@@ -10,6 +8,7 @@\n         return None\n-    return decode(data)\n+    text = decode(data)\n+    return parse(text)", then),
			revisions: revision(edit("app.py", "@@ -2,0 +3,4 @@\n+import a\n+import b\n+import c\n+import d\n")),
			want:      model.Anchor{Path: "app.py", Line: ptr(14), Method: model.AnchorRemapped, InDiff: true, OriginalLine: ptr(10)}},
		"survived, file unchanged since": {thread: right(nil, ptr(14), appHunk+"+    text = decode(data)\n+    return parse(text)", then), revisions: revision(""),
			want: model.Anchor{Path: "app.py", Line: ptr(14), Method: model.AnchorRemapped, InDiff: true, OriginalLine: ptr(14)}},
		"survived, range partly changed": {thread: with(right(nil, ptr(14), appHunk+"+    text = decodes(data)\n+    return parse(text)", then), func(th *model.Thread) { th.OriginalStartLine = ptr(12) }),
			revisions: revision(edit("app.py", "@@ -13 +13 @@\n-    text = decodes(data)\n+    text = decode(data)\n")),
			want:      model.Anchor{Path: "app.py", Line: ptr(14), StartLine: ptr(12), Method: model.AnchorRemapped, InDiff: true, OriginalLine: ptr(14)}},
		"edited": {thread: right(nil, ptr(13), appHunk+"+    text = decode_all(data)", then),
			revisions: revision(edit("app.py", "@@ -13 +13,2 @@\n-    text = decode_all(data)\n+    text = decode(data)\n+    return parse(text)\n")),
			want:      model.Anchor{Path: "app.py", Substitute: ptr(13), Method: model.AnchorNone, OriginalLine: ptr(13)}, note: "edited"},
		"rewritten": {thread: right(nil, ptr(13), appHunk+"+    raise NotImplementedError", then),
			revisions: revision(edit("app.py", "@@ -13 +13,2 @@\n-    raise NotImplementedError\n+    text = decode(data)\n+    return parse(text)\n")),
			want:      model.Anchor{Path: "app.py", Substitute: ptr(13), Method: model.AnchorNone, OriginalLine: ptr(13)}, note: "rewritten"},
		"deleted": {thread: right(nil, ptr(13), appHunk+"+    print(data)", then),
			revisions: revision(edit("app.py", "@@ -13 +12,0 @@\n-    print(data)\n")),
			want:      model.Anchor{Path: "app.py", Method: model.AnchorNone, Substitute: ptr(13), OriginalLine: ptr(13)}, note: "follows the lines"},
		"the revision disagrees with the diff": {thread: right(nil, ptr(12), "@@ -1,9 +11,4 @@\n+a\n+    return parse(text)", then), revisions: revision(""),
			want: model.Anchor{Path: "app.py", Line: ptr(14), Method: model.AnchorHunk, InDiff: true, OriginalLine: ptr(12)}},

		"found by its text": {thread: right(nil, ptr(3), "@@ -1,9 +2,4 @@\n+    text = decode(data)\n+    return parse(text)", then),
			want: model.Anchor{Path: "app.py", Line: ptr(14), Method: model.AnchorHunk, InDiff: true, OriginalLine: ptr(3)}},
		"found by its text, indented again": {thread: right(nil, ptr(2), "@@ -1,9 +2,4 @@\n+  return parse(text)", then),
			want: model.Anchor{Path: "app.py", Line: ptr(14), Method: model.AnchorHunk, InDiff: true, OriginalLine: ptr(2)}},
		"found by its text with its range": {thread: with(right(nil, ptr(3), "@@ -1,9 +2,4 @@\n+    text = decode(data)\n+    return parse(text)", then), func(th *model.Thread) { th.OriginalStartLine = ptr(2) }),
			want: model.Anchor{Path: "app.py", Line: ptr(14), StartLine: ptr(13), Method: model.AnchorHunk, InDiff: true, OriginalLine: ptr(3)}},
		"found by its text, left": {thread: with(right(nil, ptr(39), "@@ -38,3 +38,3 @@\n     handle.flush()\n-    handle.close()", then), func(th *model.Thread) { th.Side = model.Left }),
			want: model.Anchor{Path: "app.py", Line: ptr(41), Method: model.AnchorHunk, InDiff: true, OriginalLine: ptr(39)}},
		"left, same number and text": {thread: with(right(nil, ptr(41), "@@ -40,3 +40,3 @@\n     handle.flush()\n-    handle.close()", then), func(th *model.Thread) { th.Side = model.Left }),
			want: model.Anchor{Path: "app.py", Line: ptr(41), Method: model.AnchorRemapped, InDiff: true, OriginalLine: ptr(41)}},
		"outdated at the head, text agrees": {thread: right(nil, ptr(14), appHunk+"+    text = decode(data)\n+    return parse(text)", head),
			want: model.Anchor{Path: "app.py", Line: ptr(14), Method: model.AnchorRemapped, InDiff: true, OriginalLine: ptr(14)}},
		"outdated at the head, text is gone": {thread: right(nil, ptr(2), "@@ -1,9 +1,4 @@\n+something_else()\n+another_thing()", head),
			want: model.Anchor{Path: "app.py", Method: model.AnchorNone, OriginalLine: ptr(2)}, note: "changed before the merge"},
		"a brace is not recognized": {thread: right(nil, ptr(2), "@@ -1,9 +2,4 @@\n \n", then),
			want: model.Anchor{Path: "app.py", Method: model.AnchorNone, OriginalLine: ptr(2)}, note: "too little"},
		"a context line that is not shown": {thread: right(nil, ptr(2), "@@ -1,9 +2,4 @@\n some_context_line()", then),
			want: model.Anchor{Path: "app.py", Method: model.AnchorNone, OriginalLine: ptr(2)}, note: "nowhere"},
		"neither line nor hunk": {thread: right(nil, nil, "", then), want: model.Anchor{Path: "app.py", Method: model.AnchorNone}, note: "neither a line nor"},
		"an unusable hunk":      {thread: right(nil, nil, "garbage", then), want: model.Anchor{Path: "app.py", Method: model.AnchorNone}, note: "unusable"},
		"renamed by a later commit": {thread: with(right(nil, ptr(2), "@@ -1,2 +1,2 @@\n import os\n+import shutil", then), func(th *model.Thread) { th.Path = "old.py" }),
			revisions: revision("diff --git a/old.py b/new.py\nsimilarity index 100%\nrename from old.py\nrename to new.py\n", "old.py"),
			want:      model.Anchor{Path: "new.py", Line: ptr(2), Method: model.AnchorRemapped, InDiff: true, OriginalLine: ptr(2)}},
		"renamed, no revision": {thread: with(right(nil, ptr(2), "@@ -1,2 +1,2 @@\n import os\n+import shutil", then), func(th *model.Thread) { th.Path = "old.py" }),
			want: model.Anchor{Path: "new.py", Line: ptr(2), Method: model.AnchorHunk, InDiff: true, OriginalLine: ptr(2)}},
	}
	diff := parse(t, finalText)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			pull := &model.PullRequest{HeadOid: head, Threads: []model.Thread{tt.thread}}
			got := Anchors(pull, diff, tt.revisions)[0]
			if !strings.Contains(got.Note, tt.note) || tt.note == "" && got.Note != "" {
				t.Errorf("note %q, want %q", got.Note, tt.note)
			}
			got.Note, tt.want.CommentID, tt.want.Side = "", 1, tt.thread.Side
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestAnchorsOfRepliesAndOrder(t *testing.T) {
	pull := &model.PullRequest{HeadOid: head}
	for i := range 3 {
		pull.Threads = append(pull.Threads, model.Thread{Path: "app.py", Side: model.Right, Line: ptr(13 + i), Subject: model.SubjectLine,
			Comments: []model.Comment{{ID: int64(10 * i)}, {ID: int64(10*i + 1)}}})
	}
	var got []string
	for _, a := range Anchors(pull, parse(t, finalText), nil) {
		got = append(got, fmt.Sprint(a.CommentID, ":", *a.Line))
	}
	if want := []string{"0:13", "1:13", "10:14", "11:14", "20:15", "21:15"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestSearchAmongPlacesAlike(t *testing.T) {
	body := " func handler() {\n+    check_permissions()\n+    return response\n"
	f := parse(t, edit("app.py", "@@ -10,1 +10,3 @@\n"+body, "@@ -50,1 +52,3 @@\n"+body, "@@ -90,1 +94,3 @@\n other() {\n+    check_permissions()\n+    return response\n",
		"@@ -120,2 +126,2 @@\n     keep_this_line()\n-a\n+b\n", "@@ -125,1 +131,1 @@\n-c\n+    keep_this_line()\n")).Files[0]
	hunk := func(start int, lines string) target {
		th := &model.Thread{Side: model.Right}
		return newTarget(th, fmt.Sprintf("@@ -%d,9 +%d,9 @@\n%s", start, start, lines))
	}
	tests := map[string]struct {
		target target
		want   int
	}{
		"three lines alike, the nearest": {hunk(48, body), 54},
		"two lines alike are a guess":    {hunk(48, "+    check_permissions()\n+    return response"), 0},
		"as far from both":               {hunk(31, body), 0},
		"the longest run":                {hunk(11, " other() {\n+    check_permissions()\n+    return response"), 96},
		"the same kind of line":          {newTarget(&model.Thread{Side: model.Right}, "@@ -300,9 +300,9 @@\n-x\n+    keep_this_line()"), 131},
		"one short line":                 {hunk(11, "+ }"), 0},
	}
	for name, tt := range tests {
		if got := search(f, model.Right, tt.target); got.line != tt.want {
			t.Errorf("%s: line %d, want %d", name, got.line, tt.want)
		}
	}
}

// TestAnchorsProperties asserts on random pull requests that order does not
// matter, that every anchor is sound and that a lost line says why.
func TestAnchorsProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	diff := parse(t, finalText)
	hunks := []string{"", "garbage", appHunk, appHunk + "+    text = decode(data)", "@@ -1,9 +2,4 @@\n+    return parse(text)", "@@ -40,3 +41,3 @@\n     handle.flush()\n-    handle.close()"}
	revisions := []model.RevisionDiff{{From: then, To: head, Paths: []string{"app.py"}, Text: edit("app.py", "@@ -13 +13,2 @@\n-    text = decode_all(data)\n+    text = decode(data)\n+    return parse(text)\n")}}
	for range 2000 {
		pull := &model.PullRequest{HeadOid: head}
		for i := range 4 {
			th := model.Thread{Path: []string{"app.py", "old.py", "new.py", "gone.py", "none.py"}[rng.IntN(5)], Side: []model.Side{model.Left, model.Right}[rng.IntN(2)],
				Subject: model.SubjectLine, Comments: []model.Comment{{ID: int64(i), DiffHunk: hunks[rng.IntN(len(hunks))], OriginalOid: []string{"", head, then}[rng.IntN(3)]}}}
			for _, p := range []**int{&th.Line, &th.OriginalLine, &th.StartLine, &th.OriginalStartLine} {
				if rng.IntN(2) == 0 {
					*p = ptr(1 + rng.IntN(60))
				}
			}
			pull.Threads = append(pull.Threads, th)
		}
		got := Anchors(pull, diff, revisions)
		for i, a := range got {
			checkAnchor(t, pull.Threads[i], a, diff)
		}
		slices.Reverse(pull.Threads)
		back := Anchors(pull, diff, revisions)
		slices.Reverse(back)
		if d := cmp.Diff(got, back); d != "" {
			t.Fatalf("order matters: %s", d)
		}
	}
}

func checkAnchor(t *testing.T, th model.Thread, a model.Anchor, diff *unidiff.Diff) {
	t.Helper()
	switch {
	case th.Line != nil && (a.Method != model.AnchorExact || *a.Line != *th.Line):
		t.Fatalf("GitHub's line %d became %+v", *th.Line, a)
	case a.Line == nil && (a.Note == "" || a.InDiff || a.StartLine != nil):
		t.Fatalf("no line and no reason: %+v", a)
	case a.StartLine != nil && *a.StartLine >= *a.Line:
		t.Fatalf("range ends before it starts: %+v", a)
	case a.Side != th.Side:
		t.Fatalf("the side changed: %+v", a)
	}
	if a.InDiff {
		f := diff.Lookup(a.Path)
		if a.Side == model.Right && !f.Added()[*a.Line] || a.Side == model.Left && !f.Deleted()[*a.Line] {
			t.Fatalf("in the diff, but not: %+v", a)
		}
	}
}

// A line that was changed is sought after the lines that were before it, and shown only
// where the final diff has it.
func TestAfter(t *testing.T) {
	run := " func handler() {\n+    check_permissions()\n+    return response\n"
	edited := newTarget(&model.Thread{Side: model.Right}, "@@ -10,9 +10,9 @@\n"+run+"+    old_line()")
	for name, c := range map[string]struct {
		hunk  string
		shown bool
	}{
		"the hunk goes on": {"@@ -10,1 +10,4 @@\n" + run + "+    new_line()\n", true},
		"the hunk ends":    {"@@ -10,1 +10,3 @@\n" + run, false},
	} {
		if line, shown := after(parse(t, edit("app.py", c.hunk)).Files[0], model.Right, edited); line != 13 || shown != c.shown {
			t.Errorf("%s: line %d, shown %v", name, line, shown)
		}
	}
	if line, ok := after(parse(t, edit("app.py", "@@ -10,1 +10,3 @@\n"+run)).Files[0], model.Right, newTarget(&model.Thread{Side: model.Right}, "@@ -11,9 +11,9 @@\n+    check_permissions()\n+    return response\n+    old_line()")); ok {
		t.Errorf("two lines lead to line %d", line)
	}
}
