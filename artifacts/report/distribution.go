package report

import (
	"math"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/card"
)

// Distribution describes some numbers. The five numbers are by the nearest rank, so each one occurs; all are zero if
// N is.
type Distribution struct {
	N int `json:"n"`
	card.Quantiles
	Bins []Bin `json:"bins"`
}

// Bin counts the numbers from From up to, but not including, the next bin's
// From; the first one also counts what is less.
type Bin struct {
	From  artifacts.Float `json:"from"`
	Count int             `json:"count"`
}

// Lower edges of the bins. They only shape the charts: no figure depends on
// them. Sizes grow twofold because they spread over powers of ten.
var (
	unitEdges  = steps(0, .05, 20)
	scoreEdges = steps(0, 5, 20)
	lineEdges  = []float64{0, 10, 20, 50, 100, 200, 500, 1000}
	smallEdges = []float64{0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 50}
	tokenEdges = steps(0, 250, 12)
)

func steps(from, by float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = math.Round((from+by*float64(i))*100) / 100
	}
	return out
}

func distributionOf(values, edges []float64) Distribution {
	d := Distribution{N: len(values), Quantiles: card.QuantilesOf(values), Bins: make([]Bin, len(edges))}
	for i, e := range edges {
		d.Bins[i].From = artifacts.Float(e)
	}
	for _, x := range values {
		i, exact := slices.BinarySearch(edges, x)
		if !exact {
			i--
		}
		d.Bins[max(0, i)].Count++
	}
	return d
}
