package evaluation

import (
	"fmt"
	"slices"

	"github.com/prforge/prforge/evaluation/stats"
)

// Valid findings that no comment of people names count as found, and as to be found, by leave-one-out: for each
// reviewer only those that another reviewer also reported, or that people called plausible. So no reviewer's own
// claims change its rates.

// stands reports whether a finding is right and counts for a model. Findings of one reviewer never do: the judge saw
// only some of them.
func (f *Finding) stands(model string) bool {
	others := len(f.Reviewers)
	if slices.Contains(f.Reviewers, model) {
		others--
	}
	return f.Valid == "yes" && !f.Single() && (others > 0 || f.Labeled)
}

// PoolTables are the rates with the findings of the pool beside the strict ones, and an estimate of what nobody
// found. There are none if the judge saw no finding.
func PoolTables(p Plan, results []Result, items map[string]Item, findings []Finding) []Table {
	if !slices.ContainsFunc(findings, func(f Finding) bool { return f.Valid != "" }) {
		return nil
	}
	s := summary{plan: p, items: items, options: p.Statistics()}
	total := s.captures(results, findings)
	rates := Table{
		Name: "pool", Title: "Findings that people did not make",
		Means: "Comments that match none of people's, that several reviewers made or people called plausible, and that the judge calls right when asked about each alone. " +
			"They count as found and as to be found, for each reviewer those that others stand for. The last column is out of all there is to find, by the estimate below.",
		Columns: []string{"recall", "recall with the pool", "precision", "precision with the pool", "share of all"},
	}
	for i, m := range p.Models {
		rows := s.poolRows(where(results, func(x Result) bool { return x.Model == m.ID }), findings)
		row := TableRow{Model: m.ID, Labels: []string{}}
		for _, e := range stats.Estimates(s.options, rows, stats.Rate(0, 1), stats.Rate(2, 3), stats.Rate(0, 4),
			stats.Rate(2, 5)) {
			row.Figures = append(row.Figures, Estimated(e))
		}
		share := stats.Statistic{Min: 0, Max: 1, Size: toFind,
			Of: func(x []float64) float64 { return min(1, foundBy(x, i)/allThereIs(x, len(p.Models))) }}
		row.Figures = append(row.Figures, Estimated(stats.Estimates(s.options, total, share)[0]))
		rates.Rows = append(rates.Rows, row)
	}
	return []Table{rates, s.missing(total)}
}

// poolRows are, for each record with ground truth: its matches, the ground truth, both with the pool, its comments,
// and these with the pool.
func (s summary) poolRows(results []Result, findings []Finding) []stats.Row {
	by := map[string][]*Finding{}
	for i := range findings {
		by[findings[i].Task] = append(by[findings[i].Task], &findings[i])
	}
	var rows []stats.Row
	for _, x := range results {
		if x.Outcome != Scored || x.Score.Counts["truth"] == 0 {
			continue
		}
		recall, precision := x.Score.Rates["recall"], x.Score.Rates["precision"]
		toFind, found, repeated := 0, 0, 0
		for _, f := range by[x.Task] {
			if !f.stands(x.Model) {
				continue
			}
			toFind++
			mine := 0
			for _, c := range f.Comments {
				if c.Same && c.Record == x.RecordKey {
					mine++
				}
			}
			found += min(1, mine)
			repeated += max(0, mine-1)
		}
		rows = append(rows, stats.Row{Unit: byRecord(x), Cluster: s.cluster(x), Sums: []float64{
			float64(recall.N), float64(recall.Of), float64(recall.N + found), float64(recall.Of + toFind), float64(precision.Of),
			float64(precision.Of - repeated),
		}})
	}
	return rows
}

// The indexes of a task's sums in captures: findings without those of one reviewer, how many of them once and twice,
// findings of one reviewer, those that the judge saw, those that it calls right, people's comments; then by model its
// findings of each of the two kinds.
const (
	capSeen = iota
	capOnce
	capTwice
	capSingle
	capAsked
	capRight
	capPeople
	capModels
)

