// Package debugging scores answers about scripts with injected errors: which line is the cause, which line shows the
// effect, what type and what message. Named errors are assigned to true ones one to one, so that the order does not
// matter and naming one error twice earns nothing. The published scorer, which differs, is evaluation/dsdbench.
//
//	answer.go   reading a model's answer
//	line.go     when a line, a type, a message is the right one
//	assign.go   which named error counts for which true one
//	score.go    counts and rates over samples, broken down
package debugging

// The dimensions of an answer, in the order of Right.
const (
	Cause = iota
	Effect
	Type
	Message
	dimensions
)

// Dimensions are the names of the dimensions.
func Dimensions() []string {
	return []string{"cause_line", "effect_line", "error_type", "error_message"}
}

// Right says which dimensions of a named error are right.
type Right [dimensions]bool

// count is how many dimensions are right.
func (r Right) count() int {
	n := 0
	for _, ok := range r {
		if ok {
			n++
		}
	}
	return n
}

// Line is a statement of a script: its text and its lines, counted from 1. Zero
// numbers are unknown.
type Line struct {
	Text  string `json:"text"`
	First int    `json:"first"`
	Last  int    `json:"last"`
}

// Truth is one error of a sample.
type Truth struct {
	ID      string `json:"error_id"`
	Cause   Line   `json:"cause"`
	Effect  Line   `json:"effect"`
	Type    string `json:"error_type"`    // with or without its module
	Message string `json:"error_message"` // with or without its type
	// Groups are what recall is broken down by: hop, type, operator, library.
	Groups map[string]string `json:"groups"`
}

// Sample is a question with its key.
type Sample struct {
	ID     string  `json:"sample_id"`
	Script string  `json:"script_id"` // the cluster of intervals
	Code   string  `json:"code"`      // as shown; "" allows any text, however often it occurs
	Truths []Truth `json:"truths"`
	Task   string  `json:"task,omitempty"`   // what the script is for
	Prompt string  `json:"prompt,omitempty"` // the prompt that it is asked by (WithPrompt); "" for our own
}
