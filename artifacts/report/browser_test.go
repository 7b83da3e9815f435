package report_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/report"
	"github.com/prforge/prforge/internal/testenv"
)

// patience only ends a test whose page never gets there.
const patience = 20 * time.Second

// browser starts Debian's chromium, or skips the test where there is none.
func browser(t *testing.T) context.Context {
	t.Helper()
	path := testenv.Tool(t, "chromium")
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("no-sandbox", true), chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, stop := chromedp.NewContext(ctx)
	t.Cleanup(stop)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// tab is one tab with a page in it, and what was amiss.
type tab struct {
	*testing.T
	ctx  context.Context
	file string

	mu   sync.Mutex
	seen []string // requests and complaints
}

// open shows a file in a new tab. When the test ends, no request but the one for
// the file may have been made, and nothing may have been complained about.
func open(t *testing.T, ctx context.Context, file string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &tab{T: t, ctx: ctx, file: "file://" + (&url.URL{Path: file}).EscapedPath()}
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.EmulateViewport(1200, 900))
	b.do(chromedp.Navigate(b.file))
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, s := range b.seen {
			t.Error(s)
		}
	})
	return b
}

func (b *tab) listen(ev any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := ev.(type) {
	case *network.EventRequestWillBeSent:
		if e.Request.URL != b.file {
			b.seen = append(b.seen, "request: "+e.Request.URL)
		}
	case *runtime.EventExceptionThrown:
		b.seen = append(b.seen, "exception: "+e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		b.seen = append(b.seen, fmt.Sprintf("console.%s", e.Type))
	case *log.EventEntryAdded:
		b.seen = append(b.seen, "log: "+e.Entry.Text)
	}
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.Fatal(err)
	}
}

// press types keys as a keyboard does: a page that handles the key gets no
// character, which chromedp.KeyEvent would send all the same.
func (b *tab) press(keys string) {
	b.Helper()
	for _, r := range keys {
		events := kb.Encode(r)
		down, up := events[0], events[len(events)-1]
		if len(events) > 2 {
			down.Text, down.UnmodifiedText = events[1].Text, events[1].UnmodifiedText
		}
		b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			for _, e := range []*input.DispatchKeyEventParams{down, up} {
				if _, err := cdp.Call(ctx, t, input.DispatchKeyEvent, *e); err != nil {
					return err
				}
			}
			return nil
		}))
	}
}

// wait waits until an expression is true, looking only after the page has had
// its turn to handle what was just done to it.
func (b *tab) wait(expression string) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	script := fmt.Sprintf("new Promise((done) => { const look = () => { if (%s) done(true); else setTimeout(look, 5); }; setTimeout(look, 5); })", expression)
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](script, chromedp.EvalAwaitPromise)); err != nil {
		now, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string]("location.hash + ' ' + document.body.innerText.slice(0, 1500)"))
		b.Fatalf("never: %s: %v\n%s", expression, err, now)
	}
}

func get[T any](b *tab, expression string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return v
}

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
	ctx := browser(t)
	sample := page(t, artifactstest.Dataset(artifactstest.Tasks()))
	t.Run("search and drill down", func(t *testing.T) { drillDown(open(t, ctx, sample)) })
	t.Run("keys alone", func(t *testing.T) { keysAlone(open(t, ctx, sample)) })
	t.Run("deep link", func(t *testing.T) { deepLink(open(t, ctx, sample)) })
	t.Run("phone", func(t *testing.T) { phone(open(t, ctx, sample)) })
	t.Run("dark", func(t *testing.T) { dark(open(t, ctx, sample)) })
	t.Run("hostile", func(t *testing.T) {
		tasks := artifactstest.Tasks()
		makeHostile(tasks[0])
		hostile(open(t, ctx, page(t, artifactstest.Dataset(tasks))))
	})
	t.Run("five thousand", func(t *testing.T) { crowd(open(t, ctx, page(t, bigDataset(300, 5000)))) })
}

