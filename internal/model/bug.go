package model

import "strconv"

// The types of a bug-finding dataset (spec section 14), as its files hold them.

// BugQuestion is a line of bugs/questions.jsonl: all that a reviewer may see.
type BugQuestion struct {
	QuestionID string `json:"question_id"`
	Mode       string `json:"mode"`   // file or change
	Prompt     string `json:"prompt"` // name and version of the prompt that goes with it
	Path       string `json:"path"`
	View       string `json:"view"`
	Tokens     int    `json:"tokens"` // of View
	// Contexts are what configurations B and C show behind View; A shows View alone.
	Contexts []BugContext `json:"contexts"`
	// Canary marks the dataset's text: it is in the card, and behind what is shown in
	// every configuration. "" in a dataset of a version without.
	Canary string `json:"canary,omitempty"`
}

// BugContext is what a configuration shows of other files.
type BugContext struct {
	Config string `json:"config"` // B or C
	Text   string `json:"text"`
	Tokens int    `json:"tokens"` // of Text
}

// BugAnswer is a line of bugs/answers.jsonl: the key. It is never part of what a
// reviewer sees. Lines are those of the file as it is shown.
type BugAnswer struct {
	QuestionID string       `json:"question_id"`
	TaskID     string       `json:"task_id"`
	Repo       string       `json:"repo"`
	PRNumber   int          `json:"pr_number"`
	License    *string      `json:"license"` // SPDX; null where none is known
	Path       string       `json:"path"`
	Status     string       `json:"status"` // added or modified
	Mode       string       `json:"mode"`
	MergedAt   string       `json:"merged_at"`
	BaseBlob   *string      `json:"base_blob"` // git's id; null for an added file
	HeadBlob   string       `json:"head_blob"` // of the original, which undoing the edits gives
	Family     string       `json:"family"`    // undeclared_name, indentation, import; none for a control
	Kind       string       `json:"kind"`      // U1 to U7, I1 to I4, E5; for a control untouched, renamed, reindented
	Level      int          `json:"level"`     // 1 to 4; 0 for a control
	Edits      []SourceEdit `json:"edits"`
	Fault      *BugFault    `json:"fault"`  // null for a control
	Chance     float64      `json:"chance"` // that a line drawn from CandidateLines is within one of an accepted one
	// CandidateLines are those that Chance is about: the first lines of all
	// logical lines, or in mode change of the added ones; of the shown file.
	CandidateLines []int   `json:"candidate_lines"`
	ControlOf      *string `json:"control_of"` // the question that a control goes with
	// DecidableIn are the configurations that show what it takes to see the fault.
	DecidableIn  []string `json:"decidable_in"`
	LogicalLines int      `json:"logical_lines"`
	AddedLines   []int    `json:"added_lines"` // of the shown file
}

// SourceEdit replaces the bytes Old, which begin at Offset of the original, by
// New.
type SourceEdit struct {
	Offset int    `json:"offset"` // in bytes of the original
	Line   int    `json:"line"`   // 1-based line of Offset
	Old    string `json:"old"`
	New    string `json:"new"`
}

// BugFault is what a slip is proven to do. Lines are those of the faulty file.
type BugFault struct {
	Name        string `json:"name"`         // the name that is not there; "" for indentation
	Intended    string `json:"intended"`     // what would have been right; "" for indentation
	CauseLine   int    `json:"cause_line"`   // where the slip is
	EffectLines []int  `json:"effect_lines"` // where the error can show
	ReportLine  int    `json:"report_line"`  // what CPython reports
	Error       string `json:"error"`        // the class that CPython raises
}

// BugEvidence is bugs/evidence/ID.json: what the proof rests on.
type BugEvidence struct {
	QuestionID string `json:"question_id"`
	TaskID     string `json:"task_id"`
	Rule       string `json:"rule"`   // R0, R1, indentation, imports; "" for a control
	Module     string `json:"module"` // the module that lacks the name (E5); else ""
	// BoundNames are the names that the original binds in any scope, sorted.
	BoundNames []string `json:"bound_names"`
	// Behavior is the call that proves a fault of logic; null for others.
	Behavior *Behavior `json:"behavior,omitempty"`
	// Refused says of the kinds of the family that were tried before why there
	// was no fault of them.
	Refused map[string]string `json:"refused"`
	// Files says of the pull request's other files why they were not taken.
	Files map[string]string `json:"files"`
	// Factors that may make a fault easier or harder to find.
	Place            float64 `json:"place"`              // of the cause in the file, from 0 to 1
	Distance         int     `json:"distance"`           // lines from the cause to where it shows first
	SpelledElsewhere bool    `json:"spelled_elsewhere"`  // a comment or string has the right spelling
	OldLineElsewhere bool    `json:"old_line_elsewhere"` // the original line occurs once more
}

// BugShortage is a group of questions that has fewer than its quota or its minimum.
type BugShortage struct {
	Group string `json:"group"` // a family; kind U7, level 2, repository OWNER/NAME; ShortOfFiles
	Want  int    `json:"want"`
	Have  int    `json:"have"`
}

// ShortOfFiles is the group of the files that questions and controls are made of,
// where each has a file of its own.
const ShortOfFiles = "files"

// LevelName is how tables, splits and pages call the level of a question with a
// fault.
func LevelName(level int) string { return "level " + strconv.Itoa(level) }

// Behavior is what calls of a function say of an edit in it.
type Behavior struct {
	// Code is why nothing distinguishes the edited function from the original: same_behavior, not_called, not_loaded,
	// no_function, newer_syntax, not_finished; "" if a call does.
	Code     string `json:"code"`
	Function string `json:"function,omitempty"` // its path in the file: Store.get
	// Call is a call that distinguishes the two. Before and After are the differences in its behavior: calls of
	// imports, assignments, the end.
	Call   string `json:"call,omitempty"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}
