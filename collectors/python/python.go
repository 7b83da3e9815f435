// Package python runs Python scripts in a sandbox, under its own tracer, and reports what happened: which statements
// ran, how often and in which order, and where and with what exception the script ended.
//
// The result of a run is a fact. Kept stores it by the content of what ran, so that a reader of the records needs no
// Python. The scripts are strangers': they get no network, no environment, only their own files and the
// interpreter's, and limited time, memory, processes and output.
package python

import (
	"context"
	_ "embed"
	"log/slog"

	"github.com/prforge/prforge/collectors/sandbox"
	"github.com/prforge/prforge/internal/model"
)

// tracer is the interpreter's program.
//
//go:embed tracer.py
var tracer string

// tracerVersion is part of the key of a run: raise it when tracer.py changes its answers.
const tracerVersion = 2

// Runner runs scripts. Its implementations are Sandbox, which has a Python, and
// Kept, which answers from records.
type Runner interface {
	// Runtime describes the interpreter and its libraries.
	Runtime(ctx context.Context) (model.Runtime, error)
	// Run runs the job's script once for each of its seeds and compares the runs. A script's failure is not an error;
	// an error is ours, such as a missing interpreter.
	Run(ctx context.Context, job Job) (Trial, error)
}

// Script is a program with its data files.
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
	// Warm is a source whose top-level imports may happen before the script starts, which saves most of the time of a
	// run; nil restarts the interpreter for each run. A warm run gives the same results, except about imports
	// themselves.
	Warm []byte
	// Printed is how many bytes of the first run's output are returned.
	Printed int
}

// Trial is the common result of all runs of a job. Runs that end by themselves, in the same way, agree whatever they
// print, draw and make.
type Trial struct {
	Agrees bool `json:"agrees"`
	// Record is the first run's; nil if the runs disagree, since a single one is then chance.
	Record *model.ScriptRun `json:"record,omitempty"`
	// Printed is the first run's output, as far as the job asked for it.
	Printed string `json:"-"`
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
	return Limits{CPU: 20, Wall: 200, Memory: 4 << 30, FileSize: 64 << 20, Scratch: 256 << 20, Output: 8 << 20,
		Processes: 32, OpenFiles: 256}
}

// maxAnswer bounds a run's record in bytes.
const maxAnswer = 16 << 20

// Options choose the interpreter and the sandbox.
type Options struct {
	// Interpreter is the path of a Python 3.9 or newer.
	Interpreter string
	// Sandbox is how scripts are isolated from the machine.
	Sandbox sandbox.Way
	// Paths are folders that the interpreter needs besides /usr and its own.
	Paths []string
	// Libraries are the distributions whose versions the Runtime reports.
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
		Sandbox:     sandbox.Auto,
		Libraries:   []string{"numpy", "pandas", "scipy", "matplotlib", "scikit-learn", "seaborn", "statsmodels"},
		Limits:      DefaultLimits(),
		Servers:     2,
		Log:         slog.New(slog.DiscardHandler),
	}
}
