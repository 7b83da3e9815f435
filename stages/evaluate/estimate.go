package evaluate

import (
	"context"
	"math"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/collectors/models/providers"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/internal/reviewer"
)

// Assumptions of an estimate about future answers, in tokens: the least that a review and a judge's answer take, and
// the most where no limit is set.
const (
	lowReview   = 200
	lowJudged   = 200
	openOutput  = 4000
	highReview  = 2000 // of a review within the judge's question
	bytesAToken = 3    // at least, of source code: bounds a diff that is cut
)

// Estimate predicts a run's requests. Input tokens of reviews are exact by o200k_base; figures that depend on answers
// are ranges. It omits second questions after unreadable answers.
type Estimate struct {
	Records     int     `json:"records"`
	Open        int     `json:"open"` // records without all their answers
	ReviewCalls int     `json:"review_calls"`
	JudgeCalls  int     `json:"judge_calls"` // at most: a review without comments is not judged
	ReviewInput int64   `json:"review_input_tokens"`
	JudgeLow    int64   `json:"judge_input_tokens_low"`
	JudgeHigh   int64   `json:"judge_input_tokens_high"`
	LowUSD      float64 `json:"usd_low"`
	HighUSD     float64 `json:"usd_high"`
	Findings    int     `json:"findings"`  // questions to the judge for records that are judged, without those for other records
	SpentUSD    float64 `json:"usd_spent"` // of what is answered already
	Unpriced    bool    `json:"unpriced"`  // a model to be asked has no price
	Minutes     float64 `json:"minutes"`   // at least, by the endpoints' limits a minute
}

// estimate counts the missing answers, given the stored ones.
func (s *session) estimate(ctx context.Context, known []evaluation.Result, spent float64) (Estimate, error) {
	e := Estimate{Records: len(known), SpentUSD: spent}
	load := map[string]*endpointLoad{}
	contexts, keys := map[string]int{}, map[string]int{}
	for _, r := range known {
		if r.Outcome == evaluation.Scored {
			continue
		}
		e.Open++
		m := s.model(r.Model)
		it := s.items[r.Task]
		q := s.benchmark.Question(it, r.Config, false)
		at := r.Task + "/" + r.Config
		if contexts[at] == 0 {
			contexts[at] = s.tokens(q.System) + s.tokens(q.Prompt) + models.MessageTokens
		}
		if r.Code == evaluation.ReviewerUnanswered {
			if err := s.addReview(&e, m, contexts[at], load); err != nil {
				return e, err
			}
		}
		if s.plan.Judge.Asks() {
			if keys[at] == 0 {
				keys[at] = s.keyTokens(it, q.Prompt)
			}
			s.addJudging(&e, contexts[at]+keys[at], load)
		}
	}
	if s.Pool > 0 {
		if err := s.addFindings(ctx, &e, known, load); err != nil {
			return e, err
		}
	}
	for name, l := range load {
		at := s.Config.Endpoints[name]
		if at.KeyEnv != "" && s.Getenv(at.KeyEnv) == "" {
			return e, planErrorf("endpoint %s: the variable %s, which holds its key, is not set; without api_key_env no key is sent", name, at.KeyEnv)
		}
		if at.RequestsPerMinute > 0 {
			e.Minutes = math.Max(e.Minutes, float64(l.calls)/float64(at.RequestsPerMinute))
		}
		if at.TokensPerMinute > 0 {
			e.Minutes = math.Max(e.Minutes, float64(l.tokens)/float64(at.TokensPerMinute))
		}
	}
	return e, nil
}

// endpointLoad is what one endpoint will be asked.
type endpointLoad struct{ calls, tokens int64 }

func (s *session) model(id string) reviewer.Model {
	for _, m := range s.plan.Models {
		if m.ID == id {
			return m
		}
	}
	return reviewer.Model{}
}

func (s *session) addReview(e *Estimate, m reviewer.Model, input int, load map[string]*endpointLoad) error {
	p, err := providers.Named(m.Provider)
	if err != nil {
		return err
	}
	if p.Asks {
		e.ReviewCalls++
	}
	if p.Priced {
		most := input
		if m.Tools != "" { // one call is the least, the budget the most
			most = max(input, m.Budget.Or().Tokens)
		}
		e.ReviewInput += int64(input)
		e.add(m.Call, int64(input), int64(most), lowReview, load)
	}
	return nil
}

func (s *session) addJudging(e *Estimate, input int, load map[string]*endpointLoad) {
	for range s.plan.Judge.Repeat {
		e.JudgeCalls++
		low, high := int64(input+lowReview), int64(input+highReview)
		e.JudgeLow += low
		e.JudgeHigh += high
		e.add(s.plan.Judge.Call, low, high, lowJudged, load)
	}
}

// add prices one call.
func (e *Estimate) add(c reviewer.Call, low, high, output int64, load map[string]*endpointLoad) {
	most := int64(c.MaxOutput())
	if most == 0 {
		most = openOutput
	}
	e.Unpriced = e.Unpriced || c.Price == nil
	e.LowUSD += c.Price.USD(reviewer.Usage{Input: low, Output: min(output, most)})
	e.HighUSD += c.Price.USD(reviewer.Usage{Input: high, Output: most})
	if load[c.Endpoint] == nil {
		load[c.Endpoint] = &endpointLoad{}
	}
	load[c.Endpoint].calls++
	load[c.Endpoint].tokens += high + most
}

// keyTokens is what ground truth, and what the reviewer's prompt does not show of the
// diff, take in the judge's question.
func (s *session) keyTokens(it evaluation.Item, prompt string) int {
	key, err := it.Review()
	if err != nil {
		return 0 // of a benchmark without comments
	}
	n := min(s.tokens(evaluation.NotShown(key.Diff, prompt)), s.plan.Judge.MaxDiff/bytesAToken)
	for _, t := range key.Truth {
		n += s.tokens(t.Body) + models.MessageTokens
	}
	return n
}
