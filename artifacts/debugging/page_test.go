package debugging

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/page/pagetest"
	"github.com/prforge/prforge/internal/verdict"
)

// hostile is in every text that a stranger or a model writes.
const hostile = "</script><script>window.ran = 1</script><img src=x onerror=window.ran=1> \u202e"

// sample is one with an error that shows on the line after its cause.
func sample(id, says string) (Sample, Evidence) {
	pull := 12
	s := Sample{Question{
		SampleID: id, ScriptID: "a", Path: "a.py" + says, Repo: "o/n", PRNumber: &pull, Commit: "c0ffee", License: "MIT", Task: "Print." + says,
		Code: "x = '" + says + "'\ny = f(x)\nprint(y)\n",
	}, Answer{
		Of: id, Kind: Single, ErrorCount: 1, Errors: []Error{{
			ErrorID: id, Order: 1, Operator: "drop_argument", Injector: "rules", CauseLine: 2, CauseEndLine: 2, CauseText: "y = f(x)" + says, EffectLine: 3, EffectEndLine: 3, EffectText: "print(y)",
			EffectFunction: "<module>", ErrorType: "TypeError", ErrorMessage: "missing argument" + says, HopLines: 1, HopExecuted: 1, Library: "numpy",
		}},
	}}
	e := Evidence{
		SampleID: id, OriginalCode: "x = '" + says + "'\ny = f(x, 1)\nprint(y)\n", Changes: []Change{{ErrorID: id, Edits: []Edit{{Line: 2, Old: ", 1" + says, New: ""}}}},
		Run: model.ScriptRun{Exception: &model.ScriptException{Frames: []model.ScriptFrame{{Line: 3, First: 3, Last: 3, Function: "<module>"}}}},
	}
	return s, e
}

func TestShow(t *testing.T) {
	got := show(sample("a__s1", ""))
	if got.Lines[1].Class != "cause" || got.Lines[1].Before != "y = f(x, 1)" || got.Lines[2].Class != "effect" || len(got.Lines) != 3 {
		t.Errorf("%+v", got.Lines)
	}
	if want := "line 3, in <module>: print(y)"; strings.Join(got.Frames, "|") != want {
		t.Errorf("frames are %q", got.Frames)
	}
}

// pageOf writes the page of a dataset of samples with such ids, in which every
// text says something.
func pageOf(t *testing.T, says string, ids ...string) string {
	t.Helper()
	dir := t.TempDir()
	put := func(name string, v any) {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.Write(append(b, '\n')); err != nil {
			t.Fatal(err)
		}
	}
	put(artifacts.FileManifest, artifacts.Manifest{Name: "scripts" + says, Benchmark: artifacts.Debugging})
	put(artifacts.FileFunnel, verdict.Funnel{Stages: []verdict.StageCounts{{Stage: "run", Counts: verdict.Counts{In: 9, Pass: 7, Reject: 2, Reasons: map[string]int{"mutant_silent": 2}}}}})
	for _, id := range ids {
		s, e := sample(id, says)
		put(FileQuestions, s.Question)
		put(FileAnswers, s.Answer)
		put(FileEvidence(id), e)
	}
	path := filepath.Join(t.TempDir(), "page.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteHTML(f, dir, nil); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPageInBrowser(t *testing.T) {
	ctx := pagetest.Browser(t)
	b := pagetest.Open(t, ctx, pageOf(t, "", "a__s1", "b__s1"))
	views := []string{"#/", "#/samples", "#/sample/a__s1"}
	b.Wait("document.querySelectorAll('a.bar').length === 5 && document.querySelector('div.bar').innerText.includes('mutant silent 2')")
	b.LeadSomewhere()
	b.Do(chromedp.Navigate(b.File + "#/samples"))
	b.Wait("document.querySelectorAll('.item').length === 2")
	for filter, want := range map[string]int{"apart=yes": 2, "kind=multi&apart=yes": 0, "apart=yes&q=b__s1": 1} {
		b.Do(chromedp.Navigate(b.File + "#/samples?" + filter))
		b.Wait(fmt.Sprintf("location.hash === '#/samples?%s' && document.querySelectorAll('.item').length === %d", filter, want))
	}
	b.Do(chromedp.Navigate(b.File + "#/samples"))
	b.Wait("location.hash === '#/samples' && document.querySelectorAll('.item').length === 2")
	for _, at := range []string{"#/samples", "#/", "#/sample/b__s1"} {
		b.Show(at)
		b.Press("/")
		b.Wait("document.activeElement.id === 'search'")
		b.Press("b__s1" + kb.Enter)
		b.Wait("location.hash === '#/sample/b__s1' && document.querySelector('article.comment')")
	}
	b.CutsNoNumber(views...)
	says := pagetest.Get[string](b, "main.innerText")
	for _, want := range []string{"a.py of o/n, pull request 12, at c0ffee, MIT", "1. TypeError", "missing argument", "1 statement ran between", "line 3, in <module>: print(y)", "y = f(x, 1)"} {
		if !strings.Contains(says, want) {
			b.Errorf("the sample lacks %q:\n%s", want, says)
		}
	}
	if marked := pagetest.Get[string](b, "[...document.querySelectorAll('.line-cause, .line-effect')].map((e) => e.innerText.replace(/\\s+/g, ' ').trim()).join('|')"); marked != "2 y = f(x)|3 print(y)" {
		b.Errorf("marked is %q", marked)
	}
	b.TurnsDark()
	b.HasNoSeriousFinding(views...)
	b.FitsPhone(views...)

	b = pagetest.Open(t, ctx, pageOf(t, hostile, "a__s1"))
	for _, at := range views {
		b.Do(chromedp.Navigate(b.File + at))
		b.Wait("location.hash === '" + at + "' && document.querySelector('h1') && (document.querySelector('main').innerText.includes('onerror') || '" + at + "' === '#/')")
		b.HasOnlyText()
	}
	b.RefusesScripts()
}
