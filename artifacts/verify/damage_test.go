package verify_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/internal/model"
)

// rescore gives a task the scores of other inputs, consistently.
func rescore(t *artifacts.Task, in model.RVSInputs) {
	s := artifactstest.Score(in)
	t.Evidence.Scores = artifacts.ScoreEvidence{Inputs: in, RVS: artifacts.Float(s.Score), Parts: artifacts.RVSBreakdown{
		ReviewDepth: artifacts.Float(s.Depth), CodeComplexity: artifacts.Float(s.Complexity), DiscussionSignal: artifacts.Float(s.Discussion),
		TestChangeSignal: artifacts.Float(s.Test), BugFixSignal: artifacts.Float(s.Bug),
	}}
	t.Record.RVSScore = artifacts.Round3(s.Score)
	t.Record.RVSBreakdown = artifacts.RVSBreakdown{
		ReviewDepth: artifacts.Round3(s.Depth), CodeComplexity: artifacts.Round3(s.Complexity), DiscussionSignal: artifacts.Round3(s.Discussion),
		TestChangeSignal: artifacts.Round3(s.Test), BugFixSignal: artifacts.Round3(s.Bug),
	}
}

func belowFloor(t *artifacts.Task) {
	in := t.Evidence.Scores.Inputs
	in.BugFix = false
	rescore(t, in)
}

// tooManyLines puts a diff that adds 803 lines in place of the record's, around
// the line that is commented on.
func tooManyLines(t *artifacts.Task) {
	const n = 801
	r := &t.Record
	tests := r.DiffPatch[strings.Index(r.DiffPatch, "diff --git a/tests"):]
	r.DiffPatch = fmt.Sprintf("diff --git a/src/app.py b/src/app.py\nindex 1111111..2222222 100644\n--- a/src/app.py\n+++ b/src/app.py\n"+
		"@@ -1,3 +1,%d @@\n+import sys\n def parse(text):\n-    return text\n%s MODE = \"a\"\n", n+3, strings.Repeat("+    x\n", n)) + tests
	r.LinesAdded, r.LinesRemoved = n+2, 1
	in := t.Evidence.Scores.Inputs
	in.ChangedLines = n + 3
	rescore(t, in)
}

// rename changes a login everywhere.
func rename(t *artifacts.Task, old, name string) {
	swap := func(s *string) {
		if *s == old {
			*s = name
		}
	}
	for i := range t.Record.HumanReviewComments {
		swap(&t.Record.HumanReviewComments[i].Author)
	}
	for i := range t.Annotation.Comments {
		swap(&t.Annotation.Comments[i].Reviewer)
	}
	for i := range t.Annotation.RequestedChanges {
		swap(&t.Annotation.RequestedChanges[i].Reviewer)
	}
	for i := range t.Evidence.Comments {
		swap(&t.Evidence.Comments[i].Author)
	}
}

// rewrite gives the first review comment another text everywhere.
func rewrite(t *artifacts.Task, body string) {
	t.Record.HumanReviewComments[0].Body = body
	t.Annotation.Comments[0].Body = body
	t.Annotation.RequestedChanges[0].Body = body
	t.Evidence.Comments[0].Body = body
}

// lineLost takes the line from a comment that has a place in the diff, and
// everything that follows from it.
func lineLost(t *artifacts.Task) {
	t.Annotation.Comments[1].Line, t.Annotation.Comments[1].IsInDiff = nil, false
	t.Evidence.Comments[2].Line, t.Evidence.Comments[2].IsInDiff = nil, false
	t.Record.HumanReviewComments[2].Line = nil
}

// everywhere gives a file another name in all that a task says.
func everywhere(t *artifacts.Task, old, name string) {
	text, err := json.Marshal(t)
	if err == nil {
		*t = artifacts.Task{}
		err = json.Unmarshal([]byte(strings.ReplaceAll(string(text), old, name)), t)
	}
	if err != nil {
		panic(err)
	}
	for i := range t.Contexts {
		t.Contexts[i].TotalTokens = artifactstest.Tokens(t.Contexts[i].Rendered)
	}
}

// pad adds text to a context and counts it.
func pad(x *artifacts.Context, text string) {
	x.Rendered += text
	x.TotalTokens = artifactstest.Tokens(x.Rendered)
}

// replace changes text in a context and counts it.
func replace(x *artifacts.Context, pairs ...string) {
	text := strings.NewReplacer(pairs...).Replace(x.Rendered)
	if text == x.Rendered {
		panic("nothing to replace")
	}
	x.Rendered, x.TotalTokens = text, artifactstest.Tokens(text)
}

// plus adds a decision.
func plus(d *freeze.Dataset, x artifacts.Decision) iter.Seq2[artifacts.Rejection, error] {
	in := d.Decisions
	return func(yield func(artifacts.Rejection, error) bool) {
		for r, err := range in {
			if !yield(r, err) {
				return
			}
		}
		yield(artifacts.Rejection{Decision: x}, nil)
	}
}

// again repeats the n-th decision.
func again(d *freeze.Dataset, n int) iter.Seq2[artifacts.Rejection, error] {
	i := 0
	for r := range d.Decisions {
		if i == n {
			return plus(d, r.Decision)
		}
		i++
	}
	panic("no such decision")
}
