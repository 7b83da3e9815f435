package escaped

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/evaluation/label"
	"github.com/prforge/prforge/scoring/escaped"
)

// The sheet asks about each link that the audit rejects for its grade; without one of them it says so.
func TestSheet_LacksWhatTheAuditRejects(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if err := os.CopyFS(dir, os.DirFS(world.Built(t).Out)); err != nil {
		t.Fatal(err)
	}
	if err := complete(dir, nil); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, artifacts.FileDecisions)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	line := `{"kind":"pull_request","repo":"o/n","pr_number":7,"stage":"grade","outcome":"rejected","code":"grade_b","detail":"","evidence":[]}`
	if err := os.WriteFile(file, append(text, line+"\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := complete(dir, nil); err == nil || !strings.Contains(err.Error(), "o/n#7 of grade B") {
		t.Errorf("%v", err)
	}
	if err := complete(dir, []*asked{{answer: escaped.Answer{Repo: "o/n", PRNumber: 7}}}); err != nil {
		t.Error(err)
	}
}

func TestAnswersYAML(t *testing.T) {
	fix := strings.Repeat("a", 40)
	about := map[string]escaped.Answer{"i": {Repo: "o/n", PRNumber: 7, Fix: fix}}
	for _, tc := range []struct {
		name, introduced, findable string
		again                      bool
		want                       string // "" for no entry
	}{
		{name: "found in the diff", introduced: "yes", findable: "diff", want: "introduced: true\n    findable: diff\n"},
		{name: "cannot be said", introduced: "yes", findable: "unknown", want: "introduced: true\n    findable: unknown\n"},
		{name: "not introduced", introduced: "no", want: "introduced: false\n    findable: unknown\n"},
		{name: "not introduced, but found", introduced: "no", findable: "diff", want: "introduced: false\n    findable: unknown\n"},
		{name: "unsure", introduced: label.Unsure},
		{name: "unsure how", introduced: "yes", findable: label.Unsure},
		{name: "half answered", introduced: "yes"},
		{name: "only how", findable: "diff"},
		{name: "a second time", introduced: "yes", findable: "diff", again: true},
	} {
		l := label.Label{Item: "i", Rater: "ann", Again: tc.again, Answers: map[string]string{}}
		for key, value := range map[string]string{askedIntroduced: tc.introduced, askedFindable: tc.findable} {
			if value != "" {
				l.Answers[key] = value
			}
		}
		want := "escaped:\n  answers: []\n"
		if tc.want != "" {
			want = "escaped:\n  answers:\n  - repo: o/n\n    pr_number: 7\n    fix: " + fix + "\n    by: ann\n    " + tc.want
		}
		if got, err := answersYAML(about, []label.Label{l}); string(got) != want || err != nil {
			t.Errorf("%s: %v\n%s", tc.name, err, got)
		}
	}
}
