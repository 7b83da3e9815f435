package gitsource

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// The kinds of failure that a caller decides on; use errors.Is.
var (
	// ErrNoGit says that there is no git to run, or that it is too old.
	ErrNoGit = errors.New("git is needed")
	// ErrUnavailable is a repository that the server will not give: missing,
	// private, blocked. It ends the repository, not the run.
	ErrUnavailable = errors.New("repository is not available")
	// ErrNetwork is a transfer that failed on every attempt.
	ErrNetwork = errors.New("transfer failed")
	// ErrAbsent is an object that the server does not have any more.
	ErrAbsent = errors.New("the server does not have it")
	// ErrCorrupt is local damage. The repository is rebuilt once before this
	// comes out.
	ErrCorrupt = errors.New("local git repository is damaged")
	// ErrTooLarge is something over its limit in Options.
	ErrTooLarge = errors.New("over the size limit")
	// ErrDisk says that nothing can be written: it ends the run.
	ErrDisk = errors.New("cannot write to the state folder")
)

// Error is a failed git command: what was done, which kind of failure it is,
// and what git said.
type Error struct {
	Op     string // "fetch", "merge-base", ...
	Kind   error  // one of the above, or nil for any other failure
	Detail string // the end of git's standard error
	Err    error  // how the process ended; nil if it took damage for an answer
}

// Error implements error.
func (e *Error) Error() string {
	what := "git " + e.Op
	if e.Kind != nil {
		what += ": " + e.Kind.Error()
	}
	if e.Detail != "" {
		return what + ": " + e.Detail
	}
	return fmt.Sprintf("%s: %v", what, e.Err)
}

// Unwrap gives the kind and the cause to errors.Is.
func (e *Error) Unwrap() []error {
	var causes []error
	for _, err := range []error{e.Kind, e.Err} {
		if err != nil {
			causes = append(causes, err)
		}
	}
	return causes
}

// What git says (in the C locale) of each kind. A fetch that fails for any
// other reason counts as a network failure: a cut or garbled answer makes git
// say almost anything.
var (
	saysDisk        = regexp.MustCompile(`(?i)no space left on device|disk quota exceeded|read-only file system|file too large|(create|write|open|mkdir|rename).*permission denied`)
	saysCorrupt     = regexp.MustCompile(`(?i)packfile \S+ (cannot be|does not match|claims to have|index unavailable)|error: (index file|packfile|wrong index|non-monotonic)|(loose|packed) object \S+ .*is corrupt|bad pack checksum|unable to unpack \S+ header|not a git repository|bad object|object file \S+ is empty|does not point to a valid object|inflate returned|error: inflate`)
	saysLocalPack   = regexp.MustCompile(`(?i)packfile \S+ (cannot be|does not match|claims to have|index unavailable)|error: index file|(bad object|error:) refs/keep/`)
	saysUnavailable = regexp.MustCompile(`(?i)repository '.*' not found|requested URL returned error: (401|403|404|410|451)\b|could not read Username|terminal prompts disabled|Authentication failed|transport '.*' not allowed`)
	saysAbsent      = regexp.MustCompile(`(?i)(?:not our ref|unadvertised object) ([0-9a-f]{40})`)
	saidByServer    = regexp.MustCompile(`(?m)^remote: .*$`)
)

// classifyFetch tells the kind of a failed transfer.
func classifyFetch(stderr string) error {
	ours := saidByServer.ReplaceAllString(stderr, "")
	switch {
	case saysDisk.MatchString(ours):
		return ErrDisk
	case saysLocalPack.MatchString(ours):
		return ErrCorrupt
	case saysAbsent.MatchString(ours):
		return ErrAbsent
	case saysUnavailable.MatchString(ours):
		return ErrUnavailable
	default:
		return ErrNetwork
	}
}

// classifyLocal tells the kind of a failed command without network.
func classifyLocal(stderr string) error {
	switch {
	case saysDisk.MatchString(stderr):
		return ErrDisk
	case saysCorrupt.MatchString(stderr):
		return ErrCorrupt
	default:
		return nil
	}
}

// absent lists the objects that the server said it does not have.
func absent(stderr string) []string {
	var oids []string
	for _, m := range saysAbsent.FindAllStringSubmatch(stderr, -1) {
		oids = append(oids, strings.ToLower(m[1]))
	}
	return oids
}
