package debugging

import (
	"cmp"
	"slices"
)

// Quotas bound what one kind of question takes of all. Shares are of 1; 0 means
// no bound.
type Quotas struct {
	Seed      int     `yaml:"-"`
	Type      float64 `yaml:"type" check:"0..1"`       // share of one exception type
	Operator  float64 `yaml:"operator" check:"0..1"`   // share of one operator
	Names     float64 `yaml:"names" check:"0..1"`      // share of misspelled and missing names
	Other     float64 `yaml:"other" check:"0..1"`      // share of the operators that touch no data on its way
	Telltale  float64 `yaml:"telltale" check:"0..1"`   // share of faults that a reviewer finds who reads no meaning
	SingleHop float64 `yaml:"single_hop" check:"0..1"` // share of faults whose effect is their cause
	// questions with one fault of one script, several hops and one in turns
	PerScript int `yaml:"per_script" check:"0.."`
}

// DefaultQuotas keep name errors, which are easy to spot, rare, make half of the
// errors wrong data, and leave no type and no effect for a cause above 30 %. The seed is the plan's.
func DefaultQuotas() Quotas {
	return Quotas{Type: 0.30, Operator: 0.20, Names: 0.15, Other: 0.50, Telltale: 0.25, SingleHop: 0.30, PerScript: 12}
}

// Question is what quotas look at.
type Question struct {
	ID       string
	Script   string
	Operator string
	Group    Group
	Type     string
	Hop      Hop
	Telltale bool
}

// Within says which questions stay within the quotas. Of a kind that has too
// many, those with fewer hops go first, then by a drawn order.
func Within(questions []Question, q Quotas) []bool {
	keep := make([]bool, len(questions))
	order := make([]int, len(questions)) // what goes first comes first
	for i := range questions {
		keep[i], order[i] = true, i
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := questions[a], questions[b]
		return cmp.Or(cmp.Compare(x.Hop, y.Hop), cmp.Compare(rank(q.Seed, x.ID), rank(q.Seed, y.ID)))
	})
	if q.PerScript > 0 {
		capScripts(questions, keep, order, q.PerScript)
	}
	for drop(questions, keep, order, q) {
	}
	return keep
}

// capScripts keeps so many questions of each script: of those with several hops
// and those with one in turns, as long as there are both.
func capScripts(questions []Question, keep []bool, order []int, most int) {
	type waiting struct{ multi, single []int } // what is kept first comes last
	scripts := map[string]*waiting{}
	for _, i := range order {
		w := scripts[questions[i].Script]
		if w == nil {
			w = &waiting{}
			scripts[questions[i].Script] = w
		}
		keep[i] = false
		if questions[i].Hop == ManyHops {
			w.multi = append(w.multi, i)
		} else {
			w.single = append(w.single, i)
		}
	}
	for _, w := range scripts {
		for n := 0; n < most && len(w.multi)+len(w.single) > 0; n++ {
			from := &w.multi
			if n%2 == 1 && len(w.single) > 0 || len(w.multi) == 0 {
				from = &w.single
			}
			keep[(*from)[len(*from)-1]] = true
			*from = (*from)[:len(*from)-1]
		}
	}
}

// kinds are the kinds that a question counts in, with their bounds.
func (q Quotas) kinds(x Question) []kind {
	out := []kind{{"type " + x.Type, q.Type}, {"operator " + x.Operator, q.Operator}}
	if x.Group == Names {
		out = append(out, kind{"names", q.Names})
	}
	if x.Group != Data {
		out = append(out, kind{"other", q.Other})
	}
	if x.Telltale {
		out = append(out, kind{"telltale", q.Telltale})
	}
	if x.Hop == SameStatement {
		out = append(out, kind{"single-hop", q.SingleHop})
	}
	return out
}

type kind struct {
	name  string
	share float64
}

// drop takes away one question of the kind that is furthest above its bound;
// false where none is. A kind always keeps one.
func drop(questions []Question, keep []bool, order []int, q Quotas) bool {
	counts, total := map[string]int{}, 0
	bounds := map[string]float64{}
	for i, x := range questions {
		if keep[i] {
			total++
			for _, k := range q.kinds(x) {
				counts[k.name]++
				bounds[k.name] = k.share
			}
		}
	}
	worst, excess := "", 0.0
	for name, n := range counts {
		over := float64(n) - bounds[name]*float64(total)
		if bounds[name] > 0 && n > 1 && over > 1e-9 && (over > excess || over == excess && name < worst) {
			worst, excess = name, over
		}
	}
	if worst == "" {
		return false
	}
	for _, i := range order {
		if keep[i] && slices.ContainsFunc(q.kinds(questions[i]), func(k kind) bool { return k.name == worst }) {
			keep[i] = false
			return true
		}
	}
	return false
}