// captures counts by task how many of the people and the models found each problem.
func (s summary) captures(results []Result, findings []Finding) []stats.Row {
	at := map[string]*stats.Row{}
	found := map[string]map[string]map[string]bool{} // by task and ground truth the models
	for _, x := range results {
		if x.Outcome != Scored || x.Judgement == nil {
			continue
		}
		if at[x.Task] == nil {
			at[x.Task], found[x.Task] = &stats.Row{Unit: x.Task, Cluster: s.cluster(x),
				Sums: make([]float64, capModels+2*len(s.plan.Models))}, map[string]map[string]bool{}
			for _, t := range s.truth(x.Task) {
				found[x.Task][t.ID] = map[string]bool{}
			}
		}
		for id := range caughtBy(x.Judgement) {
			found[x.Task][id][x.Model] = true
		}
	}
	for task, byTruth := range found {
		for _, models := range byTruth {
			at[task].Sums[capPeople]++
			s.capture(at[task].Sums, 1+len(models), func(model string) bool { return models[model] })
		}
	}
	for i := range findings {
		if f := &findings[i]; at[f.Task] != nil {
			s.captureFinding(at[f.Task].Sums, f)
		}
	}
	var rows []stats.Row
	for _, task := range s.plan.Tasks {
		if at[task] != nil {
			rows = append(rows, *at[task])
		}
	}
	return rows
}

// capture counts a problem by how many found it.
func (s summary) capture(sums []float64, n int, by func(model string) bool) {
	sums[capSeen]++
	switch n {
	case 1:
		sums[capOnce]++
	case 2:
		sums[capTwice]++
	}
	for i, m := range s.plan.Models {
		if by(m.ID) {
			sums[capModels+2*i]++
		}
	}
}

func (s summary) captureFinding(sums []float64, f *Finding) {
	by := func(model string) bool { return slices.Contains(f.Reviewers, model) }
	if !f.Single() {
		if f.Valid == "yes" {
			s.capture(sums, len(f.Reviewers), by)
		}
		return
	}
	sums[capSingle]++
	if f.Valid != "" {
		sums[capAsked]++
	}
	if f.Valid == "yes" {
		sums[capRight]++
	}
	for i, m := range s.plan.Models {
		if by(m.ID) {
			sums[capModels+2*i+1]++
		}
	}
}

// singles estimates how many findings of one reviewer are right, by the share among those that the judge saw. It is
// undefined if it saw none.
func singles(x []float64) float64 {
	if x[capSingle] == 0 {
		return 0
	}
	return x[capSingle] * x[capRight] / x[capAsked]
}

// foundBy is the findings of one model.
func foundBy(x []float64, model int) float64 {
	n := x[capModels+2*model]
	if own := x[capModels+2*model+1]; own > 0 {
		n += own * x[capRight] / x[capAsked]
	}
	return n
}

// unseen estimates what nobody found from what was found once and twice: the lower bound (t-1)/t * f1 (f1 - 1) / (2
// (f2 + 1)) of Chao (1987) for t lists, here the models and people.
func unseen(x []float64, models int) float64 {
	once := x[capOnce] + singles(x)
	return float64(models) / float64(models+1) * max(0, once*(once-1)) / (2 * (x[capTwice] + 1))
}

func allThereIs(x []float64, models int) float64 { return x[capSeen] + singles(x) + unseen(x, models) }

// toFind is how much of the estimate rests on a task.
func toFind(x []float64) float64 { return x[capSeen] + x[capSingle] }

// missing is the table of what remains to be found.
func (s summary) missing(total []stats.Row) Table {
	n := len(s.plan.Models)
	open := func(of func([]float64) float64) stats.Statistic {
		m := stats.Mean(0, 0)
		m.Of, m.Size = of, toFind
		return m
	}
	share := stats.Statistic{Min: 0, Max: 1, Size: toFind,
		Of: func(x []float64) float64 { return x[capPeople] / allThereIs(x, n) }}
	t := Table{
		Name: "missing", Title: "How much nobody found",
		Means:  "By how much was found once and how much twice, people and models taken as lists of one population: a lower bound after Chao (1987), since what is hard to find is hard for all. Findings of one reviewer count by the share that the judge calls right among those that it was asked about.",
		Labels: []string{"asked about"}, Columns: []string{"people's comments", "right findings besides", "found by nobody",
			"share that people found"},
	}
	sums := make([]float64, capModels+2*n)
	for _, r := range total {
		for i, x := range r.Sums {
			sums[i] += x
		}
	}
	e := stats.Estimates(s.options, total,
		open(func(x []float64) float64 { return x[capSeen] - x[capPeople] + singles(x) }),
		open(func(x []float64) float64 { return unseen(x, n) }), share)
	t.Rows = []TableRow{{Model: "all",
		Labels:  []string{fmt.Sprintf("%.0f of %.0f findings of one reviewer", sums[capAsked], sums[capSingle])},
		Figures: []Figure{Count(int(sums[capPeople])), Estimated(e[0]), Estimated(e[1]), Estimated(e[2])}}}
	return t
}