func drillDown(b *tab) {
	b.wait("document.querySelector('h1').innerText === 'sample'")
	b.do(chromedp.Click(chromedp.CSS("a.bar[href='#/pulls?stage=merged']")))
	b.wait("document.querySelectorAll('.item').length === 5")
	if first := get[string](b, "document.querySelector('.item').innerText"); !strings.Contains(first, "not merged") {
		b.Errorf("the stage does not begin with what it dropped: %q", first)
	}
	b.do(chromedp.Navigate(b.file + "#/pulls"))
	b.wait("document.querySelector('[data-filter=at]').hidden")
	b.do(chromedp.Click(chromedp.CSS("#search")))
	b.press("gadget")
	b.wait("document.querySelectorAll('.item').length === 1 && location.hash === '#/pulls?q=gadget'")
	b.do(chromedp.Click(chromedp.CSS(".item")))
	b.wait("document.querySelectorAll('article.comment').length === 5")
	says := get[string](b, "document.querySelector('article.truth').innerText")
	for _, want := range []string{"bob", "ground truth c_1", "callers of `parse` rely", "return text.strip()", "it passed every rule"} {
		if !strings.Contains(says, want) {
			b.Errorf("the first comment lacks %q:\n%s", want, says)
		}
	}
	if links := get[string](b, "document.querySelector('article.truth a').href"); !strings.HasPrefix(links, "https://github.com/acme/gadget/pull/3") {
		b.Errorf("the comment's link is %q", links)
	}
	b.do(chromedp.Navigate(b.file + "#/pulls"))
	b.wait("document.querySelector('[data-filter=difficulty]')")
	b.do(chromedp.Evaluate[chromedp.Void]("(() => { const s = document.querySelector('[data-filter=difficulty]'); s.value = 'Type2_Contextual'; s.dispatchEvent(new Event('change')); })()"))
	b.wait("document.querySelectorAll('.item').length === 1 && location.hash.includes('difficulty=Type2')")
}

func keysAlone(b *tab) {
	b.wait("document.activeElement.id === 'main'")
	b.press("j")
	b.wait("document.activeElement.matches('a.bar')")
	if outline := get[string](b, "getComputedStyle(document.activeElement).outlineStyle"); outline == "none" {
		b.Error("the focus cannot be seen")
	}
	b.press("/")
	b.wait("document.activeElement.id === 'search'")
	b.press("widget")
	b.wait("location.hash === '#/pulls?q=widget'")
	b.press(kb.ArrowDown)
	b.wait("document.activeElement.matches('.item')")
	b.press("jk")
	b.press(kb.ArrowDown)
	b.wait("document.activeElement === document.querySelectorAll('.item')[1]")
	b.press(kb.Enter)
	b.wait("location.hash === '#/pull/acme/widget/2' && document.querySelector('article.comment')")
	b.press("j")
	b.wait("document.activeElement.matches('article.comment')")
	b.press("p")
	b.wait("location.hash === '#/pull/acme/widget/1'")
	b.press(kb.Escape)
	b.wait("location.hash === '#/pulls?q=widget'")
	b.press(kb.Escape)
	b.wait("location.hash === '#/'")
	b.press("?")
	b.wait("document.getElementById('help').open")
	b.press(kb.Escape)
	b.wait("!document.getElementById('help').open")
}

func deepLink(b *tab) {
	b.do(chromedp.Navigate("about:blank"))
	b.mu.Lock()
	b.seen = nil // about:blank is a request of the test
	b.mu.Unlock()
	b.do(chromedp.Navigate(b.file + "#/pull/acme/widget/2/c_2"))
	b.wait("document.activeElement.dataset.comment === 'c_2'")
	b.do(chromedp.Navigate(b.file + "#/pull/acme/none/9"))
	b.wait("document.querySelector('h1').innerText === 'Not in this dataset'")
	b.do(chromedp.Navigate(b.file + "#/%E0%A4%A/<img src=x onerror=alert(1)>"))
	b.wait("document.querySelector('h1').innerText === 'Not in this dataset'")
}

