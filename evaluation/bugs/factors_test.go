package bugs

import (
	"testing"

	"github.com/prforge/prforge/evaluation/stats"
)

func TestBands(t *testing.T) {
	for _, tc := range []struct {
		n      int
		limits []int
		want   string
	}{
		{0, []int{1, 10, 50}, "0"}, {1, []int{1, 10, 50}, "1 to 9"}, {9, []int{1, 10, 50}, "1 to 9"}, {10, []int{1, 10, 50}, "10 to 49"}, {50, []int{1, 10, 50}, "50 and more"},
		{1, []int{2, 3, 6}, "0 to 1"}, {2, []int{2, 3, 6}, "2"}, {5, []int{2, 3, 6}, "3 to 5"}, {6, []int{2, 3, 6}, "6 and more"},
	} {
		if got := band(tc.n, tc.limits...); got != tc.want {
			t.Errorf("%d in %v: %q, want %q", tc.n, tc.limits, got, tc.want)
		}
	}
}

func TestSimilarNames(t *testing.T) {
	for name, want := range map[string]bool{
		"totl": true, "totall": true, "tolal": true, "ttoal": true, "toatl": true, "total": false, "tl": false, "latot": false, "otalt": false, "": false, "totals_": false,
	} {
		if got := similar([]string{name}, "total") == 1; got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// Each factor has every decidable fault once, but those that it is not about; the
// place of a slip on the last line is in the last third.
func TestFactors(t *testing.T) {
	var results []Result
	faults, named := 0, 0
	for _, k := range dataset() {
		results = append(results, Result{Key: k})
		if k.Fault != nil {
			faults++
			if k.Fault.Name != "" {
				named++
			}
		}
	}
	last := undeclared()
	last.Fault = &Fault{Name: "x", CauseLine: 5, ReportLine: 5}
	results = append(results, Result{Key: last}, Result{Key: last, undecidable: true})
	total := map[string]int{}
	for _, row := range factorRows(stats.Default(), "m", "config_A", results) {
		total[row.Labels[1]] += int(row.Figures[0].Value)
		if row.Labels[1] == "place in the file" && row.Labels[2] == "" {
			t.Error("a band without a name")
		}
	}
	if total["lines of the file"] != faults+1 || total["lines that use the name"] != named+1 {
		t.Errorf("%v of %d faults, %d with a name", total, faults, named)
	}
	if got := factors[1].band(last); got != "3rd third" {
		t.Errorf("the last line is in the %s", got)
	}
}
