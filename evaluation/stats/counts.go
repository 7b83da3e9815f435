package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Wilson is the share k of n independent trials with Wilson's score interval, which holds for few trials and for
// shares near 0 and 1. Without trials it is undefined.
func Wilson(k, n int, confidence float64) Estimate {
	out := undefined(n)
	if n <= 0 {
		return out
	}
	z := distuv.UnitNormal.Quantile(1 - (1-confidence)/2)
	nf := float64(n)
	p := float64(k) / nf
	center := (p + z*z/(2*nf)) / (1 + z*z/nf)
	half := z / (1 + z*z/nf) * math.Sqrt(p*(1-p)/nf+z*z/(4*nf*nf))
	out.Value, out.Low, out.High = Number(p), Number(max(0, center-half)), Number(min(1, center+half))
	out.Method = WilsonCI
	return out
}

// Binary compares two models with right or wrong answers to the same questions.
type Binary struct {
	Both    int    `json:"both"`
	OnlyA   int    `json:"only_a"`
	OnlyB   int    `json:"only_b"`
	Neither int    `json:"neither"`
	P       Number `json:"p"` // McNemar's exact test, two-sided; 1 where they never differ
}

// McNemar compares binary answers to the same questions by the exact binomial
// test on the questions that only one got right. a and b have the same length.
func McNemar(a, b []bool) Binary {
	var m Binary
	for i := range a {
		switch {
		case a[i] && b[i]:
			m.Both++
		case a[i]:
			m.OnlyA++
		case b[i]:
			m.OnlyB++
		default:
			m.Neither++
		}
	}
	m.P = 1
	if n := m.OnlyA + m.OnlyB; n > 0 {
		tail := distuv.Binomial{N: float64(n), P: 0.5}.CDF(float64(min(m.OnlyA, m.OnlyB)))
		m.P = Number(min(1, 2*tail))
	}
	return m
}
