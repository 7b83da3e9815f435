package model

import "time"

// FactsVersion is the version of the facts of a pull request, written into
// each. Older records are read; Lacks says what they do not have.
//
// Changelog:
//
//	1  the first, not written into the record
//	2  force pushes, changes of title, edits of descriptions and comments, reactions
const FactsVersion = 2

// ForcePush is a HeadRefForcePushedEvent: the head before and after it. A
// commit that GitHub no longer has is "".
type ForcePush struct {
	At     time.Time `json:"at"`
	Before string    `json:"before"`
	After  string    `json:"after"`
}

// Rename is a change of a pull request's title (RenamedTitleEvent).
type Rename struct {
	At   time.Time `json:"at"`
	From string    `json:"from"`
	To   string    `json:"to"`
}

// Edit is one version of a description or comment: the whole text from At on,
// until the next edit. The first is the text as it was created.
type Edit struct {
	At   time.Time `json:"at"`
	Body string    `json:"body"`
}

// Reaction is one kind of reaction to a comment. By lists at most the first
// MaxReactors accounts, Count all of them.
type Reaction struct {
	Content string    `json:"content"` // THUMBS_UP, HEART, ... as in GitHub's schema
	Count   int       `json:"count"`
	By      []Account `json:"by"`
}

// MaxReactors is how many accounts are kept of one kind of reaction.
const MaxReactors = 20
