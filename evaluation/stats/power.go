package stats

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Noise is the uncertainty of the difference of a statistic between two models: the variance of one cluster's part in
// it.
type Noise struct {
	Between Number `json:"between"` // from cluster to cluster
	Within  Number `json:"within"`  // from one repeat of a cluster to the next; undefined for one repeat
}

// MeasureNoise measures it on the common units of both models, in one or more repeats: a[i] and b[i] are the rows of
// repeat i. Parts are linearized at the total.
func MeasureNoise(a, b [][]Row, s Statistic) Noise {
	var all []Row
	var repeats []table
	var diff Statistic
	for i := range a {
		var both []Row
		both, diff = pair(a[i], b[i], s, &Difference{})
		all = append(all, both...)
		repeats = append(repeats, clustered(both))
	}
	t := clustered(all)
	nan := Number(math.NaN())
	if t.clusters < 2 || slices.ContainsFunc(repeats, func(r table) bool { return r.clusters != t.clusters }) {
		return Noise{nan, nan}
	}
	slope := gradient(diff.Of, t.total())
	means, within := make([]float64, t.clusters), 0.0
	parts := make([]float64, len(repeats))
	for i := range means {
		for r := range repeats {
			parts[r] = float64(t.clusters*len(repeats)) * floats.Dot(slope, repeats[r].row(i))
		}
		mean, variance := stat.MeanVariance(parts, nil)
		means[i], within = mean, within+variance/float64(t.clusters)
	}
	n := Noise{Number(stat.Variance(means, nil)), Number(within)}
	if len(repeats) == 1 {
		n.Within = nan
		return n
	}
	n.Between = max(0, n.Between-n.Within/Number(len(repeats)))
	return n
}

// variance is the variance of one cluster with a number of repeats. If the part within clusters was not measured, it
// is that of the measured number of repeats.
func (n Noise) variance(repeats int) float64 {
	if !n.Within.Defined() {
		return float64(n.Between)
	}
	return float64(n.Between) + float64(n.Within)/float64(repeats)
}

// Clusters is how many clusters it takes to detect a difference of that size, at the level 1 - o.Confidence of one
// comparison, with that power (the probability of detecting it). The formula is that of the paired t-test. 0 without
// measurements.
func (n Noise) Clusters(o Options, difference, power float64, repeats int) int {
	if !n.Between.Defined() {
		return 0
	}
	return sort.Search(math.MaxInt32, func(k int) bool { return n.Detectable(o, power, repeats, k) <= difference })
}

// Detectable is the smallest difference that a number of clusters can detect.
func (n Noise) Detectable(o Options, power float64, repeats, clusters int) float64 {
	if clusters < 2 {
		return math.Inf(1)
	}
	return (quantileT(o.Confidence, float64(clusters-1)) +
		distuv.UnitNormal.Quantile(power)) * math.Sqrt(n.variance(repeats)/float64(clusters))
}
