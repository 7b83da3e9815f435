package evaluation

import (
	"cmp"
	"slices"

	"github.com/prforge/prforge/evaluation/label"
	"github.com/prforge/prforge/internal/text"
)

// The labels of a judged comment, from the most favorable to the least. A judge never says Duplicate: it is a
// CONFIRMED comment on a problem that another comment already caught.
const (
	confirmed  = "CONFIRMED"
	plausible  = "PLAUSIBLE"
	fabricated = "FABRICATED"
)

// labels in the order of favor.
var labels = []string{confirmed, plausible, fabricated}

// Judgement is all verdicts on a record's comments.
type Judgement struct {
	// Judge names who judged.
	Judge string `json:"judge"`
	// Rounds are the answers, one per repeat; each holds an opinion per comment.
	Rounds [][]Opinion `json:"rounds"`
	// Comments is the result: the majority of the rounds, paired with truth.
	Comments []Judged `json:"comments"`
	// LeftOut lists files of the diff that the judge did not see.
	LeftOut []string `json:"left_out"`
	// Pairwise says that only pairs were judged: a comment without a match is then neither plausible nor fabricated.
	Pairwise bool `json:"pairwise,omitempty"`
	// Repaired is how many rounds needed the repair question.
	Repaired int `json:"repaired"`
}

// Judged is the outcome for one comment.
type Judged struct {
	Label string `json:"label"`
	// Match is the ground-truth comment that it is paired with; "" for none.
	Match string `json:"match"`
	// Duplicate says that it is CONFIRMED for a problem that another comment is
	// paired with.
	Duplicate bool `json:"duplicate"`
	// Unanimous says that every round gave the same label.
	Unanimous bool `json:"unanimous"`
	// Claim is the majority's; "cannot tell" without a majority.
	Claim string `json:"claim_is_true"`
	// Reason is the reason of the first round that gave the label.
	Reason string `json:"reason"`
	// Shown is the position in each round.
	Shown []int `json:"shown_at"`
	// People are the labels of people; they are no part of the judgement.
	People []label.Label `json:"-"`
}

// decide makes the majority of the rounds and pairs it with the ground truth.
// Ties go to the less favorable label. A comment is a candidate for a truth
// that more than half of the rounds named; one that a majority confirmed, but
// for no single truth, is PLAUSIBLE.
func decide(j *Judgement, comments []Comment, truth []Truth) {
	edges := make([][]edge, len(comments))
	j.Comments = make([]Judged, len(comments))
	for i, c := range comments {
		d := vote(j.Rounds, i)
		if d.Label == confirmed {
			edges[i] = named(j.Rounds, i, c, truth)
			if len(edges[i]) == 0 {
				d.Label = plausible
			}
		}
		j.Comments[i] = d
	}
	for i, t := range pair(edges, len(truth)) {
		if t >= 0 {
			j.Comments[i].Match = truth[t].ID
		} else {
			j.Comments[i].Duplicate = j.Comments[i].Label == confirmed
		}
	}
}

// named are the truths that more than half of the rounds named for a comment.
func named(rounds [][]Opinion, i int, c Comment, truth []Truth) []edge {
	var out []edge
	for t, h := range truth {
		votes := 0
		for _, round := range rounds {
			if slices.Contains(round[i].Matches, h.ID) {
				votes++
			}
		}
		if 2*votes > len(rounds) {
			out = append(out, edge{truth: t, votes: votes, near: similarity(c, h)})
		}
	}
	return out
}

// vote is the majority's label and claim for one comment.
func vote(rounds [][]Opinion, i int) Judged {
	byLabel, byClaim := map[string]int{}, map[string]int{}
	d := Judged{Shown: []int{}}
	for _, round := range rounds {
		byLabel[round[i].Label]++
		byClaim[round[i].Claim]++
		d.Shown = append(d.Shown, round[i].Shown)
	}
	for _, label := range labels { // from favorable to less: a tie goes to the later one
		if byLabel[label] > 0 && byLabel[label] >= byLabel[d.Label] {
			d.Label = label
		}
	}
	d.Unanimous = byLabel[d.Label] == len(rounds)
	d.Claim = "cannot tell"
	for claim, n := range byClaim {
		if 2*n > len(rounds) {
			d.Claim = claim
		}
	}
	for _, round := range rounds {
		if round[i].Label == d.Label {
			d.Reason = round[i].Reason
			break
		}
	}
	return d
}

// edge is a comment's judged match.
type edge struct {
	truth, votes int
	near         float64
}

// pair finds a maximum matching of comments and truths by augmenting paths
// (Kuhn). Which of several maximum matchings it is follows from the order:
// comments with more votes for their best match first, then the more similar,
// then by index; it makes no difference to any score. The result has the truth
// of each comment, or -1.
func pair(edges [][]edge, truths int) []int {
	order := make([]int, len(edges))
	for i := range edges {
		order[i] = i
		slices.SortStableFunc(edges[i], compareEdges)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if len(edges[a]) == 0 || len(edges[b]) == 0 {
			return cmp.Compare(len(edges[b]), len(edges[a]))
		}
		return compareEdges(edges[a][0], edges[b][0])
	})
	owner := make([]int, truths) // comment + 1
	var take func(i int, seen []bool) bool
	take = func(i int, seen []bool) bool {
		for _, e := range edges[i] {
			if seen[e.truth] {
				continue
			}
			seen[e.truth] = true
			if owner[e.truth] == 0 || take(owner[e.truth]-1, seen) {
				owner[e.truth] = i + 1
				return true
			}
		}
		return false
	}
	for _, i := range order {
		take(i, make([]bool, truths))
	}
	out := make([]int, len(edges))
	for i := range out {
		out[i] = -1
	}
	for t, i := range owner {
		if i > 0 {
			out[i-1] = t
		}
	}
	return out
}

func compareEdges(a, b edge) int {
	return cmp.Or(cmp.Compare(b.votes, a.votes), cmp.Compare(b.near, a.near))
}

// Opinion is one answer of a judge about one comment.
type Opinion struct {
	Label string `json:"label"`
	// Matches are ids of ground truth; only CONFIRMED has any.
	Matches []string `json:"matches"`
	// Claim says whether the comment's claim is true: "yes", "no" or "cannot tell".
	Claim  string `json:"claim_is_true"`
	Reason string `json:"reason"`
	// Shown is the comment's position among those shown, from 0, for the test of
	// position bias.
	Shown int `json:"shown_at"`
}

// similarity only orders candidates: the share of common words, and half as much again for the same file and a near
// line.
func similarity(c Comment, h Truth) float64 {
	s := text.Jaccard(text.Words(c.Body), text.Words(h.Body))
	if sameFile(c.File, h.File) {
		s += 0.25
		if c.Line != nil && h.Line != nil && abs(*c.Line-*h.Line) <= 3 {
			s += 0.25
		}
	}
	return s
}
