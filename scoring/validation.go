package scoring

import (
	"regexp"

	"github.com/prforge/prforge/internal/markdown"
	"github.com/prforge/prforge/internal/model"
)

// Phrases with which authors accept a remark, or refuse it. They are weak evidence: of 35 comments with an
// acknowledging reply the code was changed under 77 %, of those without 64 %; a refusal leaves 55 %.
var (
	acknowledges = regexp.MustCompile(`(?i)(?:^|[^\w])(?:done|fixed|addressed|updated|applied|changed|added|removed|adjusted|corrected|pushed|resolved|good (?:catch|point|idea|call)|nice catch|great catch|agreed?|you(?:'|’)?re right|makes sense|will (?:do|fix|change|update|add)|fair (?:point|enough)|my bad|oops)(?:$|[^\w])`)
	declines     = regexp.MustCompile(`(?i)(?:^|[^\w])(?:won(?:'|’)?t|will not|would (?:rather|prefer) not|intentional(?:ly)?|on purpose|by design|not (?:needed|necessary|worth|in scope|part of this)|no need|out of scope|unnecessary|leave (?:it|this|that) as|keep (?:it|this|that) as|(?:would|(?:'|’)d) (?:like|prefer|want) to keep|i disagree|don(?:'|’)?t (?:think|agree|see)|i(?:'|’)?d rather(?: not)?|separate (?:pr|pull request|issue)|follow[- ]?up)(?:$|[^\w])`)
)

// thumbs are the reactions by which an author agrees without a word.
var thumbs = map[string]bool{"THUMBS_UP": true, "HEART": true, "HOORAY": true}

// reply is the author's answer to a thread.
type reply int

const (
	silent reply = iota
	agreed
	refused
)

// Validate sets the evidence for each comment, from the states and the answers of the pull request's author. The
// states are those of CommentStates, in its order; replies share the grade of their thread. If a file left the
// change, or a comment on a whole file was followed by a change of it, no line shows whether that was the answer:
// only the author's reply does.
func Validate(p *model.PullRequest, states []model.CommentState) {
	i := 0
	for _, t := range p.Threads {
		said := answer(p, &t)
		for range t.Comments {
			s := &states[i]
			// The author's reply says what such a change was about.
			whole := s.State == model.StateFileGone || t.Subject == model.SubjectFile && s.State == model.StateUnknown &&
				s.Method == methodCommit
			if s.Valid = validation(s.State, said); whole && said == agreed {
				s.Valid = model.ValidEditedAcknowledged
			}
			i++
		}
	}
}

func validation(s model.CodeState, said reply) model.Validation {
	switch {
	case s == model.StateApplied:
		return model.ValidApplied
	case s == model.StateNear && said == refused: // the change beside it was something else
		return model.ValidDeclined
	case s.Addressed() && said == agreed:
		return model.ValidEditedAcknowledged
	case s.Addressed():
		return model.ValidEdited
	case said == agreed:
		return model.ValidAcknowledged
	case said == refused:
		return model.ValidDeclined
	}
	return model.ValidNone
}

// answer is the author's last reply in a thread that agrees or refuses; without one, a reaction to its first comment
// counts.
func answer(p *model.PullRequest, t *model.Thread) reply {
	said := silent
	for i, c := range t.Comments {
		if i == 0 || !sameAccount(c.Author, p.Author) {
			continue
		}
		prose := markdown.Read(c.Body).Prose
		switch {
		case declines.MatchString(prose):
			said = refused
		case acknowledges.MatchString(prose):
			said = agreed
		}
	}
	if said == silent && len(t.Comments) > 0 {
		for _, r := range t.Comments[0].Reactions {
			for _, by := range r.By {
				if thumbs[r.Content] && sameAccount(by, p.Author) {
					return agreed
				}
			}
		}
	}
	return said
}

// sameAccount compares by id where GitHub gives one, else by login.
func sameAccount(a, b model.Account) bool {
	if a.IsGhost() || b.IsGhost() {
		return false
	}
	if a.ID != 0 && b.ID != 0 {
		return a.ID == b.ID
	}
	return a.Login == b.Login
}
