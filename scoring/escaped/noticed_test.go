package escaped_test

import (
	"testing"
	"time"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/scoring/escaped"
)

func TestNoticed(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	merged := day(5)
	p := &model.PullRequest{Author: model.Account{Login: "a"}, MergedAt: &merged, Threads: []model.Thread{{Path: "pkg/a.go", Comments: []model.Comment{{
		URL: "u", Author: model.Account{Login: "b"}, CreatedAt: day(1), DiffHunk: "@@ -1,1 +1,2 @@\n package a\n+\ttotal = total + count(items)",
		Body: "The total counts canceled items twice, is this meant?",
	}}}}}
	lines := []model.FaultLine{{Path: "pkg/a.go", Line: 2, Text: "\ttotal = total + count(items)"}}
	said := "The total counted canceled items twice, which counts too much"
	for _, tc := range []struct {
		name string
		edit func(*model.Comment)
		want string
	}{
		{"said so", func(*model.Comment) {}, "u"},
		{"in three words", func(c *model.Comment) { c.Body = "The total counts items, is this meant?" }, "u"},
		{"in two", func(c *model.Comment) { c.Body = "The total counts, is this meant?" }, ""},
		{"the author", func(c *model.Comment) { c.Author.Login = "a" }, ""},
		{"after the merge", func(c *model.Comment) { c.CreatedAt = day(6) }, ""},
		{"elsewhere", func(c *model.Comment) { c.DiffHunk = "@@ -1,1 +1,1 @@\n package a" }, ""},
		{"of something else", func(c *model.Comment) { c.Body = "Please rename this variable" }, ""},
	} {
		before := p.Threads[0].Comments[0]
		tc.edit(&p.Threads[0].Comments[0])
		if got := escaped.Noticed(p, lines, said); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.name, got, tc.want)
		}
		p.Threads[0].Comments[0] = before
	}
}
