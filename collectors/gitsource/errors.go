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
	// ErrAuth is a server that does not take the token: it ends the run.
	ErrAuth = errors.New("git does not take the token: set GITHUB_TOKEN to one that is valid")
	// ErrNetwork is a transfer that failed on every attempt.
	ErrNetwork = errors.New("transfer failed")
	// ErrAbsent is an object that the server does not have any more.
	ErrAbsent = errors.New("the server does not have it")
	// ErrCorrupt is local damage. It is returned only after one rebuild of the repository.
	ErrCorrupt = errors.New("local git repository is damaged")
	// ErrTooLarge is something over its limit in Options.
	ErrTooLarge = errors.New("over the size limit")
	// ErrDisk says that nothing can be written: it ends the run.
	ErrDisk = errors.New("cannot write to the state folder")
)

// Error is a failed git command with its operation, its kind of failure, and git's message.
type Error struct {
	Op     string // "fetch", "merge-base", ...
	Kind   error  // one of the above
	Detail string // the end of git's standard error
	Err    error  // how the process ended
}

// Error implements error.
func (e *Error) Error() string {
	if e.Detail != "" {
		return fmt.Sprintf("git %s: %v: %s", e.Op, e.Kind, e.Detail)
	}
	return fmt.Sprintf("git %s: %v: %v", e.Op, e.Kind, e.Err)
}

// Unwrap gives the kind and the cause to errors.Is.
func (e *Error) Unwrap() []error { return []error{e.Kind, e.Err} }

// Git's messages (in the C locale) for each kind. Any other failed transfer counts as a network failure: after a cut
// or garbled answer git may print almost anything.
var (
	saysDisk        = regexp.MustCompile(`(?i)no space left on device|disk quota exceeded|read-only file system|file too large|(create|write|open|mkdir|rename).*permission denied`)
	saysUnavailable = regexp.MustCompile(`(?i)repository '.*' not found|requested URL returned error: (401|403|404|410|451)\b|could not read Username|terminal prompts disabled|Authentication failed|transport '.*' not allowed`)
	saysUnknownUser = regexp.MustCompile(`(?i)requested URL returned error: 401\b|could not read Username|terminal prompts disabled|Authentication failed`)
	// it has a reference to a missing object
	saysDamage   = regexp.MustCompile(`could not fetch \S+ from promisor remote`)
	saysAbsent   = regexp.MustCompile(`(?i)(?:not our ref|unadvertised object) ([0-9a-f]{40})`)
	saysLimited  = regexp.MustCompile(`(?i)(HTTP|returned error:) 429\b`)
	saidByServer = regexp.MustCompile(`(?m)^remote: .*$`)
)

// classifySigned is classifyFetch for a transfer with a token. Without one, GitHub gives the same answer for a
// repository that does not exist.
func classifySigned(stderr string) error {
	kind := classifyFetch(stderr)
	if errors.Is(kind, ErrUnavailable) && saysUnknownUser.MatchString(saidByServer.ReplaceAllString(stderr, "")) {
		return ErrAuth
	}
	return kind
}

// classifyFetch returns the kind of a failed transfer.
func classifyFetch(stderr string) error {
	ours := saidByServer.ReplaceAllString(stderr, "")
	switch {
	case saysDisk.MatchString(ours):
		return ErrDisk
	case saysDamage.MatchString(ours):
		return ErrCorrupt
	case saysAbsent.MatchString(ours):
		return ErrAbsent
	case saysUnavailable.MatchString(ours):
		return ErrUnavailable
	default:
		return ErrNetwork
	}
}

// quiet reports whether git failed without output, which is how it answers no.
func quiet(err error) bool {
	var failed *Error
	return errors.As(err, &failed) && failed.Detail == ""
}

// limited reports whether a transfer failed because the server allows fewer requests.
func limited(err error) bool {
	var failed *Error
	return errors.As(err, &failed) && saysLimited.MatchString(failed.Detail)
}

// classifyLocal returns the kind of a failed command without network. Everything it needs was fetched before, so the
// failure means damage.
func classifyLocal(stderr string) error {
	if saysDisk.MatchString(stderr) {
		return ErrDisk
	}
	return ErrCorrupt
}

// absent lists the objects that the server reported missing.
func absent(stderr string) []string {
	var oids []string
	for _, m := range saysAbsent.FindAllStringSubmatch(stderr, -1) {
		oids = append(oids, strings.ToLower(m[1]))
	}
	return oids
}
