package report_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/report"
	"github.com/prforge/prforge/evaluation/stats"
	"github.com/prforge/prforge/internal/page/pagetest"
	"github.com/prforge/prforge/internal/reviewer"
)

var update = flag.Bool("update", false, "write the golden file")

var screenshot = flag.String("screenshot", "", "write a picture of the page to this file")

const diff = `diff --git a/a.go b/a.go
--- a/a.go
+++ b/a.go
@@ -1,3 +1,4 @@
 package a
+var x = 1
 // one
 // two
`

// hostileText is in every text that comes from strangers or models.
const hostileText = "</script><script>window.ran = 1</script><img src=x onerror=alert(1)> \u202e | `x`"

// run is an evaluation of the reference reviewers on some tasks, with hostile
// texts wherever a stranger or a model writes.
func run(t *testing.T, n int, hostile string) (evaluation.Report, []evaluation.Result, map[string]evaluation.Item) {
	t.Helper()
	line := 2
	p := evaluation.Plan{
		Version: 1, Benchmark: "review", Dataset: evaluation.DatasetRef{Name: "sample" + hostile}, Protocol: "prforge/1", Configs: []string{"config_A", "config_C"},
		Judge: evaluation.Judge{ID: "rules", Provider: evaluation.ProviderRules}, Repeats: 1, Seed: 1, Draws: 200, Cluster: "task",
	}
	for _, name := range evaluation.References {
		p.Models = append(p.Models, reviewer.Model{ID: name, Provider: reviewer.Reference, Reference: name})
	}
	items := map[string]evaluation.Item{}
	for i := range n {
		key, err := json.Marshal(evaluation.Key{Repo: "acme/widget", Number: i + 1, Title: "Fix the widget" + hostile, URL: "javascript:alert(1)", Diff: diff, Truth: []evaluation.Truth{
			{ID: "c_1", Body: "The counter **starts** at the wrong number" + hostile, File: "a.go", Line: &line, Reviewer: "bob" + hostile, Validation: "applied", VisibleIn: []string{"A", "C"}, URL: "https://github.com/acme/widget/pull/1#c"},
			{ID: "c_2", Body: "Nobody calls this" + hostile, File: "b.go"},
		}})
		if err != nil {
			t.Fatal(err)
		}
		id := fmt.Sprintf("widget__%d", i+1)
		p.Tasks = append(p.Tasks, id)
		groups := map[string]string{"difficulty": []string{"Type1_Direct", "Type2_Contextual"}[i%2], "language": "Go", "type": "bug_fix", "repo": "acme/widget"}
		items[id] = evaluation.Item{ID: id, Groups: groups, Key: key, Prompts: map[string]string{"config_A": "a", "config_C": "the context C" + hostile}}
	}
	var results []evaluation.Result
	for _, k := range p.Records(items) {
		it := items[k.Task]
		ask := func(context.Context, evaluation.Request) (string, error) { return evaluation.Refer(k.Model, it) }
		if k.Model == "echo" && k.Task == "widget__1" {
			ask = func(context.Context, evaluation.Request) (string, error) { return "", fmt.Errorf("529") }
		}
		if k.Model == "echo" && k.Task == "widget__2" && k.Config == "config_A" {
			ask = func(context.Context, evaluation.Request) (string, error) { return "", evaluation.ErrNotAsked }
		}
		r, err := p.Evaluate(t.Context(), evaluation.Reviews{}, it, k, asked(ask), nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Judgement != nil && len(r.Judgement.Comments) > 0 {
			r.Judgement.Comments[0].Reason += hostile
		}
		results = append(results, r)
	}
	r := evaluation.NewReport(p, evaluation.Reviews{}.Metrics(), results, items, map[string]evaluation.Cost{"oracle": {USD: 1.5}})
	r.Tables = append(r.Tables, evaluation.Table{Name: "kinds", Title: "By kind", Means: "What was missed" + hostile, Labels: []string{"kind"}, Columns: []string{"missed", "share", "p"}, Rows: []evaluation.TableRow{
		{Model: "oracle", Labels: []string{"U1" + hostile}, Figures: []evaluation.Figure{evaluation.Count(3), evaluation.Estimated(stats.Wilson(3, 12, 0.95)), evaluation.Plain(0.004)}},
		{Model: "silent", Labels: []string{"U2"}, Figures: []evaluation.Figure{evaluation.Count(1), evaluation.Estimated(stats.Wilson(0, 0, 0.95)), evaluation.Plain(0.03)}},
	}})
	r.Tables[0].Adjust(2)
	return r, results, items
}

func html(t *testing.T, n int, hostile string) string {
	t.Helper()
	r, results, items := run(t, n, hostile)
	var b, again bytes.Buffer
	if err := report.HTML(&b, r, results, items); err != nil {
		t.Fatal(err)
	}
	if err := report.HTML(&again, r, results, items); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Errorf("two pages of one run differ, %v", err)
	}
	path := filepath.Join(t.TempDir(), "an evaluation #1.html")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPageInBrowser(t *testing.T) {
	ctx := pagetest.Browser(t)
	path := html(t, 12, "")
	t.Run("from the leaderboard to a comment", func(t *testing.T) { drillDown(pagetest.Open(t, ctx, path)) })
	t.Run("keys alone", func(t *testing.T) { keysAlone(pagetest.Open(t, ctx, path)) })
	t.Run("phone", func(t *testing.T) {
		pagetest.Open(t, ctx, path).FitsPhone("#/", "#/cells", "#/tables", "#/compare", "#/tasks", "#/task/widget__1")
	})
	t.Run("no number is cut", func(t *testing.T) { nothingCut(pagetest.Open(t, ctx, path)) })
	t.Run("accessible", func(t *testing.T) {
		pagetest.Open(t, ctx, path).HasNoSeriousFinding("#/", "#/cells", "#/compare", "#/tasks", "#/task/widget__1")
	})
	t.Run("dark", func(t *testing.T) { pagetest.Open(t, ctx, path).TurnsDark() })
	t.Run("hostile", func(t *testing.T) { hostile(pagetest.Open(t, ctx, html(t, 2, hostileText))) })
}

func drillDown(b *pagetest.Tab) {
	b.Wait("document.querySelector('h1').innerText === 'sample'")
	if *screenshot != "" {
		picture(b)
	}
	rows := pagetest.Get[string](b, "document.querySelector('tbody').innerText")
	for _, want := range []string{"1\toracle", "shotgun", "2 of 24\n1 not asked", "$0.06"} {
		if !strings.Contains(rows, want) {
			b.Errorf("the leaderboard lacks %q:\n%s", want, rows)
		}
	}
	b.Do(chromedp.Click(chromedp.CSS("a[href='#/cells?model=shotgun']")))
	b.Wait("document.querySelector('#model') && document.querySelector('#model').value === 'shotgun'")
	b.Do(chromedp.Evaluate[chromedp.Void]("[...document.querySelectorAll('a[data-row]')].find((a) => a.innerText.startsWith('C · Type2')).click()"))
	b.Wait("document.getElementById('found') && document.getElementById('found').innerText === '6 pull requests'")
	b.Do(chromedp.Click(chromedp.CSS(".item")))
	b.Wait("location.hash === '#/task/widget__2?config=config_C' && document.querySelectorAll('article.comment').length > 3")
	says := pagetest.Get[string](b, "document.querySelector('main').innerText")
	for _, want := range []string{"c_1", "caught by oracle, shotgun", "same problem as c_1", "CONFIRMED", "FABRICATED", "Judge: It has the text of a ground-truth comment.", "had nothing to say", "applied", "The change"} {
		if !strings.Contains(says, want) {
			b.Errorf("the pull request lacks %q:\n%s", want, says)
		}
	}
	if says := pagetest.Get[string](b, "[...document.querySelectorAll('.said strong')].map((e) => e.innerText).join()"); says != "starts,starts" {
		b.Errorf("Markdown is not laid out: %q", says)
	}
	unfold := func(label, within string) {
		b.Do(chromedp.Evaluate[chromedp.Void]("[...document.querySelectorAll('" + within + " summary')].find((e) => e.innerText === '" + label + "').click()"))
	}
	unfold("Code", "article:not(.truth)")
	b.Wait("document.querySelector('article:not(.truth) .hunk .at').innerText.includes('var x = 1')")
	unfold("What it was shown", "section.card")
	b.Wait("document.querySelector('main').innerText.includes('the context C')")
	unfold("What it answered", "section.card")
	b.Wait("document.querySelector('main').innerText.includes('\"body\"')")
	unfold("a.go", "details.file")
	b.Wait("document.querySelector('.file .hunk .add') && document.querySelector('.file .hunk .add') && document.querySelector('.hunk .add').innerText.includes('var x = 1')")
	b.Do(chromedp.Navigate(b.File + "#/?metric=recall"))
	b.Wait("document.querySelector('#metric') && document.querySelector('#metric').value === 'recall'")
	if says := pagetest.Get[string](b, "document.querySelector('.spans').innerText"); !strings.Contains(says, "oracle\n1.000 (0.74 to 1.00)") {
		b.Errorf("the chart says\n%s", says)
	}
	b.Do(chromedp.Navigate(b.File + "#/compare?a=shotgun&b=oracle"))
	b.Wait("document.querySelector('h1').innerText === 'Compare'")
	if says := pagetest.Get[string](b, "document.querySelector('main').innerText"); !strings.Contains(says, "of shotgun minus that of oracle: -") {
		b.Errorf("the comparison says\n%s", says)
	}
	b.Do(chromedp.Navigate(b.File + "#/tables"))
	b.Wait("document.querySelector('h1').innerText === 'Tables'")
	if rows := pagetest.Get[string](b, "document.querySelector('tbody').innerText"); !strings.Contains(rows, "oracle\tU1\t3\t") || !strings.Contains(rows, "0.09 to 0.53") || !strings.Contains(rows, "0.008") {
		b.Errorf("the table says\n%s", rows)
	}
	b.Do(chromedp.Navigate(b.File + "#/task/none__1"))
	b.Wait("document.querySelector('h1').innerText === 'Not in this page'")
}

// nothingCut checks at several widths that tables show all of their columns, and at
// the widest as columns.
func nothingCut(b *pagetest.Tab) {
	for _, width := range []int{2200, 1200, 1000, 740, 360} {
		b.Do(chromedp.EmulateViewport(int64(width), 900))
		for _, at := range []string{"#/", "#/cells", "#/tables", "#/compare"} {
			b.Do(chromedp.Navigate(b.File + at))
			b.Wait("location.hash === '" + at + "' && document.querySelector('.wrap')")
			if n := pagetest.Get[int](b, "[...document.querySelectorAll('.wrap')].filter((e) => e.scrollWidth > e.clientWidth + 1).length"); n > 0 {
				b.Errorf("%s cuts %d tables at %d pixels", at, n, width)
			}
			if w := pagetest.Get[int](b, "document.documentElement.scrollWidth"); w > width {
				b.Errorf("%s is %d pixels wide at %d", at, w, width)
			}
		}
		b.Do(chromedp.Navigate(b.File + "#/"))
		b.Wait("location.hash === '#/' && document.querySelector('.wrap')")
		if folded := pagetest.Get[bool](b, "Boolean(document.querySelector('.folded'))"); folded != (width < 1200) {
			b.Errorf("at %d pixels the leaderboard is folded: %v", width, folded)
		}
	}
}

// picture writes the two views of docs/evaluation.png, one below the other.
func picture(b *pagetest.Tab) {
	data, err := chromedp.Run(b.Context(), chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(*screenshot, data, 0o644)
	}
	if err != nil {
		b.Fatal(err)
	}
}

func keysAlone(b *pagetest.Tab) {
	b.Wait("document.activeElement.id === 'main'")
	b.Press("j")
	b.Wait("document.activeElement.matches('a[data-row]')")
	if outline := pagetest.Get[string](b, "getComputedStyle(document.activeElement).outlineStyle"); outline == "none" {
		b.Error("the focus cannot be seen")
	}
	b.Press(kb.Enter)
	b.Wait("location.hash.startsWith('#/cells?model=')")
	b.Press(kb.Escape)
	b.Wait("location.hash === '#/'")
	b.Do(chromedp.Navigate(b.File + "#/tasks"))
	b.Wait("document.querySelectorAll('.item').length === 12")
	b.Press("jj")
	b.Press(kb.Enter)
	b.Wait("location.hash === '#/task/widget__2' && document.querySelector('article.comment')")
	b.Press("j")
	b.Wait("document.activeElement.matches('article.comment')")
	b.Press("n")
	b.Wait("location.hash === '#/task/widget__3'")
	b.Press("p")
	b.Wait("location.hash === '#/task/widget__2'")
	b.Press(kb.Escape)
	b.Wait("location.hash === '#/tasks'")
	for _, at := range []string{"#/", "#/cells", "#/tables", "#/compare", "#/tasks", "#/tasks?config=config_A", "#/task/widget__1"} {
		b.Show(at)
		b.Press("/")
		b.Wait("document.activeElement.id === 'search'")
		b.Press("12" + kb.Enter)
		b.Wait("location.hash.split('?')[0] === '#/task/widget__12' && document.querySelector('article.comment')")
	}
	b.Press("?")
	b.Wait("document.getElementById('help').open")
	b.Press(kb.Escape)
	b.Wait("!document.getElementById('help').open")
}

// Strangers' and models' texts are shown as text, links of theirs lead nowhere,
// and the policy admits no second script.
func hostile(b *pagetest.Tab) {
	for _, at := range []string{"#/", "#/cells", "#/tables", "#/compare", "#/tasks", "#/task/widget__2"} {
		b.Do(chromedp.Navigate(b.File + at))
		b.Wait("location.hash === '" + at + "' && document.querySelector('h1')")
		b.HasOnlyText()
	}
	says := pagetest.Get[string](b, "main.innerText")
	for _, want := range []string{"<img src=x onerror=alert(1)>", "</script><script>", "⟦U+202E⟧"} {
		if strings.Count(says, want) < 3 {
			b.Errorf("%q is shown %d times as text", want, strings.Count(says, want))
		}
	}
	b.RefusesScripts()
}

// The other forms hold what strangers write in its place, too.
func TestMarkdownAndCSV(t *testing.T) {
	r, _, _ := run(t, 12, hostileText)
	var md bytes.Buffer
	if err := report.Markdown(&md, r); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(md.String(), "<") || strings.Contains(md.String(), "\u202e") || strings.Contains(md.String(), "`") {
		t.Error("a text reaches beyond its cell")
	}
	for _, want := range []string{"| 1 | oracle | 1.000", "no substitute", "2 of 24, 1 not asked", "not distinguishable", "## By kind", "| silent | U2 | 1 | – | 0.030 | 0.030 |"} {
		if !strings.Contains(md.String(), want) {
			t.Errorf("no %q in\n%s", want, md.String())
		}
	}
	var table bytes.Buffer
	if err := report.CSV(&table, r, r); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&table).ReadAll()
	if err != nil || len(lines) < 100 || lines[1][3] != "oracle" || lines[1][10] != "f1" || lines[1][11] != "1" || lines[len(lines)-1][14] != "kinds" || lines[len(lines)-1][15] != "U2" {
		t.Errorf("%d lines, %v: %v", len(lines), err, lines[1])
	}
}

// TestGolden_Markdown pins every line.
func TestGolden_Markdown(t *testing.T) {
	r, _, _ := run(t, 4, "")
	r.Warnings, r.Cells[0].Few = []string{"m: 2 of 20 answers were cut at the limit of output."}, true
	var got bytes.Buffer
	if err := report.Markdown(&got, r); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "report.md")
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if diff := cmp.Diff(string(want), got.String()); err != nil || diff != "" {
		t.Errorf("%v: %s", err, diff)
	}
}

// asked is an Ask that always asks somebody.
func asked(f func(context.Context, evaluation.Request) (string, error)) evaluation.Ask {
	return func(ctx context.Context, q evaluation.Request) (evaluation.Reply, error) {
		if f == nil {
			return evaluation.Reply{}, errors.New("nobody to ask")
		}
		text, err := f(ctx, q)
		return evaluation.Reply{Text: text, Fresh: true}, err
	}
}
