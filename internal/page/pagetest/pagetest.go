// Package pagetest tries one-file pages in a real browser. Only tests import it.
package pagetest

import (
	"context"
	"fmt"
	"net/url"
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

	"github.com/prforge/prforge/internal/testenv"
)

// patience only ends a test whose page never gets there.
const patience = 20 * time.Second

// Browser starts Debian's chromium, or skips the test where there is none.
func Browser(t testing.TB) context.Context {
	t.Helper()
	path := testenv.Tool(t, "chromium")
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("no-sandbox", true), chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, stop := chromedp.NewContext(ctx)
	t.Cleanup(stop)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// Tab is one tab with a page in it, and what was amiss.
type Tab struct {
	testing.TB
	ctx  context.Context
	File string // address of the page

	mu   sync.Mutex
	seen []string // requests and complaints
}

// Open shows a file in a new tab. When the test ends, no request but the one for
// the file may have been made, and nothing may have been complained about.
func Open(t testing.TB, ctx context.Context, file string) *Tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &Tab{TB: t, ctx: ctx, File: "file://" + (&url.URL{Path: file}).EscapedPath()}
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatal(err)
	}
	b.Do(chromedp.EmulateViewport(1200, 900))
	b.Do(chromedp.Navigate(b.File))
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, s := range b.seen {
			t.Error(s)
		}
	})
	return b
}

func (b *Tab) listen(ev any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := ev.(type) {
	case *network.EventRequestWillBeSent:
		if e.Request.URL != b.File {
			b.seen = append(b.seen, "request: "+e.Request.URL)
		}
	case *runtime.EventExceptionThrown:
		b.seen = append(b.seen, "exception: "+exception(e.ExceptionDetails))
	case *runtime.EventConsoleAPICalled:
		b.seen = append(b.seen, fmt.Sprintf("console.%s", e.Type))
	case *log.EventEntryAdded:
		b.seen = append(b.seen, "log: "+e.Entry.Text)
	}
}

func exception(d *runtime.ExceptionDetails) string {
	if d.Exception != nil {
		return d.Text + " " + d.Exception.Description
	}
	return d.Text
}

// Do takes steps within patience.
func (b *Tab) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.Fatal(err)
	}
}

// Press types keys as a keyboard does: a page that handles the key gets no
// character, which chromedp.KeyEvent would send all the same.
func (b *Tab) Press(keys string) {
	b.Helper()
	for _, r := range keys {
		events := kb.Encode(r)
		down, up := events[0], events[len(events)-1]
		if len(events) > 2 {
			down.Text, down.UnmodifiedText = events[1].Text, events[1].UnmodifiedText
		}
		b.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			for _, e := range []*input.DispatchKeyEventParams{down, up} {
				if _, err := cdp.Call(ctx, t, input.DispatchKeyEvent, *e); err != nil {
					return err
				}
			}
			return nil
		}))
	}
}

// Wait waits until an expression is true. It checks only after the page has handled the last event.
func (b *Tab) Wait(expression string) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	script := fmt.Sprintf("new Promise((done) => { const is = () => { try { return %s; } catch { return false; } }; const look = () => { if (is()) done(true); else setTimeout(look, 5); }; setTimeout(look, 5); })", expression)
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](script, chromedp.EvalAwaitPromise)); err != nil {
		now, _ := chromedp.Run(b.ctx,
			chromedp.Evaluate[string]("location.hash + ' ' + document.body.innerText.slice(0, 1500)"))
		b.Fatalf("never: %s: %v\n%s", expression, err, now)
	}
}

// Get is the value of an expression.
func Get[T any](b *Tab, expression string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return v
}

// Context is the tab's, for chromedp's own functions.
func (b *Tab) Context() context.Context { return b.ctx }

// Seen gives the requests and complaints so far, and forgets them.
func (b *Tab) Seen() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	seen := b.seen
	b.seen = nil
	return seen
}

// FitsPhone checks that no view is wider than a phone, with everything unfolded.
func (b *Tab) FitsPhone(views ...string) {
	b.Helper()
	b.Do(chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile))
	for _, at := range views {
		b.Show(at)
		if w := Get[int](b, "document.documentElement.scrollWidth"); w > 360 {
			wide := Get[string](b,
				"[...document.querySelectorAll('main *')].filter((e) => e.getBoundingClientRect().right > 361).slice(0, 5).map((e) => e.tagName + '.' + e.className).join(' ')")
			b.Errorf("%s is %d pixels wide: %s", at, w, wide)
		}
	}
}

