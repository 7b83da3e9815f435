package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/model"
)

const goodLine = `{"comment_id": 7, "label": "ground_truth", "annotator": "zoe", "date": "2026-11-01"}` + "\n"

// TestParseLabels_Counted checks what judgements need where raters are counted: no date, and people may differ.
func TestParseLabels_Counted(t *testing.T) {
	undated := strings.ReplaceAll(goodLine, `, "date": "2026-11-01"`, "")
	differ := undated + strings.NewReplacer("zoe", "bob", "ground_truth", "not_confirmed").Replace(undated)
	lines, err := parseLabels("labels.jsonl", []byte(differ), true)
	if err != nil || len(lines) != 2 {
		t.Errorf("%v, %v", lines, err)
	}
	if n := model.Confirmations(lines)[7]; n != 1 {
		t.Errorf("%d raters confirm it, want 1", n)
	}
	if _, err := parseLabels("labels.jsonl", []byte(undated), false); err == nil || !strings.Contains(err.Error(), "date: want a day") {
		t.Errorf("no date where the latest decides: %v", err)
	}
	if _, err := parseLabels("labels.jsonl", []byte(undated+undated), true); err == nil || !strings.Contains(err.Error(), "already on line 1") {
		t.Errorf("one rater twice: %v", err)
	}
	if _, err := Parse("prforge.yaml", []byte("repositories: [a/b]\ndataset: {freeze_date: 2026-04-15}\nground_truth: {confirmed_by: 2}\n")); err == nil || !strings.Contains(err.Error(), "needs ground_truth.overrides") {
		t.Errorf("no file: %v", err)
	}
}

func TestParseLabels(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"good":             {goodLine + "\n" + `{"comment_id": 8, "label": "only_praise", "by": "model", "annotator": "m", "date": "2026-11-01", "note": "thanks"}`, ""},
		"nothing":          {"", ""},
		"the later wins":   {goodLine + strings.NewReplacer("zoe", "bob", "11-01", "11-02", "ground_truth", "style_only").Replace(goodLine), ""},
		"two agree":        {goodLine + strings.ReplaceAll(goodLine, "zoe", "bob"), ""},
		"model and person": {goodLine + strings.NewReplacer(`"annotator": "zoe"`, `"by": "model", "annotator": "m"`, "ground_truth", "style_only").Replace(goodLine), ""},
		"no JSON":          {goodLine + "nonsense\n", "labels.jsonl:2: no judgement"},
		"cut off":          {goodLine + `{"comment_id": 8,`, "labels.jsonl:2: no judgement"},
		"unknown key":      {`{"comment_id": 7, "lable": "x"}`, `labels.jsonl:1: no judgement: json: unknown field "lable"`},
		"two values":       {strings.TrimSpace(goodLine) + " {}\n", "labels.jsonl:1: no judgement: more than one value"},
		"no comment":       {strings.ReplaceAll(goodLine, "7", "0"), "labels.jsonl:1: comment_id"},
		"no label of ours": {strings.ReplaceAll(goodLine, "ground_truth", "good"), "labels.jsonl:1: label: want ground_truth, not_confirmed or one of [too_few_words"},
		"a fact":           {strings.ReplaceAll(goodLine, "ground_truth", "by_bot"), "labels.jsonl:1: label"},
		"nobody":           {strings.ReplaceAll(goodLine, "zoe", ""), "labels.jsonl:1: "},
		"no day":           {strings.ReplaceAll(goodLine, "2026-11-01", "today"), "labels.jsonl:1: date: want a day"},
		"neither":          {strings.ReplaceAll(goodLine, `"annotator": "zoe"`, `"by": "cat", "annotator": "tom"`), "labels.jsonl:1: by: want person or model"},
		"twice the same":   {"\n" + goodLine + strings.ReplaceAll(goodLine, "11-01", "11-02"), "labels.jsonl:3: zoe judged comment 7 already on line 2"},
		"they contradict":  {goodLine + strings.NewReplacer("zoe", "bob", "ground_truth", "style_only").Replace(goodLine), "labels.jsonl:2: on 2026-11-01 two people judge comment 7 differently, here and on line 1"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parseLabels("labels.jsonl", []byte(tc.text), false)
			var bad *Error
			switch {
			case tc.want == "" && err != nil:
				t.Error(err)
			case tc.want != "" && (!errors.As(err, &bad) || !strings.HasPrefix(err.Error(), tc.want)):
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}

func TestLatestJudgement(t *testing.T) {
	lines, err := parseLabels("", []byte(goodLine+strings.NewReplacer("zoe", "bob", "11-01", "11-02", "ground_truth", "style_only").Replace(goodLine)+
		strings.NewReplacer(`"annotator": "zoe"`, `"by": "model", "annotator": "m"`, "11-01", "11-09").Replace(goodLine)), false)
	if err != nil {
		t.Fatal(err)
	}
	l := Labels{Lines: lines}
	if got := l.Latest(model.ByPerson)[7]; got.Annotator != "bob" {
		t.Errorf("people: %+v", got)
	}
	if got := l.Latest(model.ByModel)[7]; got.Annotator != "m" {
		t.Errorf("model: %+v", got)
	}
	if got := l.People(7); len(got) != 2 {
		t.Errorf("%+v", got)
	}
}

// The configuration of a dataset names the file beside it, and no other; a
// file that changed is not the one that it was built by.
func TestLabelsOfADataset(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "mine.jsonl")
	if err := os.WriteFile(file, []byte(goodLine), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := Parse(filepath.Join(dir, "prforge.yaml"), []byte("repositories: [a/b]\ndataset: {freeze_date: 2026-04-15}\nground_truth: {overrides: mine.jsonl}\n"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := c.Canonical(nil)
	if err != nil {
		t.Fatal(err)
	}
	frozen := filepath.Join(dir, "data", "config.yaml")
	if err := os.MkdirAll(filepath.Join(dir, "data", "labels"), 0o755); err != nil {
		t.Fatal(err)
	}
	labels := filepath.Join(dir, "data", fileLabels)
	if err := os.WriteFile(labels, []byte(goodLine), 0o644); err != nil {
		t.Fatal(err)
	}
	again, err := Parse(frozen, text)
	if err != nil {
		t.Fatal(err)
	}
	if twice, err := again.Canonical(nil); err != nil || string(twice) != string(text) {
		t.Errorf("%v\n%s\n%s", err, text, twice)
	}
	if _, err := Parse(frozen, []byte(strings.ReplaceAll(string(text), fileLabels, "../../secret"))); err == nil || !strings.Contains(err.Error(), "that of a dataset is labels/overrides.jsonl") {
		t.Errorf("another file: %v", err)
	}
	if err := os.WriteFile(labels, []byte(goodLine+goodLine[:0]+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Parse(frozen, text); err == nil || !strings.Contains(err.Error(), "not the file that the dataset was built by") {
		t.Errorf("a changed file: %v", err)
	}
}
