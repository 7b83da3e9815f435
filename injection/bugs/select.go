package bugs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/internal/verdict"
)

// Candidate is what one pull request offers.
type Candidate struct {
	Pull     string // OWNER/NAME#N
	Repo     string
	Blob     string // git's id of the original
	Drafts   []Draft
	Controls []Draft
}

// Quotas are the most questions of each sort; 0 is no limit, but for families,
// of which those without a quota have no question.
type Quotas struct {
	Seed          uint64
	Families      map[string]int
	PerKind       int
	PerLevel      int
	PerRepository int
	// ControlsEvery is how many questions go with one untouched and one
	// harmlessly edited file; 0 for no controls.
	ControlsEvery int
}

// DefaultQuotas are the preset of 60 questions.
func DefaultQuotas() Quotas {
	return Quotas{
		Seed: DefaultOptions().Seed, Families: map[string]int{string(injection.UndeclaredName): 30, string(injection.Indentation): 30},
		ControlsEvery: 8,
	}
}

// Selection is what was drawn.
type Selection struct {
	Drafts   []Draft // questions and controls, by question id
	Verdicts []PullVerdict
}

// PullVerdict says whether a pull request has a question or a control.
type PullVerdict struct {
	Pull    string
	Verdict verdict.Verdict
}

// Select draws questions from the candidates in the order of a hash, so that the
// order in which they come does not matter, and then the controls: from pull
// requests without a question while there are any.
func Select(candidates []Candidate, q Quotas) Selection {
	candidates = slices.Clone(candidates)
	slices.SortFunc(candidates, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(rank(q.Seed, a.Pull), rank(q.Seed, b.Pull)), cmp.Compare(a.Pull, b.Pull))
	})
	var out Selection
	var spare, used []Candidate
	taken := map[string]int{}
	seen := map[string]string{}
	for _, c := range candidates {
		if first := seen[c.Blob]; first != "" {
			out.Verdicts = append(out.Verdicts, PullVerdict{c.Pull, verdict.Reject(verdict.DuplicateOriginal, "another pull request shows the same file",
				verdict.Evidence{What: "the same file", Found: first})})
			continue
		}
		seen[c.Blob] = c.Pull
		before := len(out.Drafts)
		for _, d := range c.Drafts {
			if q.take(taken, c.Repo, &d) {
				out.Drafts = append(out.Drafts, d)
			}
		}
		if len(out.Drafts) == before {
			spare = append(spare, c)
		} else {
			used = append(used, c)
		}
	}
	controlled := out.addControls(slices.Concat(spare, used), q)
	for _, c := range slices.Concat(spare, used) {
		v := verdict.Pass()
		if !controlled[c.Pull] && slices.ContainsFunc(spare, func(s Candidate) bool { return s.Pull == c.Pull }) {
			v = verdict.Reject(verdict.OverQuestionQuota, "there are enough questions")
		}
		out.Verdicts = append(out.Verdicts, PullVerdict{c.Pull, v})
	}
	slices.SortFunc(out.Drafts, func(a, b Draft) int { return strings.Compare(a.Question.QuestionID, b.Question.QuestionID) })
	return out
}

// take counts a question unless a quota is full.
func (q Quotas) take(taken map[string]int, repo string, d *Draft) bool {
	limits := map[string]int{
		"family " + d.Answer.Family: q.Families[d.Answer.Family], "kind " + d.Answer.Kind: q.PerKind,
		fmt.Sprint("level ", d.Answer.Level): q.PerLevel, "repository " + repo: q.PerRepository,
	}
	for what, most := range limits {
		if taken[what] >= most && (most > 0 || strings.HasPrefix(what, "family ")) {
			return false
		}
	}
	for what := range limits {
		taken[what]++
	}
	return true
}

// addControls adds one untouched and one edited file for every so many
// questions, each from another pull request while they last. It says which pull
// requests have one.
func (s *Selection) addControls(candidates []Candidate, q Quotas) map[string]bool {
	of := map[string]bool{}
	if q.ControlsEvery == 0 || len(s.Drafts) == 0 {
		return of
	}
	partners := slices.Clone(s.Drafts)
	slices.SortFunc(partners, func(a, b Draft) int { return strings.Compare(a.Question.QuestionID, b.Question.QuestionID) })
	want := (len(partners) + q.ControlsEvery - 1) / q.ControlsEvery
	for _, edited := range []bool{false, true} {
		made := 0
		for _, c := range candidates {
			if made == want {
				break
			}
			d, ok := control(c, edited, q)
			if !ok {
				continue
			}
			partner := partners[(made*q.ControlsEvery)%len(partners)].Question.QuestionID
			d.Answer.ControlOf = &partner
			s.Drafts = append(s.Drafts, d)
			of[c.Pull] = true
			made++
		}
	}
	return of
}

// control is the candidate's untouched file, or one of the edited ones.
func control(c Candidate, edited bool, q Quotas) (Draft, bool) {
	var fit []Draft
	for _, d := range c.Controls {
		if (d.Answer.Kind != Untouched) == edited {
			fit = append(fit, d)
		}
	}
	slices.SortFunc(fit, func(a, b Draft) int {
		return cmp.Compare(rank(q.Seed, c.Pull, a.Answer.Kind), rank(q.Seed, c.Pull, b.Answer.Kind))
	})
	if len(fit) == 0 {
		return Draft{}, false
	}
	return fit[0], true
}

// Short says of each family how many questions its quota lacks.
func (q Quotas) Short(drawn []Draft) map[string]int {
	out := map[string]int{}
	for family, most := range q.Families {
		n := 0
		for _, d := range drawn {
			if d.Answer.Family == family {
				n++
			}
		}
		if n < most {
			out[family] = most - n
		}
	}
	return out
}
