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
			return e,
				planErrorf("endpoint %s: the variable %s, which holds its key, is not set; without api_key_env no key is sent",
					name, at.KeyEnv)
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

// addFindings adds the cost of asking about the findings of known results.
func (s *session) addFindings(ctx context.Context, e *Estimate, known []evaluation.Result,
	load map[string]*endpointLoad) error {
	findings, err := s.asked(known)
	if err != nil {
		return err
	}
	a, err := s.connect(true, 0)
	if err != nil {
		return err
	}
	for i := range findings {
		if _, err := s.judgeFinding(ctx, a, &findings[i]); err != nil {
			return err
		}
		if findings[i].Valid != "" {
			continue
		}
		e.Findings++
		it := s.items[findings[i].Task]
		input := int64(s.tokens(it.Prompts[s.lastConfig()]) + s.keyTokens(it, it.Prompts[s.lastConfig()]) + highReview)
		e.JudgeCalls++
		e.JudgeLow, e.JudgeHigh = e.JudgeLow+input, e.JudgeHigh+input
		e.add(s.plan.Judge.Call, input, input, lowJudged, load)
	}
	return nil
}
