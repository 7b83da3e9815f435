package report_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/report"
	"github.com/prforge/prforge/internal/page/pagetest"
)

// page freezes a dataset and writes its page to a file.
func page(t *testing.T, tasks []*artifacts.Task) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a page #1.html")
	writePage(t, path, artifactstest.Dataset(tasks), report.PageOptions{Raw: rawOf(tasks)})
	return path
}

func writePage(t testing.TB, path string, d freeze.Dataset, o report.PageOptions) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "dataset")
	if err := freeze.Freeze(context.Background(), dir, d); err != nil {
		t.Fatal(err)
	}
	r, err := load.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := report.WriteHTML(f, r, o); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// folder writes a page with its blocks in files beside it.
func folder(t testing.TB, d freeze.Dataset, raw report.Raw) string {
	t.Helper()
	dir := t.TempDir()
	create := func(name string) (io.WriteCloser, error) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		return os.Create(path)
	}
	path := filepath.Join(dir, "index.html")
	writePage(t, path, d, report.PageOptions{Raw: raw, Create: create})
	return path
}

func TestPageInBrowser(t *testing.T) {
	ctx := pagetest.Browser(t)
	sample := page(t, artifactstest.Tasks())
	views := []string{"#/", "#/pulls", "#/comments", "#/repos", "#/repo/acme/widget", "#/pull/acme/widget/1", "#/pull/acme/widget/1/diff",
		"#/pull/acme/widget/1/contexts?config=C", "#/pull/acme/widget/1/scores", "#/pull/acme/widget/1/verdicts", "#/pull/acme/widget/8"}
	for _, c := range []struct {
		name string
		try  func(*pagetest.Tab)
	}{
		{"search and drill down", drillDown}, {"keys alone", keysAlone}, {"ground truth only", groundTruthOnly}, {"contexts", contexts}, {"deep link", deepLink},
		{"rejected", rejected}, {"comments by reason", commentsByReason}, {"whole diff", wholeDiff}, {"laid out", laidOut}, {"nothing matches", nothingMatches}, {"search in comments", searchInComments},
		{"every bar leads somewhere", everyBar},
		{"phone", func(b *pagetest.Tab) { b.FitsPhone(views...) }}, {"numbers", func(b *pagetest.Tab) { b.CutsNoNumber(views...) }}, {"dark", func(b *pagetest.Tab) { b.TurnsDark() }},
		{"accessible", func(b *pagetest.Tab) {
			b.HasNoSeriousFinding("#/", "#/pulls", "#/comments?repo=acme%2Fgadget", "#/repos", "#/pull/acme/widget/1", "#/pull/acme/widget/1/diff", "#/pull/acme/widget/1/contexts?config=C", "#/pull/acme/widget/8")
		}},
	} {
		t.Run(c.name, func(t *testing.T) { c.try(pagetest.Open(t, ctx, sample)) })
	}
	t.Run("hostile", func(t *testing.T) {
		tasks := artifactstest.Tasks()
		makeHostile(tasks[0])
		hostile(pagetest.Open(t, ctx, page(t, tasks)))
	})
	t.Run("hostile corpus", func(t *testing.T) {
		tasks := artifactstest.Tasks()
		sample := tasks[0].Evidence.Comments[0]
		tasks[0].Evidence.Comments = nil
		for i, body := range hostileCorpus(400) {
			c := sample
			c.Body, c.DatabaseID, c.CommentID, c.GroundTruth = body, int64(9000+i), nil, false
			tasks[0].Evidence.Comments = append(tasks[0].Evidence.Comments, c)
		}
		path := filepath.Join(t.TempDir(), "hostile.html")
		writePage(t, path, artifactstest.Dataset(artifactstest.Tasks()), report.PageOptions{Raw: rawOf(tasks)})
		corpus(pagetest.Open(t, ctx, path), 400)
	})
	t.Run("folder", func(t *testing.T) {
		tasks := artifactstest.Tasks()
		inFolder(pagetest.Open(t, ctx, folder(t, artifactstest.Dataset(tasks), rawOf(tasks))))
	})
	t.Run("many", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "many.html")
		writePage(t, path, bigDataset(120, 5000), report.PageOptions{})
		enterAndBack(pagetest.Open(t, ctx, path))
		crowd(pagetest.Open(t, ctx, path))
	})
}

