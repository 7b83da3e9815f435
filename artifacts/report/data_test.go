package report_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/convert"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/report"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

const attack = "<img src=x onerror=alert(1)></script><script>window.ran = 1</script><!-- \u2028 &lt;b&gt; \u202eevil\u202c <svg onload='window.ran=1'>"

// hostileMarkdown tries every way in which Markdown makes markup.
const hostileMarkdown = "[x](javascript:window.ran=1) ![x](https://evil.example/p.png) <img src=x onerror='window.ran=1'> [y](data:text/html,<script>)\n\n" +
	"<script>window.ran=1</script>\n\n<details open ontoggle=window.ran=1>\n\n|a|\n|---|\n|<b onclick=window.ran=1>|\n\n```\"><script>\nwindow.ran=1\n```\n\n" +
	"<javascript:window.ran=1> &lt;script&gt;window.ran=1&lt;/script&gt; [z]: javascript:window.ran=1\n\n> # <style>*{display:none}</style>\n\n- [ ] <form action=https://evil.example>"

// rawOf makes raw records: the words of the sample's rejected pull request, which
// are those of the first task, and how the code of each task went on.
func rawOf(tasks []*artifacts.Task) report.Raw {
	facts := []report.RawFact{{Seen: &convert.Seen{
		Repo: "acme/widget", Number: 8, URL: "https://github.com/acme/widget/pull/8", Title: "feat: **not** merged", Author: "ann",
		Description: "Would do `more`.", CreatedAt: "2026-01-05T09:00:00Z", Comments: tasks[0].Evidence.Comments,
	}}}
	for _, t := range tasks {
		facts = append(facts, report.RawFact{Repo: t.Record.Repo, Number: t.Record.PRNumber, Revisions: []model.RevisionDiff{
			{From: strings.Repeat("e", 40), To: t.Record.HeadCommit, Text: "diff --git a/src/app.py b/src/app.py\n--- a/src/app.py\n+++ b/src/app.py\n@@ -1 +1 @@\n-early = 1\n+late = 1\n"},
			{From: strings.Repeat("f", 40), To: t.Record.HeadCommit, Problem: attack},
		}})
	}
	return report.Raw(freeze.Seq(facts...))
}

// fragments are what hostileCorpus puts together.
var fragments = []string{
	"<img src=x onerror=window.ran=1>", "<script>window.ran=1</script>", "</script>", "<svg/onload=window.ran=1>", "<iframe srcdoc='<script>parent.ran=1</script>'>", "<a href=javascript:window.ran=1>x</a>",
	"[x](javascript:window.ran=1)", "[x](JaVaScRiPt&colon;window.ran=1)", "[x](\tjavascript:window.ran=1)", "[x](data:text/html;base64,PHNjcmlwdD4=)", "![x](javascript:window.ran=1)", "<javascript:window.ran=1>", "[x]: javascript:window.ran=1\n\n[x]",
	"[x](https://e.example/\"onmouseover=window.ran=1)", "[<img src=x onerror=window.ran=1>](https://e.example)", "https://e.example/<script>", "`<b onclick=window.ran=1>`", "```html\n<script>window.ran=1</script>\n```", "```\"><script>\n```", "~~~suggestion\n</pre><script>window.ran=1</script>",
	"&lt;script&gt;window.ran=1&lt;/script&gt;", "&#60;script&#62;", "&#x3c;img src=x onerror=window.ran=1&#x3e;", "<!--", "-->", "<!-- --!><img src=x onerror=window.ran=1>", "<style>*{display:none}</style>", "<form action=//e.example><input name=x>", "<base href=//e.example>", "<meta http-equiv=refresh content='0;url=//e.example'>",
	"| a |\n|---|\n| <b onclick=window.ran=1> |", "> > > quoted", "- [x] <input onfocus=window.ran=1 autofocus>", "1. one", "***", "**bold", "~~gone~~", "\u202e\u2066reversed", "\x00\x1b[31m", "\\<img src=x onerror=window.ran=1\\>", "__proto__", "constructor", "${window.ran=1}", "{{window.ran=1}}", "\n\n", "\n", " ",
}

// hostileCorpus makes texts that try to become markup: each fragment, and many
// put together from several. It is the same every time.
func hostileCorpus(n int) []string {
	random := rand.New(rand.NewPCG(1, 2))
	out := slices.Clone(fragments)
	for len(out) < n {
		var b strings.Builder
		for range 1 + random.IntN(8) {
			b.WriteString(fragments[random.IntN(len(fragments))])
		}
		out = append(out, b.String())
	}
	return out
}

// makeHostile puts an attack into everything that a stranger writes.
func makeHostile(t *artifacts.Task) {
	r, e := &t.Record, &t.Evidence
	r.Title, r.Description, r.ChangedFiles[0], r.Language = attack, attack, attack, attack
	r.PRURL, e.Author, e.Attribution, e.PRType.Because = "javascript:window.ran=1", attack, attack, attack
	e.Verdicts = append(e.Verdicts, artifacts.VerdictLine{Filter: attack, Outcome: "constructor", Detail: attack,
		Evidence: []verdict.Evidence{{What: attack, Found: attack, URL: "javascript:window.ran=1"}}})
	for i := range e.Comments {
		c := &e.Comments[i]
		c.Body, c.DiffHunk, c.Path, c.Author, c.URL = attack, "@@ -1 +1 @@ "+attack+"\n+"+attack, attack, attack, "javascript:window.ran=1"
	}
	for i := range t.Contexts {
		t.Contexts[i].Rendered += "\n## Layer 6 - " + attack + "\n" + attack
	}
	e.Comments[0].Body = strings.Repeat("x", 1_000_000)
	e.Comments[3].Body = hostileMarkdown
	e.Comments[1].DiffHunk = "@@ -1 +1 @@\n+" + strings.Repeat("\u202e<", 200_000)
	e.Comments[1].URL = "https://example.org/\"onmouseover=\"window.ran=1"
}

// bigDataset has many pull requests, of which the first ones are released.
func bigDataset(released, all int) freeze.Dataset {
	sample := artifactstest.Tasks()[0]
	var tasks []*artifacts.Task
	var decisions []artifacts.Rejection
	for i := range all {
		number := 1000 + i
		d := artifacts.Decision{Kind: artifacts.KindPullRequest, Repo: "acme/widget", PRNumber: &number, Stage: "select", Outcome: artifacts.Selected}
		if i < released {
			tasks = append(tasks, renumbered(*sample, number))
		} else {
			d.Stage, d.Outcome, d.Code, d.Detail = "merged", artifacts.Rejected, verdict.NotMerged, fmt.Sprintf("number c%d is not merged", i)
		}
		decisions = append(decisions, artifacts.Rejection{Decision: d, Verdicts: []artifacts.VerdictLine{{Filter: "merged", Outcome: verdict.OutcomeReject, Code: verdict.NotMerged, Evidence: []verdict.Evidence{}}}})
	}
	d := artifactstest.Dataset(tasks)
	d.Decisions = freeze.Seq(decisions...)
	return d
}

func renumbered(t artifacts.Task, number int) *artifacts.Task {
	id := fmt.Sprintf("widget__%d", number)
	t.Record.TaskID, t.Annotation.TaskID, t.Evidence.TaskID = id, id, id
	t.Record.PRNumber, t.Annotation.PRNumber, t.Evidence.PRNumber = number, number, number
	t.Contexts = append([]artifacts.Context(nil), t.Contexts...)
	for i := range t.Contexts {
		t.Contexts[i].TaskID, t.Contexts[i].PRNumber = id, number
	}
	return &t
}
