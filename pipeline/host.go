package pipeline

import (
	"log/slog"
	"time"
)

// Host is the environment of builds and evaluations on this machine.
type Host struct {
	Workers  int                 // items at once within a stage; of an evaluation, records at once
	Getenv   func(string) string // for the keys that the configuration names by environment variable
	Log      *slog.Logger
	Progress Progress
}

// Progress receives the progress of a run. Its methods may be called from several goroutines.
type Progress interface {
	// Phase begins a part of the run ("repositories", "contexts") of so many
	// items; the part before it is over. A part of no items is one piece of work.
	Phase(name string, total int)
	// Weigh says how much work each item of the phase is, in a unit ("pull requests").
	// Without it every item is as much as another.
	Weigh(unit string, work map[string]int)
	// Done says that one more item of the phase is finished, with a word on
	// how it went; with "" it is not worth a line.
	Done(item, how string)
	// Doing says what is being done about an item.
	Doing(item string, now Step)
	// Waiting says what GitHub makes us wait for, and until when.
	Waiting(reason string, until time.Time)
}

// Step is the work on an item: a stage, how many of the pull requests that reached it are done (0 of 0 if they are
// not counted), and the share of the item's whole work, 0 to 1, that is surely done.
type Step struct {
	Stage    string
	Done, Of int
	Over     float64
}

// Silent is a Progress that shows nothing.
type Silent struct{}

// Phase does nothing.
func (Silent) Phase(string, int) {}

// Done does nothing.
func (Silent) Done(string, string) {}

// Weigh does nothing.
func (Silent) Weigh(string, map[string]int) {}

// Doing does nothing.
func (Silent) Doing(string, Step) {}

// Waiting does nothing.
func (Silent) Waiting(string, time.Time) {}

// Quiet is a Host that logs and shows nothing and has no environment variable.
func Quiet(workers int) Host {
	return Host{Workers: workers, Getenv: func(string) string { return "" }, Log: slog.New(slog.DiscardHandler),
		Progress: Silent{}}
}
