package scoring

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/model"
)

const forkThen, forkNow = "3333333333333333333333333333333333333333", "4444444444444444444444444444444444444444"

// stateHunk is the beginning of app.py's first hunk at the commit commented on;
// its last line is line 14 of the new file.
const stateHunk = appHunk + "+    text = decode(data)\n+    return parse(text)"

// headText is app.py at the head, line 13 and 14 being those of finalText.
func headText(t *testing.T) []byte {
	t.Helper()
	var lines string
	for i := 1; i <= 45; i++ {
		switch i {
		case 13:
			lines += "    text = decode(data)\n"
		case 14:
			lines += "    return parse(text)\n"
		default:
			lines += "line\n"
		}
	}
	return []byte(lines)
}

func TestCommentStates(t *testing.T) {
	at := func(first, last int, body, hunk, oid string) model.Thread {
		th := model.Thread{Path: "app.py", Side: model.Right, OriginalLine: &last, Subject: model.SubjectLine,
			Comments: []model.Comment{{ID: 1, Body: body, DiffHunk: hunk, OriginalOid: oid}}}
		if first < last {
			th.OriginalStartLine = &first
		}
		return th
	}
	line := at(14, 14, "?", stateHunk, then)
	with := func(th model.Thread, change func(*model.Thread)) model.Thread { change(&th); return th }
	left := with(line, func(th *model.Thread) {
		th.Side, th.Comments = model.Left, []model.Comment{{ID: 1, OriginalOid: then, DiffHunk: "@@ -40,3 +41,3 @@\n     handle.flush()\n-    handle.close()"}}
		th.OriginalLine = ptr(41)
	})
	suggestion := "```suggestion\n    text = decode(data)\n\n    return parse(text)\n```"
	since := func(hunk string) []model.RevisionDiff {
		return []model.RevisionDiff{{From: then, To: head, ForkPoint: forkNow, Paths: []string{"app.py"}, Text: edit("app.py", hunk)}}
	}
	rebased := func(hunk, base string) []model.RevisionDiff {
		revs := since(hunk)
		revs[0].ForkPoint = forkThen
		return append(revs, model.RevisionDiff{From: forkThen, To: forkNow, Paths: []string{"app.py"}, Text: edit("app.py", base)})
	}
	lost := "9999999999999999999999999999999999999999"
	tests := map[string]struct {
		thread    model.Thread
		revisions []model.RevisionDiff
		state     model.CodeState
		distance  *int
		method    string
	}{
		"the line was changed": {line, since("@@ -14 +14 @@\n-    return parse(txt)\n+    return parse(text)\n"), model.StateEdited, ptr(0), methodCommit},
		"the line was deleted": {line, since("@@ -14 +13,0 @@\n-    print(data)\n"), model.StateEdited, ptr(0), methodCommit},
		"a line of the range":  {at(12, 14, "?", stateHunk, then), since("@@ -12 +12 @@\n-x\n+y\n"), model.StateEdited, ptr(0), methodCommit},
		"within the range":     {at(12, 14, "?", stateHunk, then), since("@@ -12,0 +13 @@\n+y\n"), model.StateNear, ptr(1), methodCommit},
		"directly after":       {line, since("@@ -14,0 +15 @@\n+y\n"), model.StateNear, ptr(1), methodCommit},
		"directly before":      {line, since("@@ -13,0 +14 @@\n+y\n"), model.StateNear, ptr(1), methodCommit},
		"one line before":      {line, since("@@ -13 +13 @@\n-x\n+y\n"), model.StateNear, ptr(1), methodCommit},
		"one line after":       {line, since("@@ -15 +15 @@\n-x\n+y\n"), model.StateNear, ptr(1), methodCommit},
		"two lines after":      {line, since("@@ -16 +16 @@\n-x\n+y\n"), model.StateNear, ptr(2), methodCommit},
		"three lines before":   {line, since("@@ -11 +11 @@\n-x\n+y\n"), model.StateNear, ptr(3), methodCommit},
		"four lines before":    {line, since("@@ -10 +10 @@\n-x\n+y\n"), model.StateAround, ptr(4), methodCommit},
		"three lines after":    {line, since("@@ -17 +17 @@\n-x\n+y\n"), model.StateNear, ptr(3), methodCommit},
		"four lines after":     {line, since("@@ -18 +18 @@\n-x\n+y\n"), model.StateAround, ptr(4), methodCommit},
		"ten lines after":      {line, since("@@ -24 +24 @@\n-x\n+y\n"), model.StateAround, ptr(10), methodCommit},
		"eleven lines after":   {line, since("@@ -25 +25 @@\n-x\n+y\n"), model.StateFar, ptr(11), methodCommit},
		"the file is as it was": {line, []model.RevisionDiff{{From: then, To: head, ForkPoint: forkNow, Paths: []string{"app.py"}}},
			model.StateUntouched, nil, methodCommit},
		"written on the head": {at(14, 14, "?", stateHunk, head), nil, model.StateAtHead, nil, methodCommit},
		"what the base brought does not count": {line, rebased("@@ -14 +14 @@\n-    return parse(txt)\n+    return parse(text)\n",
			"@@ -3 +3 @@\n-    return parse(txt)\n+    return parse(text)\n"), model.StateUntouched, nil, methodCommit},
		"more than the base brought": {line, rebased("@@ -14 +14 @@\n-    return parse(txt)\n+    return parse(text)\n",
			"@@ -3 +3 @@\n-    return parse(txt)\n+    return parse(TEXT)\n"), model.StateEdited, ptr(0), methodCommit},
		"the file left": {with(line, func(th *model.Thread) { th.Path = "dropped.py" }), nil, model.StateFileGone, nil, methodText},
		"the file was renamed": {with(line, func(th *model.Thread) { th.Path = "was.py" }), []model.RevisionDiff{{From: then, To: head, Paths: []string{"was.py"},
			Text: "diff --git a/was.py b/app.py\nsimilarity index 100%\nrename from was.py\nrename to app.py\n"}}, model.StateUntouched, nil, methodCommit},
		"a deletion that stays": {left, since("@@ -1 +1 @@\n-x\n+y\n"), model.StateUntouched, nil, methodCommit},
		"a deletion taken back": {with(left, func(th *model.Thread) {
			th.OriginalLine = ptr(30)
			th.Comments = []model.Comment{{ID: 1, OriginalOid: then, DiffHunk: "@@ -29,3 +29,3 @@\n     handle.open()\n-    handle.read()"}}
		}), since("@@ -1 +1 @@\n-x\n+y\n"), model.StateEdited, ptr(0), methodCommit},
		"a deletion carried over the base": {with(left, func(th *model.Thread) {
			th.OriginalLine = ptr(39)
			th.Comments = []model.Comment{{ID: 1, OriginalOid: then, DiffHunk: "@@ -38,3 +38,3 @@\n     handle.flush()\n-    handle.close()"}}
		}), rebased("@@ -1,0 +2,2 @@\n+a\n+b\n", "@@ -1,0 +2,2 @@\n+a\n+b\n"), model.StateUntouched, nil, methodCommit},
		"a suggestion taken over": {at(14, 14, suggestion, appHunk+"+    old = 1\n+    return old", then),
			since("@@ -13,2 +13,2 @@\n-    old = 1\n-    return old\n+    text = decode(data)\n+    return parse(text)\n"), model.StateApplied, nil, methodCommit},
		"a suggestion of what is there": {line2(suggestion), since("@@ -14,0 +15 @@\n+y\n"), model.StateNear, ptr(1), methodCommit},
		"a suggestion not taken over": {at(14, 14, "```suggestion\n    return other(text)\n```", stateHunk, then),
			since("@@ -14,0 +15 @@\n+y\n"), model.StateNear, ptr(1), methodCommit},
		"lost, the text is gone":         {at(14, 14, "?", appHunk+"+    something_else(data)", lost), nil, model.StateEditedText, nil, methodText},
		"lost, the text stands once":     {at(14, 14, "?", stateHunk, lost), nil, model.StateUntouchedText, nil, methodText},
		"lost, the text says too little": {at(14, 14, "?", appHunk+"+    }", lost), nil, model.StateUnknown, nil, ""},
		"lost, a deletion that stays": {with(left, func(th *model.Thread) {
			th.Comments = []model.Comment{{ID: 1, OriginalOid: lost, DiffHunk: th.Comments[0].DiffHunk}}
		}), nil, model.StateUntouchedText, nil, methodText},
		"a file comment on an equal file": {with(line, func(th *model.Thread) {
			th.Subject = model.SubjectFile
			th.OriginalLine = nil
			th.Comments[0].DiffHunk = ""
		}), nil, model.StateUnknown, nil, ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			tc.thread.Comments = append([]model.Comment{}, tc.thread.Comments...)
			final := Final{
				Pull: &model.PullRequest{HeadOid: head, Threads: []model.Thread{tc.thread}}, Diff: parse(t, finalText), Base: forkNow, Revisions: tc.revisions,
				Head: func(path string) ([]byte, bool) { return headText(t), path == "app.py" },
			}
			got := CommentStates(final)[0]
			if got.State != tc.state || got.Method != tc.method || (got.Distance == nil) != (tc.distance == nil) ||
				got.Distance != nil && *got.Distance != *tc.distance {
				t.Errorf("%s at %v by %q, want %s at %v by %q", got.State, deref(got.Distance), got.Method, tc.state, deref(tc.distance), tc.method)
			}
		})
	}
}