func drillDown(b *pagetest.Tab) {
	b.Wait("document.querySelector('h1').innerText === 'sample'")
	b.Do(chromedp.Click(chromedp.CSS("a.bar[href='#/pulls?stage=merged']")))
	b.Wait("document.querySelectorAll('.item').length === 5")
	if first := pagetest.Get[string](b, "document.querySelector('.item').innerText"); !strings.Contains(first, "not merged") {
		b.Errorf("the stage does not begin with what it dropped: %q", first)
	}
	b.Do(chromedp.Navigate(b.File + "#/pulls"))
	b.Wait("[...document.querySelectorAll('.item .pill')].map((e) => e.innerText).join().startsWith('released,released,released,')") // those first
	b.Wait("document.querySelector('[data-filter=at]').closest('label').hidden")
	b.Do(chromedp.Click(chromedp.CSS("#search")))
	b.Press("gadget")
	b.Wait("document.querySelectorAll('.item').length === 1 && location.hash === '#/pulls?q=gadget'")
	b.Do(chromedp.Click(chromedp.CSS(".item")))
	b.Wait("document.querySelectorAll('article.comment').length === 5")
	says := pagetest.Get[string](b, "document.querySelector('article.truth').innerText")
	for _, want := range []string{"bob", "ground truth c_1", "callers of parse rely", "return text.strip()", "it passed every rule"} {
		if !strings.Contains(says, want) {
			b.Errorf("the first comment lacks %q:\n%s", want, says)
		}
	}
	if links := pagetest.Get[string](b, "document.querySelector('article.truth a').href"); !strings.HasPrefix(links, "https://github.com/acme/gadget/pull/3") {
		b.Errorf("the comment's link is %q", links)
	}
	b.Do(chromedp.Navigate(b.File + "#/pulls"))
	b.Wait("document.querySelector('[data-filter=difficulty]')")
	b.Do(chromedp.Evaluate[chromedp.Void]("(() => { const s = document.querySelector('[data-filter=difficulty]'); s.value = 'Type2_Contextual'; s.dispatchEvent(new Event('change')); })()"))
	b.Wait("document.querySelectorAll('.item').length === 1 && location.hash.includes('difficulty=Type2')")
}

func keysAlone(b *pagetest.Tab) {
	b.Wait("document.activeElement.id === 'main'")
	b.Press("j")
	b.Wait("document.activeElement.matches('a.bar')")
	if outline := pagetest.Get[string](b, "getComputedStyle(document.activeElement).outlineStyle"); outline == "none" {
		b.Error("the focus cannot be seen")
	}
	b.Press("/")
	b.Wait("document.activeElement.id === 'search'")
	b.Press("widget" + kb.Enter)
	b.Wait("location.hash === '#/pulls?q=widget' && document.querySelectorAll('.item').length > 2")
	b.Press("/")
	b.Press(kb.ArrowDown)
	b.Wait("document.activeElement.matches('.item')")
	b.Press("jk")
	b.Press(kb.ArrowDown)
	b.Wait("document.activeElement === document.querySelectorAll('.item')[1]")
	b.Press(kb.Enter)
	b.Wait("location.hash === '#/pull/acme/widget/2' && document.querySelector('article.comment')")
	b.Press("j")
	b.Wait("document.activeElement.matches('article.comment')")
	b.Press("p")
	b.Wait("location.hash === '#/pull/acme/widget/1'")
	b.Press(kb.Escape)
	b.Wait("location.hash === '#/pulls?q=widget'")
	b.Press(kb.Escape)
	b.Wait("location.hash === '#/'")
	for _, at := range []string{"#/", "#/pulls", "#/comments", "#/comments?label=by_bot", "#/repos", "#/repo/acme/widget", "#/pull/acme/widget/8", "#/pull/acme/widget/1/diff", "#/pull/acme/widget/1/contexts?config=C",
		"#/pull/acme/widget/1/scores", "#/pull/acme/widget/1/verdicts", "#/nothing"} { // the only pull request of a number
		b.Show(at)
		b.Press("/")
		b.Wait("document.activeElement.id === 'search'")
		b.Press("3" + kb.Enter)
		b.Wait("location.hash === '#/pull/acme/gadget/3' && document.querySelector('article.comment')")
	}
	b.Do(chromedp.Navigate(b.File + "#/"))
	b.Wait("document.querySelector('h1').innerText === 'sample'")
	b.Press("/")
	b.Press("widget" + kb.Enter) // several: the first has the focus
	b.Wait("location.hash === '#/pulls?q=widget' && document.activeElement === document.querySelector('.item')")
	b.Press("?")
	b.Wait("document.getElementById('help').open")
	b.Press(kb.Escape)
	b.Wait("!document.getElementById('help').open")
}

