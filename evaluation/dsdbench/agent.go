package dsdbench

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/prforge/prforge/evaluation/internal/python"
)

// maxAnswerBytes is the longest answer that is read; a longer one is lost, like one that does not parse.
const maxAnswerBytes = 1 << 20

// errNoAnswer is a missing or unreadable answer that crashes the published code.
var errNoAnswer = errors.New("no answer")

// lastObject reads from the last opening brace to the last closing one.
func lastObject(text string) (map[string]any, bool) {
	first, last := strings.LastIndex(text, "{"), strings.LastIndex(text, "}")
	if len(text) > maxAnswerBytes || first < 0 || last < first {
		return nil, false
	}
	v, ok := python.JSON(text[first : last+1])
	o, isObject := v.(map[string]any)
	return o, ok && isObject
}

// Bug is one error of a record of the single file.
type Bug struct {
	Cause, Effect, Output string
}

// Reply is the answers of a model and then of the judge about one error; nil without an answer.
type Reply struct {
	Answer *string
	Judge  string
}

// Single scores the replies to the errors of one record. Replies that do not parse are dropped, which shifts the
// later ones, and so are errors without a traceback. err says where the published code crashes; the results before it
// still count.
func Single(versions []Bug, replies []Reply) (results []Judged, err error) {
	for i, v := range versions {
		if i >= len(replies) {
			break
		}
		if replies[i].Answer == nil {
			return results, fmt.Errorf("error %d: %w", i, errNoAnswer)
		}
		answer, ok := lastObject(*replies[i].Answer)
		if !ok {
			continue
		}
		message, found, err := truthMessage(v.Output)
		if err != nil {
			return results, fmt.Errorf("error %d: %w", i, err)
		}
		if !found {
			continue
		}
		scores, err := exact(answer, truth{v.Cause, v.Effect, message})
		if err != nil {
			return results, fmt.Errorf("error %d: %w", i, err)
		}
		verdict, ok := lastObject(replies[i].Judge)
		if !ok {
			continue
		}
		results = append(results, judged(scores, verdict))
	}
	return results, nil
}

func judged(s Scores, verdict map[string]any) Judged {
	j := Judged{Scores: s, Message: 0.0}
	if score, ok := verdict["error_message_score"]; ok {
		j.Message = score
	}
	j.Reason, _ = verdict["error_message_eval_reason"].(string)
	return j
}

var listOfObjects = regexp.MustCompile(`(?s)\[\s*\{.*?\}\s*\]`)

// Several scores the reply to a record with several errors: each named error is compared with the first truth only,
// and its type with a field that such truths do not have. verdicts are the judge's replies in the order of the named
// errors. A list that does not parse is an empty result; err says where the published code crashes, also with an
// empty result.
func Several(first Bug, answer string, verdicts []string) ([]Judged, error) {
	text := ""
	if len(answer) <= maxAnswerBytes {
		text = listOfObjects.FindString(answer)
	}
	if text == "" {
		return nil, errNoAnswer
	}
	v, ok := python.JSON(text)
	named, isList := v.([]any)
	if !ok || !isList {
		return nil, nil
	}
	var results []Judged
	for i, n := range named {
		o, ok := n.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("error %d: %w", i, &notTextError{"item"})
		}
		scores, err := exact(o, truth{first.Cause, first.Effect, ""})
		if err != nil {
			return nil, fmt.Errorf("error %d: %w", i, err)
		}
		if i < len(verdicts) {
			if verdict, ok := lastObject(verdicts[i]); ok {
				results = append(results, judged(scores, verdict))
			}
		}
	}
	return results, nil
}
