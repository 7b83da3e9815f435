// Package agreement measures how far the judge of a run can be trusted: against
// itself in its repeats, against another judge, and against people; and whether
// the place of a comment in the question moves its label.
//
//	agreement.go   verdicts, judge against itself and against another
//	position.go    labels by place, flips between orders
//	sheet.go       the blind sheet that people label, and reading it
package agreement

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/stats"
)

// Verdict is what a judge says of one comment of a review.
type Verdict struct {
	Record  evaluation.RecordKey `json:"record"`
	Comment int                  `json:"comment"` // its place in the review, from 0
	Label   string               `json:"label"`
	// Outcome is what the label does to a score: paired, duplicate, plausible or
	// fabricated. A CONFIRMED comment may be a duplicate.
	Outcome string `json:"outcome"`
	Match   string `json:"match"` // the ground-truth comment that it is paired with; "" for none
}

// Outcomes of a comment.
const (
	Paired     = "paired"
	Duplicate  = "duplicate"
	Plausible  = "plausible"
	Fabricated = "fabricated"
)

// id names the comment among all of a run.
func (v Verdict) id() string { return fmt.Sprintf("%s/%d", v.Record, v.Comment) }

// Verdicts are the majority's verdicts of a run's scored records, in their
// order. Records judged pair by pair have no label to compare but CONFIRMED.
func Verdicts(results []evaluation.Result) []Verdict {
	var out []Verdict
	for _, r := range results {
		if r.Outcome != evaluation.Scored || r.Judgement == nil {
			continue
		}
		for i, c := range r.Judgement.Comments {
			v := Verdict{Record: r.RecordKey, Comment: i, Label: c.Label, Match: c.Match, Outcome: Fabricated}
			switch {
			case c.Match != "":
				v.Outcome = Paired
			case c.Duplicate:
				v.Outcome = Duplicate
			case c.Label == evaluation.Plausible:
				v.Outcome = Plausible
			}
			out = append(out, v)
		}
	}
	return out
}

// Itself is a judge against its own repeats.
type Itself struct {
	Comments  int            `json:"comments"`  // with at least two rounds
	Unanimous stats.Estimate `json:"unanimous"` // share with one label in all rounds; interval over pull requests
	Alpha     stats.Estimate `json:"alpha"`     // Krippendorff's, of the labels
}

// AgainstItself compares the rounds in which the judge saw each comment.
func AgainstItself(o stats.Options, results []evaluation.Result) Itself {
	var units []stats.Unit
	var rows []stats.Row
	for _, r := range results {
		for i, labels := range rounds(r) {
			unit := fmt.Sprintf("%s/%d", r.RecordKey, i)
			units = append(units, stats.Unit{Cluster: r.Task, Labels: labels})
			same := 0.0
			if len(slices.Compact(slices.Sorted(slices.Values(labels)))) == 1 {
				same = 1
			}
			rows = append(rows, stats.Row{Unit: unit, Cluster: r.Task, Sums: []float64{same, 1}})
		}
	}
	return Itself{Comments: len(units), Unanimous: stats.Bootstrap(o, rows, stats.Rate(0, 1))[0], Alpha: stats.Alpha(o, units)}
}

// rounds are the labels of each comment of a record, one a round; nil with
// fewer than two rounds.
func rounds(r evaluation.Result) [][]string {
	if r.Judgement == nil || len(r.Judgement.Rounds) < 2 {
		return nil
	}
	out := make([][]string, len(r.Judgement.Rounds[0]))
	for _, round := range r.Judgement.Rounds {
		for i, opinion := range round {
			out[i] = append(out[i], opinion.Label)
		}
	}
	return out
}

// Between is one judge against another, or against people.
type Between struct {
	Comments int             `json:"comments"` // that both labelled
	OnlyA    int             `json:"only_a"`   // left out
	OnlyB    int             `json:"only_b"`
	Labels   stats.Agreement `json:"labels"`
	// Outcomes is the agreement on what changes a score; undefined against
	// people, who do not pair.
	Outcomes *stats.Agreement `json:"outcomes"`
	// SameMatch is the share of comments that both paired which both paired with
	// the same ground-truth comment.
	SameMatch stats.Estimate `json:"same_match"`
}

// Judges compares two judges on the same comments.
func Judges(o stats.Options, a, b []Verdict) Between {
	pairs, out := join(a, b)
	var labels, outcomes []stats.Rated
	var matches []stats.Row
	for _, p := range pairs {
		labels = append(labels, stats.Rated{Cluster: p[0].Record.Task, A: p[0].Label, B: p[1].Label})
		outcomes = append(outcomes, stats.Rated{Cluster: p[0].Record.Task, A: p[0].Outcome, B: p[1].Outcome})
		if p[0].Match != "" && p[1].Match != "" {
			same := 0.0
			if p[0].Match == p[1].Match {
				same = 1
			}
			matches = append(matches, stats.Row{Unit: p[0].id(), Cluster: p[0].Record.Task, Sums: []float64{same, 1}})
		}
	}
	out.Labels = stats.Kappa(o, labels)
	agreement := stats.Kappa(o, outcomes)
	out.Outcomes = &agreement
	out.SameMatch = stats.Bootstrap(o, matches, stats.Rate(0, 1))[0]
	return out
}

// join pairs the verdicts on the same comments, sorted.
func join(a, b []Verdict) (pairs [][2]Verdict, out Between) {
	byID := map[string]Verdict{}
	for _, v := range b {
		byID[v.id()] = v
	}
	for _, v := range a {
		w, ok := byID[v.id()]
		if !ok {
			out.OnlyA++
			continue
		}
		pairs = append(pairs, [2]Verdict{v, w})
	}
	slices.SortFunc(pairs, func(x, y [2]Verdict) int { return cmp.Compare(x[0].id(), y[0].id()) })
	out.Comments, out.OnlyB = len(pairs), len(byID)-len(pairs)
	return pairs, out
}
