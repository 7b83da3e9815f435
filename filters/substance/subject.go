package substance

import (
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pathkind"
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

// aside matches a writer's own words for a remark on what the change leaves alone, on what may stay, or that repeats
// another one.
var aside = pattern.MustCompile(`(?i)\b(?:unrelated|not (?:directly |really )?(?:related|pertaining))` +
	` to (?:this|the|your|these) (?:prs?|pull requests?|changes?),? (?:but|though)\b` +
	`|\bthis (?:is )?(?:outside|out of) (?:of )?(?:the )?scope\b` +
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
var open = pattern.MustCompile(`(?i)\bno need to change\b|^\W*very minor\b|` +
	`\b(?:purely?|just) (?:\w+ of )?nit-?picking\b`)

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
	return !f.anyMatches(public) && asksOnlyFor(f.sentences, named, renamesTo)
}

// onlyReforms reports whether a comment proposes code in another form and names nothing that this changes: in the
// words of its proposal, with too few words for a reason, or as a nit.
func onlyReforms(f facts) bool {
	if f.anyMatches(matters) {
		return false
	}
	if f.text.Words < f.options.MinWords {
		return f.changesCode && !f.anyMatches(defect) && !f.anyMatches(consequence)
	}
	small := len(f.sentences) > 0 && nit.MatchString(f.sentences[0].text)
	if small && !f.anyMatches(consequence) && !f.anyMatches(concern) {
		return true
	}
	found := false
	for _, s := range f.sentences {
		reform := reforms.MatchString(s.text)
		if !reform && s.wants() {
			return false
		}
		found = found || reform && !s.praise
	}
	return found
}

// on is what a comment is on.
type on int

const (
	noText       on = iota // code, or unknown
	codeComment            // a comment in the code, a docstring
	documentFile           // a file of documentation
)

// textUnder tells whether a comment is on text for people.
func textUnder(t *model.Thread, c *model.Comment) on {
	if pathkind.IsDocs(t.Path) && !pathkind.IsSource(t.Path) {
		return documentFile
	}
	before, lines := commented(t, c)
	marks, text := commentMarks(t.Path), strings.TrimSpace(strings.Join(lines, "\n"))
	docstring := marks.docstrings && (insideDocstring(before) || strings.HasPrefix(text, `"""`))
	if text != "" && (docstring || marks.code(lines) == "") {
		return codeComment
	}
	return noText
}