func enterAndBack(b *pagetest.Tab) {
	b.Do(chromedp.Navigate(b.File + "#/pulls"))
	b.Wait("document.querySelector('h1').innerText === 'Pull requests'")
	b.Press("/")
	b.Wait("document.activeElement.id === 'search'")
	b.Press("acme/widget#1047" + kb.Enter) // at once: nothing waits for the list
	b.Wait("location.hash === '#/pull/acme/widget/1047' && document.querySelector('article.comment')")

	row := "document.querySelectorAll('.item')[26]"
	for _, back := range []func(){
		func() { b.Do(chromedp.Evaluate[chromedp.Void]("history.back()")) },
		func() { b.Press(kb.Escape) },
	} {
		b.Do(chromedp.Navigate(b.File+"#/"), chromedp.Navigate(b.File+"#/pulls?page=2"))
		b.Wait("document.querySelectorAll('.item').length === 50")
		if y := pagetest.Get[int](b, "scrollY"); y != 0 {
			b.Errorf("a list opened by its address begins at %d", y)
		}
		b.Do(chromedp.Evaluate[chromedp.Void](row + ".scrollIntoView({block: 'center'})"))
		y := pagetest.Get[int](b, "Math.round(scrollY)")
		if y < 500 {
			b.Fatalf("scrolled to %d only", y)
		}
		b.Do(chromedp.Evaluate[chromedp.Void](row + ".click()"))
		b.Wait("location.hash === '#/pull/acme/widget/1076'")
		b.Wait("scrollY === 0")
		back()
		b.Wait("location.hash === '#/pulls?page=2' && " + row + ".getAttribute('aria-current') === 'true' && document.activeElement === " + row)
		if now := pagetest.Get[int](b, "Math.round(scrollY)"); now != y {
			b.Errorf("the list was left at %d and comes back at %d", y, now)
		}
		if n := pagetest.Get[int](b, "document.querySelectorAll('.item[aria-current]').length"); n != 1 {
			b.Errorf("%d rows marked", n)
		}
	}
}

func groundTruthOnly(b *pagetest.Tab) {
	b.Do(chromedp.Navigate(b.File + "#/pull/acme/widget/2"))
	b.Wait("document.querySelectorAll('article.comment:not(.truth)').length > 0")
	b.Do(chromedp.Evaluate[chromedp.Void]("document.querySelector('article.comment:not(.truth)').focus()"))
	b.Do(chromedp.Evaluate[chromedp.Void]("document.getElementById('only-truth').click()"))
	b.Wait("location.hash === '#/pull/acme/widget/2?truth=1' && document.activeElement.id === 'only-truth'")
	b.Do(chromedp.Navigate("about:blank"))
	b.Seen() // about:blank is a request of the test
	b.Do(chromedp.Navigate(b.File + "#/pull/acme/widget/2?truth=1"))
	b.Wait("document.querySelectorAll('article.truth').length > 0")
	if n := pagetest.Get[int](b, "document.querySelectorAll('article.comment:not(.truth)').length"); n != 0 {
		b.Errorf("%d other comments shown", n)
	}
	if !pagetest.Get[bool](b, "document.getElementById('only-truth').checked") {
		b.Error("the box is not checked")
	}
}

