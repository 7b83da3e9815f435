package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// thirds are the parts of a list that a test of positions counts by.
const thirds = 3

// Shown is one item of a list with the label that it got there.
type Shown struct {
	List     string // which list: one question of a judge
	Position int    // from 0, within the list
	Label    string
}

// Positions says whether labels depend on the position in a list.
type Positions struct {
	Labels   []string   `json:"labels"`
	Counts   [][]int    `json:"counts"`   // by label and third of the list: the first, the middle, the last
	Expected [][]Number `json:"expected"` // if each list's labels lay in it in any order
	Lists    int        `json:"lists"`    // with more than one label: only they can say anything
	Chi      Number     `json:"chi_square"`
	P        Number     `json:"p"`
}

// TestPositions tests whether labels depend on positions. Lists differ in length and in their labels, so counts are
// compared with what each list's own labels would give in any order, and the p-value comes from such orders, o.Draws
// of them: (1 + as far from the expected counts) / (1 + draws). It keeps its level if positions were drawn, whatever
// else the labels depend on. It is undefined if every list has one label only. Labels are in the order in which
// tables show them.
func TestPositions(o Options, labels []string, shown []Shown) Positions {
	out := Positions{Labels: labels, Counts: table3[int](len(labels)), Expected: table3[Number](len(labels)),
		Chi: Number(math.NaN()), P: Number(math.NaN())}
	var mixed [][]int
	same := table3[int](len(labels)) // of lists with one label
	for _, list := range lists(labels, shown) {
		tally(out.Counts, list)
		expect(out.Expected, list)
		if slices.Min(list) != slices.Max(list) {
			mixed = append(mixed, list)
		} else {
			tally(same, list)
		}
	}
	if out.Lists = len(mixed); out.Lists == 0 {
		return out
	}
	observed := distance(out.Counts, out.Expected)
	random := rand.New(rand.NewPCG(o.Seed, 2))
	far, counts := 0, table3[int](len(labels))
	for range o.Draws {
		for i := range same {
			copy(counts[i], same[i])
		}
		for _, list := range mixed {
			random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			tally(counts, list)
		}
		if distance(counts, out.Expected) >= observed*(1-rounding) {
			far++
		}
	}
	out.Chi, out.P = Number(observed), Number(float64(1+far)/float64(1+o.Draws))
	return out
}

// lists are the labels of each list by position, as indexes.
func lists(labels []string, shown []Shown) [][]int {
	shown = slices.Clone(shown)
	slices.SortFunc(shown, func(a, b Shown) int {
		return cmp.Or(cmp.Compare(a.List, b.List), cmp.Compare(a.Position, b.Position), cmp.Compare(a.Label, b.Label))
	})
	var out [][]int
	for i, s := range shown {
		if i == 0 || s.List != shown[i-1].List {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], slices.Index(labels, s.Label))
	}
	return out
}

// table3 is a table of that many rows, and of a column for each third.
func table3[T any](rows int) [][]T {
	out := make([][]T, rows)
	for i := range out {
		out[i] = make([]T, thirds)
	}
	return out
}

func tally(counts [][]int, list []int) {
	for position, label := range list {
		counts[label][position*thirds/len(list)]++
	}
}

// expect adds a list's average counts over all orders.
func expect(expected [][]Number, list []int) {
	for position := range list {
		for _, label := range list {
			expected[label][position*thirds/len(list)] += 1 / Number(len(list))
		}
	}
}

// distance is the sum of (counted - expected)^2 / expected.
func distance(counts [][]int, expected [][]Number) float64 {
	sum := 0.0
	for i, row := range expected {
		for j, e := range row {
			if e > 0 {
				d := float64(counts[i][j]) - float64(e)
				sum += d * d / float64(e)
			}
		}
	}
	return sum
}
