package report_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/report"
	"github.com/prforge/prforge/internal/page/pagetest"
)

// page freezes a dataset and writes its page to a file.
func page(t *testing.T, d artifacts.Dataset) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "dataset")
	if err := artifacts.Freeze(context.Background(), dir, d); err != nil {
		t.Fatal(err)
	}
	r, err := artifacts.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a page #1.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := report.WriteHTML(f, r); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPageInBrowser(t *testing.T) {
	ctx := pagetest.Browser(t)
	sample := page(t, artifactstest.Dataset(artifactstest.Tasks()))
	t.Run("search and drill down", func(t *testing.T) { drillDown(pagetest.Open(t, ctx, sample)) })
	t.Run("keys alone", func(t *testing.T) { keysAlone(pagetest.Open(t, ctx, sample)) })
	t.Run("enter and back", func(t *testing.T) { enterAndBack(pagetest.Open(t, ctx, page(t, bigDataset(60, 120)))) })
	t.Run("ground truth only", func(t *testing.T) { groundTruthOnly(pagetest.Open(t, ctx, sample)) })
	t.Run("contexts", func(t *testing.T) { contexts(pagetest.Open(t, ctx, sample)) })
	t.Run("deep link", func(t *testing.T) { deepLink(pagetest.Open(t, ctx, sample)) })
	t.Run("phone", func(t *testing.T) {
		pagetest.Open(t, ctx, sample).FitsPhone("#/", "#/pulls", "#/repos", "#/repo/acme/widget", "#/pull/acme/widget/1", "#/pull/acme/widget/8")
	})
	t.Run("dark", func(t *testing.T) { pagetest.Open(t, ctx, sample).TurnsDark() })
	t.Run("hostile", func(t *testing.T) {
		tasks := artifactstest.Tasks()
		makeHostile(tasks[0])
		hostile(pagetest.Open(t, ctx, page(t, artifactstest.Dataset(tasks))))
	})
	t.Run("five thousand", func(t *testing.T) { crowd(pagetest.Open(t, ctx, page(t, bigDataset(300, 5000)))) })
}

func drillDown(b *pagetest.Tab) {
	b.Wait("document.querySelector('h1').innerText === 'sample'")
	b.Do(chromedp.Click(chromedp.CSS("a.bar[href='#/pulls?stage=merged']")))
	b.Wait("document.querySelectorAll('.item').length === 5")
	if first := pagetest.Get[string](b, "document.querySelector('.item').innerText"); !strings.Contains(first, "not merged") {
		b.Errorf("the stage does not begin with what it dropped: %q", first)
	}
	b.Do(chromedp.Navigate(b.File + "#/pulls"))
	b.Wait("document.querySelector('[data-filter=at]').hidden")
	b.Do(chromedp.Click(chromedp.CSS("#search")))
	b.Press("gadget")
	b.Wait("document.querySelectorAll('.item').length === 1 && location.hash === '#/pulls?q=gadget'")
	b.Do(chromedp.Click(chromedp.CSS(".item")))
	b.Wait("document.querySelectorAll('article.comment').length === 5")
	says := pagetest.Get[string](b, "document.querySelector('article.truth').innerText")
	for _, want := range []string{"bob", "ground truth c_1", "callers of `parse` rely", "return text.strip()", "it passed every rule"} {
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
	b.Press("widget")
	b.Wait("location.hash === '#/pulls?q=widget'")
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
	b.Press("?")
	b.Wait("document.getElementById('help').open")
	b.Press(kb.Escape)
	b.Wait("!document.getElementById('help').open")
}

func enterAndBack(b *pagetest.Tab) {
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
	if !pagetest.Get[bool](b, "main.innerText.indexOf('ground truth c_1') < main.innerText.indexOf('Review value')") {
		b.Error("the scores come before the comments")
	}
	headings := "[...document.querySelectorAll('[data-context=%s] h3')].map((e) => e.innerText[6]).join('')"
	for letter, want := range map[string]string{"A": "0126", "B": "012346", "C": "0123456"} {
		b.Do(chromedp.Evaluate[chromedp.Void]("document.querySelector('[data-context=" + letter + "]').open = true"))
		b.Wait("document.querySelector('[data-context=" + letter + "] .note')")
		if got := pagetest.Get[string](b, fmt.Sprintf(headings, letter)); got != want {
			b.Errorf("%s has the layers %s, want %s", letter, got, want)
		}
	}
	line := pagetest.Get[string](b, "document.querySelector('[data-context=A] .l.at').innerText")
	if !strings.Contains(line, "return text.strip()") {
		b.Errorf("marked is %q", line)
	}
	b.Do(chromedp.Evaluate[chromedp.Void]("document.querySelector('[data-context=A] .note a').click()"))
	b.Wait("document.activeElement.dataset.comment === 'c_1'")
}

func deepLink(b *pagetest.Tab) {
	b.Do(chromedp.Navigate("about:blank"))
	b.Seen() // about:blank is a request of the test
	b.Do(chromedp.Navigate(b.File + "#/pull/acme/widget/2/c_2"))
	b.Wait("document.activeElement.dataset.comment === 'c_2'")
	b.Do(chromedp.Navigate(b.File + "#/pull/acme/none/9"))
	b.Wait("document.querySelector('h1').innerText === 'Not in this dataset'")
	b.Do(chromedp.Navigate(b.File + "#/%E0%A4%A/<img src=x onerror=alert(1)>"))
	b.Wait("document.querySelector('h1').innerText === 'Not in this dataset'")
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
	b.Do(chromedp.Evaluate[chromedp.Void]("document.querySelector('[data-context=C]').open = true"))
	b.Wait("document.querySelector('[data-context=C]').innerText.includes('onload=')")
	b.HasOnlyText()
	if n := pagetest.Get[int](b, "main.innerText.length"); n > 60000 {
		b.Errorf("%d characters shown at first", n)
	}
	b.Do(chromedp.Evaluate[chromedp.Void]("[...main.querySelectorAll('button')].find((e) => e.innerText.startsWith('Show all 1,000,000')).click()"))
	b.Wait("main.textContent.length > 1000000")
	b.RefusesScripts()
}

func crowd(b *pagetest.Tab) {
	b.Do(chromedp.Navigate(b.File + "#/pulls"))
	b.Wait("document.getElementById('found').innerText.startsWith('5,000 pull requests, 300 released')")
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
	b.Wait("document.getElementById('found').innerText.startsWith('300 pull requests')")
	if n := pagetest.Get[int](b, elements); n > 3000 {
		b.Errorf("%d elements", n)
	}
}
