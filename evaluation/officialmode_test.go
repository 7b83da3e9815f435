package evaluation

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/prforge/prforge/evaluation/official"
)

const (
	twoComments = `[{"body":"sees 1","file":"a.go","line":2},{"body":"fine"}]`
	judgeAll    = `{"agent_classifications":[{"comment_id":"a__1_config_A_0","classification":"CONFIRMED","matched_human_comment_id":"c_1","actionability_score":4,"reasoning":"r"}]}`
)

// In the official mode the published reader says what is asked once more, and
// whether the judge is asked. The scores are those of the harness, whose client
// gave the same answers.
func TestOfficialMode_AsksAsTheHarness(t *testing.T) {
	failed := errors.New("status 400")
	for name, tc := range map[string]struct {
		answers []string // of the reviewer, in order
		judge   string
		asked   string // questions: f first, a again, j judge, with the sample's number
		success bool
		overall bool // above zero
	}{
		"a review":             {[]string{twoComments}, judgeAll, "f0 j0", true, true},
		"honest silence":       {[]string{"[]"}, `{}`, "f0 j0", true, false},
		"fenced silence":       {[]string{"```JSON\n[]\n```", "[]"}, `{}`, "f0 a0 j0", true, false},
		"array and reference":  {[]string{twoComments + " See [1].", twoComments}, judgeAll, "f0 a0 j0", true, true},
		"draft, then nothing":  {[]string{"<think>" + twoComments + "</think> []", twoComments}, judgeAll, "f0 a0 j0", true, true},
		"cut array is rescued": {[]string{strings.TrimSuffix(twoComments, "]")}, judgeAll, "f0 j0", true, true},
		"empty, then good":     {[]string{"", " ", twoComments}, judgeAll, "f0 f3 f6 j0", true, true},
		"always empty":         {[]string{"", "", ""}, "", "f0 f3 f6", false, false},
		"never usable":         {[]string{"sorry", "", "sorry"}, "", "f0 a0 a3", false, false},
	} {
		p := samplePlan(ModeOfficial)
		p.Repeats, p.Judge.Repeat = 3, 1
		it := sampleItem(t, sampleKey())
		var asked []string
		ask := func(_ context.Context, q Request) (Reply, error) {
			kind := "f"
			if strings.HasSuffix(q.Prompt, official.Prompt(official.PromptAgentAgain)) {
				kind = "a"
			}
			if q.System != official.Prompt(official.PromptAgent) || len(asked) >= len(tc.answers) {
				return Reply{}, failed
			}
			asked = append(asked, fmt.Sprint(kind, q.Sample))
			return Reply{Text: tc.answers[len(asked)-1], Fresh: true}, nil
		}
		judge := func(_ context.Context, q Request) (Reply, error) {
			asked = append(asked, fmt.Sprint("j", q.Sample))
			return Reply{Text: tc.judge, Fresh: true}, nil
		}
		r, err := p.Evaluate(t.Context(), Reviews{}, it, RecordKey{Model: "m", Config: "config_A", Task: it.ID, Repeat: 1}, ask, judge)
		if err != nil || r.Outcome != Scored || strings.Join(asked, " ") != tc.asked {
			t.Errorf("%s: %s %s, asked %s, %v", name, r.Outcome, r.Code, asked, err)
		}
		published, err := Publish(official.Harness(), p, it, r, official.Lexical)
		if err != nil || published.Agent.Success != tc.success || published.Judge.Fallback() || published.Unasked || (published.Result.Overall > 0) != tc.overall {
			t.Errorf("%s: %+v, %v", name, published.Result, err)
		}
	}
}

// In the other modes a question that only the harness would have put is counted.
func TestPublish_Unasked(t *testing.T) {
	for review, unasked := range map[string]bool{twoComments: false, twoComments + " See [1].": true, "```json\n[]\n```": true, "[]": false} {
		p := samplePlan(ModeRecord)
		r := evaluate(t, p, review, faithful(t))
		published, err := Publish(official.Harness(), p, sampleItem(t, sampleKey()), r, official.Lexical)
		if err != nil || published.Unasked != unasked || published.Judge.Fallback() {
			t.Errorf("%s: unasked %v, %s, %v", review, published.Unasked, published.Judge.PromptVersion, err)
		}
	}
}