// cut are the numbers that do not show as a whole: what lies in a box that hides or
// scrolls what does not fit, or beyond the window.
const cut = `[...document.querySelectorAll('td.n, .n, .tile b, .pill, .chip b, td:not(.wide)')].filter((e) => {
	if (!/\d/.test(e.innerText) || !e.checkVisibility()) return false;
	const range = document.createRange();
	range.selectNodeContents(e);
	const { left, right } = range.getBoundingClientRect();
	for (let box = e; box; box = box.parentElement) {
		const { left: from, right: to } = box === document.documentElement ? { left: 0, right: innerWidth } : box.getBoundingClientRect();
		const open = box !== document.documentElement && getComputedStyle(box).overflowX === 'visible';
		if (!open && (left < from - 1 || right > to + 1)) return true;
	}
	return false;
}).slice(0, 5).map((e) => e.tagName + '.' + e.className + ' ' + e.innerText.slice(0, 60)).join('; ')`

// CutsNoNumber checks on a phone, a usual and a wide window that every number in
// views shows as a whole.
func (b *Tab) CutsNoNumber(views ...string) {
	b.Helper()
	for _, width := range []int64{360, 1200, 2200} {
		b.Do(chromedp.EmulateViewport(width, 900))
		for _, at := range views {
			b.Show(at)
			if found := Get[string](b, cut); found != "" {
				b.Errorf("%s cuts at %d pixels: %s", at, width, found)
			}
		}
	}
}

// Show shows a view with everything in it opened.
func (b *Tab) Show(at string) {
	b.Helper()
	script := fmt.Sprintf("history.replaceState(history.state, '', %q); render().then(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }))", at)
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void](script, chromedp.EvalAwaitPromise)); err != nil {
		b.Fatalf("show %s: %v", at, err)
	}
}

// LeadSomewhere follows every bar, column and tile of the view in sight to a list
// that is not empty.
func (b *Tab) LeadSomewhere() {
	b.Helper()
	for _, at := range strings.Fields(Get[string](b, "[...new Set([...document.querySelectorAll('a.bar, .hist a, a.tile')].filter((a) => a.querySelector('.n, b').innerText.trim()[0] !== '0').map((a) => a.getAttribute('href')))].join(' ')")) {
		b.Do(chromedp.Navigate(b.File + at))
		b.Wait("location.hash === '" + at + "' && !document.querySelector('.tiles') && document.querySelector('#found, table.stacks, .nothing')")
		if Get[bool](b, "Boolean(document.querySelector('.nothing'))") {
			b.Errorf("%s leads to nothing", at)
		}
	}
}

// scheme sets the preference for light or dark colors.
func (b *Tab) scheme(value string) {
	b.Helper()
	b.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: value}}})
		return err
	}))
}

// TurnsDark checks that the page follows a preference for dark colors.
func (b *Tab) TurnsDark() {
	b.Helper()
	background := "getComputedStyle(document.body).backgroundColor"
	light := Get[string](b, background)
	b.scheme("dark")
	if now := Get[string](b, background); now == light {
		b.Errorf("the background is %s in light and in dark", now)
	}
}

// HasOnlyText checks that no text in sight became an element, and that links
// lead to https or into the page.
func (b *Tab) HasOnlyText() {
	b.Helper()
	if n := Get[int](b, "main.querySelectorAll('img, script, iframe, style, form, object, [onclick], [onerror], [style]').length"); n != 0 {
		b.Errorf("%d elements of strangers", n)
	}
	if n := Get[int](b, "[...document.querySelectorAll('a')].filter((a) => !a.href.startsWith('https://') && !a.getAttribute('href').startsWith('#')).length"); n != 0 {
		b.Errorf("%d links lead elsewhere than to https", n)
	}
}

// RefusesScripts checks that no script of a stranger ran, which would have set
// window.ran, and that the policy admits no second one.
func (b *Tab) RefusesScripts() {
	b.Helper()
	if Get[bool](b, "Boolean(window.ran)") {
		b.Error("a stranger's script ran")
	}
	b.Do(chromedp.Evaluate[chromedp.Void]("(() => { const e = document.createElement('script'); e.textContent = 'window.ran = 1'; try { document.body.append(e); } catch {} })()"))
	if Get[bool](b, "Boolean(window.ran)") {
		b.Error("the policy admits a second script")
	}
	if seen := b.Seen(); len(seen) != 1 || !strings.Contains(seen[0], "Content Security Policy") {
		b.Errorf("the policy did not refuse the second script: %q", seen)
	}
}
