package store

import (
	"errors"
	"fmt"
)

// Schema is the version of the records' layout. A store written with a newer
// one is refused.
//
// Changelog:
//
//	1  the first
//	2  pull requests have a version, and with it force pushes, changes of title,
//	   edits and reactions; records of reviewed revisions
//
// Records of an older schema are read; model.PullRequest.Lacks says what one
// does not have. A store becomes one of the present schema when it is opened.
const Schema = 2

// Errors that a caller decides on.
var (
	// ErrState is every failure to read or write the store's files, such as a full disk. Errors below about these
	// files are ErrState too.
	ErrState = errors.New("the state cannot be used")
	// ErrReplaced says that the store's folder is no longer the one that was opened.
	ErrReplaced = errors.New("its folder was removed or replaced while this run was using it: start the run again")
	// ErrLocked says that another run has the store open.
	ErrLocked = errors.New("another prforge is using this state: wait for it to end, or give this run a --state of its own")
	// ErrNewer says that a newer prforge wrote the store.
	ErrNewer = errors.New("written by a newer prforge: use that one, or another --state")
	// ErrDamaged says that a record or a shard is not what was written.
	ErrDamaged = errors.New("damaged: remove the file to collect it again")
	// ErrTooLarge says that a record is over Options.MaxRecord.
	ErrTooLarge = errors.New("record is too large")
	// ErrNotText says that a record holds bytes that JSON cannot carry.
	ErrNotText = errors.New("record holds text that is not UTF-8")
)

// unusable marks an error as ErrState; nil stays nil.
func unusable(err error) error {
	if err == nil || errors.Is(err, ErrState) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrState, err)
}
