package dsdbench

import (
	"fmt"
	"strings"

	"github.com/prforge/prforge/evaluation/internal/python"
)

// truth is the truth about one error as the scorer compares it.
type truth struct {
	Cause, Effect string
	Message       string // from which the type is read
}

// notTextError is an answer's field that is not text: the published scorer crashes there and loses the rest of the
// record.
type notTextError struct{ Field string }

func (e *notTextError) Error() string { return fmt.Sprintf("%s is no text", e.Field) }

// exact scores a decoded answer against a truth: equality of the trimmed,
// lower-cased lines, and of the types, which are the texts before the first
// colon of the messages. Missing fields are empty texts.
func exact(answer map[string]any, truth truth) (Scores, error) {
	cause, err := field(answer, "cause_line")
	if err != nil {
		return Scores{}, err
	}
	effect, err := field(answer, "effect_line")
	if err != nil {
		return Scores{}, err
	}
	message, err := field(answer, "error_message")
	if err != nil {
		return Scores{}, err
	}
	return Scores{
		Cause:  one(plain(cause) == plain(truth.Cause)),
		Effect: one(plain(effect) == plain(truth.Effect)),
		Type:   one(plain(errorType(message)) == plain(errorType(truth.Message))),
	}, nil
}

func field(answer map[string]any, name string) (string, error) {
	v := answer[name]
	if !python.Truthy(v) {
		return "", nil
	}
	s, ok := v.(string)
	if !ok {
		return "", &notTextError{name}
	}
	return s, nil
}

func plain(s string) string { return python.Lower(python.Trim(s)) }

func one(ok bool) int {
	if ok {
		return 1
	}
	return 0
}

// errorType is the trimmed text before a message's first colon.
func errorType(message string) string {
	name, _, _ := strings.Cut(message, ":")
	return python.Trim(name)
}
