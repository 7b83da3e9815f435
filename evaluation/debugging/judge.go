package debugging

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/prforge/prforge/evaluation"
)

var _ evaluation.Asker = Benchmark{}

// judgeScores are the scores that a judge may give a message.
var judgeScores = []float64{0, 0.25, 0.5, 0.75, 1}

// maxJudged is how many named messages a judge sees; the rule decides about the others.
const maxJudged = 16

// AskJudge implements evaluation.Asker. A judge scores the messages that the rule does not find equal to the true
// ones; the median of its answers counts. The reading keeps its answers.
func (Benchmark) AskJudge(ctx context.Context, p evaluation.Plan, it evaluation.Item, r *evaluation.Result,
	ask evaluation.Ask) (code string, err error) {
	sample, err := SampleOf(it)
	if err != nil {
		return "", err
	}
	var named []Named
	if err := json.Unmarshal(r.Reading.Answer, &named); err != nil {
		return "", fmt.Errorf("answer to %s: %w", it.ID, err)
	}
	q := newMessages(sample, named)
	if len(q.Pairs) == 0 {
		return "", nil
	}
	rounds := map[messagePair][]float64{}
	code, err = p.Rounds(ask, func(round int, ask evaluation.Ask) (string, error) {
		scores, code, err := q.ask(ctx, round, ask)
		if code == "" && err == nil {
			for pair, score := range scores {
				rounds[pair] = append(rounds[pair], score)
			}
		}
		return code, err
	})
	if code != "" || err != nil {
		return code, err
	}
	q.settle(sample, named, rounds)
	r.Reading.Answer, err = json.Marshal(named)
	return "", err
}

// messages is the question to the judge.
type messages struct {
	True  []message     `json:"true"`
	Named []message     `json:"named"`
	Pairs []messagePair `json:"pairs"`
}

type message struct {
	ID      string `json:"id"`
	Type    string `json:"type"`
	Message string `json:"message"`
}

// messagePair is a true and a named message, by their ids in the question.
type messagePair struct {
	True  string `json:"true"`
	Named string `json:"named"`
}

// newMessages makes the question about pairs that the rule does not settle. The rule settles a truth without a
// message, a name without one, and equal texts. Texts are bounded.
func newMessages(s Sample, named []Named) messages {
	q := messages{True: []message{}, Named: []message{}, Pairs: []messagePair{}}
	shown := map[string]bool{}
	for i, t := range s.Truths {
		for j, n := range named[:min(len(named), maxJudged)] {
			if normalized(t.Message, t.Type) == "" || normalized(n.Message, n.Type) == "" || sameMessage(t, n) {
				continue
			}
			pair := messagePair{trueID(i), namedID(j)}
			if !shown[pair.True] {
				q.True = append(q.True, message{pair.True, lastPart(t.Type), clip(t.Message)})
			}
			if !shown[pair.Named] {
				q.Named = append(q.Named, message{pair.Named, clip(lastPart(n.Type)), clip(n.Message)})
			}
			shown[pair.True], shown[pair.Named] = true, true
			q.Pairs = append(q.Pairs, pair)
		}
	}
	return q
}

func trueID(i int) string  { return "T" + strconv.Itoa(i+1) }
func namedID(i int) string { return "N" + strconv.Itoa(i+1) }

// clip bounds the part of a message that the judge sees.
func clip(text string) string {
	const limit = 2000
	if letters := []rune(text); len(letters) > limit {
		return string(letters[:limit])
	}
	return text
}

// ask asks once, and once more where the answer cannot be used.
func (q messages) ask(ctx context.Context, round int, ask evaluation.Ask) (map[messagePair]float64, string, error) {
	text, err := json.Marshal(q)
	if err != nil {
		return nil, "", fmt.Errorf("word the question to the judge: %w", err)
	}
	request := evaluation.Request{System: prompt("judge.txt"), Prompt: string(text), Sample: round}
	var fault error
	for range 2 {
		answer, err := ask(ctx, request)
		if err != nil {
			return nil, evaluation.JudgeUnanswered, err
		}
		var scores map[messagePair]float64
		if scores, fault = q.read(answer.Text); fault == nil {
			return scores, "", nil
		}
		again,
			err := json.Marshal(map[string]any{"message": json.RawMessage(text), "faults": []string{fault.Error()},
			"task": prompt("judge_again.txt")})
		if err != nil {
			return nil, "", fmt.Errorf("word the repair of a judge's answer: %w", err)
		}
		request.Prompt = string(again)
	}
	return nil, evaluation.JudgeUnreadable, fmt.Errorf("the judge's answer cannot be used: %w", fault)
}

// read checks a judge's answer: each pair exactly once, with a known score.
func (q messages) read(answer string) (map[messagePair]float64, error) {
	var reply struct {
		Scores []struct {
			messagePair
			Score *float64 `json:"score"`
		} `json:"scores"`
	}
	if err := evaluation.DecodeObject(answer, &reply); err != nil {
		return nil, fmt.Errorf("the answer is not one JSON object with scores: %w", err)
	}
	out := map[messagePair]float64{}
	for _, s := range reply.Scores {
		_, twice := out[s.messagePair]
		switch {
		case !slices.Contains(q.Pairs, s.messagePair):
			return nil, fmt.Errorf("there is no pair of %.10q and %.10q", s.True, s.Named)
		case twice:
			return nil, fmt.Errorf("the pair of %s and %s comes twice", s.True, s.Named)
		case s.Score == nil || !slices.Contains(judgeScores, *s.Score):
			return nil, errors.New("a score is one of 0, 0.25, 0.5, 0.75, 1")
		}
		out[s.messagePair] = *s.Score
	}
	if len(out) < len(q.Pairs) {
		return nil, fmt.Errorf("%d of %d pairs have a score", len(out), len(q.Pairs))
	}
	return out, nil
}

// settle writes the median score of each pair to the named error; the rule decides about the others.
func (q messages) settle(s Sample, named []Named, rounds map[messagePair][]float64) {
	for j := range named[:min(len(named), maxJudged)] {
		judged := map[string]float64{}
		asked := false
		for i, t := range s.Truths {
			scores := slices.Sorted(slices.Values(rounds[messagePair{trueID(i), namedID(j)}]))
			switch {
			case len(scores) > 0:
				asked = true
				judged[t.ID] = scores[(len(scores)-1)/2] // of an even number the lower
			case sameMessage(t, named[j]):
				judged[t.ID] = 1
			default:
				judged[t.ID] = 0
			}
		}
		if asked {
			named[j].Judged = judged
		}
	}
}
