package official

import (
	"strings"

	"github.com/prforge/prforge/evaluation/internal/python"
)

// Classification is the judge's verdict on one comment of the agent.
type Classification struct {
	CommentID     string  `json:"comment_id"`
	Label         string  `json:"classification"`
	Human         *string `json:"matched_human_comment_id"`
	Actionability int64   `json:"actionability_score"` // 1 to 5
	Reasoning     *string `json:"reasoning"`
}

// Status is the judge's verdict on one human comment. Nothing reads it afterwards.
type Status struct {
	CommentID string  `json:"comment_id"`
	Status    string  `json:"status"` // CAUGHT or MISSED
	Agent     *string `json:"matched_agent_comment_id"`
}

// JudgeOutput is the judge's answer as read.
type JudgeOutput struct {
	TaskID          string           `json:"task_id"`
	Config          string           `json:"config_name"`
	Classifications []Classification `json:"agent_classifications"`
	Statuses        []Status         `json:"human_comment_statuses"`
	Model           string           `json:"judge_model"`
	PromptVersion   string           `json:"judge_prompt_version"`
}

// Fallback reports whether the judge failed, which halves the score.
func (j JudgeOutput) Fallback() bool { return strings.HasSuffix(j.PromptVersion, "+fallback") }

// defaultActionability is the value of a comment without a readable one.
const defaultActionability = 3

// JudgeSkipped is the output for an unusable answer of the agent, which no judge sees.
func JudgeSkipped(t Task, model string) JudgeOutput {
	return JudgeOutput{TaskID: t.ID, Config: t.Config, Classifications: []Classification{}, Statuses: allMissed(t),
		Model: model, PromptVersion: promptSkipped}
}

// JudgeFailed is the output for a judge that could not be asked or read: all
// comments plausible, all human comments missed. why is the error's text.
func JudgeFailed(t Task, a AgentOutput, model, why string) JudgeOutput {
	return JudgeOutput{TaskID: t.ID, Config: t.Config,
		Classifications: allPlausible(a, "fallback_due_to_parse_error: "+why),
		Statuses:        allMissed(t), Model: model, PromptVersion: promptFallback}
}

// ReadJudge reads a judge's answer. Anything but a JSON object is a JudgeFailed; an object without usable items makes
// all comments plausible.
func ReadJudge(t Task, a AgentOutput, model, answer string) JudgeOutput {
	if len(answer) > maxAnswerBytes {
		return JudgeFailed(t, a, model, "the answer is too long")
	}
	fields, ok := judgeObject(answer)
	if !ok {
		return JudgeFailed(t, a, model, "no JSON object found in the answer")
	}
	out := JudgeOutput{TaskID: t.ID, Config: t.Config, Classifications: []Classification{}, Statuses: []Status{},
		Model: model, PromptVersion: promptVersion}
	for _, v := range fields.list("agent_classifications") {
		if c, ok := classification(v); ok {
			out.Classifications = append(out.Classifications, c)
		}
	}
	for _, v := range fields.list("human_comment_statuses") {
		if s, ok := status(v); ok {
			out.Statuses = append(out.Statuses, s)
		}
	}
	if len(out.Classifications) == 0 {
		out.Classifications = allPlausible(a, "fallback_default")
	}
	if len(out.Statuses) == 0 {
		out.Statuses = allMissed(t)
	}
	return out
}

// judgeObject finds the JSON object of an answer: the whole text, or without
// code fences, or from the first brace to the last.
func judgeObject(answer string) (object, bool) {
	text := python.Trim(answer)
	v, ok := python.JSON(text)
	if !ok {
		text = python.Trim(strings.ReplaceAll(strings.ReplaceAll(text, "```json", ""), fence, ""))
		v, ok = python.JSON(text)
	}
	if first, last := strings.Index(text, "{"), strings.LastIndex(text, "}"); !ok && first >= 0 && last > first {
		v, ok = python.JSON(text[first : last+1])
	}
	fields, isObject := v.(map[string]any)
	return fields, ok && isObject
}

func classification(v any) (Classification, bool) {
	fields, ok := v.(map[string]any)
	if !ok {
		return Classification{}, false
	}
	o := object(fields)
	c := Classification{CommentID: o.present("comment_id"),
		Label: strings.ToUpper(python.Trim(o.present("classification"))),
		Human: o.textOrNil("matched_human_comment_id"), Actionability: defaultActionability}
	if c.Label != Confirmed && c.Label != Plausible && c.Label != Fabricated {
		return c, false
	}
	if n, ok := python.Int(o["actionability_score"]); ok {
		c.Actionability = min(max(n, 1), 5)
	}
	if text := o.present("reasoning"); text != "" {
		c.Reasoning = &text
	}
	return c, true
}

func status(v any) (Status, bool) {
	fields, ok := v.(map[string]any)
	if !ok {
		return Status{}, false
	}
	o := object(fields)
	s := Status{CommentID: o.present("comment_id"), Status: strings.ToUpper(python.Trim(o.present("status"))),
		Agent: o.textOrNil("matched_agent_comment_id")}
	return s, s.Status == Caught || s.Status == Missed
}

// present is a value as text, "" where it is missing or empty in Python's sense.
func (o object) present(key string) string {
	if v := o[key]; python.Truthy(v) {
		return python.Text(v)
	}
	return ""
}

// textOrNil is a value as text, nil for null and "".
func (o object) textOrNil(key string) *string {
	if v := o[key]; v != nil && v != "" {
		text := python.Text(v)
		return &text
	}
	return nil
}

func allPlausible(a AgentOutput, reason string) []Classification {
	out := []Classification{}
	for _, c := range a.Comments {
		out = append(out, Classification{CommentID: c.ID, Label: Plausible, Actionability: defaultActionability,
			Reasoning: &reason})
	}
	return out
}

func allMissed(t Task) []Status {
	out := []Status{}
	for _, h := range t.Humans {
		out = append(out, Status{CommentID: h.ID, Status: Missed})
	}
	return out
}