func phone(b *tab) {
	b.do(chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile))
	for _, at := range []string{"#/", "#/pulls", "#/repos", "#/repo/acme/widget", "#/pull/acme/widget/1", "#/pull/acme/widget/8"} {
		b.do(chromedp.Navigate(b.file + at))
		b.wait("location.hash === '" + at + "' && document.querySelector('h1')")
		b.do(chromedp.Evaluate[chromedp.Void]("document.querySelectorAll('details').forEach((d) => { d.open = true; })"))
		if w := get[int](b, "document.documentElement.scrollWidth"); w > 360 {
			wide := get[string](b, "[...document.querySelectorAll('main *')].filter((e) => e.getBoundingClientRect().right > 361).slice(0, 5).map((e) => e.tagName + '.' + e.className).join(' ')")
			b.Errorf("%s is %d pixels wide: %s", at, w, wide)
		}
	}
}

func dark(b *tab) {
	background := "getComputedStyle(document.body).backgroundColor"
	light := get[string](b, background)
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
		return err
	}))
	if now := get[string](b, background); now == light {
		b.Errorf("the background is %s in light and in dark", now)
	}
}

func hostile(b *tab) {
	b.do(chromedp.Navigate(b.file + "#/pulls?q=onerror"))
	b.wait("document.querySelectorAll('.item').length === 1")
	b.do(chromedp.Click(chromedp.CSS(".item")))
	b.wait("document.querySelectorAll('article.comment').length > 3")
	says := get[string](b, "main.innerText")
	for _, want := range []string{"<img src=x onerror=alert(1)>", "</script><script>", "⟦U+202E⟧", "Show all 1,000,000 characters"} {
		if !strings.Contains(says, want) {
			b.Errorf("%q is not shown as text", want)
		}
	}
	if n := get[int](b, "main.querySelectorAll('img, script, iframe, style, form, object, [onclick], [onerror], [style]').length"); n != 0 {
		b.Errorf("%d elements of strangers", n)
	}
	if n := get[int](b, "[...document.querySelectorAll('a')].filter((a) => !a.href.startsWith('https://') && !a.getAttribute('href').startsWith('#')).length"); n != 0 {
		b.Errorf("%d links lead elsewhere than to https", n)
	}
	if n := get[int](b, "main.innerText.length"); n > 60000 {
		b.Errorf("%d characters shown at first", n)
	}
	b.do(chromedp.Evaluate[chromedp.Void]("[...main.querySelectorAll('button')].find((e) => e.innerText.startsWith('Show all 1,000,000')).click()"))
	b.wait("main.textContent.length > 1000000")
	if ran := get[bool](b, "Boolean(window.ran)"); ran {
		b.Error("a stranger's script ran")
	}
	b.do(chromedp.Evaluate[chromedp.Void]("(() => { const e = document.createElement('script'); e.textContent = 'window.ran = 1'; try { document.body.append(e); } catch {} })()"))
	if ran := get[bool](b, "Boolean(window.ran)"); ran {
		b.Error("the policy admits a second script")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.seen) != 1 || !strings.Contains(b.seen[0], "Content Security Policy") {
		b.Errorf("the policy did not refuse the second script: %q", b.seen)
	}
	b.seen = nil
}

func crowd(b *tab) {
	b.do(chromedp.Navigate(b.file + "#/pulls"))
	b.wait("document.getElementById('found').innerText.startsWith('5,000 pull requests, 300 released')")
	elements := "document.querySelectorAll('body *:not(script)').length"
	if n := get[int](b, elements); n > 3000 {
		b.Errorf("%d elements for a list of 5,000", n)
	}
	b.press("n")
	b.wait("document.querySelector('.pager span').innerText === 'page 2 of 100'")
	b.press("/")
	b.press("c4321")
	b.wait("document.querySelectorAll('.item').length === 1")
	b.do(chromedp.Navigate(b.file + "#/pulls?deep=1&q=rely+trailing"))
	b.wait("document.getElementById('found').innerText.startsWith('300 pull requests')")
	if n := get[int](b, elements); n > 3000 {
		b.Errorf("%d elements", n)
	}
}
