package substance

import (
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/markdown"
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
		if at := because.FindStringIndex(s.text); at != nil && !turn.MatchString(s.text[:at[0]]) && !turn.MatchString(s.text[at[1]:]) {
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

// refersToCode returns what in a comment points at code or behavior, "" if
// nothing does.
func refersToCode(t markdown.Text) string {
	switch {
	case t.Suggestions > 0:
		return "suggestion"
	case len(t.CodeSpans) > 0:
		return "inline code: " + cut(t.CodeSpans[0])
	case t.CodeBlocks > 0:
		return "code block"
	}
	if found := identifier.FindString(t.Prose); found != "" {
		return "identifier: " + cut(strings.TrimSpace(found))
	}
	for _, link := range t.Links {
		if codeLink.MatchString(link) {
			return "link to code: " + cut(link)
		}
	}
	if found := behavior.FindString(t.Prose); found != "" {
		return "keyword: " + strings.ToLower(strings.Trim(found, " \n\t.,;:!?()[]{}'\"*_-/"))
	}
	return ""
}

// codeLink matches links to a file or a commit of a forge.
var codeLink = regexp.MustCompile(`/(?:blob|tree|commit|pull|raw|src)/`)

// onlyPraise reports whether a comment has only praise. A text that begins with a report of a fix is all report: the
// rest explains it.
func onlyPraise(f facts) bool {
	list := f.sentences
	if f.text.Suggestions > 0 || len(list) == 0 {
		return false
	}
	reported := report.MatchString(list[0].text) || len(list) > 1 && list[0].praise && report.MatchString(list[1].text)
	named := reported && (reportedIn.MatchString(list[0].text) || len(list) > 1 && reportedIn.MatchString(list[1].text))
	praised := false
	for _, s := range list {
		switch {
		case s.praise || named && !s.question:
			praised = true
		case reported && !s.question && !demand.MatchString(s.text) && !complaint.MatchString(s.text):
			praised = true
		case s.isNeutral():
		default:
			return false
		}
	}
	return praised
}

// onlyStyle reports whether everything that a comment says about code is about
// style. A name is style only in a nit that gives no reason, and a suggestion of
// another notation where no sentence names a consequence or a concern.
func onlyStyle(f facts) bool {
	list := f.sentences
	if f.notation {
		return !slices.ContainsFunc(list, func(s sentence) bool { return consequence.MatchString(s.text) || concern.MatchString(s.text) })
	}
	styled := false
	for i, s := range list {
		switch {
		case f.text.CodeBlocks > 0 && proposal.MatchString(s.text):
			return false // the proposal is the code
		case s.isStyle():
			styled = true
		case s.praise || s.isNeutral() || !s.refers() && !s.question:
		case i > 0 && styled && isFollowUp(s):
		default:
			return nitOnName(f)
		}
	}
	return styled || nitOnName(f)
}

// isFollowUp reports whether a sentence only asks for the style remark before
// it to be carried out.
func isFollowUp(s sentence) bool {
	return !s.code && !s.question && !consequence.MatchString(s.text) && followUp.MatchString(s.text)
}

var followUp = anyOf("followUp")

// nitOnName reports whether a comment is marked as a nit, is about a name, and
// gives no reason.
func nitOnName(f facts) bool {
	list := f.sentences
	if len(list) == 0 || !nit.MatchString(list[0].text) {
		return false
	}
	named := false
	for _, s := range list {
		if reasons.MatchString(s.text) || consequence.MatchString(s.text) || f.has(clarifications) && restructures.MatchString(s.text) {
			return false
		}
		named = named || naming.MatchString(s.text)
	}
	return named
}

// bareQuestion reports whether a comment only asks: every meaningful sentence is a question, and none has a concern
// or a proposal.
func bareQuestion(f facts) bool {
	if f.text.Suggestions > 0 || f.text.CodeBlocks > 0 {
		return false
	}
	list, clarifies := f.sentences, f.has(clarifications)
	asked := false
	explain := clarifies && slices.ContainsFunc(list, func(s sentence) bool { return asking.MatchString(s.text) || orGood.MatchString(s.text) })
	for i, s := range list {
		text := whenFirst.ReplaceAllString(asking.ReplaceAllString(s.text, " "), " ")
		if clarifies {
			if doubt.MatchString(text) || writeDown.MatchString(s.text) {
				return false
			}
			text = clarifying.ReplaceAllString(text, " ")
		}
		if explain && s.question {
			text = asksWhether.ReplaceAllString(text, "whether ")
		}
		switch {
		case s.praise || s.isNeutral():
		case s.question || i == 0 && len(list) == 1 && asksFirst.MatchString(s.text):
			if proposal.MatchString(text) || concern.MatchString(text) || imperative.MatchString(text) {
				return false
			}
			asked = true
		case asking.MatchString(s.text) && !proposal.MatchString(text) && !concern.MatchString(text):
			asked = true
		case s.refers() || proposal.MatchString(text) || concern.MatchString(text):
			return false
		}
	}
	return asked
}

// cut shortens a piece of evidence to one line of 60 runes.
func cut(s string) string {
	runes := []rune(strings.Join(strings.Fields(s), " "))
	if len(runes) > 60 {
		runes = append(runes[:59], '…')
	}
	return string(runes)
}
