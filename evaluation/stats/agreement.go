package stats

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
)

// Rated is one item with the labels of two raters.
type Rated struct {
	Cluster string // the pull request; "" makes each item its own cluster
	A, B    string
	Weight  float64 // how many items of the whole it represents; 0 counts as 1
}

// Agreement measures how far two raters agree beyond chance.
type Agreement struct {
	Items    int      `json:"items"`    // not weighted, nor are the counts of Labels
	Observed Number   `json:"observed"` // share of equal labels
	Expected Number   `json:"expected"` // by the two raters' shares of each label
	Kappa    Estimate `json:"kappa"`    // Cohen's, interval over clusters
	// StandardError is the large-sample formula for independent items:
	// sqrt(p_o (1 - p_o) / (n (1 - p_e)^2)).
	StandardError Number           `json:"standard_error"`
	Labels        []LabelAgreement `json:"labels"` // sorted by label
}

// LabelAgreement is one label against all others.
type LabelAgreement struct {
	Label    string   `json:"label"`
	A        int      `json:"a"` // items that rater A gave it
	B        int      `json:"b"`
	Both     int      `json:"both"`
	Specific Number   `json:"specific"` // 2 both / (a + b): the chance that the other gives it too
	Kappa    Estimate `json:"kappa"`
}

// Kappa measures the agreement of two raters (Cohen 1960). If both always give the same label, chance explains
// everything and kappa is undefined.
func Kappa(o Options, items []Rated) Agreement {
	items = slices.Clone(items)
	slices.SortFunc(items, func(x, y Rated) int {
		return cmp.Or(cmp.Compare(x.Cluster, y.Cluster), cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B),
			cmp.Compare(x.Weight, y.Weight))
	})
	labels := labelsOf(items)
	kappa := Statistic{Min: -1, Max: 1, Size: floats.Sum, Of: kappaOf(len(labels))}
	out := Agreement{Items: len(items), Kappa: Estimates(o, confusion(items, labels), kappa)[0]}
	out.Observed, out.Expected = chance(len(labels), clustered(confusion(items, labels)).total())
	apart := 1 - out.Expected
	variance := out.Observed * (1 - out.Observed) / (Number(len(items)) * apart * apart)
	out.StandardError = Number(math.Sqrt(float64(variance)))
	if math.IsInf(float64(out.StandardError), 0) {
		out.StandardError = Number(math.NaN())
	}
	for _, label := range labels {
		out.Labels = append(out.Labels, labelAgreement(o, items, label))
	}
	return out
}

func labelAgreement(o Options, items []Rated, label string) LabelAgreement {
	out := LabelAgreement{Label: label}
	binary := make([]Rated, len(items))
	for i, it := range items {
		binary[i] = Rated{Cluster: it.Cluster, A: "other", B: "other", Weight: it.Weight}
		if it.A == label {
			out.A++
			binary[i].A = "label"
		}
		if it.B == label {
			out.B++
			binary[i].B = "label"
		}
		if it.A == label && it.B == label {
			out.Both++
		}
	}
	out.Specific = Number(2*float64(out.Both)) / Number(zeroIsUndefined(float64(out.A+out.B)))
	rows := confusion(binary, []string{"label", "other"})
	out.Kappa = Estimates(o, rows, Statistic{Min: -1, Max: 1, Size: floats.Sum, Of: kappaOf(2)})[0]
	return out
}

func labelsOf(items []Rated) []string {
	var labels []string
	for _, it := range items {
		labels = append(labels, it.A, it.B)
	}
	slices.Sort(labels)
	return slices.Compact(labels)
}

// confusion makes each item a row of the flattened confusion matrix.
func confusion(items []Rated, labels []string) []Row {
	rows := make([]Row, len(items))
	for i, it := range items {
		sums := make([]float64, len(labels)*len(labels))
		sums[slices.Index(labels, it.A)*len(labels)+slices.Index(labels, it.B)] = weight(it.Weight)
		rows[i] = Row{Unit: unit(i), Cluster: it.Cluster, Sums: sums}
	}
	return rows
}

