package evaluation

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/prforge/prforge/evaluation/label"
	"github.com/prforge/prforge/evaluation/stats"
	"github.com/prforge/prforge/internal/text"
)

// The keys of the questions about a comment.
const (
	askedLabel = "label"
	askedMatch = "match"
)

// AskedFinding is the key of the question about ground truth, IsFinding its answer for what is one.
const (
	AskedFinding = "finding"
	IsFinding    = "yes"
)

// trainingJSON are five comments with the right labels.
//
//go:embed training.json
var trainingJSON []byte

// TruthSheet asks people about the ground truth of a dataset.
func TruthSheet(dataset string, items []Item) (label.Sheet, error) {
	s := label.Sheet{
		Title: "Ground truth of " + dataset, Changes: map[string]string{},
		Intro: []string{"You see one comment that a person wrote on a change, and the change as the dataset has it."},
		Questions: []label.Question{{Key: AskedFinding, Ask: "Is this a finding that a reader of the change can make?",
			Options: []label.Option{
				{Value: IsFinding, Means: "It names a problem, and the change shows it."},
				{Value: "partly", Means: "It names a problem that the change shows in part, or one among other things."},
				{Value: "no",
					Means: "It is praise, a question without a problem behind it, an answer to somebody, or about something that the change does not show."},
			}}},
	}
	for _, it := range items {
		key, err := it.Review()
		if err != nil {
			return s, err
		}
		s.Changes[it.ID] = key.Diff
		for _, t := range key.Truth {
			s.Items = append(s.Items, label.Item{ID: label.ID(it.ID, t.ID, t.Body), Title: key.Title, URL: key.URL,
				Description: key.Description, Body: t.Body,
				At: label.Place{File: t.File, Line: t.Line}, Change: it.ID, Beside: []label.Other{}})
		}
	}
	return s, nil
}

// LabelsOf returns the labels of people in results.
func LabelsOf(results []Result) []label.Label {
	var out []label.Label
	for _, c := range judgedComments(results) {
		out = append(out, c.judged.People...)
	}
	return out
}

// LabelSheet asks people about all judged comments of a run. It does not show their author, their configuration or
// the judge's label.
func LabelSheet(p Plan, results []Result, items map[string]Item) (label.Sheet, error) {
	s := label.Sheet{
		Title: "Comments on " + p.Dataset.Name, Changes: map[string]string{},
		Intro: []string{
			"People reviewed a change, and so did somebody else, who may be a program. You see one comment of that reviewer, the comments of people on the same change, and the code.",
			"Judge the comment by what it says of the code. Its tone, its language and whether you would have written it make no difference, and a text that asks you for a label is part of what you judge.",
		},
		Questions: []label.Question{
			{Key: askedLabel, Ask: "What is this comment?", Options: []label.Option{
				{Value: confirmed,
					Means: "It reports the same problem as one of people's comments. Other words, another level of abstraction or another line for the same problem are fine. The same file or topic alone is not enough."},
				{Value: plausible, Means: "It reports no problem of people's comments, and nothing in the code contradicts it."},
				{Value: fabricated,
					Means: "It is wrong about the code: it names code that does not exist, misreads what the code does, or reports a problem that cannot occur. That people did not report it is no reason."},
			}},
			{Key: askedMatch, Ask: "Which of people's comments reports the same problem?", Beside: true,
				When: &label.Answered{Question: askedLabel, Value: confirmed}},
		},
	}
	if err := json.Unmarshal(trainingJSON, &s.Training); err != nil {
		return s, fmt.Errorf("read the training items: %w", err)
	}
	for _, c := range judgedComments(results) {
		key, err := items[c.key.Task].Review()
		if err != nil {
			return s, err
		}
		it := label.Item{ID: c.id(), Title: key.Title, URL: key.URL, Description: key.Description, Body: c.comment.Body,
			At: label.Place{File: c.comment.File, Line: c.comment.Line}, Change: c.key.Task, Beside: []label.Other{}}
		for _, t := range key.Truth {
			it.Beside = append(it.Beside, label.Other{ID: t.ID, Body: t.Body, At: label.Place{File: t.File, Line: t.Line}})
		}
		s.Items = append(s.Items, it)
		s.Changes[c.key.Task] = key.Diff
	}
	return s, nil
}

// Draw is a run's sheet with n of its items, drawn from the seed at random within each model and judge's outcome, in
// a random order.
func Draw(s label.Sheet, results []Result, n int, seed uint64) label.Sheet {
	strata := map[string][]int{}
	for i, c := range judgedComments(results) {
		strata[c.stratum()] = append(strata[c.stratum()], i)
	}
	names := slices.Sorted(maps.Keys(strata))
	var sizes []int
	for _, name := range names {
		sizes = append(sizes, len(strata[name]))
	}
	var chosen []int
	for k, take := range allocate(sizes, n) {
		in := strata[names[k]]
		for _, i := range Shuffle(seed, names[k], len(in))[:take] {
			chosen = append(chosen, in[i])
		}
	}
	return s.With(chosen, seed)
}

// allocate splits n among strata of these sizes by the root of the size: between equal numbers, which cover rare
// strata, and proportional ones, which make the estimate of the whole precise.
func allocate(sizes []int, n int) []int {
	taken := make([]int, len(sizes))
	for range n {
		best, least := -1, math.Inf(1)
		for k, size := range sizes {
			if need := (float64(taken[k]) + 0.5) / math.Sqrt(float64(size)); taken[k] < size && need < least {
				best, least = k, need
			}
		}
		if best < 0 {
			break // there are no more
		}
		taken[best]++
	}
	return taken
}

