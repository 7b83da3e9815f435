package reviewer

import (
	"math"
	"testing"
)

func TestUsage_Plus(t *testing.T) {
	a := Usage{Input: 1, Output: 2, Reasoning: 4, Cached: 8, CacheWrite: 16, Counted: 32, USD: 0.5, Doubted: true}
	b := Usage{Input: 100, Output: 200, Reasoning: 400, Cached: 800, CacheWrite: 1600, Counted: 3200, USD: 50, Batch: true}
	want := Usage{Input: 101, Output: 202, Reasoning: 404, Cached: 808, CacheWrite: 1616, Counted: 3232, USD: 50.5, Batch: true, Doubted: true}
	if got := a.Plus(b); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Each part of the input has its price, and a batch its share of the sum.
func TestPrice_USD(t *testing.T) {
	whole := Price{Input: 1, Output: 10, Cached: 0.1, CacheWrite: 2, Batch: 0.25}
	used := Usage{Input: 6e6, Output: 1e6, Cached: 3e6, CacheWrite: 1e6}
	for _, tc := range []struct {
		price *Price
		usage Usage
		want  float64
	}{
		{&whole, used, 2 + 0.3 + 2 + 10},
		{&Price{Input: 1, Output: 10}, used, 2 + 3 + 1.25 + 10},
		{&whole, Usage{Output: 4e6, Batch: true}, 10},
		{&Price{Output: 10}, Usage{Output: 4e6, Batch: true}, 20},
		{&whole, Usage{Output: 4e6, USD: 7}, 7},
		{nil, used, 0},
	} {
		if got := tc.price.USD(tc.usage); math.Abs(got-tc.want) > 1e-9 {
			t.Errorf("%+v of %+v: %g, want %g", tc.usage, tc.price, got, tc.want)
		}
	}
}
