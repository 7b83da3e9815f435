package evaluation

import (
	"fmt"
	"slices"

	"github.com/prforge/prforge/evaluation/stats"
)

// Change is one reviewer in two runs: by how much the ranking metric of the new one
// differs, on the records that both have.
type Change struct {
	Old        string           `json:"old"`
	New        string           `json:"new"`
	Metric     string           `json:"metric"`
	Difference stats.Difference `json:"difference"` // new less old
	// Worse says that the whole interval is below the limit.
	Worse bool `json:"worse"`
}

// Changes compares pairs of reviewers among results, each an old and a new one. A new one is worse if the whole
// interval of its difference, at the level confidence, is below limit: with a limit of 0, equal reviewers are called
// worse in at most half of 1 - confidence. With several pairs, Bonferroni widens each interval so that this holds for
// all together. It is an error if there is no common record.
func Changes(p Plan, metrics []Metric, results []Result, items map[string]Item, pairs [][2]string, limit,
	confidence float64) ([]Change, error) {
	s := summary{plan: p, metrics: metrics, items: items, options: p.Statistics()}
	s.options.Confidence = 1 - (1-confidence)/float64(max(1, len(pairs)))
	metric := s.ranking()
	rows := func(model string) []stats.Row {
		return s.rows(slices.DeleteFunc(slices.Clone(results), func(x Result) bool { return x.Model != model }),
			[]Metric{metric}, byRecord)
	}
	out := make([]Change, len(pairs))
	for i, pair := range pairs {
		d := stats.Paired(s.options, rows(pair[1]), rows(pair[0]), metric.statistic(0))
		if d.Units == 0 || !d.Value.Defined() {
			return nil, fmt.Errorf("%s and %s have no record in common that both have a score for", pair[0], pair[1])
		}
		out[i] = Change{Old: pair[0], New: pair[1], Metric: metric.Name, Difference: d, Worse: d.High.Defined() &&
			float64(d.High) < limit}
	}
	return out, nil
}
