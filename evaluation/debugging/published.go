package debugging

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/dsdbench"
)

// answered is a sample with the errors that a model named; nil without a readable answer.
type answered struct {
	Sample Sample
	Named  []Named
}

// tables are the published tables: samples with one error, and with several.
type tables struct {
	Single dsdbench.Table `json:"single"`
	Multi  dsdbench.Table `json:"multi"`
}

// modelTables are the tables of one model in one configuration, over all repeats.
type modelTables struct {
	Model  string `json:"model"`
	Config string `json:"config"`
	tables
}

// Protocol implements evaluation.Publisher.
func (Benchmark) Protocol() string { return dsdbench.Name }

// Publish implements evaluation.Publisher. It gives the published tables.
func (Benchmark) Publish(items map[string]evaluation.Item, results []evaluation.Result,
	o evaluation.PublishOptions) (*evaluation.Tables, error) {
	type key struct{ model, config string }
	answers := map[key][]answered{}
	var order []key
	for _, r := range results {
		a, err := newAnswered(items[r.Task], r)
		if err != nil {
			return nil, err
		}
		k := key{r.Model, r.Config}
		if answers[k] == nil {
			order = append(order, k)
		}
		answers[k] = append(answers[k], a)
	}
	var all []modelTables
	for _, k := range order {
		t, err := tablesOf(answers[k], o.OfficialIDs)
		if err != nil {
			return nil, fmt.Errorf("score %s: %w", k.model, err)
		}
		all = append(all, modelTables{Model: k.model, Config: k.config, tables: t})
	}
	return &evaluation.Tables{Protocol: dsdbench.Name + "/" + dsdbench.Version, Tables: all, Text: accuracies(all)}, nil
}

// accuracies shows the accuracy in each dimension, for one error and for several.
func accuracies(all []modelTables) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-20s %-10s %-8s %6s", "model", "config", "errors", "n")
	for _, name := range Dimensions() {
		fmt.Fprintf(&b, " %14s", name)
	}
	b.WriteString("   (accuracy)\n")
	for _, t := range all {
		for _, part := range []struct {
			name  string
			table dsdbench.Table
		}{{"one", t.Single}, {"several", t.Multi}} {
			fmt.Fprintf(&b, "%-20s %-10s %-8s %6d", t.Model, t.Config, part.name, part.table.Total)
			for _, name := range Dimensions() {
				fmt.Fprintf(&b, " %14.3f", part.table.Dimensions[name].Accuracy)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// newAnswered is a result as input of the published protocol.
func newAnswered(it evaluation.Item, r evaluation.Result) (answered, error) {
	sample, err := SampleOf(it)
	if err != nil {
		return answered{}, err
	}
	a := answered{Sample: sample}
	if r.Reading != nil && len(r.Reading.Answer) > 0 {
		if err := json.Unmarshal(r.Reading.Answer, &a.Named); err != nil {
			return a, fmt.Errorf("answer to %s: %w", it.ID, err)
		}
	}
	return a, nil
}

// tablesOf scores answers by the published protocol, its faults included. Its answers have another form than ours:
// each named error is converted, and our rule about messages replaces the judge. Scripts are records, numbered in the
// order of the samples. All of them count, or with officialIDs those whose numbers the published scripts keep.
func tablesOf(all []answered, officialIDs bool) (tables, error) {
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
				return tables{}, err
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
			return tables{}, err
		}
		singleTruths[id]++
		versions[id], replies[id] = append(versions[id], bug(a.Sample.Truths[0])), append(replies[id], reply)
	}
	for id := 1; id <= len(scripts); id++ {
		results, err := dsdbench.Single(versions[id], replies[id])
		if err != nil {
			return tables{}, fmt.Errorf("record %d: %w", id, err)
		}
		single = append(single, dsdbench.Record{ID: id, Results: results})
	}
	var keepSingle, keepMulti []int
	if officialIDs {
		keepSingle, keepMulti = dsdbench.SingleIDs(), dsdbench.MultiIDs()
	}
	var out tables
	var err error
	if out.Single, err = dsdbench.Errors(singleTruths, single, keepSingle); err != nil {
		return tables{}, err
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
	return dsdbench.Bug{Cause: t.Cause.Text, Effect: t.Effect.Text, Output: "Traceback (most recent call last):\n" +
		message + "\n"}
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
	return map[string]string{"cause_line": s.lineText(n.Cause, n.CauseNumber),
		"effect_line": s.lineText(n.Effect, n.EffectNumber), "error_message": message}
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

func oneReply(a answered) (dsdbench.Reply, error) {
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
func several(id int, a answered) (dsdbench.Record, error) {
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
