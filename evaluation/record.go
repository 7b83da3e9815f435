package evaluation

import (
	"context"
	"fmt"
	"strconv"
)

// Ask answers a request, from a network or from what was kept. An error is a
// call without an answer.
type Ask func(context.Context, Request) (string, error)

// Outcomes of a record: planned = scored + failed.
const (
	Scored = "scored"
	Failed = "failed"
)

// Codes of a failed record. All are about us; none is a score.
const (
	ReviewerUnanswered = "reviewer_unanswered" // the call for the review has no answer
	JudgeUnanswered    = "judge_unanswered"    // a call to the judge has no answer
	JudgeUnreadable    = "judge_unreadable"    // the judge's answer and its repair cannot be used
)

// Result is what came of one record.
type Result struct {
	RecordKey
	Outcome string `json:"outcome"`
	Code    string `json:"code"`
	// Answers are the SHA-256 of the reviewer's answers, the last one read.
	Answers   []string   `json:"answers"`
	Reading   *Reading   `json:"reading"`
	Judgement *Judgement `json:"judgement"`
	Score     *Score     `json:"score"`
	// Cause is the error behind a failure; it is no part of any file that is
	// compared.
	Cause error `json:"-"`
	// Texts are the reviewer's answers themselves, JudgeTexts those of a judge
	// that was asked the published question.
	Texts      []string `json:"-"`
	JudgeTexts []string `json:"-"`
}

// Evaluate takes one record from question to score. It asks what it needs; a
// failed call fails the record and nothing else. The error is only for what no
// other record would survive: a key that cannot be read, an ended context.
func (p Plan) Evaluate(ctx context.Context, b Benchmark, it Item, k RecordKey, reviewer, judge Ask) (Result, error) {
	r := Result{RecordKey: k, Outcome: Failed, Answers: []string{}}
	if err := p.review(ctx, b, it, &r, reviewer); err != nil || r.Reading == nil {
		return r, err
	}
	if b.Judged() {
		if err := p.judge(ctx, it, &r, judge); err != nil || r.Judgement == nil {
			return r, err
		}
	}
	if asker, ok := b.(Asker); ok && p.Judge.Provider == ProviderOpenAI {
		if code, err := asker.AskJudge(ctx, p, it, &r, judge); code != "" {
			r.Code, r.Cause = code, err
			return r, ctx.Err()
		} else if err != nil {
			return r, err
		}
	}
	score, err := b.Score(it, k.Config, *r.Reading, r.Judgement)
	if err != nil {
		return r, fmt.Errorf("score %s: %w", k, err)
	}
	r.Outcome, r.Score = Scored, &score
	return r, nil
}

// review asks for the review, and once more where it cannot be read.
func (p Plan) review(ctx context.Context, b Benchmark, it Item, r *Result, ask Ask) error {
	for _, again := range []bool{false, true} {
		q := b.Question(it, r.Config, again)
		q.Sample = r.Repeat - 1
		text, err := ask(ctx, q)
		if err != nil {
			r.Code, r.Cause, r.Reading = ReviewerUnanswered, err, nil
			return ctx.Err()
		}
		r.Answers, r.Texts = append(r.Answers, digest(text)), append(r.Texts, text)
		reading := b.Read(it, text)
		reading.Again = again
		r.Reading = &reading
		if reading.Outcome != ReadUnusable {
			return nil
		}
	}
	return nil
}

// judge has the comments judged, as often as the plan says.
func (p Plan) judge(ctx context.Context, it Item, r *Result, ask Ask) error {
	key, err := it.Review()
	if err != nil {
		return err
	}
	comments := r.Reading.Comments
	j := &Judgement{Judge: p.Judge.ID, Rounds: [][]Opinion{}, LeftOut: []string{}}
	switch {
	case len(comments) == 0:
	case p.Judge.Provider == ProviderRules:
		j.Rounds = append(j.Rounds, rulesJudge(key, comments))
	default:
		round := p.judgeRecord
		switch p.Judge.Mode {
		case ModePairwise:
			j.Pairwise = true
			round = p.judgePairs
		case ModeOfficial:
			round = p.judgeOfficial
		}
		for sample := range p.Judge.Repeat {
			opinions, code, err := round(ctx, it, key, r, j, sample, ask)
			if code != "" {
				r.Code, r.Cause = code, err
				return ctx.Err()
			}
			if err != nil {
				return err
			}
			j.Rounds = append(j.Rounds, opinions)
		}
	}
	decide(j, comments, key.Truth)
	r.Judgement = j
	return nil
}

// judgeRecord asks one question about all comments, and one repair.
func (p Plan) judgeRecord(ctx context.Context, it Item, key Key, r *Result, j *Judgement, sample int, ask Ask) ([]Opinion, string, error) {
	what := r.String() + "/" + strconv.Itoa(sample)
	q, err := newJudging(key, it.Prompts[r.Config], r.Reading.Comments, p.Seed, what, sample, p.Judge.MaxDiff)
	if err != nil {
		return nil, "", err
	}
	j.LeftOut = append([]string{}, q.leftOut...)
	answer, err := ask(ctx, q.request)
	if err != nil {
		return nil, JudgeUnanswered, err
	}
	opinions, faults := q.read(answer)
	if faults == nil {
		return opinions, "", nil
	}
	repair, err := q.again(answer, faults)
	if err != nil {
		return nil, "", err
	}
	if answer, err = ask(ctx, repair); err != nil {
		return nil, JudgeUnanswered, err
	}
	if opinions, faults = q.read(answer); faults != nil {
		return nil, JudgeUnreadable, fmt.Errorf("the judge's answer cannot be used: %s", faults[0])
	}
	j.Repaired++
	return opinions, "", nil
}
