package debugging

import (
	"strings"

	"github.com/prforge/prforge/evaluation/internal/python"
)

// maxAnswerBytes is the longest answer that is read.
const maxAnswerBytes = 1 << 20

// maxReadBytes bounds the total reading while searching for the answer's value: open brackets are read repeatedly.
const maxReadBytes = 16 << 20

// Named is an error that an answer names.
type Named struct {
	Cause        string `json:"cause_line"`
	CauseNumber  int    `json:"cause_line_number"` // 0 where none is given
	Effect       string `json:"effect_line"`
	EffectNumber int    `json:"effect_line_number"`
	Type         string `json:"error_type"`
	Message      string `json:"error_message"`
	// Judged is a judge's score of the message, 0 to 1, by the truth's id; nil without a judge: the text then
	// decides.
	Judged map[string]float64 `json:"judged,omitempty"`
}

// Codes of an answer that cannot be scored.
const (
	codeMissing   = "answer_missing"    // empty
	codeTooLong   = "answer_too_long"   // longer than maxAnswerBytes
	codeUnparsed  = "answer_unparsed"   // no JSON value in it
	codeOffSchema = "answer_off_schema" // JSON that names no errors
)

// unusable is an answer that cannot be scored: it names nothing.
type unusable struct {
	Code string `json:"code"`
	At   int    `json:"at"` // byte of the answer at which reading ended
}

// readAnswer reads a model's answer: the first JSON value in it that is an object with a list errors, a list of
// objects, or one object, whose items name at least one of the fields. An empty list is an answer that names nothing.
// It ignores unknown fields and fields of other types.
func readAnswer(answer string) ([]Named, *unusable) {
	switch {
	case strings.TrimSpace(answer) == "":
		return nil, &unusable{Code: codeMissing}
	case len(answer) > maxAnswerBytes:
		return nil, &unusable{Code: codeTooLong, At: maxAnswerBytes}
	}
	fault := &unusable{Code: codeUnparsed}
	read := 0
	for at := 0; at < len(answer) && read < maxReadBytes; at++ {
		if answer[at] != '{' && answer[at] != '[' {
			continue
		}
		v, end, ok := python.JSONAt(answer, at)
		read += end - at
		if !ok {
			continue
		}
		if named, ok := namedErrors(v); ok {
			return named, nil
		}
		fault = &unusable{Code: codeOffSchema, At: at}
		at = end - 1
	}
	return nil, fault
}

func namedErrors(v any) ([]Named, bool) {
	if o, ok := v.(map[string]any); ok {
		list, hasList := o["errors"].([]any)
		if !hasList {
			n, ok := named(o)
			return []Named{n}, ok
		}
		v = list
	}
	list, ok := v.([]any)
	if !ok {
		return nil, false
	}
	out := []Named{}
	for _, item := range list {
		o, ok := item.(map[string]any)
		if !ok {
			return nil, false
		}
		n, ok := named(o)
		if !ok {
			return nil, false
		}
		out = append(out, n)
	}
	return out, true
}

func named(o map[string]any) (Named, bool) {
	n := Named{Cause: text(o, "cause_line"), Effect: text(o, "effect_line"), Type: text(o, "error_type"),
		Message:     text(o, "error_message"),
		CauseNumber: number(o, "cause_line_number"), EffectNumber: number(o, "effect_line_number")}
	for _, key := range []string{"cause_line", "effect_line", "error_type", "error_message", "cause_line_number",
		"effect_line_number"} {
		if _, ok := o[key]; ok {
			return n, true
		}
	}
	return n, false
}

func text(o map[string]any, key string) string {
	s, _ := o[key].(string)
	return s
}

// number is a line number; a string of digits is accepted too.
func number(o map[string]any, key string) int {
	n, ok := python.Int(o[key])
	if !ok || n < 1 || n > 1<<30 {
		return 0
	}
	return int(n)
}
