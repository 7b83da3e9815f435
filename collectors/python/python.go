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

	"github.com/prforge/prforge/collectors/sandbox"
	"github.com/prforge/prforge/internal/model"
)

// tracer is the program that the interpreter is given.
//
//go:embed tracer.py
var tracer string

// tracerVersion is a part of what a run is kept by: raise it when tracer.py
// changes what it answers.
const tracerVersion = 2

// Runner runs scripts. Its implementations are Sandbox, which has a Python, and
// Kept, which answers from records.
type Runner interface {
	// Runtime describes the interpreter and its libraries.
	Runtime(ctx context.Context) (model.Runtime, error)
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
	// interpreter again for each. A warm run answers the same, except about
	// imports themselves.
	Warm []byte
	// Printed is how many bytes of what the first run prints are given.
	Printed int
}

// Trial is what all runs of a job agree on. Runs that end by themselves, in the same
// way, agree whatever they print, draw and make.
type Trial struct {
	Agrees bool `json:"agrees"`
	// Record is the first run's; nil where the runs disagree, since what a
	// single one did is then chance.
	Record *model.ScriptRun `json:"record,omitempty"`
	// Printed is what the first run printed, as far as the job asked for it.
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
	return Limits{CPU: 20, Wall: 200, Memory: 4 << 30, FileSize: 64 << 20, Scratch: 256 << 20, Output: 8 << 20, Processes: 32, OpenFiles: 256}
}

// maxAnswer bounds a run's record in bytes.
const maxAnswer = 16 << 20

// Options choose the interpreter and the sandbox.
type Options struct {
	// Interpreter is the path of a Python 3.9 or newer.
	Interpreter string
	// Sandbox is how scripts are kept apart from the machine.
	Sandbox sandbox.Way
	// Paths are folders that the interpreter needs beside /usr and those that it
	// names itself.
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
		Sandbox:     sandbox.Auto,
		Libraries:   []string{"numpy", "pandas", "scipy", "matplotlib", "scikit-learn", "seaborn", "statsmodels"},
		Limits:      DefaultLimits(),
		Servers:     2,
		Log:         slog.New(slog.DiscardHandler),
	}
}
