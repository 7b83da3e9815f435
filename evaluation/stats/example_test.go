package stats_test

import (
	"fmt"

	"github.com/prforge/prforge/evaluation/stats"
)

// The share of caught comments over 30 pull requests of two comments each, of
// which every third catches both and the others one; pull requests are drawn
// as a whole.
func ExampleEstimates() {
	var rows []stats.Row
	for i := range 30 {
		caught := 1.0
		if i%3 == 0 {
			caught = 2
		}
		name := fmt.Sprint(i)
		rows = append(rows, stats.Row{Unit: name, Cluster: name, Sums: []float64{caught, 2}})
	}
	e := stats.Estimates(stats.Default(), rows, stats.Rate(0, 1))[0]
	fmt.Printf("%.2f [%.2f-%.2f] of %d clusters\n", e.Value, e.Low, e.High, e.Clusters)
	// Output: 0.67 [0.57-0.75] of 30 clusters
}
