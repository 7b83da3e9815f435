package substance

import (
	"regexp"
	"strings"

	"github.com/prforge/prforge/internal/pattern"
)

// sentence is one sentence of a comment's prose. A placeholder replaces inline code, so that its words do not count
// as the writer's.
type sentence struct {
	text     string
	question bool
	code     bool // it holds inline code or an identifier
	praise   bool // it only approves, thanks, agrees or reports something as done
}

// codePlaceholder replaces a code span in a sentence.
const codePlaceholder = "`code`"

var (
	spanInProse  = regexp.MustCompile("`[^`]*`")
	sentenceEnds = regexp.MustCompile(`[.!?。！？;]+(?:[\s)"'*_]+|$)|\n+`)
	whenFirst    = regexp.MustCompile(`(?i)^\W*when\b`)
	// because starts the reason of a sentence.
	because = regexp.MustCompile(`(?i)\b(?:because|since|as (?:it|this|that|the|we|now))\b`)
	// orGood matches "it is done" as the other alternative. A match of asksWhether beside it, or beside a request for
	// an explanation, proposes nothing.
	orGood      = pattern.MustCompile(`(?i)^\W*or (?:we are|are we|we're|is it|it is|it's) (?:all )?(?:good|fine|ok|okay|done)\b`)
	asksWhether = pattern.MustCompile(`(?i)\b(?:should we also|(?:does|do|did) [^?]{1,60}? needs?)\b`)
	asksFirst   = pattern.MustCompile(`(?i)^\W*(?:(?:hi|hey|so|and|but|hmm|ok|well|just curious|also)\W+)*(?:why|what's|whats|(?:what|how|where|when|who|which) (?:is|are|was|were|does|do|did|can|could|would|should|has|have|will|about|come)|(?:is|are|was|were|does|do|did|can|could|would|should|has|have)(?:n't)? (?:i|you|we|they|it|this|that|these|those|there|the|a|an|any\w*|some\w*)|any reason)\b`)
)

// sentences splits prose. A semicolon also ends a sentence, because the rest is a separate remark. If reasoned, the
// reason for praise is part of the praise.
func sentences(prose string, reasoned bool) []sentence {
	prose = spanInProse.ReplaceAllString(prose, codePlaceholder)
	var list []sentence
	start := 0
	for _, end := range append(sentenceEnds.FindAllStringIndex(prose, -1), []int{len(prose), len(prose)}) {
		text, mark := strings.TrimSpace(prose[start:end[0]]), prose[end[0]:end[1]]
		start = end[1]
		if !strings.ContainsFunc(text, isWordRune) {
			if len(list) > 0 && strings.ContainsAny(mark, "?？") {
				list[len(list)-1].question = true
			}
			continue
		}
		list = append(list, sentence{
			text:     text,
			question: strings.ContainsAny(mark, "?？"),
			code:     strings.Contains(text, codePlaceholder) || identifier.MatchString(text),
		})
	}
	for i := range list {
		list[i].praise = list[i].isPraise(reasoned)
	}
	return list
}

func isWordRune(r rune) bool {
	return r == '+' || r == '`' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r > 127
}

// refers reports whether a sentence points at code or behavior.
func (s sentence) refers() bool { return s.code || behavior.MatchString(s.text) }

// isPraise reports praise; if reasoned, also praise with a reason (see reasonedPraise).
func (s sentence) isPraise(reasoned bool) bool {
	if s.question {
		return false
	}
	if report.MatchString(s.text) {
		return true
	}
	if reasoned {
		// A reason for praise is not a remark, whatever it names.
		if at := because.FindStringIndex(s.text); at != nil && !turn.MatchString(s.text[:at[0]]) &&
			!turn.MatchString(s.text[at[1]:]) {
			s.text = s.text[:at[0]]
		}
	}
	switch {
	case praiseCJK.MatchString(s.text), plusOne.MatchString(s.text):
		return !turn.MatchString(s.text)
	case turn.MatchString(s.text):
		return false
	case thanks.MatchString(s.text):
		return true
	case approval.MatchString(s.text), anywhere.MatchString(s.text):
		return !defect.MatchString(s.text)
	}
	// After a plain "yes" or "right" the sentence itself may be the remark.
	at := acknowledgement.FindStringIndex(s.text)
	return at != nil && !behavior.MatchString(s.text[at[1]:]) && !strings.Contains(s.text[at[1]:], codePlaceholder)
}

// isNeutral reports whether a sentence says nothing: a greeting, a call.
func (s sentence) isNeutral() bool { return neutral.MatchString(s.text) }

// isStyle reports whether a sentence is about layout, spelling or wording and
// names no consequence.
func (s sentence) isStyle() bool {
	return style.MatchString(s.text) && !consequence.MatchString(s.text)
}

// cut shortens a piece of evidence to one line of 60 runes.
func cut(s string) string {
	runes := []rune(strings.Join(strings.Fields(s), " "))
	if len(runes) > 60 {
		runes = append(runes[:59], '…')
	}
	return string(runes)
}
