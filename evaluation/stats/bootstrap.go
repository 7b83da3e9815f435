package stats

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// maxUndefined is the share of draws in which a statistic may be undefined
// before its interval is.
const maxUndefined = 0.5

// Bootstrap estimates statistics of the rows, each with a percentile interval
// from the same draws of clusters with replacement; draws in which a statistic
// is undefined are left out of its interval. Below o.MinClusters clusters the
// interval is Student's t with the jackknife's standard error, which for a
// mean of clusters is the textbook's interval; below two there is none.
// Without rows every statistic is undefined.
func Bootstrap(o Options, rows []Row, statistics ...Statistic) []Estimate {
	t := clustered(rows)
	out := make([]Estimate, len(statistics))
	for i, s := range statistics {
		out[i] = undefined(t.clusters)
		if t.clusters > 0 {
			out[i].Value = Number(s.Of(t.total()))
		}
	}
	switch {
	case t.clusters < 2:
	case t.clusters < o.MinClusters:
		for i, s := range statistics {
			jackknife(o, t, s, &out[i])
		}
	default:
		percentiles(o, t, statistics, out)
	}
	return out
}

func undefined(clusters int) Estimate {
	nan := Number(math.NaN())
	return Estimate{Value: nan, Low: nan, High: nan, Clusters: clusters, Method: NoInterval}
}

// percentiles sets the intervals of the estimates by the bootstrap.
func percentiles(o Options, t table, statistics []Statistic, out []Estimate) {
	draws := make([][]float64, len(statistics))
	random := rand.New(rand.NewPCG(o.Seed, 0))
	sum := make([]float64, t.width)
	for range o.Draws {
		clear(sum)
		for range t.clusters {
			add(sum, t.row(random.IntN(t.clusters)))
		}
		for i, s := range statistics {
			if v := s.Of(sum); !math.IsNaN(v) {
				draws[i] = append(draws[i], v)
			}
		}
	}
	tail := (1 - o.Confidence) / 2
	for i, d := range draws {
		if !out[i].Value.Defined() || len(d) == 0 || float64(o.Draws-len(d)) > maxUndefined*float64(o.Draws) {
			continue
		}
		slices.Sort(d)
		out[i].Low = Number(stat.Quantile(tail, stat.Empirical, d, nil))
		out[i].High = Number(stat.Quantile(1-tail, stat.Empirical, d, nil))
		out[i].Method = Percentile
	}
}

// jackknife sets the interval of a few clusters: Student's t with the
// jackknife's standard error sqrt((k-1)/k * sum (x_i - mean)^2) over the
// statistics without one cluster each.
func jackknife(o Options, t table, s Statistic, out *Estimate) {
	k := float64(t.clusters)
	without := make([]float64, t.clusters)
	for i := range without {
		rest := make([]float64, t.width)
		for j := range t.clusters {
			if j != i {
				add(rest, t.row(j))
			}
		}
		without[i] = s.Of(rest)
	}
	_, variance := stat.PopMeanVariance(without, nil)
	half := math.Sqrt((k-1)*variance) * quantileT(o.Confidence, k-1)
	if math.IsNaN(half) || !out.Value.Defined() {
		return
	}
	out.Low = max(out.Value-Number(half), Number(s.Min))
	out.High = min(out.Value+Number(half), Number(s.Max))
	out.Method = StudentT
}

// quantileT is the two-sided quantile of Student's t.
func quantileT(confidence, freedom float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile(1 - (1-confidence)/2)
}
