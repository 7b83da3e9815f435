package debugging

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/prforge/prforge/evaluation/dsdbench"
)

// Answered is a sample with the errors that a model named; nil without a readable answer.
type Answered struct {
	Sample Sample
	Named  []Named
}

// Tables are the published tables: samples with one error, and with several.
type Tables struct {
	Single dsdbench.Table `json:"single"`
	Multi  dsdbench.Table `json:"multi"`
}

// Published scores answers by the published protocol, its faults included. Its answers have another form than ours:
// each named error is converted, and our rule about messages replaces the judge. Scripts are records, numbered in the
// order of the samples. All of them count, or with officialIDs those whose numbers the published scripts keep.
func Published(all []Answered, officialIDs bool) (Tables, error) {
	var single, multi []dsdbench.Record
	singleTruths, multiTruths := map[int]int{}, map[int]int{}
	scripts := map[string]int{}
	versions := map[int][]dsdbench.Bug{}
	replies := map[int][]dsdbench.Reply{}
	for _, a := range all {
		if len(a.Sample.Truths) > 1 {
			id := len(multiTruths) + 1
			multiTruths[id] = len(a.Sample.Truths)
			record, err := several(id, a)
			if err != nil {
				return Tables{}, err
			}
			multi = append(multi, record)
			continue
		}
		id, known := scripts[a.Sample.Script]
		if !known {
			id = len(scripts) + 1
			scripts[a.Sample.Script] = id
		}
		reply, err := oneReply(a)
		if err != nil {
			return Tables{}, err
		}
		singleTruths[id]++
		versions[id], replies[id] = append(versions[id], bug(a.Sample.Truths[0])), append(replies[id], reply)
	}
	for id := 1; id <= len(scripts); id++ {
		results, err := dsdbench.Single(versions[id], replies[id])
		if err != nil {
			return Tables{}, fmt.Errorf("record %d: %w", id, err)
		}
		single = append(single, dsdbench.Record{ID: id, Results: results})
	}
	var keepSingle, keepMulti []int
	if officialIDs {
		keepSingle, keepMulti = dsdbench.SingleIDs(), dsdbench.MultiIDs()
	}
	var out Tables
	var err error
	if out.Single, err = dsdbench.Errors(singleTruths, single, keepSingle); err != nil {
		return Tables{}, err
	}
	out.Multi, err = dsdbench.Sets(multiTruths, multi, keepMulti)
	return out, err
}

// bug is a truth in the form of the published files: the message is the last line but one of an output.
func bug(t Truth) dsdbench.Bug {
	message := lastPart(t.Type)
	if text := strings.Join(strings.Fields(t.Message), " "); text != "" {
		message += ": " + text
	}
	return dsdbench.Bug{Cause: t.Cause.Text, Effect: t.Effect.Text, Output: "Traceback (most recent call last):\n" + message + "\n"}
}

// publishedAnswer is a named error in the published form: texts of lines, and
// the type before the message.
func publishedAnswer(s Sample, n Named) map[string]string {
	message := lastPart(n.Type)
	if text := strings.Join(strings.Fields(n.Message), " "); text != "" && message != "" {
		message += ": " + text
	} else if text != "" {
		message = text
	}
	return map[string]string{"cause_line": s.lineText(n.Cause, n.CauseNumber), "effect_line": s.lineText(n.Effect, n.EffectNumber), "error_message": message}
}

// lineText is a named line's text, looked up by number if only that is given.
func (s Sample) lineText(text string, number int) string {
	lines := strings.Split(s.Code, "\n")
	if text != "" || number < 1 || number > len(lines) {
		return text
	}
	return strings.TrimSpace(lines[number-1])
}

// verdict is our rule in the role of the judge.
func verdict(right bool) string {
	if right {
		return `{"error_message_score": 1.0, "error_message_eval_reason": "equal by rule"}`
	}
	return `{"error_message_score": 0.0, "error_message_eval_reason": "not equal by rule"}`
}

func oneReply(a Answered) (dsdbench.Reply, error) {
	none := ""
	if len(a.Named) == 0 {
		return dsdbench.Reply{Answer: &none}, nil
	}
	data, err := json.Marshal(publishedAnswer(a.Sample, a.Named[0]))
	if err != nil {
		return dsdbench.Reply{}, fmt.Errorf("encode an answer: %w", err)
	}
	text := string(data)
	return dsdbench.Reply{Answer: &text, Judge: verdict(a.Sample.Compare(a.Sample.Truths[0], a.Named[0])[Message])}, nil
}

// several scores a record with several errors. The published judge sees every truth at once, so a message is right if
// any truth has it.
func several(id int, a Answered) (dsdbench.Record, error) {
	record := dsdbench.Record{ID: id}
	if len(a.Named) == 0 {
		return record, nil
	}
	var answers []map[string]string
	var verdicts []string
	for _, n := range a.Named {
		answers = append(answers, publishedAnswer(a.Sample, n))
		right := false
		for _, t := range a.Sample.Truths {
			right = right || a.Sample.Compare(t, n)[Message]
		}
		verdicts = append(verdicts, verdict(right))
	}
	data, err := json.Marshal(answers)
	if err != nil {
		return record, fmt.Errorf("encode an answer: %w", err)
	}
	results, err := dsdbench.Several(bug(a.Sample.Truths[0]), string(data), verdicts)
	if err != nil {
		return record, fmt.Errorf("record %d: %w", id, err)
	}
	record.Results = results
	return record, nil
}
