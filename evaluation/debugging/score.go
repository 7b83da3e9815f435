package debugging

import (
	"cmp"
	"maps"
	"slices"

	"github.com/prforge/prforge/evaluation/stats"
)

// scored is a sample with what an answer got right.
type scored struct {
	Sample Sample `json:"-"`
	Truths int    `json:"truths"`
	Named  int    `json:"named"`
	Pairs  []Pair `json:"pairs"`
}

// score assigns the errors that an answer names; an unusable answer names none.
func score(s Sample, answer []Named) scored {
	right := make([][]Right, len(s.Truths))
	for i, t := range s.Truths {
		right[i] = make([]Right, len(answer))
		for j, n := range answer[:min(len(answer), maxNamed)] {
			right[i][j] = s.Compare(t, n)
		}
	}
	return scored{Sample: s, Truths: len(s.Truths), Named: len(answer), Pairs: assign(right)}
}

// tp counts the right answers in one dimension.
func (s scored) tp(dimension int) int {
	n := 0
	for _, p := range s.Pairs {
		if p.Right[dimension] {
			n++
		}
	}
	return n
}

// exactSet reports whether an answer names exactly the true errors, all right in
// one dimension.
func (s scored) exactSet(dimension int) bool {
	return s.Named == s.Truths && s.tp(dimension) == s.Truths
}

// estimates are the rates of one dimension with intervals over scripts.
type estimates struct {
	Precision stats.Estimate `json:"precision"`
	Recall    stats.Estimate `json:"recall"`
	F1        stats.Estimate `json:"f1"`
	ExactSet  stats.Estimate `json:"exact_set"`
}

// rows are a dimension's sums by sample: right, named, true, exact sets,
// samples. Estimate and the comparison of two models (stats.Paired) use them.
func rows(samples []scored, dimension int) []stats.Row {
	rows := make([]stats.Row, len(samples))
	for i, s := range samples {
		exact := 0.0
		if s.exactSet(dimension) {
			exact = 1
		}
		rows[i] = stats.Row{Unit: s.Sample.ID, Cluster: s.Sample.Script,
			Sums: []float64{float64(s.tp(dimension)), float64(s.Named), float64(s.Truths), exact, 1}}
	}
	return rows
}

// estimate gives the rates of one dimension with intervals; scripts are resampled as a whole.
func estimate(o stats.Options, samples []scored, dimension int) estimates {
	e := stats.Estimates(o, rows(samples, dimension), stats.Rate(0, 1), stats.Rate(0, 2), stats.F1(0, 1, 2),
		stats.Rate(3, 4))
	return estimates{Precision: e[0], Recall: e[1], F1: e[2], ExactSet: e[3]}
}

// group is the recall of each dimension over the true errors of one kind.
type group struct {
	Name   string                     `json:"name"`
	Errors int                        `json:"errors"`
	Recall [dimensions]stats.Estimate `json:"recall"`
}

// breakdown splits the true errors by one of their groups (hop, type, operator,
// library) and gives each part's recall. Named errors belong to no group, so
// there is no precision. The parts are sorted by size, then by name.
func breakdown(o stats.Options, samples []scored, key string) []group {
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
	var out []group
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		g := group{Name: name, Errors: len(rows[name])}
		copy(g.Recall[:], stats.Estimates(o, rows[name], stats.Rate(Cause, dimensions), stats.Rate(Effect, dimensions),
			stats.Rate(Type, dimensions), stats.Rate(Message, dimensions)))
		out = append(out, g)
	}
	slices.SortStableFunc(out, func(a, b group) int { return cmp.Compare(b.Errors, a.Errors) })
	return out
}

// byErrorCount splits samples by how many errors they have, fewest first.
func byErrorCount(samples []scored) [][]scored {
	byCount := map[int][]scored{}
	for _, s := range samples {
		byCount[s.Truths] = append(byCount[s.Truths], s)
	}
	var out [][]scored
	for _, n := range slices.Sorted(maps.Keys(byCount)) {
		out = append(out, byCount[n])
	}
	return out
}
