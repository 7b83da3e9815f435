package debugging

import (
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/model"
)

// A sample is shown with its lines, its change and its traceback; nothing of a
// stranger becomes markup.
func TestASampleIsShown(t *testing.T) {
	pull := 12
	s := Sample{
		SampleID: "a__s1", Path: "a.py", Repo: "o/n", PRNumber: &pull, Commit: "c0ffee", License: "MIT", Code: "x = '<script>'\ny = f(x)\nprint(y)\n", Errors: []Error{{CauseLine: 2, CauseEndLine: 2, EffectLine: 3, EffectEndLine: 3, ErrorType: "TypeError", ErrorMessage: "<img src=x>"}},
	}
	e := Evidence{
		OriginalCode: "x = '<script>'\ny = f(x, 1)\nprint(y)\n", Changes: []Change{{ErrorID: "a__s1", Edits: []Edit{{Line: 2, Old: ", 1", New: ""}}}},
		Run: model.ScriptRun{Exception: &model.ScriptException{Frames: []model.ScriptFrame{{Line: 3, First: 3, Last: 3, Function: "<module>"}}}},
	}
	got := show(s, e)
	if got.Lines[1].Class != "cause" || got.Lines[1].Before != "y = f(x, 1)" || got.Lines[2].Class != "effect" || len(got.Lines) != 3 {
		t.Errorf("%+v", got.Lines)
	}
	var b strings.Builder
	if err := pageTemplate.ExecuteTemplate(&b, "sample", got); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	if strings.Contains(page, "<script>") || strings.Contains(page, "<img") || strings.Contains(page, "<module>") {
		t.Errorf("a text became markup: %s", page)
	}
	for _, want := range []string{"&lt;script&gt;", "line 3, in &lt;module&gt;: print(y)", `class="cause"`, "a.py of o/n, pull request 12, at c0ffee, MIT", "<del><code>, 1</code></del>"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is missing in %s", want, page)
		}
	}
}
