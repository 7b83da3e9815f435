package evaluate

import (
	"sync"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/internal/reviewer"
)

// ledger adds up what answers took, each answer once.
type ledger struct {
	mu     sync.Mutex
	seen   map[string]bool
	totals map[string]*evaluation.Taken // by role and model
}

func newLedger() *ledger {
	return &ledger{seen: map[string]bool{}, totals: map[string]*evaluation.Taken{}}
}

func (l *ledger) add(model, role string, a models.Answer) {
	if a.Key == "" {
		return // no call
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	at := role + "/" + model
	if l.totals[at] == nil {
		l.totals[at] = &evaluation.Taken{Model: model, Role: role, Reported: map[string]int{}, Finish: map[string]int{}}
	}
	if l.seen[at+"/"+a.Key] {
		return
	}
	l.seen[at+"/"+a.Key] = true
	l.totals[at].Add(a.Usage, a.Finish, a.Model, a.Attempts, a.Millis)
}

// taken are the totals in the order of the plan, priced by it, with their costs
// by model.
func (l *ledger) taken(p evaluation.Plan) (lines []evaluation.Taken, costs map[string]evaluation.Cost) {
	costs = map[string]evaluation.Cost{}
	for _, m := range p.Models {
		var c evaluation.Cost
		if t := l.totals["reviewer/"+m.ID]; t != nil {
			t.Price(m.Price)
			c.Calls, c.Input, c.Output, c.USD = t.Calls, t.Input, t.Output, t.USD
			lines = append(lines, *t)
		}
		if t := l.totals["judge/"+m.ID]; t != nil {
			t.Price(p.Judge.Price)
			c.JudgeCalls, c.JudgeUSD = t.Calls, t.USD
			lines = append(lines, *t)
		}
		costs[m.ID] = c
	}
	return lines, costs
}

// billed is what the answers took for certain: what is in doubt is booked in the
// store (models.Booked).
func (l *ledger) billed(p evaluation.Plan) float64 {
	sum := 0.0
	price := func(t *evaluation.Taken, p *reviewer.Price) {
		if t != nil {
			sum += p.USD(t.Certain)
		}
	}
	for _, m := range p.Models {
		price(l.totals["reviewer/"+m.ID], m.Price)
		price(l.totals["judge/"+m.ID], p.Judge.Price)
	}
	return sum
}