// kappaOf is Cohen's kappa of a flattened n by n confusion matrix.
func kappaOf(n int) func([]float64) float64 {
	return func(matrix []float64) float64 {
		observed, expected := chance(n, matrix)
		return float64(observed-expected) / zeroIsUndefined(1-float64(expected))
	}
}

// chance is the observed and the expected share of equal labels.
func chance(n int, matrix []float64) (observed, expected Number) {
	total, same := 0.0, 0.0
	a, b := make([]float64, n), make([]float64, n)
	for i := range n {
		for j := range n {
			x := matrix[i*n+j]
			total += x
			a[i] += x
			b[j] += x
			if i == j {
				same += x
			}
		}
	}
	by := 0.0
	for i := range n {
		by += a[i] * b[i]
	}
	total = zeroIsUndefined(total)
	return Number(same / total), Number(by / (total * total))
}

// Unit is one item with the labels of any number of raters; "" is a missing label.
type Unit struct {
	Cluster string // the pull request; "" makes each item its own cluster
	Labels  []string
	Weight  float64 // how many units of the whole it represents; 0 counts as 1
}

// weight is an optional weight.
func weight(w float64) float64 {
	if w == 0 {
		return 1
	}
	return w
}

// Alpha is Krippendorff's alpha for nominal labels (Krippendorff 2004, chapter
// 11): any number of raters, missing labels, 1 for full agreement, 0 for
// chance. Units with fewer than two labels do not count. It is undefined where
// only one label was given.
func Alpha(o Options, units []Unit) Estimate {
	units = slices.Clone(units)
	slices.SortFunc(units, func(x, y Unit) int {
		return cmp.Or(cmp.Compare(x.Cluster, y.Cluster), slices.Compare(x.Labels, y.Labels), cmp.Compare(x.Weight, y.Weight))
	})
	var labels []string
	for _, u := range units {
		labels = append(labels, u.Labels...)
	}
	slices.Sort(labels)
	labels = slices.DeleteFunc(slices.Compact(labels), func(l string) bool { return l == "" })
	var rows []Row
	for i, u := range units {
		if sums := coincidences(u, labels); sums != nil {
			rows = append(rows, Row{Unit: unit(i), Cluster: u.Cluster, Sums: sums})
		}
	}
	return Estimates(o, rows, Statistic{Min: -1, Max: 1, Size: floats.Sum, Of: alphaOf(len(labels))})[0]
}

// coincidences is a unit's part of the flattened coincidence matrix: each
// ordered pair of labels of different raters counts 1/(raters - 1). Nil for
// fewer than two labels.
func coincidences(u Unit, labels []string) []float64 {
	counts := make([]float64, len(labels))
	raters := 0.0
	for _, l := range u.Labels {
		if l != "" {
			counts[slices.Index(labels, l)]++
			raters++
		}
	}
	if raters < 2 {
		return nil
	}
	sums := make([]float64, len(labels)*len(labels))
	for i, a := range counts {
		for j, b := range counts {
			pairs := a * b
			if i == j {
				pairs = a * (a - 1)
			}
			sums[i*len(labels)+j] = weight(u.Weight) * pairs / (raters - 1)
		}
	}
	return sums
}

// alphaOf is 1 - observed/expected disagreement of a coincidence matrix.
func alphaOf(n int) func([]float64) float64 {
	return func(matrix []float64) float64 {
		total, same, byChance := 0.0, 0.0, 0.0
		for i := range n {
			margin := 0.0
			for j := range n {
				margin += matrix[i*n+j]
			}
			total += margin
			same += matrix[i*n+i]
			byChance += margin * (margin - 1)
		}
		observed := total - same
		expected := zeroIsUndefined(total*(total-1)-byChance) / (total - 1)
		return 1 - observed/expected
	}
}

// unit names the i-th item; each is its own unit.
func unit(i int) string { return strconv.Itoa(i) }