// line2 is a comment on lines that its suggestion repeats.
func line2(body string) model.Thread {
	first, last := 13, 14
	return model.Thread{Path: "app.py", Side: model.Right, OriginalLine: &last, OriginalStartLine: &first, Subject: model.SubjectLine,
		Comments: []model.Comment{{ID: 1, Body: body, DiffHunk: stateHunk, OriginalOid: then}}}
}

func deref(n *int) any {
	if n == nil {
		return nil
	}
	return *n
}

func TestStates_WithoutFinalDiff(t *testing.T) {
	p := &model.PullRequest{HeadOid: head, Threads: []model.Thread{line2("?")}}
	if got := CommentStates(Final{Pull: p})[0]; got.State != model.StateUnknown || got.State.Addressed() || got.State.Standing() {
		t.Errorf("state %s", got.State)
	}
}

func TestValidation(t *testing.T) {
	author, other := model.Account{Login: "ana", Type: model.User}, model.Account{Login: "ben", Type: model.User}
	say := func(by model.Account, body string) []model.Comment {
		return []model.Comment{{ID: 1, Author: other, Body: "Why?"}, {ID: 2, Author: by, Body: body}}
	}
	thumb := []model.Comment{{ID: 1, Author: other, Reactions: []model.Reaction{{Content: "THUMBS_UP", Count: 1, By: []model.Account{author}}}}}
	for name, tc := range map[string]struct {
		comments []model.Comment
		state    model.CodeState
		want     model.Validation
	}{
		"applied":                           {say(author, "no, it is intentional"), model.StateApplied, model.ValidApplied},
		"edited, and said so":               {say(author, "Good catch, fixed."), model.StateEdited, model.ValidEditedAcknowledged},
		"edited in silence":                 {say(author, "Hm."), model.StateNear, model.ValidEdited},
		"edited, agreed with a thumb":       {thumb, model.StateEditedText, model.ValidEditedAcknowledged},
		"edited although refused":           {say(author, "This is by design."), model.StateEdited, model.ValidEdited},
		"said so, no change":                {say(author, "Done"), model.StateUntouched, model.ValidAcknowledged},
		"refused":                           {say(author, "I would rather not add a class for one assertion."), model.StateUntouched, model.ValidDeclined},
		"refused in a quotation":            {say(author, "> won't fix\n\nWhere?"), model.StateFar, model.ValidNone},
		"somebody else says done":           {say(other, "done"), model.StateUntouched, model.ValidNone},
		"no answer":                         {say(other, "")[:1], model.StateAround, model.ValidNone},
		"refused, and changed beside":       {say(author, "I would like to keep `X` for now."), model.StateNear, model.ValidDeclined},
		"refused, and changed after all":    {say(author, "I would like to keep `X` for now."), model.StateEdited, model.ValidEdited},
		"agreed first, refused in the end":  {append(say(author, "Makes sense."), model.Comment{Author: author, Body: "On second thought, not needed."}), model.StateFar, model.ValidDeclined},
		"the file left, and said so":        {say(author, "Done"), model.StateFileGone, model.ValidEditedAcknowledged},
		"the file left in silence":          {say(author, "Hm."), model.StateFileGone, model.ValidNone},
		"an answer of the state of unknown": {say(author, "Fixed"), model.StateUnknown, model.ValidAcknowledged},
	} {
		p := &model.PullRequest{Author: author, Threads: []model.Thread{{Comments: tc.comments}}}
		states := make([]model.CommentState, len(tc.comments))
		for i := range states {
			states[i].State = tc.state
		}
		Validate(p, states)
		if states[0].Valid != tc.want || states[len(states)-1].Valid != tc.want {
			t.Errorf("%s: %s, want %s", name, states[0].Valid, tc.want)
		}
	}
}

