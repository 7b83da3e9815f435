// Package bugs scores reviewers on files with one known fault, by rule and without a judge: the score of a finding
// depends on what it names (the undeclared name, the line, the kind of error).
//
//	benchmark.go   the questions, and the scores as the evaluation wants them
//	read.go        reading an answer, JSON or prose
//	credit.go      what one finding is worth; false alarms; failure types
//	summary.go     tables: rates with intervals beside chance, failure types, paired tests
//	factors.go     rates by what may make a fault harder to see
//	judge.go       the paper's blind judge and an informed one, and their calibration
//	people.go      people's labels of answers, and how far rule and judges agree with them
//	reference.go   reviewers with known results
//	cheats.go      reviewers that read no meaning
package bugs

import "github.com/prforge/prforge/internal/model"

// Families of a question.
const (
	Undeclared  = "undeclared_name"
	Indentation = "indentation"
	Import      = "import"
	Logic       = "logic" // it runs, and does something else
	Control     = "none"  // a file without a fault
)

// other is the kind of a finding that belongs to no family.
const other = "other"

// Finding is a failure that a reviewer predicts.
type Finding struct {
	Path  string `json:"path"`
	Line  int    `json:"line"` // 0 where none is named
	Kind  string `json:"kind"` // undeclared_name, indentation, import, logic or other
	Name  string `json:"name"`
	Error string `json:"error"`
	Why   string `json:"why"`
}

// Key is the input of scoring a question: a line of bugs/answers.jsonl (spec section 14), with the text that was
// shown.
type Key struct {
	QuestionID string  `json:"question_id"`
	TaskID     string  `json:"task_id"`
	Repo       string  `json:"repo"`
	Path       string  `json:"path"`
	Mode       string  `json:"mode"`   // file or change
	Prompt     string  `json:"prompt"` // review, told or tests
	Family     string  `json:"family"`
	Kind       string  `json:"kind"`       // U1 to U7, I1 to I4, E5; a control's own
	Level      int     `json:"level"`      // 1 to 4; 0 for a control
	Fault      *Fault  `json:"fault"`      // nil for a control
	Chance     float64 `json:"chance"`     // the probability that a drawn candidate line is within one of an accepted line
	ControlOf  *string `json:"control_of"` // the question that a control goes with
	// Against is, by configuration, how many records of the other sort the dataset has
	// (Oppose).
	Against map[string]int `json:"against,omitempty"`
	// DecidableIn are the configurations that show enough to see the fault; nil for all. In the others a miss does
	// not count.
	DecidableIn []string `json:"decidable_in"`
	// Lint are the findings of a linter of the shown file, Checked, by
	// configuration, those of one that also looks up imports in what is shown.
	Lint       []Finding            `json:"lint"`
	Checked    map[string][]Finding `json:"checked"`
	AddedLines []int                `json:"added_lines"`
	// Candidates are the lines that Chance counts; nil means the added lines, or all of the source.
	Candidates []int `json:"candidate_lines"`
	// Source is the file as shown, without line numbers.
	Source string `json:"source"`
	// Bound are the names that the file binds in any scope; nil if unknown.
	Bound []string `json:"bound_names"`
}

// Fault is the fault of the file. Lines are those of the shown file, from 1.
type Fault = model.BugFault
