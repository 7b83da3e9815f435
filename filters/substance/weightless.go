package substance

import (
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/markdown"
)

// Remarks that have words enough but say nothing that could be found in the
// code: explanations, and remarks that hang on another comment.

// explains matches a sentence about what the change or the code does or did.
var explains = anyOf("was", "were", "now", "(?:is|are) no longer", "added", "we have", "there (?:is|are) no", "has been", "have been", "used to", "the current (?:implementation|code|behaviou?r|version)",
	"(?:this|it) (?:just |only )?(?:adds|removes|moves|applies|replaces|allows|ensures)", "i (?:added|removed|moved|replaced|mimicked|encountered|had to)")

// explainsFirst matches a sentence that says so without a subject, as the
// title of a commit does.
var explainsFirst = regexp.MustCompile(`(?i)^\W*(?:adds|removes|moves|applies|replaces|allows|ensures|renames|introduces)\b`)

// plainDenial is a "no" that objects to nothing.
var plainDenial = regexp.MustCompile(`(?i)\b(?:is|are) no longer\b|\bthere (?:is|are) no(?: code)? \w+`)

// objection is what no mere explanation holds: doubt, contrast, condition,
// something wrong, something to be done.
var objection = anyOf("should*", "must", "could", "would", "might", "may", "can", "cannot", "maybe", "perhaps", "consider", "please", "pls", "needs?", "needed", "ought", "better", "rather", "instead", "prefer*", "recommend*", "i(?:'d| would)? suggest", "let's", "wonder*", "not", `\w+n't`, "never", "without", "unless", "if", "but", "however", "though", "although", "except", "otherwise",
	"wrong*", "incorrect*", "fail*", "break*", "broke", "broken", "crash*", "regress*", "leak*", "lost", "los(?:e|es|ing)", "missing", "missed", "forg[oe]t*", "ignored", "silently", "bugs?", "race*", "deadlock*", "slow*", "expensive", "unused", "redundant", "unnecessary", "unclear", "confus*", "mislead*", "inconsisten*", "duplicat*", "deprecat*", "twice", "too", "still", "only", "already", "seems?", "looks like", "i think", "concern*", "worr(?:y|ied)", "risk*", "problem*", "issues?", "to avoid", "nit", "todo", "why", "also", "enough", "null*", "nil", "undefined", "overflow*", "corrupt*")

// onlyExplains reports whether every sentence of a comment says what the change
// or the code does or did, and none objects or asks.
func onlyExplains(list []sentence, t markdown.Text) bool {
	if t.Suggestions > 0 || t.CodeBlocks > 0 {
		return false
	}
	explained := false
	for _, s := range list {
		text := plainDenial.ReplaceAllString(s.text, " ")
		switch {
		case s.isPraise() || s.isNeutral():
		case s.question || objection.MatchString(text) || imperative.MatchString(text):
			return false
		case explains.MatchString(s.text) || explainsFirst.MatchString(s.text):
			explained = true
		default:
			return false
		}
	}
	return explained
}

var (
	// elsewhere matches words that only point at another comment.
	elsewhere = regexp.MustCompile(`(?i)\b(?:same (?:as|comment|remark|question|thing|here|issue|applies)(?: (?:as|here|applies|goes|to|for))*(?: (?:the |my |your |in )?(?:comment|remark|one|question|others?)s?)?(?: (?:above|below|before|there|here|earlier))?|(?:as (?:said|mentioned|noted|commented) )(?:above|below|before|earlier)|see (?:my |the |your )?(?:other |previous |earlier )?comments? (?:above|below|there|before)|ditto)\b|\+1 (?:to|on|for) (?:this|that|it|the above|@[\w-]+)`)
	// agrees points at one by a link.
	agrees         = regexp.MustCompile(`(?i)\bi (?:\w+ ){0,2}agree with\b`)
	discussionLink = regexp.MustCompile(`#(?:discussion_|issuecomment|pullrequestreview|r\d)|/(?:pull|issues|discussions)/\d+`)
)

// hangsOn returns the words by which a comment points at another one, if it has
// fewer than the least number of words beside them; else "".
func hangsOn(f facts) string {
	if f.text.Suggestions > 0 || f.text.CodeBlocks > 0 {
		return ""
	}
	at := elsewhere.FindStringIndex(f.text.Prose)
	if at == nil && slices.ContainsFunc(f.text.Links, discussionLink.MatchString) {
		at = agrees.FindStringIndex(f.text.Prose)
	}
	if at == nil {
		return ""
	}
	own := len(strings.Fields(f.text.Prose[:at[0]])) + len(strings.Fields(f.text.Prose[at[1]:]))
	if own >= f.minWords {
		return ""
	}
	return cut(f.text.Prose[at[0]:at[1]])
}
