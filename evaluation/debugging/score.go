package debugging

import (
	"cmp"
	"maps"
	"slices"

	"github.com/prforge/prforge/evaluation/stats"
)

// Scored is a sample with what an answer gets right.
type Scored struct {
	Sample Sample `json:"-"`
	Truths int    `json:"truths"`
	Named  int    `json:"named"`
	Pairs  []Pair `json:"pairs"`
}

// Score assigns the errors that an answer names; an unusable answer names none.
func Score(s Sample, answer []Named) Scored {
	right := make([][]Right, len(s.Truths))
	for i, t := range s.Truths {
		right[i] = make([]Right, len(answer))
		for j, n := range answer[:min(len(answer), maxNamed)] {
			right[i][j] = s.Compare(t, n)
		}
	}
	return Scored{Sample: s, Truths: len(s.Truths), Named: len(answer), Pairs: Assign(right)}
}

// TP counts the right answers in one dimension.
func (s Scored) TP(dimension int) int {
	n := 0
	for _, p := range s.Pairs {
		if p.Right[dimension] {
			n++
		}
	}
	return n
}

// ExactSet reports whether an answer names exactly the true errors, all right in
// one dimension.
func (s Scored) ExactSet(dimension int) bool {
	return s.Named == s.Truths && s.TP(dimension) == s.Truths
}

// Estimates are the rates of one dimension with intervals over scripts.
type Estimates struct {
	Precision stats.Estimate `json:"precision"`
	Recall    stats.Estimate `json:"recall"`
	F1        stats.Estimate `json:"f1"`
	ExactSet  stats.Estimate `json:"exact_set"`
}

// Rows are a dimension's sums by sample: right, named, true, exact sets,
// samples. Estimate and the comparison of two models (stats.Paired) use them.
func Rows(samples []Scored, dimension int) []stats.Row {
	rows := make([]stats.Row, len(samples))
	for i, s := range samples {
		exact := 0.0
		if s.ExactSet(dimension) {
			exact = 1
		}
		rows[i] = stats.Row{Unit: s.Sample.ID, Cluster: s.Sample.Script,
			Sums: []float64{float64(s.TP(dimension)), float64(s.Named), float64(s.Truths), exact, 1}}
	}
	return rows
}

// Estimate gives the rates of one dimension with intervals; scripts are drawn
// as a whole.
func Estimate(o stats.Options, samples []Scored, dimension int) Estimates {
	e := stats.Bootstrap(o, Rows(samples, dimension), stats.Rate(0, 1), stats.Rate(0, 2), stats.F1(0, 1, 2), stats.Rate(3, 4))
	return Estimates{Precision: e[0], Recall: e[1], F1: e[2], ExactSet: e[3]}
}

// Group is the recall of each dimension over the true errors of one kind.
type Group struct {
	Name   string                     `json:"name"`
	Errors int                        `json:"errors"`
	Recall [dimensions]stats.Estimate `json:"recall"`
}

// Breakdown splits the true errors by one of their groups (hop, type, operator,
// library) and gives each part's recall. Named errors belong to no group, so
// there is no precision. The parts are sorted by size, then by name.
func Breakdown(o stats.Options, samples []Scored, key string) []Group {
	rows := map[string][]stats.Row{}
	for _, s := range samples {
		found := map[int]Right{}
		for _, p := range s.Pairs {
			found[p.Truth] = p.Right
		}
		for i, t := range s.Sample.Truths {
			sums := make([]float64, dimensions+1)
			for d, ok := range found[i] {
				if ok {
					sums[d] = 1
				}
			}
			sums[dimensions] = 1
			name := t.Groups[key]
			rows[name] = append(rows[name], stats.Row{Unit: s.Sample.ID + "/" + t.ID, Cluster: s.Sample.Script, Sums: sums})
		}
	}
	var out []Group
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		g := Group{Name: name, Errors: len(rows[name])}
		copy(g.Recall[:], stats.Bootstrap(o, rows[name], stats.Rate(Cause, dimensions), stats.Rate(Effect, dimensions),
			stats.Rate(Type, dimensions), stats.Rate(Message, dimensions)))
		out = append(out, g)
	}
	slices.SortStableFunc(out, func(a, b Group) int { return cmp.Compare(b.Errors, a.Errors) })
	return out
}

// ByErrorCount splits samples by how many errors they have, fewest first.
func ByErrorCount(samples []Scored) [][]Scored {
	byCount := map[int][]Scored{}
	for _, s := range samples {
		byCount[s.Truths] = append(byCount[s.Truths], s)
	}
	var out [][]Scored
	for _, n := range slices.Sorted(maps.Keys(byCount)) {
		out = append(out, byCount[n])
	}
	return out
}