func contexts(b *pagetest.Tab) {
	b.Do(chromedp.Navigate(b.File + "#/pull/acme/widget/2"))
	b.Wait("document.querySelectorAll('article.comment').length === 5")
	if says := pagetest.Get[string](b, "document.querySelector('article.truth').innerText"); !strings.Contains(says, "shown in A, B, C") {
		b.Errorf("the first comment is not said to be shown:\n%s", says)
	}
	headings := "[...document.querySelectorAll('[data-context=%s] h2')].map((e) => e.innerText[6]).join('')"
	for letter, want := range map[string]string{"A": "0126", "B": "012346", "C": "0123456"} {
		b.Do(chromedp.Navigate(b.File + "#/pull/acme/widget/2/contexts?config=" + letter))
		b.Wait("document.querySelector('[data-context=" + letter + "] .note')")
		if got := pagetest.Get[string](b, fmt.Sprintf(headings, letter)); got != want {
			b.Errorf("%s has the layers %s, want %s", letter, got, want)
		}
	}
	line := pagetest.Get[string](b, "document.querySelector('.layer .l.at').innerText")
	if !strings.Contains(line, "return text.strip()") {
		b.Errorf("marked is %q", line)
	}
	if seen := pagetest.Get[string](b, "[...document.querySelectorAll('main tbody tr')].map((e) => e.innerText.slice(0, 3) + e.querySelectorAll('.yes').length).join()"); seen != "c_13,c_23" {
		b.Errorf("the table says %q", seen)
	}
	b.Do(chromedp.Evaluate[chromedp.Void]("document.querySelector('.layer .note a').click()"))
	b.Wait("document.activeElement.dataset.comment === 'c_1'")
}

func rejected(b *pagetest.Tab) {
	b.Do(chromedp.Navigate(b.File + "#/pulls?outcome=rejected"))
	b.Wait("document.querySelectorAll('.item').length === 1 && document.querySelector('.item').innerText.startsWith('feat: **not** merged')")
	b.Do(chromedp.Click(chromedp.CSS(".item")))
	b.Wait("document.querySelectorAll('article.comment').length === 6")
	says := pagetest.Get[string](b, "main.innerText")
	for _, want := range []string{"Why it was dropped", "by ann, opened 2026-01-05", "6 review comments, 2 would be ground truth", "Would be ground truth, were its pull request released", "Too few words", "No ground truth (by bot)", "return text.strip()", "it passed every rule"} {
		if !strings.Contains(strings.ToLower(says), strings.ToLower(want)) {
			b.Errorf("a rejected pull request lacks %q:\n%s", want, says)
		}
	}
}

