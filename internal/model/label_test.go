package model

import (
	"testing"

	"github.com/prforge/prforge/internal/verdict"
)

func TestKeepLeavesOutCommentsWithTheirReason(t *testing.T) {
	severity := "high"
	l := &Labels{Substantive: 2, Threads: 3, Comments: []CommentLabel{
		{CommentID: 1, Substantive: true, Severity: &severity, RequiresChange: true, Rules: []Rule{{ID: "human", Passed: true}}},
		{CommentID: 2, Reason: "by_bot"},
		{CommentID: 3, Substantive: true},
	}}
	for _, code := range []verdict.Code{verdict.CodeChanged, verdict.OtherRevision} {
		got := l.Keep("stands", code, func(id int64) bool { return id == 3 })
		if got.Substantive != 1 || got.Threads != 3 || !got.Comments[2].Substantive || got.Comments[1].Reason != "by_bot" {
			t.Errorf("kept %+v", got)
		}
		out := got.Comments[0]
		if out.Substantive || out.Reason != string(code) || out.Severity != nil || out.RequiresChange || len(out.Rules) != 2 || out.Rules[1].Passed {
			t.Errorf("left out %+v", out)
		}
		if !l.Comments[0].Substantive || len(l.Comments[0].Rules) != 1 || l.Substantive != 2 {
			t.Fatalf("the labels given were changed: %+v", l)
		}
	}
}
