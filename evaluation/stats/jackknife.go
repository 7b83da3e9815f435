package stats

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Estimates gives statistics of the rows, each with its interval: Student's t
// with the jackknife's standard error over clusters,
//
//	sqrt((k-1)/k * sum (x_i - mean)^2), x_i the statistic without cluster i,
//
// and one degree of freedom less than the effective number of clusters. The interval of a statistic with a range is
// made on the scale of the logarithm of its odds, so it stays within the range. At an end of the range, where all
// clusters are alike, it reaches as far as chance could make them all alike: 1 - tail^(1/effective) of the range.
// Clusters with an empty denominator do not count. With fewer than two there is no interval, and without rows every
// statistic is undefined.
func Estimates(o Options, rows []Row, statistics ...Statistic) []Estimate {
	t := clustered(rows)
	out := make([]Estimate, len(statistics))
	for i, s := range statistics {
		out[i] = estimate(o, t, s)
	}
	return out
}

func undefined(clusters int) Estimate {
	nan := Number(math.NaN())
	return Estimate{Value: nan, Low: nan, High: nan, Clusters: clusters, Effective: nan, Method: NoInterval}
}

func estimate(o Options, t table, s Statistic) Estimate {
	out := undefined(t.clusters)
	if t.clusters == 0 {
		return out
	}
	total := t.total()
	out.Value = Number(s.Of(total))
	out.Effective = Number(effective(t, s))
	deviation := jackknife(t, s, total)
	if !out.Value.Defined() || !(out.Effective > 1) || math.IsNaN(deviation) {
		return out
	}
	if out.Value <= Number(s.Min) || out.Value >= Number(s.Max) {
		out.Low, out.High = boundary(o, float64(out.Value), float64(out.Effective), s)
		out.Method = Boundary
		return out
	}
	half := deviation * quantileT(o.Confidence, float64(out.Effective)-1)
	out.Low, out.High = spread(float64(out.Value), half, s)
	out.Method = Jackknife
	return out
}

// sizePower weighs a cluster's size in the effective number: its part of the
// variance grows with its size where the observations in it are independent,
// with the square where they are all alike. The simulations of docs/adr/0071
// have the coverage of 1, 1.5 and 2.
const sizePower = 1.5

// effective is the number of clusters of equal size that would determine the
// variance as well: (sum v)^2 / sum v^2 (Satterthwaite 1946; Kish 1965), where v
// is the size to the power sizePower.
func effective(t table, s Statistic) float64 {
	sum, squares := 0.0, 0.0
	for i := range t.clusters {
		v := math.Pow(s.size(t.row(i)), sizePower)
		sum += v
		squares += v * v
	}
	return sum * sum / zeroIsUndefined(squares)
}

// jackknife is the standard error of a statistic of t, whose rows add up to
// total.
func jackknife(t table, s Statistic, total []float64) float64 {
	var without []float64
	rest := make([]float64, t.width)
	for i := range t.clusters {
		if s.size(t.row(i)) == 0 {
			continue
		}
		for j, x := range t.row(i) {
			rest[j] = total[j] - x
		}
		without = append(without, s.Of(rest))
	}
	_, variance := stat.PopMeanVariance(without, nil)
	return math.Sqrt(float64(len(without)-1) * variance)
}

// spread is value - half and value + half, on the scale of the logarithm of the odds if the statistic has a range.
func spread(value, half float64, s Statistic) (low, high Number) {
	width := s.Max - s.Min
	if math.IsInf(width, 0) {
		return Number(value - half), Number(value + half)
	}
	p := (value - s.Min) / width
	odds, step := math.Log(p/(1-p)), half/width/(p*(1-p))
	return Number(s.Min + width/(1+math.Exp(step-odds))), Number(s.Min + width/(1+math.Exp(-step-odds)))
}

// boundary is the interval of a statistic at an end of its range.
func boundary(o Options, value, effective float64, s Statistic) (low, high Number) {
	reach := (s.Max - s.Min) * (1 - math.Pow((1-o.Confidence)/2, 1/effective))
	if value <= s.Min {
		return Number(s.Min), Number(s.Min + reach)
	}
	return Number(s.Max - reach), Number(s.Max)
}

// quantileT is the two-sided quantile of Student's t.
func quantileT(confidence, freedom float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile(1 - (1-confidence)/2)
}
