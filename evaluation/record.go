package evaluation

import (
	"context"
	"errors"
	"fmt"
	"strconv"
)

// Evaluate takes one record from question to score. A failed call fails only this record. It returns an error only if
// every other record would fail too: an unreadable key, an ended context.
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
	if asker, ok := b.(Asker); ok && p.Judge.Asks() {
		if code, err := asker.AskJudge(ctx, p, it, &r, judge); code != "" {
			r.fail(code, err)
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

// review asks for the review, and once more if it is unreadable.
func (p Plan) review(ctx context.Context, b Benchmark, it Item, r *Result, ask Ask) error {
	if p.official() {
		return p.reviewOfficial(ctx, b, it, r, ask)
	}
	for _, again := range []bool{false, true} {
		q := b.Question(it, r.Config, again)
		q.Sample = r.Repeat - 1
		reply, err := ask(ctx, q)
		if err != nil {
			r.Reading = nil
			r.fail(ReviewerUnanswered, err)
			return ctx.Err()
		}
		r.replied(reply, again)
		reading := b.Read(it, reply.Text)
		reading.Again = again
		r.Reading = &reading
		if reading.Outcome != ReadUnusable {
			return nil
		}
	}
	return nil
}

// judge asks a judge about the comments as often as the plan says.
func (p Plan) judge(ctx context.Context, it Item, r *Result, ask Ask) error {
	key, err := it.Review()
	if err != nil {
		return err
	}
	comments := r.Reading.Comments
	j := &Judgement{Judge: p.Judge.ID, Rounds: [][]Opinion{}, LeftOut: []string{}}
	switch {
	case p.official():
		return p.judgeOfficial(ctx, it, key, r, j, ask)
	case len(comments) == 0:
	case !p.Judge.Asks():
		j.Rounds = append(j.Rounds, rulesJudge(key, comments))
	default:
		round := judgeRound(p.judgeRecord)
		if p.Judge.Mode == ModePairwise {
			j.Pairwise = true
			round = p.judgePairs
		}
		code, err := p.Rounds(ask, func(sample int, ask Ask) (string, error) {
			opinions, code, err := round(ctx, it, key, r, j, sample, ask)
			if code == "" && err == nil {
				j.Rounds = append(j.Rounds, opinions)
			}
			return code, err
		})
		if code != "" {
			r.fail(code, err)
			return ctx.Err()
		}
		if err != nil {
			return err
		}
	}
	decide(j, comments, key.Truth)
	r.Judgement = j
	return nil
}

// judgeRound asks about all comments of a record once.
type judgeRound func(ctx context.Context, it Item, key Key, r *Result, j *Judgement, sample int, ask Ask) ([]Opinion,
	string, error)

// Rounds asks a judge as often as the plan says; round gets the number of the sample. It repeats a stored but
// unusable answer under the next free number. If one round was not asked, it still tries the others: this gathers
// them for batches.
func (p Plan) Rounds(ask Ask, round func(sample int, ask Ask) (code string, err error)) (code string, err error) {
	for sample := range p.Judge.Repeat {
		c, e := p.insist(sample, ask, round)
		if c == "" && e == nil {
			continue
		}
		if code, err = c, e; !errors.Is(e, ErrNotAsked) {
			break
		}
	}
	return code, err
}

// insist repeats one round until its answers are usable or the last of them is fresh.
func (p Plan) insist(sample int, ask Ask, round func(sample int, ask Ask) (code string, err error)) (code string,
	err error) {
	for first := true; ; first, sample = false, sample+p.Judge.Repeat {
		fresh := false
		again, cause := round(sample, func(ctx context.Context, q Request) (Reply, error) {
			reply, err := ask(ctx, q)
			fresh = fresh || reply.Fresh
			return reply, err
		})
		if !first && errors.Is(cause, ErrNotAsked) {
			return code, err // of the last one that was asked
		}
		if code, err = again, cause; code != JudgeUnreadable || fresh {
			return code, err
		}
	}
}

// judgeRecord asks one question about all comments, and one repair.
func (p Plan) judgeRecord(ctx context.Context, it Item, key Key, r *Result, j *Judgement, sample int,
	ask Ask) ([]Opinion, string, error) {
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
	opinions, faults := q.read(answer.Text)
	if faults == nil {
		return opinions, "", nil
	}
	repair, err := q.again(answer.Text, faults)
	if err != nil {
		return nil, "", err
	}
	if answer, err = ask(ctx, repair); err != nil {
		return nil, JudgeUnanswered, err
	}
	if opinions, faults = q.read(answer.Text); faults != nil {
		return nil, JudgeUnreadable, fmt.Errorf("the judge's answer cannot be used: %s", faults[0])
	}
	j.Repaired++
	return opinions, "", nil
}
