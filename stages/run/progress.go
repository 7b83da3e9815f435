package run

import "time"

// Progress is told how far a build has come. Its methods may be called from
// several goroutines.
type Progress interface {
	// Phase begins a part of the run ("repositories", "contexts") of so many
	// items; the part before it is over.
	Phase(name string, total int)
	// Done says that one more item of the phase is finished, with a word on
	// how it went.
	Done(item, how string)
	// Doing says what is being done about an item: a stage, and for how many of the
	// pull requests that reached it that is over.
	Doing(item, stage string, done, of int)
	// Waiting says what GitHub makes us wait for, and until when.
	Waiting(reason string, until time.Time)
}

// Silent is a Progress that shows nothing.
type Silent struct{}

// Phase does nothing.
func (Silent) Phase(string, int) {}

// Done does nothing.
func (Silent) Done(string, string) {}

// Doing does nothing.
func (Silent) Doing(string, string, int, int) {}

// Waiting does nothing.
func (Silent) Waiting(string, time.Time) {}
