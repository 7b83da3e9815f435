package model

import (
	"encoding/json"
	"fmt"
)

// RunStatus is how a run ended.
type RunStatus string

// The statuses of a run.
const (
	RunOK        RunStatus = "ok"        // to the end
	RunExit      RunStatus = "exit"      // by SystemExit; ScriptRun.Exit is its code
	RunRaised    RunStatus = "exception" // by an exception that nothing caught
	RunUnparsed  RunStatus = "unparsed"  // never started: no Python
	RunTimeout   RunStatus = "timeout"   // over the limit of CPU or wall time
	RunOutput    RunStatus = "output"    // over the limit of output
	RunMemory    RunStatus = "memory"    // over the limit of memory of all its processes
	RunProcesses RunStatus = "processes" // over the limit of processes
	RunKilled    RunStatus = "killed"    // by a signal
	RunVanished  RunStatus = "vanished"  // without an answer, as by os._exit
	RunForged    RunStatus = "forged"    // with an answer of its own making, or a changed trace
)

// ScriptRun is what one run of a script did.
type ScriptRun struct {
	Status RunStatus `json:"status"`
	// Exit is SystemExit's code, the code of a process that vanished, or the
	// signal that killed it.
	Exit int `json:"exit,omitempty"`
	// Exception is what left the script; nil unless Status is RunRaised or RunUnparsed.
	Exception *ScriptException `json:"exception,omitempty"`
	// Chain are the exceptions that led to it, nearest first.
	Chain []ExceptionLink `json:"chain,omitempty"`
	// Statements are those that ran, by line.
	Statements []ExecutedStatement `json:"statements,omitempty"`
	// Untraced is true where the script switched tracing off.
	Untraced bool `json:"untraced,omitempty"`
	// Output is a digest of what it printed, Figures are digests of the figures
	// it left open, and Made of the files that it made or changed, by path: for
	// Status OK and Exit only.
	// What two runs differ in is Differs.
	Output  string            `json:"output,omitempty"`
	Bytes   int64             `json:"output_bytes,omitempty"`
	Figures []string          `json:"figures,omitempty"`
	Made    map[string]string `json:"made,omitempty"`
}

// Differs replaces a digest in which two runs with the same end differ.
const Differs = "differs"

// ScriptException is an exception as it left the script.
type ScriptException struct {
	Type    string `json:"type"` // qualified name without the module
	Module  string `json:"module"`
	Message string `json:"message"` // str() of it without addresses, at most 65,536 characters
	Length  int    `json:"message_length"`
	// Frames are those inside the script, outermost first.
	Frames []ScriptFrame `json:"frames"`
	// Library is the top-level package of the frame that the deepest script
	// frame called; "" where it raised itself or called native code.
	Library string `json:"library,omitempty"`
	// Environment is true for OSError, MemoryError and what derives from them;
	// Filename is the path that an OSError names.
	Environment bool   `json:"environment,omitempty"`
	Filename    string `json:"filename,omitempty"`
}

// Deepest is the innermost frame inside the script, nil where there is none.
func (e *ScriptException) Deepest() *ScriptFrame {
	if len(e.Frames) == 0 {
		return nil
	}
	return &e.Frames[len(e.Frames)-1]
}

// ScriptFrame is a traceback's frame inside the script.
type ScriptFrame struct {
	Line     int    `json:"line"`  // that the interpreter names, 1-based
	First    int    `json:"first"` // the statement's lines, inclusive; a
	Last     int    `json:"last"`  // compound statement's are its header's
	Function string `json:"function"`
}

// ExceptionLink is an exception of a chain.
type ExceptionLink struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// ExecutedStatement is a statement that ran: its first and last line, how often, and at
// which steps first and last. A step is one line reached.
type ExecutedStatement struct {
	First, Last, Runs, Start, End int
}

// Runtime is an interpreter with the libraries that matter.
type Runtime struct {
	Python         string            `json:"python"` // "3.11.2"
	Implementation string            `json:"implementation"`
	Machine        string            `json:"machine"`
	System         string            `json:"system"`
	Libraries      map[string]string `json:"libraries"`
}

// MarshalJSON writes the five numbers as a list: records hold thousands.
func (e ExecutedStatement) MarshalJSON() ([]byte, error) {
	return json.Marshal([5]int{e.First, e.Last, e.Runs, e.Start, e.End})
}

// UnmarshalJSON reads the list.
func (e *ExecutedStatement) UnmarshalJSON(data []byte) error {
	var n []int
	if err := json.Unmarshal(data, &n); err != nil {
		return err
	}
	if len(n) != 5 {
		return fmt.Errorf("an executed statement of %d numbers, want 5", len(n))
	}
	*e = ExecutedStatement{First: n[0], Last: n[1], Runs: n[2], Start: n[3], End: n[4]}
	return nil
}
