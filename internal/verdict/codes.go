package verdict

// Code is a stable reason code, in snake case. Codes are never renamed: people
// count them.
type Code string

// Reason describes a code: docs/reasons.md is made from this table.
type Reason struct {
	Code  Code
	Stage string // the stage or rule that gives it
	Text  string // one sentence for a reader
}
