package filters

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

func TestCommentsMayBeCode(t *testing.T) {
	c := sound()
	c.Diff.Text = strings.NewReplacer("\n-", "\n-// ", "\n+", "\n+// ").Replace(c.Diff.Text)
	c.Diff.Text = strings.NewReplacer("-// --", "---", "+// ++", "+++").Replace(c.Diff.Text)
	c.SetDiff(c.Diff)
	for comments, want := range map[string]verdict.Outcome{CommentsAreCode: verdict.OutcomePass, CommentsAreDocumentation: verdict.OutcomeReject} {
		f := diffParseable{maxAdded: 800, count: CountAll, comments: comments}
		if got := f.Check(c); got.Outcome != want {
			t.Errorf("comments are %s: %+v", comments, got)
		}
	}
}

func TestDiffParseable(t *testing.T) {
	text := func(s string) func(*model.Candidate) {
		return func(c *model.Candidate) { c.Diff.Text = s }
	}
	adding := func(n int) func(*model.Candidate) {
		return func(c *model.Candidate) {
			c.Diff.Text = fmt.Sprintf("diff --git a/a.go b/a.go\nnew file mode 100644\nindex 0000000..2222222\n--- /dev/null\n+++ b/a.go\n@@ -0,0 +1,%d @@\n", n) +
				strings.Repeat("+x\n", n)
			c.Pull.Additions, c.Pull.Deletions = n, 0
		}
	}
	comments := func(old, new string) func(*model.Candidate) {
		return func(c *model.Candidate) {
			c.Diff.Text = "diff --git a/a.go b/a.go\nindex 1111111..2222222 100644\n--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n-" + old + "\n+" + new + "\n"
			c.Pull.Additions, c.Pull.Deletions = 1, 1
		}
	}
	table(t, "diff-parseable", []check{
		{"799 lines", adding(799), verdict.OutcomePass, ""},
		{"800 lines", adding(800), verdict.OutcomePass, ""},
		{"801 lines", adding(801), verdict.OutcomeReject, verdict.DiffTooLarge},
		{"801 lines, 1 of them production", func(c *model.Candidate) {
			adding(800)(c)
			c.Diff.Text = strings.ReplaceAll(c.Diff.Text, "a.go", "a_test.go") + sound().Diff.Text
			c.Diff.Source = model.DiffFromGit
		}, verdict.OutcomePass, ""},
		{"comments alone", comments("// old", "// new"), verdict.OutcomeReject, verdict.OnlyCommentsChanged},
		{"a comment and code", comments("x // old", "y // new"), verdict.OutcomePass, ""},
		{"comments and a page", func(c *model.Candidate) {
			comments("// old", "// new")(c)
			c.Diff.Text += strings.ReplaceAll(c.Diff.Text, "a.go", "docs/a.md")
			c.Diff.Source = model.DiffFromGit
		}, verdict.OutcomeReject, verdict.OnlyCommentsChanged},
		{"none", func(c *model.Candidate) { c.Diff = nil }, verdict.OutcomeUndetermined, verdict.DiffMissing},
		{"empty", text(""), verdict.OutcomeReject, verdict.DiffEmpty},
		{"a page of HTML", text("<html><body>Unicorn!</body></html>\n"), verdict.OutcomeReject, verdict.DiffUnparseable},
		{"broken hunk", text(strings.Replace(sound().Diff.Text, "@@ -1 +1 @@", "@@ -1,9 +1,9 @@", 1)), verdict.OutcomeReject, verdict.DiffUnparseable},
		{"fewer files than GitHub counts", func(c *model.Candidate) { c.Pull.ChangedFiles = 2 }, verdict.OutcomeUndetermined, verdict.DiffCutOff},
		{"fewer lines than GitHub counts", func(c *model.Candidate) { c.Pull.Additions = 2 }, verdict.OutcomeUndetermined, verdict.DiffCutOff},
		{"git counts otherwise", func(c *model.Candidate) {
			c.Diff.Source = model.DiffFromGit
			c.Pull.ChangedFiles = 2
		}, verdict.OutcomePass, ""},
	})
}
