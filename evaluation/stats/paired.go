package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Difference is a statistic of a minus that of b, on the units that both have.
type Difference struct {
	Estimate
	P     Number `json:"p"`      // two-sided, by sign flips over clusters
	Exact bool   `json:"exact"`  // all flips were counted, none drawn
	Units int    `json:"units"`  // units that both have
	OnlyA int    `json:"only_a"` // units that only one has: left out
	OnlyB int    `json:"only_b"`
}

// Paired compares two models on the same units: the difference of a statistic,
// its interval from draws of clusters that take both models' rows together,
// and the p-value of a permutation test in which a and b change places in
// random clusters (for means this flips the signs of the clusters'
// differences). All flips are counted where o.Draws would suffice for them;
// otherwise p = (1 + as large draws) / (1 + draws). A unit's cluster is taken
// from a.
func Paired(o Options, a, b []Row, s Statistic) Difference {
	var d Difference
	both, width := pair(a, b, &d)
	diff := Statistic{Min: s.Min - s.Max, Max: s.Max - s.Min, Of: func(v []float64) float64 {
		return s.Of(v[:width]) - s.Of(v[width:])
	}}
	d.Estimate = Bootstrap(o, both, diff)[0]
	d.P, d.Exact = signFlips(o, clustered(both), diff.Of)
	return d
}

// pair joins the rows of the units that both sides have: a's sums, then b's,
// each of the width that it answers.
func pair(a, b []Row, d *Difference) ([]Row, int) {
	ua, ub := byUnit(a), byUnit(b)
	width := max(widest(a), widest(b))
	var both []Row
	for _, r := range ua {
		i, found := slices.BinarySearchFunc(ub, r.Unit, func(x Row, unit string) int { return cmp.Compare(x.Unit, unit) })
		if !found {
			d.OnlyA++
			continue
		}
		sums := make([]float64, 2*width)
		copy(sums, r.Sums)
		copy(sums[width:], ub[i].Sums)
		both = append(both, Row{Unit: r.Unit, Cluster: r.Cluster, Sums: sums})
	}
	d.Units, d.OnlyB = len(both), len(ub)-len(both)
	return both, width
}

func widest(rows []Row) int {
	width := 0
	for _, r := range rows {
		width = max(width, len(r.Sums))
	}
	return width
}

// byUnit adds the rows of each unit and answers them sorted by unit.
func byUnit(rows []Row) []Row {
	width := widest(rows)
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Unit, b.Unit), cmp.Compare(a.Cluster, b.Cluster), slices.Compare(a.Sums, b.Sums))
	})
	var out []Row
	for _, r := range rows {
		if len(out) == 0 || out[len(out)-1].Unit != r.Unit {
			out = append(out, Row{Unit: r.Unit, Cluster: cmp.Or(r.Cluster, r.Unit), Sums: make([]float64, width)})
		}
		add(out[len(out)-1].Sums, r.Sums)
	}
	return out
}

// rounding is how far a flipped difference may lie below the observed one and
// still count as large: sums of floats differ in the last digits.
const rounding = 1e-12

// signFlips is the p-value of the difference under exchange of the two halves
// of each cluster's vector.
func signFlips(o Options, t table, of func([]float64) float64) (p Number, exact bool) {
	if t.clusters == 0 {
		return Number(math.NaN()), false
	}
	observed := math.Abs(of(t.total()))
	if math.IsNaN(observed) {
		return Number(math.NaN()), false
	}
	exact = t.clusters < 31 && 1<<t.clusters <= o.Draws
	n := o.Draws
	if exact {
		n = 1 << t.clusters
	}
	random := rand.New(rand.NewPCG(o.Seed, 1))
	flips := make([]bool, t.clusters)
	large := 0
	for i := range n {
		for j := range flips {
			if exact {
				flips[j] = i>>j&1 == 1
			} else {
				flips[j] = random.Uint64()&1 == 1
			}
		}
		// A flip that leaves the statistic undefined is no evidence against
		// the null hypothesis.
		if v := math.Abs(of(flipped(t, flips))); math.IsNaN(v) || v >= observed-rounding {
			large++
		}
	}
	if exact {
		return Number(float64(large) / float64(n)), true
	}
	return Number(float64(large+1) / float64(n+1)), false
}

// flipped adds all clusters, with the halves exchanged where flips says so.
func flipped(t table, flips []bool) []float64 {
	sum := make([]float64, t.width)
	half := t.width / 2
	for i, flip := range flips {
		row := t.row(i)
		if flip {
			add(sum[:half], row[half:])
			add(sum[half:], row[:half])
		} else {
			add(sum, row)
		}
	}
	return sum
}
