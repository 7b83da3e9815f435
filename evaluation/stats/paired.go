package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Difference is a statistic of a minus that of b, on their common units.
type Difference struct {
	Estimate
	P     Number `json:"p"`      // two-sided, by sign flips over clusters
	Exact bool   `json:"exact"`  // all flips were counted, none drawn
	Units int    `json:"units"`  // units that both have
	OnlyA int    `json:"only_a"` // units of only one model: left out
	OnlyB int    `json:"only_b"`
}

// Paired compares two models on the same units: the difference of a statistic with its interval over clusters that
// hold both models' rows, and the p-value of a permutation test in which a and b change places in random clusters
// (for means this flips the signs of the clusters' differences). The test compares the difference over its standard
// error, so that a different spread alone is not significant (Janssen 1997; Chung and Romano 2013). All flips are
// counted if o.Draws suffices; otherwise p = (1 + as large draws) / (1 + draws). A unit's cluster is taken from a.
func Paired(o Options, a, b []Row, s Statistic) Difference {
	var d Difference
	both, diff := pair(a, b, s, &d)
	d.Estimate = Estimates(o, both, diff)[0]
	d.P, d.Exact = signFlips(o, clustered(both), diff.Of)
	return d
}

// pair joins the rows of the common units, a's sums before b's, and returns the difference of the statistic of such
// rows.
func pair(a, b []Row, s Statistic, d *Difference) ([]Row, Statistic) {
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
	return both, s.minus(width)
}

// minus is the statistic of the first sums less that of the rest.
func (s Statistic) minus(width int) Statistic {
	return Statistic{
		Min: s.Min - s.Max, Max: s.Max - s.Min,
		Of:   func(v []float64) float64 { return s.Of(v[:width]) - s.Of(v[width:]) },
		Size: func(v []float64) float64 { return s.size(v[:width]) + s.size(v[width:]) },
	}
}

// Unpaired is a statistic of a minus that of b, if no cluster is in both.
func Unpaired(o Options, a, b []Row, s Statistic) Estimate {
	width := max(widest(a), widest(b))
	var both []Row
	for i, part := range [][]Row{a, b} {
		for _, r := range part {
			sums := make([]float64, 2*width)
			copy(sums[i*width:], r.Sums)
			r.Sums = sums
			both = append(both, r)
		}
	}
	return Estimates(o, both, s.minus(width))[0]
}

func widest(rows []Row) int {
	width := 0
	for _, r := range rows {
		width = max(width, len(r.Sums))
	}
	return width
}

// byUnit adds the rows of each unit and returns them sorted by unit.
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

// rounding is the part of an observed figure by which a flipped one may be
// smaller and still count as large: sums of floats differ in the last digits.
const rounding = 1e-6

// signFlips is the p-value of the difference over its standard error under
// exchange of the two halves of each cluster's vector.
func signFlips(o Options, t table, of func([]float64) float64) (p Number, exact bool) {
	flips := make([]bool, t.clusters)
	observed := studentized(t, flips, of)
	if math.IsNaN(observed) {
		return Number(math.NaN()), false
	}
	exact = t.clusters < 31 && 1<<t.clusters <= o.Draws
	n := o.Draws
	if exact {
		n = 1 << t.clusters
	}
	random := rand.New(rand.NewPCG(o.Seed, 1))
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
		if v := studentized(t, flips, of); math.IsNaN(v) || v >= observed*(1-rounding) {
			large++
		}
	}
	if exact {
		return Number(float64(large) / float64(n)), true
	}
	return Number(float64(large+1) / float64(n+1)), false
}

// studentized is the size of a difference over its standard error, which is that
// of the clusters' linear parts in it. The halves of the clusters' vectors are
// exchanged where flips says so. It is infinite where all clusters differ alike.
func studentized(t table, flips []bool, of func([]float64) float64) float64 {
	if t.clusters == 0 {
		return math.NaN()
	}
	half := t.width / 2
	total := make([]float64, t.width)
	for i, flip := range flips {
		a, b := t.halves(i, flip)
		add(total[:half], a)
		add(total[half:], b)
	}
	size := math.Abs(of(total))
	slope := gradient(of, total)
	center := floats.Dot(slope, total) / float64(t.clusters)
	variance := 0.0
	for i, flip := range flips {
		a, b := t.halves(i, flip)
		part := floats.Dot(slope[:half], a) + floats.Dot(slope[half:], b) - center
		variance += part * part
	}
	switch deviation := math.Sqrt(variance); {
	case size <= 1e-12: // nothing but the last digits of sums
		return 0
	case deviation <= rounding*size:
		return math.Inf(1)
	default:
		return size / deviation
	}
}

// halves are the two models' sums in a cluster, exchanged where flip says so.
func (t table) halves(i int, flip bool) (a, b []float64) {
	row, half := t.row(i), t.width/2
	if flip {
		return row[half:], row[:half]
	}
	return row[:half], row[half:]
}

// gradient is the slope of a function of sums in each of them, by central
// differences.
func gradient(of func([]float64) float64, at []float64) []float64 {
	slope := make([]float64, len(at))
	for i, x := range at {
		step := 1e-6 * max(1, math.Abs(x))
		at[i] = x + step
		slope[i] = of(at)
		at[i] = x - step
		slope[i] = (slope[i] - of(at)) / (2 * step)
		at[i] = x
	}
	return slope
}
