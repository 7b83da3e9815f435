package substance

import (
	"slices"

	"github.com/prforge/prforge/internal/pattern"
)

// Remarks that are about something else than what the code does: its documentation, a name, a form that does the same.

// documents matches a sentence about documentation or a comment in the code; rewords one about what a text says.
var (
	documents = anyOf("documents")
	rewords   = anyOf("rewords")
	tests     = pattern.MustCompile(`(?i)\btests?\b`)
)

// namesThings matches a sentence about a name, renamesTo one that goes on with it, public the names that users see:
// those are behavior.
var (
	namesThings = anyOf("namesThings")
	renamesTo   = anyOf("renamesTo")
	public      = anyOf("public")
)

// reforms matches a sentence about the form of code, matters what makes a form more than that.
var (
	reforms = anyOf("reforms")
	matters = anyOf("matters")
)

// readable matches the reason that code reads better.
var readable = pattern.MustCompile(`(?i)\b(?:easier|hard|harder|difficult) to (?:read|follow|understand|parse|grok)\b|\breadab|\bconcise`)

// aside matches a writer's own words for a remark on what the change leaves alone, on what may stay, or that repeats
// another one.
var aside = pattern.MustCompile(`(?i)\b(?:unrelated|not (?:directly |really )?(?:related|pertaining))` +
	` to (?:this|the|your|these) (?:prs?|pull requests?|changes?),? (?:but|though)\b` +
	`|\bthis (?:is )?(?:outside|out of) (?:of )?(?:the )?scope\b` +
	`|\bgeneral (?:\w+ )?tip\b|\bpersonal preference\b|\bi(?:'ll| will|'d| would|'m) be curious\b|\bcurious to see\b` +
	`|\bnot new (?:to|in) (?:this|your)\b|\bok(?:ay)? to do (?:this|it) in\b|\b(?:in|with|for) (?:an)?other (?:commit or )?pr\b` +
	`|\bprobably fine as (?:it )?is\b|\bsince (?:we|you)(?:'re| are) here\b` +
	`|^\W*(?:same (?:as|here|for|(?:\w+ )?(?:comments?|remarks?|questions?|issue|thing)` +
	` (?:as|here|applies))|ditto|as above)\b`)

// beside returns what a comment is about instead of what the code does, "" if it is about that.
func beside(f facts) string {
	switch {
	case f.has(documentation) && onlyDocuments(f):
		return "asks for documentation or another wording of it"
	case f.has(names) && onlyRenames(f):
		return "proposes another name"
	case f.has(forms) && onlyReforms(f):
		return "proposes another form and gives no reason"
	case f.has(asides) && (aside.MatchString(f.text.Prose) || leavesOpen(f)):
		return "its writer says that it is beside the change, fine as it is, or said already"
	}
	return ""
}

// open matches a writer's words for a remark that the author may as well leave.
var open = pattern.MustCompile(`(?i)\bno need to change\b|\bpersonally\b|\bmy taste\b|\bi(?:'d| would)? (?:slightly )?prefer\b|^\W*very minor\b|` +
	`\b(?:purely?|just) (?:\w+ of )?nit-?picking\b`)

// also matches words that begin another remark.
var also = pattern.MustCompile(`(?i)\b(?:also|besides|in addition|and (?:then|please)|another thing)\b`)

// leavesOpen reports whether the writer leaves the decision to the author and names nothing that matters.
func leavesOpen(f facts) bool {
	return (f.anyMatches(hedge) || f.anyMatches(open)) && !f.anyMatches(matters) && !f.anyMatches(consequence)
}

// wants reports whether a sentence asks for something.
func (s sentence) wants() bool {
	return s.question || demand.MatchString(s.text) || imperative.MatchString(s.text) ||
		proposal.MatchString(s.text) || asks.MatchString(s.text)
}

// asksOnlyFor reports whether some sentence is about the topic and none asks for anything else. What a sentence only
// states is a reason unless it names what goes wrong; further matches sentences that go on with the topic.
func asksOnlyFor(list []sentence, topic func(sentence) bool, further *pattern.Pattern) bool {
	found := false
	for _, s := range list {
		switch {
		case s.praise || s.isNeutral():
		case topic(s):
			found = true
		case further.MatchString(s.text):
		case s.wants(), consequence.MatchString(s.text):
			return false
		}
	}
	return found
}

// anyMatches reports whether some sentence matches.
func (f facts) anyMatches(p *pattern.Pattern) bool {
	return slices.ContainsFunc(f.sentences, func(s sentence) bool { return p.MatchString(s.text) })
}

// onlyDocuments reports whether a comment asks for documentation and nothing else, or is on documentation and says
// nothing about behavior.
func onlyDocuments(f facts) bool {
	if f.changesCode {
		return false
	}
	asked := func(s sentence) bool {
		return documents.MatchString(s.text) && !tests.MatchString(s.text) && (s.wants() || objection.MatchString(s.text))
	}
	text := func(s sentence) bool { return asked(s) || rewords.MatchString(s.text) }
	switch f.on {
	case noText:
		return asksOnlyFor(f.sentences, asked, rewords)
	case codeComment:
		if f.text.Suggestions == 0 && !slices.ContainsFunc(f.sentences, text) {
			return false
		}
	}
	return asksOnlyFor(f.sentences, text, rewords) ||
		!slices.ContainsFunc(f.sentences, func(s sentence) bool { return consequence.MatchString(s.text) && !text(s) })
}

// onlyRenames reports whether a comment proposes another name and nothing else, of something that users do not see.
func onlyRenames(f facts) bool {
	named := func(s sentence) bool {
		return namesThings.MatchString(s.text) && !restructures.MatchString(s.text) && !consequence.MatchString(s.text)
	}
	return !f.anyMatches(public) &&
		(asksOnlyFor(f.sentences, named, renamesTo) || leads(f.sentences, named, func(s sentence) bool {
			return also.MatchString(s.text) || matters.MatchString(s.text)
		}))
}

// onlyReforms reports whether a comment proposes code in another form and names nothing that this changes but how the
// code reads: in the words of its proposal, with too few words for a reason, or as a nit.
func onlyReforms(f facts) bool {
	reform := func(s sentence) bool { return reforms.MatchString(s.text) }
	first := leads(f.sentences, reform, func(s sentence) bool { return s.question || consequence.MatchString(s.text) })
	switch {
	case f.anyMatches(matters):
		return first && f.anyMatches(readable)
	case f.text.Words < f.options.MinWords:
		return f.changesCode && !f.anyMatches(defect) && !f.anyMatches(consequence)
	case len(f.sentences) > 0 && nit.MatchString(f.sentences[0].text) && !f.anyMatches(consequence) &&
		!f.anyMatches(concern):
		return true
	}
	return first || asksOnlyFor(f.sentences, reform, reforms)
}

// leads reports whether a comment begins with a remark on the topic, and no later sentence is about something else.
func leads(list []sentence, topic, further func(sentence) bool) bool {
	first := slices.IndexFunc(list, func(s sentence) bool { return !s.praise && !s.isNeutral() })
	return first >= 0 && topic(list[first]) && !slices.ContainsFunc(list[first+1:], func(s sentence) bool {
		return !topic(s) && further(s)
	})
}
