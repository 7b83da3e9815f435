// Package authorship decides who wrote something: a person, an automation or AI-review account, or an AI whose text a
// person posted (spec section 4, "Accounts" and "AI-written text"). Accounts and phrases are in data files; each
// entry has its source and date.
package authorship

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/prforge/prforge/internal/pattern"
)

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

// Entry is one account of the registry.
type Entry struct {
	Login   string   `yaml:"login"`             // as GitHub shows it, without "[bot]"
	Aliases []string `yaml:"aliases,omitempty"` // the same account under other spellings
	Kind    Kind     `yaml:"kind"`
	Source  string   `yaml:"source"` // where its nature is documented or was observed
	Date    string   `yaml:"date"`   // when the entry was added or last checked, YYYY-MM-DD
	// Generic marks a login that is an ordinary word: it is the tool only if GitHub does not call the account a user.
	Generic bool `yaml:"generic,omitempty"`
	// Curated is false for an entry of Options.
	Curated bool `yaml:"-"`
}

// phrase is one known mark of AI-written reviews.
type phrase struct {
	ID      string `yaml:"id"`
	Pattern string `yaml:"pattern"` // RE2, without regard to case, "^" and "$" at every line
	Source  string `yaml:"source"`
	Date    string `yaml:"date"`

	match *pattern.Pattern
}

// TextOptions are the thresholds of the rules on AI-written text.
type TextOptions struct {
	MinH2        int // headings of level 2 that give a text away; 3
	MinTableRows int // rows of table bodies; 3
	LongRunes    int // a text longer than this many characters ...
	LongHeadings int // ... with at least this many headings; 2,000 and 2
}

// entryDate is the form of an entry's date.
var entryDate = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)

// checkEntry rejects an entry of a data file that has no source or date, or that is a duplicate.
func checkEntry(name, source, date string, seen map[string]bool) error {
	key := normalize(name)
	switch {
	case key == "" || seen[key]:
		return fmt.Errorf("%q is empty or there twice", name)
	case source == "" || !entryDate.MatchString(date):
		return fmt.Errorf("%q has no source or no date", name)
	}
	seen[key] = true
	return nil
}

// normalize unifies the spellings of one account: REST adds "[bot]", the gh tool prefixes "app/", and GitHub's logins
// ignore case.
func normalize(login string) string {
	s := strings.ToLower(strings.TrimSpace(login))
	s = strings.TrimPrefix(s, "@")
	s = strings.TrimPrefix(s, "app/")
	return strings.TrimSuffix(s, "[bot]")
}
