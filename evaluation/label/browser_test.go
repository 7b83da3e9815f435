package label_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/prforge/prforge/evaluation/label"
	"github.com/prforge/prforge/evaluation/stats"
	"github.com/prforge/prforge/internal/page/pagetest"
)

var screenshots = flag.String("screenshots", "", "write pictures of the page to this folder")

// written is a sheet's page in a file.
func written(t *testing.T, s label.Sheet, labels []label.Label) string {
	t.Helper()
	var b, second bytes.Buffer
	if err := s.HTML(&b, labels); err != nil {
		t.Fatal(err)
	}
	if err := s.HTML(&second, labels); err != nil || !bytes.Equal(b.Bytes(), second.Bytes()) {
		t.Errorf("two pages of one sheet differ, %v", err)
	}
	path := filepath.Join(t.TempDir(), "label #1.html")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPageInBrowser(t *testing.T) {
	ctx := pagetest.Browser(t)
	path := written(t, sheet(20, ""), nil)
	t.Run("training", func(t *testing.T) { training(pagetest.Open(t, ctx, path)) })
	t.Run("undo and come back", func(t *testing.T) { undoAndComeBack(pagetest.Open(t, ctx, path)) })
	t.Run("phone", func(t *testing.T) {
		b := pagetest.Open(t, ctx, path)
		named(b, "phone")
		b.FitsPhone("#/", "#/training/1", "#/item/1", "#/export")
		picture(b, "phone", "#/item/3")
	})
	t.Run("accessible", func(t *testing.T) {
		b := pagetest.Open(t, ctx, path)
		named(b, "axe")
		b.HasNoSeriousFinding("#/", "#/training/1", "#/item/2", "#/export")
	})
	t.Run("dark", func(t *testing.T) {
		b := pagetest.Open(t, ctx, path)
		named(b, "dark")
		picture(b, "wide", "#/item/2")
		b.TurnsDark()
		picture(b, "dark", "#/item/2")
	})
	t.Run("hostile", func(t *testing.T) {
		b := pagetest.Open(t, ctx, written(t, sheet(20, hostileText), []label.Label{said(sheet(20, "").Items[4].ID, "a"+hostileText, "SAME"), said(sheet(20, "").Items[4].ID, "b", "WRONG")}))
		named(b, "x")
		for _, at := range []string{"#/", "#/item/2", "#/differ", "#/export"} {
			b.Do(chromedp.Navigate(b.File + at))
			b.Wait("location.hash === '" + at + "' && document.querySelector('h1')")
			b.HasOnlyText()
		}
		b.RefusesScripts()
	})
	t.Run("two raters", func(t *testing.T) { twoRaters(t, ctx) })
}

// picture writes what is in sight, where pictures are asked for.
func picture(b *pagetest.Tab, name, at string) {
	if *screenshots == "" {
		return
	}
	b.Do(chromedp.Navigate(b.File + at))
	b.Wait("location.hash === '" + at + "' && document.querySelector('.hunk .at, #found')")
	data, err := chromedp.Run(b.Context(), chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(*screenshots, "label-"+name+".png"), data, 0o644)
	}
	if err != nil {
		b.Fatal(err)
	}
}

// named tells the page who labels.
func named(b *pagetest.Tab, name string) {
	b.Do(chromedp.Navigate(b.File + "#/"))
	b.Wait("document.getElementById('rater')")
	b.Do(chromedp.Click(chromedp.CSS("#rater")))
	b.Do(chromedp.Evaluate[chromedp.Void]("document.getElementById('rater').select()"))
	b.Do(chromedp.KeyEvent(name))
	b.Wait(fmt.Sprintf("rater === %q && !document.getElementById('begin').disabled", name))
}

func training(b *pagetest.Tab) {
	b.Wait("document.getElementById('train')")
	if !pagetest.Get[bool](b, "document.getElementById('begin').disabled") {
		b.Error("somebody without a name can begin")
	}
	b.Do(chromedp.Click(chromedp.CSS("#train")))
	b.Wait("document.querySelector('.hunk .at')")
	if line := pagetest.Get[string](b, "document.querySelector('.hunk .at').innerText"); !strings.Contains(line, "var x = 1") {
		b.Errorf("the marked line is %q", line)
	}
	b.Press("2")
	b.Wait("document.getElementById('lesson')")
	if says := pagetest.Get[string](b, "document.getElementById('lesson').innerText"); !strings.Contains(says, "we would answer: WRONG") || !strings.Contains(says, "Because the code says so.") {
		b.Errorf("the lesson says %q", says)
	}
	b.Press("z")
	b.Wait("!document.getElementById('lesson')")
	b.Press("3")
	b.Wait("document.getElementById('lesson').innerText.includes('as we would')")
	b.Do(chromedp.Click(chromedp.CSS("#next")))
	b.Wait("location.hash === '#/' && document.getElementById('begin')")
}

