package debugging

import (
	"strings"
	"testing"

	"github.com/prforge/prforge/evaluation"
)

func TestPublishedPrompts(t *testing.T) {
	s := Sample{ID: "a", Task: "Sum the rows.", Code: "a = 1\nb = a.x\n", Truths: []Truth{{Cause: Line{First: 1, Last: 1}, Type: "AttributeError"}}}
	two := s
	two.Truths = append(two.Truths, Truth{Cause: Line{First: 2, Last: 2}, Type: "TypeError"})
	for _, tc := range []struct {
		name string
		of   Sample
		has  string
		not  string
	}{
		{"dsdbench", s, "only one error", "two or more"},
		{"dsdbench", two, "two or more", "only one error"},
		{"dsdbench-thought", s, "step by step", "three steps"},
		{"dsdbench-refine", s, "three steps", "step by step"},
	} {
		it := itemOf(t, tc.of)
		it.Canary = "prforge-debugging-canary 1"
		it, err := Benchmark{}.WithPrompt(it, tc.name)
		if err != nil {
			t.Fatal(err)
		}
		q := Benchmark{}.Question(it, "plain", false)
		if !strings.Contains(q.System, tc.has) || strings.Contains(q.System, tc.not) || !strings.Contains(q.Prompt, "Sum the rows.") || !strings.Contains(q.Prompt, "a = 1\nb = a.x\n") {
			t.Errorf("%s asks %q, %q", tc.name, q.System, q.Prompt)
		}
		if !strings.HasSuffix(q.Prompt, "\n"+it.Canary+"\n") {
			t.Errorf("%s does not end with the canary: %q", tc.name, q.Prompt)
		}
		if _, numbered := it.Prompts["numbered"]; numbered || strings.Contains(q.System+q.Prompt, "AttributeError") {
			t.Errorf("%s shows numbers or the key", tc.name)
		}
		if again := (Benchmark{}).Question(it, "plain", true); again != q && again.Prompt != q.Prompt {
			t.Errorf("%s asks again in another way", tc.name)
		}
	}
	if _, err := (Benchmark{}).WithPrompt(itemOf(t, s), "tests"); err == nil {
		t.Error("an unknown prompt is taken")
	}
	r := Benchmark{}.Read(evaluation.Item{}, `I think so. {"cause_line": "a = 1", "effect_line": "b = a.x", "error_message": "AttributeError: no x"}`)
	if r.Outcome != evaluation.ReadReview || len(r.Comments) != 1 {
		t.Errorf("an answer in the published form is read as %+v", r)
	}
}