// TestValidation_WholeFile: a file that a comment as a whole is about changed since.
func TestValidation_WholeFile(t *testing.T) {
	author := model.Account{Login: "ana", Type: model.User}
	for name, tc := range map[string]struct {
		method, reply string
		want          model.Validation
	}{
		"agreed":               {methodCommit, "Fixed", model.ValidEditedAcknowledged},
		"in silence":           {methodCommit, "Hm.", model.ValidNone},
		"refused":              {methodCommit, "This is by design.", model.ValidDeclined},
		"nothing was compared": {"", "Fixed", model.ValidAcknowledged},
	} {
		p := &model.PullRequest{Author: author, Threads: []model.Thread{{Subject: model.SubjectFile,
			Comments: []model.Comment{{ID: 1, Author: model.Account{Login: "ben"}}, {ID: 2, Author: author, Body: tc.reply}}}}}
		states := []model.CommentState{{State: model.StateUnknown, Method: tc.method}, {State: model.StateUnknown, Method: tc.method}}
		if Validate(p, states); states[0].Valid != tc.want {
			t.Errorf("%s: %s, want %s", name, states[0].Valid, tc.want)
		}
	}
}

// TestChooseFurtherRevisions: greedy cover, no comment twice, and no further
// record with fewer comments than the least.
func TestChooseFurtherRevisions(t *testing.T) {
	set := &model.RevisionSet{Candidates: []model.RevisionCandidate{
		{Oid: "a", Source: model.RevisionFromGit, Stands: []int64{1, 2, 3}},
		{Oid: "b", Source: model.RevisionFromGit, Stands: []int64{3, 4, 5, 6}},
		{Oid: "c", Source: model.RevisionFromGit, Stands: []int64{2, 6, 7, 8}},
		{Oid: "d", Source: model.RevisionFromGit, Stands: []int64{8, 9}},
	}}
	all := []int64{1, 2, 3, 4, 5, 6, 7, 8, 9}
	for name, tc := range map[string]struct {
		substantive []int64
		least       int
		want        string
	}{
		"the most of the rest":         {all, 1, "b[3 4 5 6] c[2 7 8] a[1] d[9]"},
		"two at least":                 {all, 2, "b[3 4 5 6] c[2 7 8]"},
		"four at least":                {all, 4, "b[3 4 5 6]"},
		"the first one may have fewer": {[]int64{1}, 2, "a[1]"},
	} {
		var got []string
		for _, r := range ChooseRevisions(set, writtenOn("", tc.substantive...), nil, tc.least) {
			got = append(got, r.Candidate.Oid+fmt.Sprint(r.Standing))
			if name == "the most of the rest" && r.Candidate.Oid == "c" && (!r.Elsewhere(6) || r.Elsewhere(2) || r.Elsewhere(9)) {
				t.Errorf("%s: what else stands there: %+v", name, r)
			}
		}
		if s := strings.Join(got, " "); s != tc.want {
			t.Errorf("%s: %s, want %s", name, s, tc.want)
		}
	}
}

