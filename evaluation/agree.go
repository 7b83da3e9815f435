package evaluation

import (
	"fmt"

	"github.com/prforge/prforge/evaluation/stats"
)

// Agreement measures how reliable a run's judge is.
type Agreement struct {
	Comments int `json:"comments"` // judged ones
	// Repeats is Krippendorff's alpha of the labels of the repeats. Unanimous is the share of comments with the same
	// label in all. Null for a single repeat.
	Repeats   stats.Estimate `json:"repeats_alpha"`
	Unanimous stats.Number   `json:"unanimous"`
	// Matched is alpha of what changes a score: whether a comment was matched.
	Matched stats.Estimate `json:"repeats_alpha_matched"`
	// Positions tests whether labels depend on the position among the comments shown; null if their order was not
	// drawn.
	Positions *stats.Positions `json:"positions"`
	Order     Flips            `json:"order"`
	// Others are comparisons with another judge.
	Others []Comparison `json:"others"`
	// People is the agreement with people; null without labels.
	People *PeopleAgreement `json:"people"`
}

// Flips counts labels that changed from one repeat to the next, for comments that moved to another third of the list
// and for others. More changes among the moved ones mean a bias of position.
type Flips struct {
	Moved        int `json:"moved"`
	MovedFlipped int `json:"moved_flipped"`
	Still        int `json:"still"`
	StillFlipped int `json:"still_flipped"`
}

// add counts a comment's repeats among n comments shown.
func (f *Flips) add(rounds []Opinion, n int) {
	for i := 1; i < len(rounds); i++ {
		moved, flipped := &f.Still, &f.StillFlipped
		if rounds[i].Shown*3/n != rounds[i-1].Shown*3/n {
			moved, flipped = &f.Moved, &f.MovedFlipped
		}
		*moved++
		if rounds[i].Label != rounds[i-1].Label {
			*flipped++
		}
	}
}

// Comparison is the agreement of the run's majority with another rater.
type Comparison struct {
	With    string          `json:"with"`
	Labels  stats.Agreement `json:"labels"`
	Matched stats.Agreement `json:"matched"` // on what changes a score
}

// Agree measures a judge against itself: its repeats, and the positions at which
// comments were shown.
func Agree(p Plan, results []Result) Agreement {
	o := p.Statistics()
	all := judgedComments(results)
	a := Agreement{Comments: len(all), Others: []Comparison{}}
	var positions []stats.Shown
	shown := map[RecordKey]int{}
	for _, c := range all {
		shown[c.key]++
	}
	var byLabel, byMatch []stats.Unit
	unanimous := 0
	for _, c := range all {
		said, match := stats.Unit{Cluster: pullOf(c.key.Task)}, stats.Unit{Cluster: pullOf(c.key.Task)}
		for i, o := range c.rounds {
			said.Labels = append(said.Labels, o.Label)
			match.Labels = append(match.Labels, matched(len(o.Matches) > 0))
			positions = append(positions, stats.Shown{List: fmt.Sprintf("%s/%d", c.key, i), Position: o.Shown, Label: o.Label})
		}
		if n := shown[c.key]; n >= 3 {
			a.Order.add(c.rounds, n)
		}
		byLabel, byMatch = append(byLabel, said), append(byMatch, match)
		if c.judged.Unanimous {
			unanimous++
		}
	}
	a.Repeats, a.Matched = stats.Alpha(o, byLabel), stats.Alpha(o, byMatch)
	a.Unanimous = ratio(float64(unanimous), float64(len(all)))
	a.People = agreeWithPeople(o, all)
	if p.Judge.Provider != ProviderRules && p.Judge.Mode == ModeRecord {
		tested := stats.TestPositions(o, labels, positions)
		a.Positions = &tested
	}
	return a
}

// AgreeWith compares a run's majority with that of another run on the same
// comments of the same answers.
func AgreeWith(o stats.Options, name string, results, others []Result) (Comparison, error) {
	theirs := map[string]judgedComment{}
	for _, c := range judgedComments(others) {
		theirs[c.id()] = c
	}
	var byLabel, byMatch []stats.Rated
	for _, c := range judgedComments(results) {
		other, ok := theirs[c.id()]
		if !ok {
			continue
		}
		byLabel = append(byLabel, stats.Rated{Cluster: pullOf(c.key.Task), A: c.judged.Label, B: other.judged.Label})
		byMatch = append(byMatch, stats.Rated{Cluster: pullOf(c.key.Task), A: matched(c.judged.Match != ""),
			B: matched(other.judged.Match != "")})
	}
	if len(byLabel) == 0 {
		return Comparison{}, fmt.Errorf("the two runs have no judged comment in common")
	}
	return Comparison{With: name, Labels: stats.Kappa(o, byLabel), Matched: stats.Kappa(o, byMatch)}, nil
}
