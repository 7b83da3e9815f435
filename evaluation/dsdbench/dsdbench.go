// Package dsdbench scores answers exactly as the published scorer of DSDBench
// does (KevinCL16/DSDBench at 015d6e3), its faults included, so that a
// published number can be repeated. Our own scores are in evaluation/debugging.
//
//	exact.go    one answer against one truth
//	truth.go    what the scorer takes for truth from a program's output
//	agent.go    reading a model's and a judge's answers, record by record
//	metrics.go  the tables over records
package dsdbench

// Name and Version name the protocol.
const (
	Name    = "dsdbench"
	Version = "015d6e3"
)

// Dimensions of an answer, in the order of the published tables.
var dimensions = [4]string{"cause_line", "effect_line", "error_type", "error_message"}

// Scores is the scores of one answer.
type Scores struct {
	Cause  int `json:"cause_line_score"` // 0 or 1
	Effect int `json:"effect_line_score"`
	Type   int `json:"error_type_score"`
}

// Judged is Scores with the judge's score of the message.
type Judged struct {
	Scores
	// Message is the judge's score as it gave it: a number, or a text, which
	// breaks the tables.
	Message any    `json:"error_message_score"`
	Reason  string `json:"error_message_eval_reason"`
}