func commentsByReason(b *pagetest.Tab) {
	b.Do(chromedp.Navigate(b.File + "#/comments"))
	b.Wait("document.getElementById('found').innerText === '22 comments'") // 16 released, 6 rejected
	if chips := pagetest.Get[string](b, "[...document.querySelectorAll('.chip')].map((e) => e.innerText).join()"); !strings.HasPrefix(chips, "ground truth 6,would be ground truth 2,by bot 4") {
		b.Errorf("the labels are %q", chips)
	}
	if first := pagetest.Get[string](b, "document.querySelector('article.comment').innerText"); !strings.Contains(first, "released") {
		b.Errorf("the first comment is of no released pull request: %q", first)
	}
	b.Do(chromedp.Evaluate[chromedp.Void]("[...document.querySelectorAll('.chip')].find((e) => e.innerText.startsWith('would be')).click()"))
	b.Wait("location.hash === '#/comments?label=ground_truth&outcome=rejected' && document.querySelectorAll('article.comment').length === 2")
	b.Do(chromedp.Evaluate[chromedp.Void]("document.querySelector('.chip[aria-current]').click()"))
	b.Wait("location.hash === '#/comments' && document.getElementById('found').innerText === '22 comments'")
	b.Do(chromedp.Evaluate[chromedp.Void]("[...document.querySelectorAll('.chip')].find((e) => e.innerText.startsWith('too few words')).click()"))
	b.Wait("location.hash === '#/comments?label=too_few_words' && document.querySelectorAll('article.comment').length === 4")
	if says := pagetest.Get[string](b, "main.innerText"); strings.Count(says, "Nice!") != 4 || !strings.Contains(says, "rejected") {
		b.Errorf("the comments of a reason are\n%s", says)
	}
	b.Do(chromedp.Evaluate[chromedp.Void]("document.querySelector('.fold').open = true"))
	b.Wait("document.querySelector('.fold .hunk').innerText.includes('return text.strip()')")
	b.Do(chromedp.Evaluate[chromedp.Void]("(() => { const s = document.querySelector('[data-filter=outcome]'); s.value = 'selected'; s.dispatchEvent(new Event('change')); })()"))
	b.Wait("document.querySelectorAll('article.comment').length === 3 && location.hash.includes('outcome=selected')")
	b.Do(chromedp.Evaluate[chromedp.Void]("document.querySelector('article.comment [data-row]').click()"))
	b.Wait("location.hash.startsWith('#/pull/acme/')")
	b.Press(kb.Escape)
	b.Wait("location.hash === '#/comments?label=too_few_words&outcome=selected' && document.querySelector('[aria-current][data-row]')")
	for filter, want := range map[string]int{"label=ground_truth&anchor=none": 1, "rule=enough_words": 0, "label=ground_truth&shown=nowhere": 1, "author=bot": 4, "at=no_changed_line&label=ground_truth": 2,
		"q=trailing": 4, "q=TRAIL+bob": 4, "q=railing": 0, "q=src/app.py": 21, "q=app.py+threads": 1, "q=%3D%3D": 0} {
		b.Do(chromedp.Navigate(b.File + "#/comments?" + filter))
		b.Wait("location.hash === '#/comments?" + filter + "' && document.querySelector('main').innerText.match(/comment|Nothing/) && document.querySelector('h1').innerText === 'Review comments'")
		b.Wait(fmt.Sprintf("document.querySelectorAll('article.comment').length === %d", want))
	}
}

func wholeDiff(b *pagetest.Tab) {
	b.Do(chromedp.Navigate(b.File + "#/pull/acme/widget/1/diff?at=c_2"))
	b.Wait("document.querySelectorAll('.file.card').length === 2 && document.querySelector('.sought')")
	under := "[...document.querySelectorAll('.file.card .note')].map((e) => { let l = e; while (l.matches('.note')) l = l.previousElementSibling; return l.children[2].innerText.trim() + ' < ' + e.innerText.trim().slice(0, 24); }).join('\\n')"
	got := pagetest.Get[string](b, under)
	for _, want := range []string{"-    return text < eve ground truth c_2", "+    return text.strip() < bob ground truth c_1", "+    return text.strip() < ann"} {
		if !strings.Contains(got, want) {
			b.Errorf("the diff lacks %q in\n%s", want, got)
		}
	}
	if says := pagetest.Get[string](b, "main.innerText"); !strings.Contains(says, "How the code went on") || !strings.Contains(says, "late = 1") {
		b.Errorf("how the code went on is not shown:\n%s", says)
	}
}

func laidOut(b *pagetest.Tab) {
	b.Do(chromedp.Navigate(b.File + "#/pull/acme/widget/2/c_1"))
	b.Wait("document.activeElement.dataset.comment === 'c_1'")
	if code := pagetest.Get[string](b, "document.activeElement.querySelector('.said p > code').innerText"); code != "parse" {
		b.Errorf("inline code is %q", code)
	}
}

