package evaluate

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/usage"
	"github.com/prforge/prforge/internal/reviewer"
)

// ledger sums the usage of answers, each answer once for every model that needed it.
type ledger struct {
	mu      sync.Mutex
	seen    map[string]bool
	answers []taken                 // not added up yet
	totals  map[string]*usage.Taken // by role and model
	prices  map[string]*reviewer.Price
	// bill is what was paid: the judge answers once about reviewers who say the same.
	bill *usage.Taken
}

func newLedger() *ledger {
	return &ledger{seen: map[string]bool{}, totals: map[string]*usage.Taken{}, prices: map[string]*reviewer.Price{},
		bill: newTaken("", "")}
}

func newTaken(model, role string) *usage.Taken {
	return &usage.Taken{Model: model, Role: role, Reported: map[string]int{}, Finish: map[string]int{}}
}

func (l *ledger) add(model, role string, price *reviewer.Price, a models.Answer) {
	if a.Key == "" || a.Free {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	at := role + "/" + model
	if l.totals[at] == nil {
		l.totals[at] = newTaken(model, role)
	}
	if l.seen[at+"/"+a.Key] {
		return
	}
	l.seen[at+"/"+a.Key] = true
	l.answers = append(l.answers, taken{at, a})
	l.prices[at] = price
}

// taken is an answer with the record that needed it.
type taken struct {
	at string
	a  models.Answer
}

// close sums the answers in a fixed order, because sums of dollars depend on it.
func (l *ledger) close() {
	slices.SortFunc(l.answers,
		func(a, b taken) int { return cmp.Or(strings.Compare(a.at, b.at), strings.Compare(a.a.Key, b.a.Key)) })
	for _, t := range l.answers {
		sums := []*usage.Taken{l.totals[t.at]}
		if !l.seen[t.a.Key] {
			l.seen[t.a.Key] = true
			sums = append(sums, l.bill)
		}
		for _, sum := range sums {
			sum.Add(t.a.Usage, l.prices[t.at], t.a.Finish, t.a.Model, t.a.Attempts, t.a.Millis)
		}
	}
	l.answers = nil
}

// taken are the totals in the order of the plan, with their costs by model.
func (l *ledger) taken(p evaluation.Plan) (lines []usage.Taken, costs map[string]evaluation.Cost) {
	l.close()
	costs = map[string]evaluation.Cost{}
	for _, m := range p.Models {
		var c evaluation.Cost
		if t := l.totals["reviewer/"+m.ID]; t != nil {
			c.Calls, c.Input, c.Output, c.USD = t.Calls, t.Input, t.Output, t.USD
			lines = append(lines, *t)
		}
		if t := l.totals["judge/"+m.ID]; t != nil {
			c.JudgeCalls, c.JudgeUSD = t.Calls, t.USD
			lines = append(lines, *t)
		}
		costs[m.ID] = c
	}
	if t := l.totals[poolRole+"/"+p.Judge.ID]; t != nil {
		lines = append(lines, *t)
	}
	return lines, costs
}

// billed is the certain cost of the answers. The store books what is in doubt (models.Booked).
func (l *ledger) billed() float64 {
	l.close()
	return l.bill.Certain
}
