package evaluation

import (
	"slices"

	"github.com/prforge/prforge/evaluation/label"
	"github.com/prforge/prforge/evaluation/stats"
)

// This file estimates people's labels of all comments from the judge's labels of all and people's labels of some
// (prediction-powered inference: Angelopoulos et al. 2023). The judge's outcomes are classes, so the estimate that
// trusts the judge as far as it is right (PPI++: Angelopoulos, Duchi and Zrnic 2023) is post-stratification: within
// one outcome of the judge, all comments get the distribution of the labeled ones. It is unbiased whatever the judge
// does, if the labeled ones were drawn at random within their outcome; a good judge only shortens the interval.

// The indexes of a record's sums: the people's comments on the change, then by the judge's outcome all comments, the
// labeled ones, and these by people's outcome, in shares of raters.
const (
	sumTruth   = 0
	sumJudged  = sumTruth + 1
	sumLabeled = sumJudged + outcomes
	sumSaid    = sumLabeled + outcomes
	sumsWidth  = sumSaid + outcomes*outcomes
)

// estimated is the estimated number of comments to which people would give an outcome.
func estimated(sums []float64, outcome int) float64 {
	n := 0.0
	for judged := range outcomes {
		all, seen := sums[sumJudged+judged], sums[sumLabeled+judged]
		switch {
		case seen > 0:
			n += all * sums[sumSaid+judged*outcomes+outcome] / seen
		case judged == outcome:
			n += all // no label: the judge's
		}
	}
	return n
}

// peopleRates are the rates that depend on people's labels, as functions of the sums.
var peopleRates = map[string]func(sums []float64) float64{
	"recall":    func(x []float64) float64 { return estimated(x, wasMatched) / x[sumTruth] },
	"precision": func(x []float64) float64 { return estimated(x, wasMatched) / reported(x) },
	"f1":        func(x []float64) float64 { return 2 * estimated(x, wasMatched) / (x[sumTruth] + reported(x)) },
	"useful": func(x []float64) float64 {
		return (estimated(x, wasMatched) + estimated(x, wasPlausible)) / reported(x)
	},
	"fabricated": func(x []float64) float64 { return estimated(x, wasFabricated) / reported(x) },
}

// reported is how many comments there are without repeats of a caught problem.
func reported(sums []float64) float64 {
	n := 0.0
	for outcome := range outcomes {
		if outcome != wasDuplicate {
			n += estimated(sums, outcome)
		}
	}
	return n
}

// people estimates a model's rates by people's labels; nil without labels of its comments.
func (s summary) people(results []Result) map[string]stats.Estimate {
	var all, withTruth []stats.Row
	seen, pairwise := 0.0, false
	for _, x := range results {
		if x.Outcome != Scored || x.Judgement == nil {
			continue
		}
		row := stats.Row{Unit: byRecord(x), Cluster: s.cluster(x), Sums: s.peopleSums(x)}
		all = append(all, row)
		if row.Sums[sumTruth] > 0 {
			withTruth = append(withTruth, row)
		}
		seen += labeledIn(row.Sums)
		pairwise = pairwise || x.Judgement.Pairwise
	}
	if seen == 0 {
		return nil
	}
	out := map[string]stats.Estimate{}
	for name, rate := range peopleRates {
		rows := withTruth // as in Score: a change without ground truth tests false alarms only
		if name == "useful" || name == "fabricated" {
			rows = all
		}
		if rows != nil && !(pairwise && name != "recall" && name != "precision" && name != "f1") {
			// an estimate may find more matches than there are problems
			within := func(x []float64) float64 { return min(1, rate(x)) }
			out[name] = stats.Estimates(s.options, rows, stats.Statistic{Of: within, Size: labeledIn, Min: 0, Max: 1})[0]
		}
	}
	return out
}

// labeledIn is how many comments people labeled.
func labeledIn(sums []float64) float64 {
	n := 0.0
	for judged := range outcomes {
		n += sums[sumLabeled+judged]
	}
	return n
}

func (s summary) peopleSums(x Result) []float64 {
	sums := make([]float64, sumsWidth)
	sums[sumTruth] = float64(x.Score.Counts["truth"])
	said := s.shares(x)
	for i := range x.Judgement.Comments {
		judged := outcomeOf(&x.Judgement.Comments[i])
		sums[sumJudged+judged]++
		if said[i] == nil {
			continue
		}
		sums[sumLabeled+judged]++
		for outcome, share := range said[i] {
			sums[sumSaid+judged*outcomes+outcome] += share
		}
	}
	return sums
}

// truth is the people's comments on a task; nil if its key has another form.
func (s summary) truth(task string) []Truth {
	key, err := s.items[task].Review()
	if err != nil {
		return nil
	}
	return key.Truth
}

// shares are the outcomes of a record's comments by people: for each labeled comment the shares of raters by outcome,
// nil for the others. A rater's labels replace the judge's, and the comments are paired again; unlabeled comments
// keep the judge's label.
func (s summary) shares(x Result) [][]float64 {
	out, raters := make([][]float64, len(x.Judgement.Comments)), make([]float64, len(x.Judgement.Comments))
	for _, rater := range ratersOf(x.Judgement) {
		for i, outcome := range outcomesBy(rater, x, s.truth(x.Task)) {
			if out[i] == nil {
				out[i] = make([]float64, outcomes)
			}
			out[i][outcome]++
			raters[i]++
		}
	}
	for i := range out {
		for k := range out[i] {
			out[i][k] /= raters[i]
		}
	}
	return out
}

// outcomesBy is the outcomes of the comments that one rater labeled, by index.
func outcomesBy(rater string, x Result, truth []Truth) map[int]int {
	j := x.Judgement
	edges, labels := make([][]edge, len(j.Comments)), make([]string, len(j.Comments))
	out := map[int]int{}
	for i, c := range x.Reading.Comments {
		labels[i] = j.Comments[i].Label
		if l := saidBy(j.Comments[i], rater); l != nil {
			out[i], labels[i] = 0, l.Answers[askedLabel]
			edges[i] = chosen(l.Answers[askedMatch], truth)
		}
		if labels[i] != confirmed {
			edges[i] = nil
		} else if len(edges[i]) == 0 {
			edges[i] = named(j.Rounds, i, c, truth)
		}
		if labels[i] == confirmed && len(edges[i]) == 0 {
			labels[i] = plausible // as in decide
		}
	}
	pairs := pair(edges, len(truth))
	for i := range out {
		judged := Judged{Label: labels[i], Duplicate: labels[i] == confirmed && pairs[i] < 0}
		if pairs[i] >= 0 {
			judged.Match = truth[pairs[i]].ID
		}
		out[i] = outcomeOf(&judged)
	}
	return out
}

// chosen is the edge to the truth with an id.
func chosen(id string, truth []Truth) []edge {
	i := slices.IndexFunc(truth, func(t Truth) bool { return t.ID == id })
	if i < 0 {
		return nil
	}
	return []edge{{truth: i, votes: 1}}
}

// ratersOf are those who labeled a record's comments, sorted.
func ratersOf(j *Judgement) []string {
	var out []string
	for _, c := range j.Comments {
		for _, l := range c.People {
			out = append(out, l.Rater)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// saidBy is a rater's label of a comment; nil without one, or if he was unsure.
func saidBy(c Judged, rater string) *label.Label {
	for i, l := range c.People {
		if l.Rater == rater && !l.Again && l.Answers[askedLabel] != label.Unsure {
			return &c.People[i]
		}
	}
	return nil
}
