// Package stats has the statistics of the evaluations: intervals that respect
// which observations belong together, comparisons on the same units, and
// agreement between judges.
//
// An observation is a Row: a vector of counts and sums that add up. A
// Statistic is a function of the added vector, so that a rate, a mean, an F1
// score and Cohen's kappa all take the same way through Estimates and Paired:
//
//	rows := []stats.Row{{Unit: "dask__1/config_A", Cluster: "dask__1", Sums: []float64{caught, human}}, ...}
//	recall := stats.Estimates(stats.Default(), rows, stats.Rate(0, 1))[0]
//
// Every result is a pure function of the rows (in any order) and the options:
// the random numbers come from a seeded PCG of math/rand/v2. A Number that is
// undefined (a rate of nothing, an interval of one cluster) is NaN, and null
// in JSON; it is never zero.
package stats

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"slices"
)

// Number is a float64 that is written as null in JSON when it is undefined
// (NaN).
type Number float64

// Defined reports whether the number has a value.
func (n Number) Defined() bool { return !math.IsNaN(float64(n)) }

// MarshalJSON writes null for an undefined number.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.Defined() {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads null as an undefined number.
func (n *Number) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte("null")) {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(b, (*float64)(n))
}

// Options are the numbers of the statistics.
type Options struct {
	Draws      int     // permutations of a test
	Seed       uint64  // of the draws
	Confidence float64 // of every interval, within 0..1; a test is significant below 1 - Confidence
}

// Default are 10,000 draws with seed 1, and 95 % intervals.
func Default() Options { return Options{Draws: 10_000, Seed: 1, Confidence: 0.95} }

// Row is one observation, for example one model's review of one pull request
// in one configuration.
type Row struct {
	Unit    string // unit of comparison between models, for example task and configuration; rows of one unit are added
	Cluster string // what is drawn as a whole, for example the pull request or its repository; "" means the unit
	// counts and sums, in an order that the statistics know; a shorter vector counts as followed by zeros
	Sums []float64
}

// Statistic is a number made from added rows.
type Statistic struct {
	Of func(sums []float64) float64 // NaN where it is undefined; must not keep or change sums
	// Size is the weight of some rows in the statistic, such as the denominator of a share; nil if each cluster
	// counts equally.
	Size     func(sums []float64) float64
	Min, Max float64 // its range, within which intervals stay; infinite where there is none
}

// size is what s.Size says of a cluster.
func (s Statistic) size(sums []float64) float64 {
	if s.Size == nil {
		return 1
	}
	return s.Size(sums)
}

// Rate is sum i over sum j, within 0..1, undefined where sum j is zero.
func Rate(i, j int) Statistic {
	return Statistic{Of: ratio(i, j), Size: func(s []float64) float64 { return s[j] }, Min: 0, Max: 1}
}

// Mean is sum i over sum j without bounds, undefined where sum j is zero.
func Mean(i, j int) Statistic {
	m := Rate(i, j)
	m.Min, m.Max = math.Inf(-1), math.Inf(1)
	return m
}

// F1 is the harmonic mean of the rates right/named and right/wanted, all three
// given as positions in the sums: 2 right / (named + wanted).
func F1(right, named, wanted int) Statistic {
	size := func(s []float64) float64 { return s[named] + s[wanted] }
	return Statistic{Min: 0, Max: 1, Size: size, Of: func(s []float64) float64 {
		return 2 * s[right] / zeroIsUndefined(size(s))
	}}
}

func ratio(i, j int) func([]float64) float64 {
	return func(s []float64) float64 { return s[i] / zeroIsUndefined(s[j]) }
}

func zeroIsUndefined(x float64) float64 {
	if x == 0 {
		return math.NaN()
	}
	return x
}

// Method says how an interval was made.
type Method string

// The methods of an interval.
const (
	Jackknife  Method = "jackknife" // Student's t with the jackknife's standard error over clusters
	Boundary   Method = "boundary"  // all clusters are alike, at an end of the range
	WilsonCI   Method = "wilson"    // Wilson's score interval
	NoInterval Method = "none"      // too few clusters, or undefined without one of them
)

// Estimate is a value with its interval.
type Estimate struct {
	Value    Number `json:"value"`
	Low      Number `json:"low"`
	High     Number `json:"high"`
	Clusters int    `json:"clusters"` // the trials of a Wilson interval
	// Effective is how many clusters of equal size carry the same information.
	Effective Number `json:"effective"`
	Method    Method `json:"method"`
}

// table is rows added by cluster: one vector of width numbers a cluster, in
// the order of the clusters' names.
type table struct {
	width    int
	clusters int
	sums     []float64
}

// clustered adds the rows of each cluster. The rows are sorted first, since
// the last digit of a sum of floats depends on the order.
func clustered(rows []Row) table {
	rows = slices.Clone(rows)
	t := table{}
	for i, r := range rows {
		if r.Cluster == "" {
			rows[i].Cluster = r.Unit
		}
		t.width = max(t.width, len(r.Sums))
	}
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Unit, b.Unit), slices.Compare(a.Sums, b.Sums))
	})
	for i, r := range rows {
		if i == 0 || r.Cluster != rows[i-1].Cluster {
			t.clusters++
			t.sums = append(t.sums, make([]float64, t.width)...)
		}
		add(t.row(t.clusters-1), r.Sums)
	}
	return t
}

func (t table) row(i int) []float64 { return t.sums[i*t.width : (i+1)*t.width] }

// total adds all clusters.
func (t table) total() []float64 {
	sum := make([]float64, t.width)
	for i := range t.clusters {
		add(sum, t.row(i))
	}
	return sum
}

func add(to, from []float64) {
	for i, x := range from {
		to[i] += x
	}
}
