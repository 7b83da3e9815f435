package substance

import (
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/pattern"
)

// Remarks that have enough words but say nothing that could be found in the code: explanations, and remarks that
// depend on another comment.

// explains matches a sentence about what the change or the code does or did.
var explains = anyOf("explains")

// explainsFirst matches such a sentence without a subject, like the title of a commit.
var explainsFirst = pattern.MustCompile(`(?i)^\W*(?:adds|removes|moves|applies|replaces|allows|ensures|renames|introduces)\b`)

// plainDenial matches a "no" that objects to nothing.
var plainDenial = pattern.MustCompile(`(?i)\b(?:is|are) no longer\b|\bthere (?:is|are) no(?: code)? \w+`)

// objection matches what a plain explanation never has: doubt, contrast, condition, something wrong, something to do.
var objection = anyOf("objection")

// ownVoice matches a sentence in which the writer answers or speaks of his own work: what he did or will do, that
// another is right, why something is so.
var ownVoice = pattern.MustCompile(`(?i)` + strings.Join([]string{
	`\bi(?:'ve| have)?(?: just| also| already| now| basically| originally| then| simply| only)* (?:added|removed|renamed|changed|moved|switched|replaced|fixed|updated|extended|covered|took|put|made|kept|left|pushed|reverted|opened|searched|extracted|wrote|rewrote|did|implemented|adjusted|rebased|created|went)\b`,
	`(?:\bi'll|\bi will|^\W*(?:(?:yep|yes|ok|sure)\W+)?will)(?: just| also| now)* (?:add|remove|rename|change|move|switch|replace|fix|update|extend|put|make|do|open|try|push|create|follow up|confirm|work on)\b`,
	`\bi (?:need|needed|have|had) to (?:put|keep|use|add|do)\b|\bworking on it\b|\blet me (?:do|fix|add|check|try)\b|\bi (?:didn't|did not) know\b`,
	`^\W*(?:(?:yep|yes|yeah|ok|okay|sure|also|and|now)\W+)*(?:fixed|done|addressed|added|removed|moved|changed|switched|replaced|rebased|reworked|updated|renamed|extended|checked and \w+ed)\b`,
	`\b(?:you're|you are|you were) right\b|\b(?:got it|get it|got what you mean|gotcha|that's fair|apolog(?:y|ize|ise)|my bad|nit-?picky there)\b|^\W*(?:of course|sure|all good|fair (?:point|enough)|good (?:point|call))\b|\bi agree with your\b`,
	`\bthe (?:reason|idea) (?:i|we|was|is|for)\b|\bmy (?:thinking|reasoning|intention|intent|client)\b|\bthe (?:change|fix) in this (?:pr|commit)\b|^\W*because\b|\bthe current \w+ is (?:better|fine|correct|accurate|right)\b|\bthat's (?:what|why) the\b`,
}, "|"))

// asks matches what an answer never has: a demand, a wish, a proposal.
var asks = anyOf("asks")

// speaksForItself reports whether a comment answers or speaks of its writer's own
// work, and nowhere asks for anything.
func speaksForItself(list []sentence) bool {
	own := false
	for _, s := range list {
		if s.question {
			return false
		}
		if ownVoice.MatchString(s.text) {
			own = true
		} else if !s.praise && (asks.MatchString(s.text) || demand.MatchString(s.text) || imperative.MatchString(s.text)) {
			return false
		}
	}
	return own
}

// onlyExplains reports whether a comment speaks for itself, or every sentence of
// it says what the change or the code does or did, and none objects or asks.
func onlyExplains(f facts) bool {
	if !f.has(explanations) || f.text.Suggestions > 0 || f.text.CodeBlocks > 0 {
		return false
	}
	if speaksForItself(f.sentences) {
		return true
	}
	explained := false
	for _, s := range f.sentences {
		text := plainDenial.ReplaceAllString(s.text, " ")
		switch {
		case s.praise || s.isNeutral():
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
	elsewhere = pattern.MustCompile(`(?i)\b(?:same (?:as|comment|remark|question|thing|here|issue|applies)(?: (?:as|here|applies|goes|to|for))*(?: (?:the |my |your |in )?(?:comment|remark|one|question|others?)s?)?(?: (?:above|below|before|there|here|earlier))?|(?:as (?:said|mentioned|noted|commented) )(?:above|below|before|earlier)|see (?:my |the |your )?(?:other |previous |earlier )?comments? (?:above|below|there|before)|ditto)\b|\+1 (?:to|on|for) (?:this|that|it|the above|@[\w-]+)`)
	// agrees matches a link to another comment.
	agrees         = pattern.MustCompile(`(?i)\bi (?:\w+ ){0,2}agree with\b`)
	discussionLink = regexp.MustCompile(`#(?:discussion_|issuecomment|pullrequestreview|r\d)|/(?:pull|issues|discussions)/\d+`)
)

// hangsOn returns the words by which a comment points at another one, if it has fewer than the minimum of other
// words; else "".
func hangsOn(f facts) string {
	if !f.has(pointers) || f.text.Suggestions > 0 || f.text.CodeBlocks > 0 {
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
	if own >= f.options.MinWords {
		return ""
	}
	return cut(f.text.Prose[at[0]:at[1]])
}