// An answer is kept by the browser under the rater's name, and undo takes the last one
// back.
func undoAndComeBack(b *pagetest.Tab) {
	named(b, "ada")
	b.Press(kb.Enter)
	b.Wait("location.hash === '#/item/1' && document.querySelector('.answers')")
	b.Press("2")
	b.Wait("location.hash === '#/item/2' && document.getElementById('progress').innerText.includes('1 answered')")
	b.Press("p")
	b.Wait("location.hash === '#/item/1' && document.querySelector('[aria-pressed=true]').dataset.answer === 'OTHER'")
	b.Press("n")
	b.Wait("location.hash === '#/item/2' && document.getElementById('progress').innerText.startsWith('2 of')")
	b.Press("u")
	b.Wait("location.hash === '#/item/3' && document.getElementById('progress').innerText.includes('2 answered')")
	b.Press("z")
	b.Wait("location.hash === '#/item/2' && document.getElementById('progress').innerText.includes('1 answered') && !document.querySelector('[aria-pressed=true]')")
	b.Do(chromedp.Reload())
	b.Wait("document.getElementById('progress') && document.getElementById('progress').innerText.includes('1 answered')")
	named(b, "ben")
	if word := pagetest.Get[string](b, "document.getElementById('begin').innerText"); word != "Begin" {
		b.Errorf("another rater is to %q", word)
	}
	named(b, "ada")
	b.Wait("document.getElementById('begin').innerText === 'Go on'")
	b.Do(chromedp.Click(chromedp.CSS("#begin")))
	b.Wait("location.hash === '#/item/2'")
}

// Two raters label everything by keyboard and export it; the tables are read back, and
// what they differ on is a page of its own.
func twoRaters(t *testing.T, ctx context.Context) {
	n := 100
	if testing.Short() {
		n = 20
	}
	s := sheet(n, "")
	path := written(t, s, nil)
	var all [][]label.Label
	for _, rater := range []string{"cem", "dina"} {
		b := pagetest.Open(t, ctx, path)
		named(b, rater)
		b.Press(kb.Enter)
		for range s.Order {
			b.Wait("document.querySelector('#asked .said') && document.querySelector('.answers')")
			number := pagetest.Get[int](b, "Number(/comment (\\d+)/.exec(document.querySelector('#asked .said').innerText)[1])")
			answer := 1 + number%3
			if rater == "dina" && number%7 == 0 {
				answer = 1 + (number+1)%3
			}
			was := pagetest.Get[string](b, "location.hash")
			b.Press(fmt.Sprint(answer))
			if answer == 1 && number%3 > 0 { // there are things beside it
				b.Wait("document.querySelectorAll('.ask fieldset').length === 2")
				b.Press("1")
			}
			b.Wait("location.hash !== '" + was + "' && document.querySelector('h1').innerText !== ''")
			b.Wait("location.hash === '#/export' ? document.getElementById('save') : document.querySelector('h1').innerText === 'Item ' + location.hash.split('/')[2] + ' of ' + showings.length")
		}
		all = append(all, exported(t, b, s, rater))
	}
	labels, err := label.Merge(all...)
	if err != nil || len(labels) != 2*len(s.Order) {
		t.Fatalf("%d labels, %v", len(labels), err)
	}
	a := label.Agree(stats.Default(), "label", labels, func(string) label.Standing { return label.Standing{} })
	differ := s.Differ(labels)
	if want := (n + 6) / 7; len(differ) != want || a.Items != n || len(a.Selves) != 2 || a.Selves[0].Same.Value != 1 {
		t.Errorf("raters differ on %d items, want %d: %+v", len(differ), want, a)
	}
	b := pagetest.Open(t, ctx, written(t, s.With(differ, 1), labels))
	b.Do(chromedp.Navigate(b.File + "#/differ"))
	b.Wait(fmt.Sprintf("document.querySelectorAll('.rows > li').length === %d", len(differ)))
	picture(b, "differ", "#/differ")
	if says := pagetest.Get[string](b, "main.innerText"); !strings.Contains(says, "cem: ") || !strings.Contains(says, "dina: ") {
		b.Errorf("the disagreements say\n%s", says)
	}
	named(b, "both")
	b.Do(chromedp.Navigate(b.File + "#/item/1"))
	b.Wait("main.innerText.includes('What was answered')")
}

// exported saves the labels as a browser does and reads the file.
func exported(t *testing.T, b *pagetest.Tab, s label.Sheet, rater string) []label.Label {
	t.Helper()
	dir, saved := t.TempDir(), make(chan struct{})
	if err := chromedp.Listen(b.Context(), func(ev any) {
		if e, ok := ev.(*browser.EventDownloadProgress); ok && e.State == browser.DownloadProgressStateCompleted {
			close(saved)
		}
	}); err != nil {
		t.Fatal(err)
	}
	b.Do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir, EventsEnabled: new(true)})
		return err
	}))
	b.Do(chromedp.Click(chromedp.CSS("#save")))
	select {
	case <-saved:
	case <-time.After(20 * time.Second):
		t.Fatal("nothing was saved")
	}
	file := filepath.Join(dir, "labels-"+rater+".csv")
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	labels, err := s.ReadCSV(file, content)
	if err != nil {
		t.Fatal(err)
	}
	return labels
}
