package bugs

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/verdict"
)

// Select draws questions from the candidates in the order of a hash, so that the
// order in which they come does not matter: first what the minimums ask for, then
// the rest, one question of a file as long as files last; and then the controls, of
// files without a question while there are any.
func Select(candidates []Candidate, q Quotas) Selection {
	candidates = slices.Clone(candidates)
	slices.SortFunc(candidates, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(rank(q.Seed, a.Pull), rank(q.Seed, b.Pull)), cmp.Compare(a.Pull, b.Pull))
	})
	var out Selection
	seen := map[string]string{}
	candidates = slices.DeleteFunc(candidates, func(c Candidate) bool {
		first, twin := seen[c.Blob]
		if twin {
			out.Verdicts = append(out.Verdicts,
				PullVerdict{c.Pull, verdict.Reject(verdict.DuplicateOriginal, "another pull request shows the same file",
					verdict.Evidence{What: "the same file", Found: first})})
		} else {
			seen[c.Blob] = c.Pull
		}
		return twin
	})
	d := newDraw(candidates, q)
	d.all()
	var spare, used []Candidate
	for i, c := range candidates {
		out.Drafts = slices.AppendSeq(out.Drafts, maps.Values(d.of[i]))
		if len(d.of[i]) == 0 {
			spare = append(spare, c)
		} else {
			used = append(used, c)
		}
	}
	out.Files = len(d.files)
	controlled := out.addControls(slices.Concat(spare, used), q, d.files)
	for _, c := range slices.Concat(spare, used) {
		v := verdict.Pass()
		if !controlled[c.Pull] && slices.ContainsFunc(spare, func(s Candidate) bool { return s.Pull == c.Pull }) {
			v = verdict.Reject(verdict.OverQuestionQuota, "there are enough questions")
		}
		out.Verdicts = append(out.Verdicts, PullVerdict{c.Pull, v})
	}
	slices.SortFunc(out.Drafts,
		func(a, b Draft) int { return strings.Compare(a.Question.QuestionID, b.Question.QuestionID) })
	return out
}

// addControls adds one untouched and one edited file for every so many
// questions, each from another pull request while they last. It says which pull
// requests have one. files has how many questions each file has.
func (s *Selection) addControls(candidates []Candidate, q Quotas, files map[string]int) map[string]bool {
	of := map[string]bool{}
	partners := slices.Clone(s.Drafts)
	slices.SortFunc(partners,
		func(a, b Draft) int { return strings.Compare(a.Question.QuestionID, b.Question.QuestionID) })
	want := q.controls(len(partners))
	for _, edited := range []bool{false, true} {
		made := 0
		// A file has both controls only where there are too few files.
		fresh := slices.DeleteFunc(slices.Clone(candidates), func(c Candidate) bool { return of[c.Pull] })
		again := slices.DeleteFunc(slices.Clone(candidates), func(c Candidate) bool { return !of[c.Pull] })
		for _, c := range slices.Concat(fresh, again) {
			if made == want {
				break
			}
			d, ok := control(c, edited, q)
			if !ok || files[c.file()] > 0 && !q.SharedFiles {
				continue
			}
			partner := partners[(made*q.ControlsEvery)%len(partners)].Question.QuestionID
			d.Answer.ControlOf = &partner
			s.Drafts = append(s.Drafts, d)
			of[c.Pull] = true
			files[c.file()]++
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
