package dsdbench

import (
	"fmt"
	"strings"

	"github.com/prforge/prforge/evaluation/internal/python"
)

// Truth is the truth about one error as the scorer compares it.
type Truth struct {
	Cause, Effect string
	Message       string // from which the type is read
}

// NotTextError is an answer's field that is no text: the published scorer dies
// there and loses the rest of the record.
type NotTextError struct{ Field string }

func (e *NotTextError) Error() string { return fmt.Sprintf("%s is no text", e.Field) }

// Exact scores a decoded answer against a truth: equality of the trimmed,
// lower-cased lines, and of the types, which are the texts before the first
// colon of the messages. Missing fields are empty texts.
func Exact(answer map[string]any, truth Truth) (Scores, error) {
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
		Type:   one(plain(ErrorType(message)) == plain(ErrorType(truth.Message))),
	}, nil
}

func field(answer map[string]any, name string) (string, error) {
	v := answer[name]
	if !python.Truthy(v) {
		return "", nil
	}
	s, ok := v.(string)
	if !ok {
		return "", &NotTextError{name}
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

// ErrorType is the trimmed text before a message's first colon.
func ErrorType(message string) string {
	name, _, _ := strings.Cut(message, ":")
	return python.Trim(name)
}