func nothingMatches(b *pagetest.Tab) {
	for at, want := range map[string]string{"#/pulls?stage=nonsense": "Nothing matches stage = nonsense.", "#/comments?q=zzzz&label=by_bot": "Nothing matches “zzzz”, label = by bot."} {
		b.Do(chromedp.Navigate(b.File + at))
		b.Wait("document.querySelector('.nothing')")
		if says := pagetest.Get[string](b, "document.querySelector('.nothing p').innerText"); says != want {
			b.Errorf("%s says %q", at, says)
		}
		b.Do(chromedp.Evaluate[chromedp.Void]("document.querySelector('.nothing a').click()"))
		b.Wait("document.getElementById('found') && !location.hash.includes('?')")
	}
}

func searchInComments(b *pagetest.Tab) {
	b.Do(chromedp.Navigate(b.File + "#/pulls?deep=1&q=two+threads"))
	b.Wait("document.querySelectorAll('.item').length === 1 && document.querySelector('.hit mark').innerText === 'two'")
	b.Do(chromedp.Click(chromedp.CSS(".item")))
	b.Wait("location.hash === '#/pull/acme/widget/2/c_2?q=two+threads' && document.activeElement.dataset.comment === 'c_2'")
	if marked := pagetest.Get[string](b, "[...document.activeElement.querySelectorAll('.said mark')].map((e) => e.innerText).join()"); marked != "two,threads" {
		b.Errorf("marked is %q", marked)
	}
}

// everyBar follows every bar and column of the overview to a list that is not
// empty.
func everyBar(b *pagetest.Tab) {
	b.Wait("document.querySelector('.hist a')")
	if n := pagetest.Get[int](b, "document.querySelectorAll('div.bar').length"); n != 0 {
		b.Errorf("%d bars lead nowhere", n)
	}
	b.LeadSomewhere()
}

func inFolder(b *pagetest.Tab) {
	b.Do(chromedp.Navigate(b.File + "#/pull/acme/widget/1/diff"))
	b.Wait("document.querySelectorAll('.file.card').length === 2")
	dir := strings.TrimSuffix(b.File, "index.html")
	for _, s := range b.Seen() {
		if !strings.HasPrefix(s, "request: "+dir+"data/") {
			b.Error(s)
		}
	}
	if n := pagetest.Get[int](b, "document.scripts.length"); n != 2 {
		b.Errorf("%d scripts stay in the page", n)
	}
	b.RefusesScripts()
}

func deepLink(b *pagetest.Tab) {
	b.Do(chromedp.Navigate("about:blank"))
	b.Seen() // about:blank is a request of the test
	b.Do(chromedp.Navigate(b.File + "#/pull/acme/widget/2/c_2"))
	b.Wait("document.activeElement.dataset.comment === 'c_2'")
	b.Do(chromedp.Navigate(b.File + "#/pull/acme/none/9"))
	b.Wait("document.querySelector('h1').innerText === 'Not in this page'")
	b.Do(chromedp.Navigate(b.File + "#/%E0%A4%A/<img src=x onerror=alert(1)>"))
	b.Wait("document.querySelector('h1').innerText === 'Not in this page'")
}

