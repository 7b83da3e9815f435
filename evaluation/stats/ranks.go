package stats

import (
	"cmp"
	"math"
	"slices"
)

// Entry is a model with its rows.
type Entry struct {
	Name string
	Rows []Row
}

// Place is a model on a leaderboard. Its rank lies between Best (one more than
// the models that are significantly better) and Worst (as many as there are
// models, less those that are significantly worse).
type Place struct {
	Name     string   `json:"name"`
	Estimate Estimate `json:"estimate"`
	Best     int      `json:"best_rank"`
	Worst    int      `json:"worst_rank"`
}

// Comparison is one pair of a leaderboard, A placed above B.
type Comparison struct {
	A           string     `json:"a"`
	B           string     `json:"b"`
	Difference  Difference `json:"difference"`
	Adjusted    Number     `json:"p_holm"`      // Holm's, over all pairs
	Significant bool       `json:"significant"` // otherwise the two are not distinguishable
}

// Leaderboard is models by a statistic, the highest first, then by name;
// undefined ones last.
type Leaderboard struct {
	Places      []Place      `json:"places"`
	Comparisons []Comparison `json:"comparisons"`
}

// Rank makes a leaderboard: every pair is compared on the units that both
// have, the p-values are adjusted by Holm over all pairs, and each model gets
// the range of ranks that the significant differences leave.
func Rank(o Options, entries []Entry, s Statistic) Leaderboard {
	b := Leaderboard{Places: make([]Place, len(entries))}
	rows := map[string][]Row{}
	for i, e := range entries {
		rows[e.Name] = e.Rows
		b.Places[i] = Place{Name: e.Name, Estimate: Estimates(o, e.Rows, s)[0], Best: 1, Worst: len(entries)}
	}
	slices.SortFunc(b.Places, func(x, y Place) int {
		return cmp.Or(cmp.Compare(y.Estimate.Value, x.Estimate.Value), cmp.Compare(x.Name, y.Name))
	})
	var ps []Number
	for i, x := range b.Places {
		for _, y := range b.Places[i+1:] {
			c := Comparison{A: x.Name, B: y.Name, Difference: Paired(o, rows[x.Name], rows[y.Name], s)}
			b.Comparisons = append(b.Comparisons, c)
			ps = append(ps, c.Difference.P)
		}
	}
	adjusted := Holm(ps)
	n := 0
	for i := range b.Places {
		for j := i + 1; j < len(b.Places); j++ {
			c := &b.Comparisons[n]
			c.Adjusted = adjusted[n]
			c.Significant = float64(c.Adjusted) < 1-o.Confidence
			better, worse := &b.Places[i], &b.Places[j]
			if c.Difference.Value < 0 {
				better, worse = worse, better // on the units that both have
			}
			if c.Significant {
				worse.Best++
				better.Worst--
			}
			n++
		}
	}
	return b
}

// Holm adjusts p-values for being many (Holm 1979): the i-th smallest of n is
// multiplied by n - i + 1, never below the one before it, at most 1. Undefined
// ones stay so and do not count.
func Holm(ps []Number) []Number {
	order := make([]int, 0, len(ps))
	out := make([]Number, len(ps))
	for i, p := range ps {
		out[i] = Number(math.NaN())
		if p.Defined() {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ps[a], ps[b]) })
	highest := Number(0)
	for rank, i := range order {
		highest = max(highest, min(1, ps[i]*Number(len(order)-rank)))
		out[i] = highest
	}
	return out
}