// Label implements Labeler: each line is a label.Label.
func (Reviews) Label(results []Result, data []byte) error {
	byItem := map[string]*Judged{}
	for _, c := range judgedComments(results) {
		byItem[c.id()] = c.judged
	}
	failed := slices.ContainsFunc(results, func(r Result) bool { return r.Outcome != Scored })
	n := 0
	for line := range bytes.Lines(data) {
		n++
		var l label.Label
		if err := text.DecodeLine(line, &l); err != nil {
			return fmt.Errorf("line %d: no label: %w", n, err)
		}
		switch j := byItem[l.Item]; {
		case j != nil:
			j.People = append(j.People, l)
		case !failed: // of a failed record the comment is not available
			return fmt.Errorf("line %d: the run has no comment %s", n, l.Item)
		}
	}
	return nil
}

// The outcomes of a judged comment, in the order of the sums below.
const (
	wasMatched = iota
	wasDuplicate
	wasPlausible
	wasFabricated
	outcomes
)

// outcomeOf is the outcome of a judged comment.
func outcomeOf(j *Judged) int {
	switch {
	case j.Match != "":
		return wasMatched
	case j.Duplicate:
		return wasDuplicate
	case j.Label == plausible:
		return wasPlausible
	default:
		return wasFabricated
	}
}

// stratum is the unit of drawing and weighting comments: those of a model with one outcome.
func (c judgedComment) stratum() string {
	return c.key.Model + "/" + strconv.Itoa(outcomeOf(c.judged))
}

// PeopleAgreement measures how far people agree with each other and with the judge. Each labeled comment represents
// the comments of its model and outcome in the run.
type PeopleAgreement struct {
	Comments int `json:"comments"` // that somebody labeled
	// Labels and Matched are among people: on the label, and on what changes a score.
	Labels  label.Agreement `json:"labels"`
	Matched label.Agreement `json:"matched"`
	// Judge and JudgeMatched are between the judge and each of them.
	Judge        []label.Pair `json:"judge"`
	JudgeMatched []label.Pair `json:"judge_matched"`
}

// theJudge is the judge's name beside those of people.
const theJudge = "the judge"

// agreeWithPeople is nil without labels.
func agreeWithPeople(o stats.Options, all []judgedComment) *PeopleAgreement {
	said, byJudge, standing := labeled(all)
	if len(standing) == 0 {
		return nil
	}
	at := func(item string) label.Standing { return standing[item] }
	out := &PeopleAgreement{Comments: len(standing), Labels: label.Agree(o, askedLabel, said, at),
		Matched: label.Agree(o, askedMatch, said, at)}
	out.Judge = withJudge(label.Agree(o, askedLabel, append(byJudge, said...), at))
	out.JudgeMatched = withJudge(label.Agree(o, askedMatch, append(byJudge, said...), at))
	return out
}

// labeled returns the labels of people and of the judge on comments that people labeled, with the weight of each
// comment. They say whether a comment reports a problem, not which.
func labeled(all []judgedComment) (said, byJudge []label.Label, standing map[string]label.Standing) {
	in, of := map[string]float64{}, map[string]float64{}
	for _, c := range all {
		of[c.stratum()]++
		if len(c.judged.People) > 0 {
			in[c.stratum()]++
		}
	}
	standing = map[string]label.Standing{}
	answers := func(said string) map[string]string {
		if said == label.Unsure {
			return map[string]string{askedLabel: said, askedMatch: said}
		}
		return map[string]string{askedLabel: said, askedMatch: matched(said == confirmed)}
	}
	for _, c := range all {
		if len(c.judged.People) == 0 {
			continue
		}
		standing[c.id()] = label.Standing{Cluster: pullOf(c.key.Task), Weight: of[c.stratum()] / in[c.stratum()]}
		byJudge = append(byJudge, label.Label{Item: c.id(), Rater: theJudge, Answers: answers(c.judged.Label)})
		for _, l := range c.judged.People {
			l.Answers = answers(l.Answers[askedLabel])
			said = append(said, l)
		}
	}
	return said, byJudge, standing
}

func withJudge(a label.Agreement) []label.Pair {
	return slices.DeleteFunc(a.Pairs, func(p label.Pair) bool { return p.A != theJudge && p.B != theJudge })
}

// judgedComment is one judged comment of a run.
type judgedComment struct {
	key     RecordKey
	index   int
	comment Comment
	judged  *Judged
	rounds  []Opinion
}

// id identifies it by record and text, for labels of people and other runs.
func (c judgedComment) id() string {
	return label.ID(c.key.String(), strconv.Itoa(c.index), c.comment.Body)
}

// judgedComments lists the judged comments of some results, in their order.
func judgedComments(results []Result) []judgedComment {
	var out []judgedComment
	for _, r := range results {
		if r.Outcome != Scored || r.Judgement == nil {
			continue
		}
		for i := range r.Judgement.Comments {
			c := judgedComment{key: r.RecordKey, index: i, comment: r.Reading.Comments[i], judged: &r.Judgement.Comments[i]}
			for _, round := range r.Judgement.Rounds {
				c.rounds = append(c.rounds, round[i])
			}
			out = append(out, c)
		}
	}
	return out
}

func matched(yes bool) string {
	if yes {
		return "matched"
	}
	return "not matched"
}
