package escaped

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/prforge/prforge/evaluation"
)

// favor orders the judge's verdicts, the least favorable first.
var favor = []string{No, Partly, Yes}

// judgeInput is the message to the judge. It does not name the reviewer, and every stranger's text is a JSON string
// in it.
type judgeInput struct {
	Diff     string            `json:"diff"`
	LeftOut  []string          `json:"left_out"`
	Fault    judgeFault        `json:"fault"`
	Comments []json.RawMessage `json:"comments"`
}

type judgeFault struct {
	Kind      string `json:"kind"`
	Lines     []Line `json:"lines"`
	Statement string `json:"statement"`
}

// AskJudge implements evaluation.Asker: one question about all comments of a record that the rule leaves open. The
// median of its repeats counts, of an even number the less favorable one.
func (Benchmark) AskJudge(ctx context.Context, p evaluation.Plan, it evaluation.Item, r *evaluation.Result,
	ask evaluation.Ask) (code string, err error) {
	k, err := KeyOf(it)
	if err != nil || k.Control {
		return "", err
	}
	o, err := outcomeOf(it, *r.Reading)
	if err != nil || !o.Open {
		return "", err
	}
	code, err = p.Rounds(ask, func(round int, ask evaluation.Ask) (string, error) {
		named, code, err := k.ask(ctx, p, r, round, ask)
		if err == nil {
			o.Rounds = append(o.Rounds, named)
		}
		return code, err
	})
	if err != nil {
		return code, err
	}
	sorted := slices.SortedFunc(slices.Values(o.Rounds),
		func(a, b string) int { return slices.Index(favor, a) - slices.Index(favor, b) })
	o.Named = sorted[(len(sorted)-1)/2]
	r.Reading.Answer, err = json.Marshal(o)
	return "", err
}

// ask asks once, and once more if the answer is unusable.
func (k Key) ask(ctx context.Context, p evaluation.Plan, r *evaluation.Result, round int, ask evaluation.Ask) (named,
	code string, err error) {
	in := judgeInput{Fault: judgeFault{k.Kind, k.Lines, k.Truth[0].Body}}
	in.Diff, in.LeftOut = evaluation.BoundedDiff(k.Diff, p.Judge.MaxDiff, map[string]bool{k.Lines[0].File: true})
	in.LeftOut = append([]string{}, in.LeftOut...)
	ids := map[string]bool{}
	for i, c := range evaluation.Shuffle(p.Seed, r.String()+"/"+strconv.Itoa(round), len(r.Reading.Comments)) {
		id := "A" + strconv.Itoa(i+1)
		ids[id] = true
		text, err := r.Reading.Comments[c].Shown(id)
		if err != nil {
			return "", "", err
		}
		in.Comments = append(in.Comments, text)
	}
	text, err := json.Marshal(in)
	if err != nil {
		return "", "", fmt.Errorf("word the question to the judge: %w", err)
	}
	request := evaluation.Request{System: prompt("judge.txt"), Prompt: string(text), Sample: round}
	var fault error
	for range 2 {
		answer, err := ask(ctx, request)
		if err != nil {
			return "", evaluation.JudgeUnanswered, err
		}
		if named, fault = readJudge(answer.Text, ids); fault == nil {
			return named, "", nil
		}
		again,
			err := json.Marshal(map[string]any{"message": json.RawMessage(text), "fault": fault.Error(),
			"task": prompt("judge_again.txt")})
		if err != nil {
			return "", "", fmt.Errorf("word the repair of a judge's answer: %w", err)
		}
		request.Prompt = string(again)
	}
	return "", evaluation.JudgeUnreadable, fmt.Errorf("the judge's answer cannot be used: %w", fault)
}

// readJudge checks a judge's answer: a known verdict, and a comment if and only if one decides it.
func readJudge(answer string, ids map[string]bool) (string, error) {
	var reply struct {
		Named   string  `json:"named"`
		Comment *string `json:"comment"`
	}
	if err := evaluation.DecodeObject(answer, &reply); err != nil {
		return "", fmt.Errorf("the answer is not one JSON object: %w", err)
	}
	switch {
	case !slices.Contains(favor, reply.Named):
		return "", errors.New("named is yes, partly or no")
	case reply.Named == No:
		return No, nil
	case reply.Comment == nil || !ids[*reply.Comment]:
		return "", errors.New("comment is the id of the comment that names the fault")
	}
	return reply.Named, nil
}
