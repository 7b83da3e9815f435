package report_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/report"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/page/pagetest"
)

// bugsPage writes the page of a dataset with a question and its control, in which
// every text says something.
func bugsPage(t *testing.T, says string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "dataset")
	if err := freeze.Freeze(t.Context(), dir, artifactstest.Dataset(nil)); err != nil {
		t.Fatal(err)
	}
	id := func(n string) string { return "q" + strings.Repeat(n, 20) }
	fault, control := id("1"), id("2")
	var questions, answers bytes.Buffer
	for _, a := range []model.BugAnswer{
		{QuestionID: fault, Repo: "o/n", PRNumber: 7, Path: "a.py" + says, Kind: "U1", Family: "undeclared_name", Level: 2, DecidableIn: []string{"A", "B", "C"}, Chance: 0.25,
			Edits: []model.SourceEdit{{Line: 2, Old: "total" + says, New: "totl" + says}}, Fault: &model.BugFault{Name: "totl" + says, Intended: "total" + says, CauseLine: 2, ReportLine: 3, EffectLines: []int{3}, Error: "NameError"}},
		{QuestionID: control, Repo: "o/n", PRNumber: 7, Path: "a.py", Kind: "untouched", Family: "none", ControlOf: &fault, Edits: []model.SourceEdit{}},
	} {
		q := model.BugQuestion{QuestionID: a.QuestionID, Mode: "change", Path: a.Path, View: "The file" + says + "\n    1  | total = 1\n    2 +| x = totl" + says + "\n    3  | y = x\n",
			Contexts: []model.BugContext{{Config: "B", Text: "m.py has the names f" + says}}}
		e := model.BugEvidence{QuestionID: a.QuestionID, Rule: "R1", Refused: map[string]string{"U7": "no_site" + says}}
		for to, v := range map[*bytes.Buffer]any{&questions: q, &answers: a} {
			if err := json.NewEncoder(to).Encode(v); err != nil {
				t.Fatal(err)
			}
		}
		write(t, dir, artifacts.FileBugEvidence(a.QuestionID), e)
	}
	put(t, dir, artifacts.FileBugQuestions, questions.Bytes())
	put(t, dir, artifacts.FileBugAnswers, answers.Bytes())
	r, err := load.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	r.Manifest.Benchmark = artifacts.Bugs
	var page bytes.Buffer
	if err := report.WriteHTML(&page, r, report.PageOptions{}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, page.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func write(t *testing.T, dir, name string, v any) {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, name, b)
}

func put(t *testing.T, dir, name string, b []byte) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestQuestionsInBrowser(t *testing.T) {
	ctx := pagetest.Browser(t)
	b := pagetest.Open(t, ctx, bugsPage(t, ""))
	fault, control := "#/question/q"+strings.Repeat("1", 20), "#/question/q"+strings.Repeat("2", 20)
	b.Wait("document.querySelector('.tile').innerText.replace(/\\s+/g, ' ') === '1 questions with a fault'")
	for _, view := range []struct {
		at    string
		wants []string
	}{
		{"#/questions", []string{"2 questions", "level 2: U1", "o/n#7, a.py: NameError totl", "control: untouched"}},
		{"#/questions?fault=true", []string{"1 question", "NameError totl"}},
		{"#/questions?fault=false", []string{"1 question", "control: untouched"}},
		{fault, []string{"No reviewer may see it", "U1, undeclared name, level 2", "NameError for totl", "R1", "x = totl", "0.25", "Configuration B adds", "no site"}},
		{control, []string{"none: a control", "goes with"}},
	} {
		b.Do(chromedp.Navigate(b.File + view.at))
		b.Wait("location.hash === '" + view.at + "' && main.innerText.includes('" + view.wants[0] + "')")
		says := pagetest.Get[string](b, "main.innerText")
		for _, want := range view.wants {
			if !strings.Contains(says, want) {
				b.Errorf("%s lacks %q:\n%s", view.at, want, says)
			}
		}
		if marked := pagetest.Get[string](b, "[...document.querySelectorAll('.line-cause, .line-effect')].map((e) => e.innerText.replace(/\\s+/g, ' ').trim()).join('|')"); view.at == fault && marked != "2 +x = totl|3 y = x" || view.at == control && marked != "" {
			b.Errorf("%s: marked is %q", view.at, marked)
		}
	}
	views := []string{"#/", "#/questions", fault, control}
	b.HasNoSeriousFinding(views...)
	b.FitsPhone(views...)

	b = pagetest.Open(t, ctx, bugsPage(t, "</script><script>window.ran = 1</script><img src=x onerror=window.ran=1>"))
	for _, at := range []string{"#/questions", fault} {
		b.Do(chromedp.Navigate(b.File + at))
		b.Wait("location.hash === '" + at + "' && main.innerText.includes('onerror')")
		b.HasOnlyText()
	}
	b.RefusesScripts()
}
