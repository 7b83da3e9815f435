package stats

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func near(t *testing.T, what string, got Number, want, by float64) {
	t.Helper()
	if !(math.Abs(float64(got)-want) <= by) {
		t.Errorf("%s = %v, want %v", what, float64(got), want)
	}
}

func values(xs ...float64) []Row {
	var rows []Row
	for i, x := range xs {
		rows = append(rows, Row{Unit: fmt.Sprintf("u%03d", i), Sums: []float64{x, 1}})
	}
	return rows
}

// The mean of 1..5 has the standard error 0.7071 and t(4) = 2.7764.
func TestEstimates(t *testing.T) {
	e := Estimates(Default(), values(1, 2, 3, 4, 5), Mean(0, 1))[0]
	near(t, "mean", e.Value, 3, 0)
	near(t, "low", e.Low, 1.0367568385, 1e-9)
	near(t, "high", e.High, 4.9632431615, 1e-9)
	if e.Method != Jackknife || e.Clusters != 5 || e.Effective != 5 {
		t.Errorf("%+v", e)
	}
	// The share 1/4 has the standard error 0.25 and t(3) = 3.182446: log(1/3) +- 0.25 * 3.182446 / (1/4 * 3/4).
	e = Estimates(Default(), values(0, 0, 0, 1), Rate(0, 1))[0]
	near(t, "low", e.Low, 0.00476409, 1e-6)
	near(t, "high", e.High, 0.95869776, 1e-6)
	// All alike: 1 - 0.025^(1/40).
	e = Estimates(Default(), values(slices.Repeat([]float64{1}, 40)...), Rate(0, 1))[0]
	near(t, "low", e.Low, 0.9119027, 1e-6)
	if e.High != 1 || e.Method != Boundary {
		t.Errorf("%+v", e)
	}
}

// One pull request with most of the comments says less than as many pull requests
// of equal size: sizes 1, 1, 1, 1 and 16 are (4 + 64)^2 / (4 + 64^2) = 1.1 of them.
func TestEffectiveClusters(t *testing.T) {
	rows := values(0, 1, 0, 1, 8)
	rows[4].Sums[1] = 16
	e := Estimates(Default(), rows, Rate(0, 1))[0]
	near(t, "effective", e.Effective, 1.1278049, 1e-6)
	if e.High-e.Low < 0.9 {
		t.Errorf("%+v", e)
	}
}

// Three configurations of one pull request that always agree carry no more
// evidence than one.
func TestClustersAreDrawnWhole(t *testing.T) {
	var apart, together []Row
	for i := range 60 {
		x := float64(i % 2)
		for c := range 3 {
			unit := fmt.Sprintf("pr%02d/%d", i, c)
			apart = append(apart, Row{Unit: unit, Sums: []float64{x, 1}})
			together = append(together, Row{Unit: unit, Cluster: fmt.Sprintf("pr%02d", i), Sums: []float64{x, 1}})
		}
	}
	width := func(rows []Row) float64 {
		e := Estimates(Default(), rows, Rate(0, 1))[0]
		return float64(e.High - e.Low)
	}
	if ratio := width(together) / width(apart); math.Abs(ratio-math.Sqrt(3)) > 0.15 {
		t.Errorf("intervals over clusters are %.3f times as wide, want about the root of 3", ratio)
	}
}

func TestUndefined(t *testing.T) {
	none := Estimates(Default(), nil, Rate(0, 1))[0]
	if none.Value.Defined() || none.Low.Defined() || none.Method != NoInterval {
		t.Errorf("a rate of nothing is %+v", none)
	}
	one := Estimates(Default(), values(1), Rate(0, 1))[0]
	if one.Value != 1 || one.Low.Defined() {
		t.Errorf("one cluster: %+v", one)
	}
	// A rate of which one cluster has all has a value, no interval.
	rows := values(make([]float64, 30)...)
	for i := range rows[1:] {
		rows[i+1].Sums = []float64{0, 0}
	}
	if e := Estimates(Default(), rows, Rate(0, 1))[0]; e.Value != 0 || e.Method != NoInterval {
		t.Errorf("defined by one cluster: %+v", e)
	}
	b, err := json.Marshal(none)
	if err != nil || string(b) != `{"value":null,"low":null,"high":null,"clusters":0,"effective":null,"method":"none"}` {
		t.Errorf("%s, %v", b, err)
	}
	var back Estimate
	if err := json.Unmarshal(b, &back); err != nil || back.Value.Defined() {
		t.Errorf("read back as %+v, %v", back, err)
	}
}

