package substance

import (
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/markdown"
)

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
		return !slices.ContainsFunc(list,
			func(s sentence) bool { return consequence.MatchString(s.text) || concern.MatchString(s.text) })
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
		if reasons.MatchString(s.text) || consequence.MatchString(s.text) || f.has(clarifications) &&
			restructures.MatchString(s.text) {
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
	explain := clarifies &&
		slices.ContainsFunc(list, func(s sentence) bool { return asking.MatchString(s.text) || orGood.MatchString(s.text) })
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
