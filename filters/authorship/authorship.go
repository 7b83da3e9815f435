// Package authorship decides who wrote something: a person, an automation or AI-review account, or an AI whose text a
// person posted (spec section 4, "Accounts" and "AI-written text"). Accounts and phrases are in data files; each
// entry has its source and date.
package authorship

// Kind is the purpose of a bot.
type Kind string

// The kinds of the registry. Unlisted is an account that GitHub or its login marks as a bot and that the registry
// does not have.
const (
	Automation Kind = "automation" // CI, labels, merges, coverage, release notes
	Dependency Kind = "dependency" // raises dependency updates
	AIReview   Kind = "ai_review"  // writes reviews or code with a model
	Unlisted   Kind = "unlisted"
)

// Options extends the curated registry.
type Options struct {
	// ExtraAutomation and ExtraAIReview are further logins, with or without
	// "[bot]", in any case.
	ExtraAutomation []string
	ExtraAIReview   []string
	// Text holds the thresholds of the rules on AI-written text; the zero
	// value means defaultTextOptions.
	Text TextOptions
}

// Bot says why an account counts as a bot.
type Bot struct {
	Kind    Kind
	Because string // "registry: coderabbitai", "type", "suffix", "word"
}

// Text says why a text counts as written by an AI.
type Text struct {
	Rule    string // "headings", "table", "phrase: ID", "long"
	Excerpt string // what matched, at most 80 runes
}

// Registry has the known accounts and phrases. It is immutable and safe for concurrent use.
type Registry struct {
	entries map[string]Entry
	phrases []phrase
	text    TextOptions
}