func hostile(b *pagetest.Tab) {
	b.Do(chromedp.Navigate(b.File + "#/pulls?q=onerror"))
	b.Wait("document.querySelectorAll('.item').length === 1")
	b.Do(chromedp.Click(chromedp.CSS(".item")))
	b.Wait("document.querySelectorAll('article.comment').length > 3")
	says := pagetest.Get[string](b, "main.innerText")
	for _, want := range []string{"<img src=x onerror=alert(1)>", "</script><script>", "⟦U+202E⟧", "Show all 1,000,000 characters"} {
		if !strings.Contains(says, want) {
			b.Errorf("%q is not shown as text", want)
		}
	}
	b.HasOnlyText()
	if n := pagetest.Get[int](b, "main.innerText.length"); n > 60000 {
		b.Errorf("%d characters shown at first", n)
	}
	b.Do(chromedp.Evaluate[chromedp.Void]("[...main.querySelectorAll('button')].find((e) => e.innerText.startsWith('Show all 1,000,000')).click()"))
	b.Wait("main.textContent.length > 1000000")
	for _, at := range []string{"", "/diff", "/contexts?config=C", "/scores", "/verdicts"} {
		b.Do(chromedp.Navigate(b.File + "#/pull/acme/widget/1" + at))
		b.Wait("location.hash === '#/pull/acme/widget/1" + at + "' && document.querySelector('.tabs [aria-current]')")
		b.Wait("document.querySelector('main').innerText.includes('onload=') || '" + at + "' === '/scores'")
		b.HasOnlyText()
	}
	for _, at := range []string{"#/comments", "#/comments?q=evil", "#/comments?q=onerror", "#/comments?q=__proto__+constructor", "#/comments?rule=__proto__&label=constructor", "#/pulls?deep=1&q=onerror+img", "#/pull/acme/widget/8", "#/"} {
		b.Do(chromedp.Navigate(b.File + at))
		b.Wait("location.hash === '" + at + "' && document.querySelector('h1')")
		b.HasOnlyText()
	}
	b.RefusesScripts()
}

// corpus looks at a rejected pull request with so many hostile comments, and
// clicks whatever in them can be clicked.
func corpus(b *pagetest.Tab, comments int) {
	b.Do(chromedp.Navigate(b.File + "#/pull/acme/widget/8"))
	for shown := 50; shown < comments; shown += 50 {
		b.Wait(fmt.Sprintf("document.querySelectorAll('article.comment').length === %d", shown))
		b.Do(chromedp.Evaluate[chromedp.Void]("[...main.querySelectorAll('button')].find((e) => e.innerText.startsWith('Show ')).click()"))
	}
	b.Wait(fmt.Sprintf("document.querySelectorAll('article.comment').length === %d", comments))
	if n := pagetest.Get[int](b, "document.querySelectorAll('.said :not(p, em, strong, del, code, pre, figure, figcaption, blockquote, ul, ol, li, br, hr, table, tbody, tr, td, div.wrap, a, span, mark)').length"); n != 0 {
		b.Errorf("%d elements that no text may make", n)
	}
	if n := pagetest.Get[int](b, "[...document.querySelectorAll('.said *')].filter((e) => [...e.attributes].some((a) => !['class', 'href', 'target', 'rel', 'tabindex'].includes(a.name))).length"); n != 0 {
		b.Errorf("%d elements with attributes of strangers", n)
	}
	b.HasOnlyText()
	b.Do(chromedp.Evaluate[chromedp.Void]("document.querySelectorAll('.said *:not(a)').forEach((e) => e.click())"))
	b.RefusesScripts()
}

func crowd(b *pagetest.Tab) {
	b.Do(chromedp.Navigate(b.File + "#/pulls"))
	b.Wait("document.getElementById('found').innerText.startsWith('5,000 pull requests, 120 released')")
	elements := "document.querySelectorAll('body *:not(script)').length"
	if n := pagetest.Get[int](b, elements); n > 3000 {
		b.Errorf("%d elements for a list of 5,000", n)
	}
	b.Press("n")
	b.Wait("document.querySelector('.pager span').innerText === 'page 2 of 100'")
	b.Press("/")
	b.Press("c4321")
	b.Wait("document.querySelectorAll('.item').length === 1")
	b.Do(chromedp.Navigate(b.File + "#/pulls?deep=1&q=rely+trailing"))
	b.Wait("document.getElementById('found').innerText.startsWith('120 pull requests')")
	if n := pagetest.Get[int](b, elements); n > 3000 {
		b.Errorf("%d elements", n)
	}
}