// writtenOn says that comments were written on one commit.
func writtenOn(oid string, comments ...int64) map[int64]string {
	out := map[int64]string{}
	for _, id := range comments {
		out[id] = oid
	}
	return out
}

func TestChooseRevisions_Reason(t *testing.T) {
	set := &model.RevisionSet{Candidates: []model.RevisionCandidate{
		{Oid: "a", Why: []string{"branch"}, Stands: []int64{1, 2}},
		{Oid: "b", Why: []string{"review"}, Stands: []int64{1, 2, 5}},
		{Oid: "c", Why: []string{"comment", "review"}, Stands: []int64{1, 2}},
	}}
	for name, tc := range map[string]struct {
		written map[int64]string
		want    string
		because model.RevisionReason
	}{
		"most comments":                {writtenOn("c", 1, 2, 5), "b", model.RevisionMost},
		"one of them was written on":   {writtenOn("c", 1, 2), "c", model.RevisionCommented},
		"a review names":               {writtenOn("lost", 1, 2), "b", model.RevisionNamed},
		"a comment that counts for it": {map[int64]string{1: "a", 7: "c"}, "a", model.RevisionCommented},
	} {
		got := ChooseRevisions(set, tc.written, nil, 1)[0]
		if got.Candidate.Oid != tc.want || got.Because != tc.because {
			t.Errorf("%s: %s because of %s, want %s because of %s", name, got.Candidate.Oid, got.Because, tc.want, tc.because)
		}
	}
	set.Candidates = set.Candidates[:1]
	set.Candidates = append(set.Candidates, model.RevisionCandidate{Oid: "d", Stands: []int64{1}})
	if got := ChooseRevisions(set, writtenOn("", 1), nil, 1)[0]; got.Candidate.Oid != "a" || got.Because != model.RevisionEarliest {
		t.Errorf("the earliest: %+v", got)
	}
}

