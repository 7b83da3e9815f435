package substance

import (
	"regexp"
	"strings"

	"github.com/prforge/prforge/internal/markdown"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/pattern"
)

// The severities that an explicit mark can give.
const (
	critical = "critical"
	high     = "high"
	medium   = "medium"
	low      = "low"
)

// label matches an explicit mark at the start of a comment: a label of
// conventionalcomments.org with its decorations, or a severity, in brackets,
// in bold, or before a colon or a dash.
var label = regexp.MustCompile(`(?i)^\W*(?:\p{So}\W*)?(non[- ]?blocking|not a blocker|not blocking|blocking|blocker|critical|severe|major|high|important|medium|moderate|minor|low|trivial|super-?nit|nitpick|nit-?pick|nit|nits|typo|polish|quibble|p[0-4]|praise|suggestion|issue|todo|question|thought|chore|note|optional|severity:? *(?:critical|high|medium|low|major|minor))` +
	`(?:\s*[(\[]([^)\]\n]{1,60})[)\]])?(?:\s*(?:\*\*|__|\])?\s*(?::|—|–| - |;|\]|\*\*|,\s)|\s*$)`)

// severityOf maps the words of marks to severities.
var severityOf = map[string]string{
	"critical": critical, "severe": critical, "blocker": critical, "p0": critical,
	"major": high, "high": high, "important": high, "p1": high,
	"medium": medium, "moderate": medium, "p2": medium,
	"minor": low, "low": low, "trivial": low, "p3": low, "p4": low,
	"nit": low, "nits": low, "nitpick": low, "nit-pick": low, "super-nit": low, "supernit": low, "typo": low,
	"polish": low, "quibble": low,
}

// blockingOf maps labels to what their definition says about blocking:
// nitpicks, thoughts, notes and praise never block, todos and chores must be
// done (conventionalcomments.org). Issues and suggestions say nothing alone.
var blockingOf = map[string]bool{
	"blocking": true, "blocker": true, "todo": true, "chore": true,
	"non-blocking": false, "non blocking": false, "nonblocking": false, "not blocking": false, "not a blocker": false,
	"optional": false,
	"nit":      false, "nits": false, "nitpick": false, "nit-pick": false, "super-nit": false, "supernit": false,
	"typo": false, "polish": false, "quibble": false,
	"thought": false, "note": false, "praise": false,
}

// marks are a writer's explicit statements about a remark.
type marks struct {
	label    string // the word, in lower case; "" if there is none
	severity *string
	blocking *bool
}

// readMarks reads the label at the start of a comment's prose.
func readMarks(prose string) marks {
	m := label.FindStringSubmatch(prose)
	if m == nil {
		return marks{}
	}
	var found marks
	found.label = strings.ToLower(m[1])
	word := strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(found.label, "severity"), ":"))
	if s, ok := severityOf[word]; ok {
		found.severity = &s
	}
	if b, ok := blockingOf[found.label]; ok {
		found.blocking = &b
	}
	for decoration := range strings.SplitSeq(strings.ToLower(m[2]), ",") {
		decoration = strings.TrimSpace(decoration)
		if s, ok := severityOf[decoration]; ok {
			found.severity = &s
		}
		switch decoration {
		case "blocking", "blocker":
			yes := true
			found.blocking = &yes
		case "non-blocking", "nonblocking", "non blocking", "not blocking", "if-minor", "optional":
			no := false
			found.blocking = &no
		}
	}
	return found
}

// demand matches phrases that ask for a change.
var demand = anyOf("demand")

// request matches a question for a change, whatever its verb.
var request = pattern.MustCompile(`(?i)\b(?:can|could) (?:you|we)(?: please| pls| also| maybe| just| instead)* [a-z]+`)

// hedge matches phrases that leave the decision to the author.
var hedge = pattern.MustCompile(`(?i)\b(?:probably fine|fine as (?:it )?is|just (?:wanted to note|a thought|thinking out loud|noting)|up to you|your call|feel free|no strong (?:opinion|feeling|preference)s?|not a big deal|take it or leave it|i don(?:'|’)?t mind|either way is fine)\b`)

// imperative matches a sentence that begins with an order.
var imperative = pattern.MustCompile(`(?i)^\W*(?:also|then|and|so|instead|minor|nit|nitpick|suggestion|issue|todo)?[\s,:]*(?:add|remove|rename|change|move|use|make|fix|extract|avoid|drop|revert|document|replace|update|put|keep|return|split|simplify|refactor|handle|check|pass|call|delete|write|include|set|try|apply|convert|ensure|merge|inline|wrap|close|limit|store|sort|create|define|declare|expose|hide|cache|validate|escape|sanitize|release|initialize|prefer|measure|test|cover|verify|stop|mark)\b`)

// requiresChange reports whether a comment asks for a change: the review it
// belongs to requested changes, it holds a suggestion block, its label asks
// for one, or its words demand one. A remark that its writer calls optional
// or not blocking requires none, unless the review requested changes.
func requiresChange(t markdown.Text, list []sentence, m marks, requested bool) bool {
	switch {
	case requested:
		return true
	case m.blocking != nil && !*m.blocking:
		return false
	case t.Suggestions > 0, m.blocking != nil:
		return true
	case m.label == "suggestion", m.label == "issue":
		return true
	}
	for _, s := range list {
		if demand.MatchString(s.text) || request.MatchString(s.text) || imperative.MatchString(s.text) {
			return true
		}
	}
	return false
}

// requestedChanges reports whether a review requested changes, also when it
// was dismissed later.
func requestedChanges(r model.Review, dismissed map[string]model.ReviewState) bool {
	return r.State == model.ChangesRequested || r.State == model.Dismissed && dismissed[r.NodeID] == model.ChangesRequested
}
