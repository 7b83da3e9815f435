// Package python runs Python scripts in a sandbox, under a tracer of its own,
// and says what happened: which statements ran, how often and in which order,
// and where and with what an exception left the script.
//
// What a run gives is a fact. Kept keeps it by the content of what ran, so that
// whoever has the records needs no Python. The scripts are from strangers:
// they get no network, no environment, no file but their own and the
// interpreter's, and limited time, memory, processes and output.
package python

import (
	"context"
	_ "embed"
	"log/slog"
)

// tracer is the program that the interpreter is given.
//
//go:embed tracer.py
var tracer string

// TracerVersion is a part of what a run is kept by: raise it when tracer.py
// changes what it answers.
const TracerVersion = 1

// Runner runs scripts. Its implementations are Sandbox, which has a Python, and
// Kept, which answers from records.
type Runner interface {
	// Runtime describes the interpreter and its libraries.
	Runtime(ctx context.Context) (Runtime, error)
	// Run runs the job's script once for each of its seeds and compares the
	// runs. A script that fails is no error; the error is about us, such as an
	// interpreter that is missing.
	Run(ctx context.Context, job Job) (Trial, error)
}

// Script is a program with the files that lie beside it.
type Script struct {
	Path   string // slash path within its work folder
	Code   []byte
	Inputs []File
}

// File is a file of a script's work folder.
type File struct {
	Path    string // slash path within the work folder
	Content []byte
}

// Job is what to run.
type Job struct {
	Script Script
	// Seeds are the hash and random seeds of the runs, one run each.
	Seeds []int
	// Warm is a source whose top-level imports may have happened before the
	// script starts, which saves most of the time of a run; nil starts the
	// interpreter anew for each. A warm run answers the same, except about
	// imports themselves.
	Warm []byte
}

// Trial is what all runs of a job agree on.
type Trial struct {
	Agrees bool `json:"agrees"`
	// Record is the first run's; nil where the runs disagree, since what a
	// single one did is then chance.
	Record *Record `json:"record,omitempty"`
}

// Status is how a run ended.
type Status string

// The statuses.
const (
	OK        Status = "ok"        // to the end
	Exit      Status = "exit"      // by SystemExit; Record.Exit is its code
	Raised    Status = "exception" // by an exception that nothing caught
	Unparsed  Status = "unparsed"  // never started: no Python
	Timeout   Status = "timeout"   // over the limit of CPU or wall time
	TooMuch   Status = "output"    // over the limit of output
	Memory    Status = "memory"    // over the limit of memory of all its processes
	Processes Status = "processes" // over the limit of processes
	Killed    Status = "killed"    // by a signal
	Vanished  Status = "vanished"  // without an answer, as by os._exit
)

// Record is what one run did.
type Record struct {
	Status Status `json:"status"`
	// Exit is SystemExit's code, the code of a process that vanished, or the
	// signal that killed it.
	Exit int `json:"exit,omitempty"`
	// Exception is what left the script; nil unless Status is Raised or Unparsed.
	Exception *Exception `json:"exception,omitempty"`
	// Chain are the exceptions that led to it, nearest first.
	Chain []Link `json:"chain,omitempty"`
	// Statements are those that ran, by line.
	Statements []Executed `json:"statements,omitempty"`
	// Untraced is true where the script switched tracing off.
	Untraced bool `json:"untraced,omitempty"`
	// Output is a digest of what it printed, Figures are digests of the figures
	// it left open, and Made of the files that it made or changed, by path: for
	// Status OK and Exit only.
	Output  string            `json:"output,omitempty"`
	Bytes   int64             `json:"output_bytes,omitempty"`
	Figures []string          `json:"figures,omitempty"`
	Made    map[string]string `json:"made,omitempty"`
}

// Exception is an exception as it left the script.
type Exception struct {
	Type    string `json:"type"` // qualified name without the module
	Module  string `json:"module"`
	Message string `json:"message"` // str() of it, at most 65,536 characters
	Length  int    `json:"message_length"`
	// Frames are those inside the script, outermost first.
	Frames []Frame `json:"frames"`
	// Library is the top-level package of the frame that the deepest script
	// frame called; "" where it raised itself or called native code.
	Library string `json:"library,omitempty"`
	// Environment is true for OSError, MemoryError and what derives from them;
	// Filename is the path that an OSError names.
	Environment bool   `json:"environment,omitempty"`
	Filename    string `json:"filename,omitempty"`
}

// Deepest is the innermost frame inside the script, nil where there is none.
func (e *Exception) Deepest() *Frame {
	if len(e.Frames) == 0 {
		return nil
	}
	return &e.Frames[len(e.Frames)-1]
}

// Frame is a traceback's frame inside the script.
type Frame struct {
	Line     int    `json:"line"`  // that the interpreter names, 1-based
	First    int    `json:"first"` // the statement's lines, inclusive; a
	Last     int    `json:"last"`  // compound statement's are its header's
	Function string `json:"function"`
}

// Link is an exception of a chain.
type Link struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// Executed is a statement that ran: its first and last line, how often, and at
// which steps first and last. A step is one line reached.
type Executed struct {
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

// Limits bound a run. Memory, FileSize, Output and Scratch are in bytes.
type Limits struct {
	CPU       int   // seconds of a process
	Wall      int   // seconds of the whole run
	Memory    int64 // address space of a process, resident memory of all
	FileSize  int64 // of one file
	Scratch   int64 // of all files
	Output    int64 // of standard output and error together
	Processes int
	OpenFiles int
}

// DefaultLimits are enough for four of five examples of scikit-learn.
func DefaultLimits() Limits {
	return Limits{CPU: 20, Wall: 200, Memory: 4 << 30, FileSize: 64 << 20, Scratch: 256 << 20, Output: 8 << 20, Processes: 32, OpenFiles: 256}
}

// maxAnswer bounds a run's record in bytes.
const maxAnswer = 16 << 20

// Options choose the interpreter and the sandbox.
type Options struct {
	// Interpreter is the path of a Python 3.9 or newer.
	Interpreter string
	// Sandbox is one of the ways; Auto takes the first that works.
	Sandbox Way
	// Paths are folders that the interpreter needs beside /usr.
	Paths []string
	// Libraries are the distributions whose versions the Runtime gives.
	Libraries []string
	Limits    Limits
	// Servers is how many warm interpreters are held at once.
	Servers int
	// Log receives which sandbox is used.
	Log *slog.Logger
}

// DefaultOptions are those of Debian's Python.
func DefaultOptions() Options {
	return Options{
		Interpreter: "/usr/bin/python3",
		Sandbox:     Auto,
		Libraries:   []string{"numpy", "pandas", "scipy", "matplotlib", "scikit-learn", "seaborn", "statsmodels"},
		Limits:      DefaultLimits(),
		Servers:     2,
		Log:         slog.New(slog.DiscardHandler),
	}
}
