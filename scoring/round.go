package scoring

import "math"

// round rounds to a number of decimals, halves away from zero. Scores are rounded before they are compared or
// released, so that recomputing them from the released parts gives the same.
func round(x float64, decimals int) float64 {
	unit := math.Pow10(decimals)
	return math.Round(x*unit) / unit
}

// share is the reached share of a full amount, at most 1. A full amount of zero is always reached.
func share(have, full float64) float64 {
	if full <= 0 || have >= full {
		return 1
	}
	return max(0, have/full)
}