func TestChooseRevision(t *testing.T) {
	set := &model.RevisionSet{Candidates: []model.RevisionCandidate{
		{Oid: "a", Source: model.RevisionFromGit, Stands: []int64{1, 2}},
		{Oid: "b", Source: model.RevisionFromGit, Stands: []int64{2, 3, 9}},
		{Oid: "c", Source: model.RevisionFromGit, Stands: []int64{3, 4}},
		{Oid: "d"},
	}}
	for name, tc := range map[string]struct {
		substantive []int64
		want        string
		lost        int
	}{
		"the earliest of equals":            {[]int64{1, 2, 3, 4}, "a[1 2]", 0},
		"the most":                          {[]int64{9, 3, 2, 4}, "b[2 3 9]", 0},
		"one that stands":                   {[]int64{4, 77}, "c[4]", 1},
		"none where nothing stands":         {[]int64{77}, "", 0},
		"what is not substantive is no use": {[]int64{3, 4}, "c[3 4]", 0},
	} {
		got := ""
		if all := ChooseRevisions(set, writtenOn("", tc.substantive...), nil, 9); len(all) > 0 {
			r := all[0]
			got = r.Candidate.Oid + fmt.Sprint(r.Standing)
			if len(all) > 1 || r.Candidates != 4 || r.Reachable != 3 || len(r.Lost) != tc.lost {
				t.Errorf("%s: %+v", name, r)
			}
		}
		if got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

// TestFinalFile_OneForAnchorAndState: a thread's position and its state are of
// one file, also where another file took the name since.
func TestFinalFile_OneForAnchorAndState(t *testing.T) {
	const added = "new file mode 100644\nindex 0000000..4444444\n--- /dev/null\n"
	hunk := "@@ -0,0 +1,3 @@\n+import re\n+total = total + step"
	created := "diff --git a/b.py b/b.py\n" + added + "+++ b/b.py\n" + hunk + "\n+print(total)\n"
	taken := edit("a.py", "@@ -1,2 +1,3 @@\n import os\n+x = compute(1)\n y = 2\n")
	moved := "diff --git a/a.py b/b.py\nsimilarity index 90%\nrename from a.py\nrename to b.py\nindex 3333333..4444444 100644\n--- a/a.py\n+++ b/b.py\n@@ -1,3 +1,3 @@\n import re\n-total = total\n+total = total + step\n print(total)\n"
	retaken := "diff --git a/a.py b/a.py\n" + added + "+++ b/a.py\n@@ -0,0 +1 @@\n+import os\n"
	renamed := []model.RevisionDiff{{From: then, To: head, Paths: []string{"a.py"}, Text: "diff --git a/a.py b/b.py\nsimilarity index 100%\nrename from a.py\nrename to b.py\n"}}
	thread := func(change func(*model.Thread)) model.Thread {
		th := model.Thread{Path: "a.py", Side: model.Right, OriginalLine: ptr(2), Subject: model.SubjectLine, IsOutdated: true,
			Comments: []model.Comment{{ID: 1, OriginalOid: then, DiffHunk: hunk}}}
		change(&th)
		return th
	}
	for _, tc := range []struct {
		name      string
		thread    model.Thread
		diff      string
		revisions []model.RevisionDiff
		path      string
		method    model.AnchorMethod
		state     model.CodeState
	}{
		{"renamed since, the old name is another file's", thread(func(*model.Thread) {}), taken + created, renamed, "b.py", model.AnchorRemapped, model.StateUntouched},
		{"renamed since, the old name is free", thread(func(*model.Thread) {}), created, renamed, "b.py", model.AnchorRemapped, model.StateUntouched},
		{"not renamed", thread(func(th *model.Thread) { th.Path = "b.py" }), taken + created, nil, "b.py", model.AnchorHunk, model.StateUnknown},
		{"GitHub has the line", thread(func(th *model.Thread) { th.Line = ptr(2) }), taken + created, renamed, "a.py", model.AnchorExact, model.StateUntouched},
		{"a deleted line, the old name is another file's", thread(func(th *model.Thread) {
			th.Side, th.Comments[0].DiffHunk = model.Left, "@@ -1,3 +1,3 @@\n import re\n-total = total"
		}), retaken + moved, nil, "b.py", model.AnchorRemapped, model.StateUntouchedText},
	} {
		t.Run(tc.name, func(t *testing.T) {
			diff, pull := parse(t, tc.diff), &model.PullRequest{HeadOid: head, Threads: []model.Thread{tc.thread}}
			a := Anchors(pull, diff, tc.revisions)[0]
			s := CommentStates(Final{Pull: pull, Diff: diff, Revisions: tc.revisions})[0]
			if a.Path != tc.path || a.Method != tc.method || s.State != tc.state {
				t.Errorf("%s %s (%s), state %s; want %s %s, state %s", a.Path, a.Method, a.Note, s.State, tc.path, tc.method, tc.state)
			}
		})
	}
}

// TestAnswered: the comment's hunk ends at its line 14, so that what changed below
// between its commit and a later one does not keep it from standing there.
func TestAnswered(t *testing.T) {
	line := 14
	thread := model.Thread{Path: "app.py", Side: model.Right, OriginalLine: &line, Subject: model.SubjectLine,
		Comments: []model.Comment{{ID: 1, Body: "?", DiffHunk: stateHunk, OriginalOid: then}}}
	set := func(hunk, base string) *model.RevisionSet {
		s := &model.RevisionSet{
			Candidates: []model.RevisionCandidate{{Oid: then, Base: forkThen, Stands: []int64{1}}, {Oid: head, Base: forkNow, Stands: []int64{1}}},
			Since:      []model.RevisionDiff{{From: then, To: head, ForkPoint: forkThen, Paths: []string{"app.py"}, Text: edit("app.py", hunk)}},
		}
		if base != "" {
			s.Since = append(s.Since, model.RevisionDiff{From: forkThen, To: forkNow, Paths: []string{"app.py"}, Text: edit("app.py", base)})
		}
		return s
	}
	for name, tc := range map[string]struct {
		set      *model.RevisionSet
		side     model.Side
		answered bool
	}{
		"below the line":        {set("@@ -14,0 +15 @@\n+y\n", ""), model.Right, true},
		"three lines below":     {set("@@ -17 +17 @@\n-x\n+y\n", ""), model.Right, true},
		"four lines below":      {set("@@ -18 +18 @@\n-x\n+y\n", ""), model.Right, false},
		"by the base branch":    {set("@@ -14,0 +15 @@\n+y\n", "@@ -4,0 +5 @@\n+y\n"), model.Right, false},
		"below a deletion":      {set("@@ -14,0 +15 @@\n+y\n", ""), model.Left, false},
		"nothing was compared":  {&model.RevisionSet{Candidates: set("", "").Candidates}, model.Right, false},
		"it does not stand":     {&model.RevisionSet{Candidates: []model.RevisionCandidate{{Oid: head}}, Since: set("@@ -14,0 +15 @@\n+y\n", "").Since}, model.Right, false},
		"it is from the future": {&model.RevisionSet{Candidates: set("", "").Candidates[:1], Since: set("@@ -14,0 +15 @@\n+y\n", "").Since}, model.Right, false},
	} {
		th := thread
		th.Side = tc.side
		got := Answered(tc.set, []model.Thread{th})
		if len(got[head]) == 1 != tc.answered || len(got[then]) > 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
	chosen := func(answered map[string][]int64) *model.Reviewed {
		return ChooseRevisions(set("@@ -14,0 +15 @@\n+y\n", ""), map[int64]string{1: "", 2: ""}, answered, 1)[0]
	}
	if r := chosen(map[string][]int64{then: {1}}); r.Candidate.Oid != head || r.Because != model.RevisionMost {
		t.Errorf("the revision at which it is answered was chosen: %+v", r)
	}
}