func TestRevisions_AnyOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	var a, b []Row
	var items []Rated
	var units []Unit
	for i := range 90 {
		r := Row{Unit: fmt.Sprint(i), Cluster: fmt.Sprint(i / 3), Sums: []float64{random.Float64(), random.Float64()}}
		a = append(a, r)
		r.Sums = []float64{random.Float64(), random.Float64()}
		b = append(b, r)
		items = append(items, Rated{A: string('a' + rune(random.IntN(3))), B: string('a' + rune(random.IntN(3)))})
		units = append(units, Unit{Labels: []string{items[i].A, items[i].B, ""}})
	}
	all := func() string {
		o := Default()
		o.Draws = 500
		out, err := json.Marshal([]any{Estimates(o, a, Rate(0, 1), Mean(1, 0)), Paired(o, a, b, Mean(0, 1)),
			Rank(o, []Entry{{"x", a}, {"y", b}}, Mean(0, 1)), Kappa(o, items), Alpha(o, units)})
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	want := all()
	for range 3 {
		random.Shuffle(len(a), func(i, j int) { a[i], a[j] = a[j], a[i] })
		random.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
		random.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		random.Shuffle(len(units), func(i, j int) { units[i], units[j] = units[j], units[i] })
		if diff := cmp.Diff(want, all()); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestPaired(t *testing.T) {
	a, b := values(3, 4, 5, 6), values(1, 2, 3, 4)
	d := Paired(Default(), a, b, Mean(0, 1))
	near(t, "difference", d.Value, 2, 0)
	// All four differences are 2: only all signs kept or all flipped are as large.
	near(t, "p", d.P, 2.0/16, 1e-15)
	if !d.Exact || d.Units != 4 {
		t.Errorf("%+v", d)
	}
	d = Paired(Default(), a, values(3, 4, 5), Mean(0, 1))
	if d.Value != 0 || d.P != 1 || d.OnlyA != 1 || d.OnlyB != 0 || d.Units != 3 {
		t.Errorf("equal on what both have: %+v", d)
	}
	if d := Paired(Default(), a, nil, Mean(0, 1)); d.P.Defined() || d.Value.Defined() || d.OnlyA != 4 {
		t.Errorf("nothing in common: %+v", d)
	}
	// Repeats of a unit are added.
	d = Paired(Default(), append(values(1, 1), values(3, 3)...), values(2, 2), Mean(0, 1))
	if d.Value != 0 || d.Units != 2 {
		t.Errorf("repeats: %+v", d)
	}
}

// Under the null hypothesis p is below 0.05 about every twentieth time.
func TestSignFlipsHoldTheirLevel(t *testing.T) {
	o := Default()
	o.Draws = 400
	random := rand.New(rand.NewPCG(3, 5))
	significant := 0
	const trials = 400
	for range trials {
		var a, b []Row
		for i := range 40 {
			a = append(a, Row{Unit: fmt.Sprint(i), Sums: []float64{random.Float64(), 1}})
			b = append(b, Row{Unit: fmt.Sprint(i), Sums: []float64{random.Float64(), 1}})
		}
		if Paired(o, a, b, Mean(0, 1)).P < 0.05 {
			significant++
		}
	}
	if share := float64(significant) / trials; share < 0.025 || share > 0.08 {
		t.Errorf("%.3f of equal models differ", share)
	}
}

func TestRankRanges(t *testing.T) {
	var low, middle, near, none []float64
	for i := range 40 {
		low = append(low, float64(i%3))
		middle = append(middle, 5+float64(i%4))
		near = append(near, 5+float64((i+1)%4))
		none = append(none, math.NaN())
	}
	b := Rank(Default(), []Entry{{"low", values(low...)}, {"near", values(near...)}, {"middle", values(middle...)}}, Mean(0, 1))
	var got []string
	for _, p := range b.Places {
		got = append(got, fmt.Sprintf("%s %d-%d", p.Name, p.Best, p.Worst))
	}
	if diff := cmp.Diff([]string{"middle 1-2", "near 1-2", "low 3-3"}, got); diff != "" {
		t.Error(diff)
	}
	if c := b.Comparisons[0]; c.Significant || c.Adjusted != 1 {
		t.Errorf("equal models: %+v", c)
	}
	b = Rank(Default(), []Entry{{"none", values(none...)}, {"low", values(low...)}}, Mean(0, 1))
	if b.Places[0].Name != "low" || b.Places[1].Worst != 2 || b.Places[1].Best != 1 {
		t.Errorf("an undefined model: %+v", b.Places)
	}
}

func TestHolm(t *testing.T) {
	got := Holm([]Number{0.01, 0.04, 0.03, 0.005, Number(math.NaN())})
	for i, want := range []float64{0.03, 0.06, 0.06, 0.02} {
		near(t, "adjusted", got[i], want, 1e-15)
	}
	if got[4].Defined() {
		t.Error("an undefined p-value became one")
	}
	if got := Holm([]Number{0.9, 0.8}); got[0] != 1 || got[1] != 1 {
		t.Errorf("%v", got)
	}
}

// Known values: the published 54 of 60 is .80 to .95; 0 of 10 is 0 to .2775.
func TestWilson(t *testing.T) {
	for _, tc := range []struct {
		k, n      int
		low, high float64
	}{{54, 60, 0.798513, 0.953361}, {0, 10, 0, 0.277533}, {10, 10, 0.722467, 1}, {22, 60, 0.256209, 0.493170}} {
		e := Wilson(tc.k, tc.n, 0.95)
		near(t, "low", e.Low, tc.low, 1e-5)
		near(t, "high", e.High, tc.high, 1e-5)
	}
	if e := Wilson(0, 0, 0.95); e.Value.Defined() {
		t.Errorf("a share of nothing is %v", e.Value)
	}
}

func TestMcNemar(t *testing.T) {
	var a, b []bool
	set := func(n int, x, y bool) {
		for range n {
			a, b = append(a, x), append(b, y)
		}
	}
	set(20, true, true)
	set(9, true, false)
	set(2, false, true)
	set(5, false, false)
	m := McNemar(a, b)
	near(t, "p", m.P, 0.0654296875, 1e-12) // 2 * (1 + 11 + 55) / 2048
	if m.Both != 20 || m.OnlyA != 9 || m.OnlyB != 2 || m.Neither != 5 {
		t.Errorf("%+v", m)
	}
	if m := McNemar(nil, nil); m.P != 1 {
		t.Errorf("%+v", m)
	}
}

func rated(n int, a, b string) []Rated { return slices.Repeat([]Rated{{A: a, B: b}}, n) }

func TestKappa(t *testing.T) {
	items := slices.Concat(rated(20, "yes", "yes"), rated(5, "yes", "no"), rated(10, "no", "yes"), rated(15, "no", "no"))
	k := Kappa(Default(), items)
	near(t, "observed", k.Observed, 0.7, 1e-12)
	near(t, "expected", k.Expected, 0.5, 1e-12)
	near(t, "kappa", k.Kappa.Value, 0.4, 1e-12)
	near(t, "label", k.Labels[0].Kappa.Value, 0.4, 1e-12)
	near(t, "specific", k.Labels[1].Specific, 40.0/55, 1e-12)
	// The large-sample interval is 0.4 +- 1.96 * 0.1296.
	near(t, "standard error", k.StandardError, 0.1296148, 1e-6)
	near(t, "low", k.Kappa.Low, 0.4-0.254, 0.05)
	near(t, "high", k.Kappa.High, 0.4+0.254, 0.05)
	// The published rubric validation: 25 of 30 equal, ten of each label.
	published := slices.Concat(rated(8, "c", "c"), rated(2, "c", "p"), rated(8, "p", "p"), rated(2, "p", "f"), rated(9, "f", "f"), rated(1, "f", "c"))
	p := Kappa(Default(), published)
	near(t, "published kappa", p.Kappa.Value, 0.75, 1e-12)
	near(t, "published standard error", p.StandardError, 0.102, 0.0005)
	for _, items := range [][]Rated{nil, rated(30, "yes", "yes")} {
		if k := Kappa(Default(), items); k.Kappa.Value.Defined() || k.StandardError.Defined() {
			t.Errorf("%d equal items: %+v", len(items), k)
		}
	}
}

// The worked example with three observers, fifteen units and missing data has
// the nominal alpha 0.691.
func TestAlpha(t *testing.T) {
	observers := []string{"*****34121133*3", "1*213343*******", "**21344*21133*4"}
	var units []Unit
	for i := range len(observers[0]) {
		var u Unit
		for _, o := range observers {
			u.Labels = append(u.Labels, strings.TrimPrefix(o[i:i+1], "*"))
		}
		units = append(units, u)
	}
	a := Alpha(Default(), units)
	near(t, "alpha", a.Value, 0.691, 0.0005)
	if a.Clusters != 12 {
		t.Errorf("%d units have two labels or more, want 12", a.Clusters)
	}
	if a := Alpha(Default(), []Unit{{Labels: []string{"x", "x"}}, {Labels: []string{"x", ""}}}); a.Value.Defined() {
		t.Errorf("one label only: %+v", a)
	}
}

// The means 2 and 5 of three clusters each have the variances 1/3 and 1/3.
func TestUnpaired(t *testing.T) {
	b := values(4, 5, 6)
	for i := range b {
		b[i].Unit += "b"
	}
	e := Unpaired(Default(), values(1, 2, 3), b, Mean(0, 1))
	near(t, "difference", e.Value, -3, 1e-12)
	// The factor (k-1)/k of all six clusters instead of the three of each part widens
	// the error by sqrt(5/6 / (2/3)).
	near(t, "half", (e.High-e.Low)/2, math.Sqrt(2.0/3*1.25)*2.570582, 1e-6)
	if e := Unpaired(Default(), values(1), b, Mean(0, 1)); e.Low.Defined() {
		t.Errorf("one cluster alone: %+v", e)
	}
}

// Parts of clusters are 0, 2, 4 and 6 higher in a than in b; in the second repeat they
// are 1 and -1 from that.
func TestMeasureNoise(t *testing.T) {
	zeros := values(0, 0, 0, 0)
	n := MeasureNoise([][]Row{values(0, 2, 4, 6)}, [][]Row{zeros}, Mean(0, 1))
	near(t, "between", n.Between, 20.0/3, 1e-6)
	if n.Within.Defined() {
		t.Errorf("one repeat: %+v", n)
	}
	n = MeasureNoise([][]Row{values(-1, 3, 3, 7), values(1, 1, 5, 5)}, [][]Row{zeros, zeros}, Mean(0, 1))
	near(t, "within", n.Within, 2, 1e-6)
	near(t, "between", n.Between, 20.0/3-1, 1e-6)
	// (1.96 + 0.84)^2 * 7.67 / 0.5^2 = 240.7 with the normal's quantiles.
	if k := n.Clusters(Default(), 0.5, 0.8, 1); k < 240 || k > 245 {
		t.Errorf("%d clusters", k)
	}
	if k, many := n.Clusters(Default(), 0.5, 0.8, 100), n.Clusters(Default(), 0.5, 0.8, 1); k >= many {
		t.Errorf("a hundred repeats want %d clusters, one wants %d", k, many)
	}
	if d := n.Detectable(Default(), 0.8, 1, n.Clusters(Default(), 0.5, 0.8, 1)); d > 0.5 || d < 0.495 {
		t.Errorf("%v can be told", d)
	}
	if n := MeasureNoise([][]Row{values(1)}, [][]Row{zeros}, Mean(0, 1)); n.Between.Defined() || n.Clusters(Default(), 0.5, 0.8, 1) != 0 {
		t.Errorf("one cluster: %+v", n)
	}
}
