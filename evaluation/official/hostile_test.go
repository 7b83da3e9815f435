package official

import (
	"strings"
	"testing"
)

// Answers that are built to exhaust a reader are read or refused.
func TestHostileAnswers(t *testing.T) {
	task := Task{ID: "a__1", Config: "config_A", Humans: []Human{{ID: "c_1", Body: "x"}}}
	for name, raw := range map[string]string{
		"too long":         "[" + strings.Repeat(`{"body": "x"},`, maxAnswerBytes/10) + "{}]",
		"open brackets":    strings.Repeat("[", maxAnswerBytes),
		"open objects":     strings.Repeat(`{"a":`, maxAnswerBytes/5),
		"deeply nested":    strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
		"brackets in text": strings.Repeat(`["[",`, maxAnswerBytes/5),
		"no end of text":   `["` + strings.Repeat(`\"[`, maxAnswerBytes/4),
	} {
		out := readAgent(task, "m", raw)
		if len(out.Comments) > 0 {
			t.Errorf("%s: %d comments", name, len(out.Comments))
		}
		if j := ReadJudge(task, out, "j", "{"+raw); !j.Fallback() {
			t.Errorf("%s: the judge's answer was read", name)
		}
	}
}

// The judge is shown what the harness shows, and all prompts exist.
func TestJudgeMessage(t *testing.T) {
	line := int64(3)
	task := Task{Diff: "diff --git a/x b/x\n+y", Humans: []Human{{ID: "c_1", Body: "why?"}}}
	got := JudgeMessage(task, AgentOutput{Comments: []AgentComment{{ID: "a_0", Body: "because", Line: &line}}})
	for _, part := range []string{"```diff\ndiff --git a/x b/x\n+y\n```", "comment_id: c_1\n  file: None\n  line: None\n  severity: None\n  body: why?",
		"comment_id: a_0\n  file: general\n  line: 3\n  severity_claimed: unspecified\n  body: because"} {
		if !strings.Contains(got, part) {
			t.Errorf("%q is not in\n%s", part, got)
		}
	}
	for _, name := range []string{PromptAgent, PromptAgentAgain, PromptJudge} {
		if len(Prompt(name)) < 100 {
			t.Errorf("%s is short", name)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{`[{"body":"x","line":"1_0"}]`, "```json\n[]\n```", `{"agent_classifications":[{"comment_id":1,"classification":"confirmed"}]}`, `x [1] {"body": "y"`} {
		f.Add(s)
	}
	task := Task{ID: "a__1", Config: "config_A", Diff: "@@ -1 +1 @@\n+x", Humans: []Human{{ID: "1", Body: "x y"}}}
	f.Fuzz(func(t *testing.T, s string) {
		agent := readAgent(task, "m", s)
		r, err := Harness().Score(task, agent, ReadJudge(task, agent, "j", s), Lexical)
		if err != nil || r.Overall < 0 || r.Overall > 1 || r.Confirmed+r.Plausible+r.Fabricated != r.AgentComments {
			t.Errorf("%v, %+v", err, r)
		}
	})
}
