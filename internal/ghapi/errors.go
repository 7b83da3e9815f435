package ghapi

import (
	"errors"
	"fmt"
	"strings"
)

// The kinds of failure that a caller decides on; use errors.Is.
var (
	// ErrNotFound is 404, 410 or NOT_FOUND: missing, deleted and private look
	// alike.
	ErrNotFound = errors.New("not found")
	// ErrBlocked is a repository taken down (451, 403 with a block reason);
	// Error.Reason has "dmca", "tos", ...
	ErrBlocked = errors.New("access blocked")
	// ErrForbidden is a refusal that no waiting fixes: SAML, missing rights.
	ErrForbidden = errors.New("forbidden")
	// ErrRefused is any other refusal of a REST request (422, 400): it is about what
	// was asked for.
	ErrRefused = errors.New("request refused")
	// ErrAuth is 401: the credentials are wrong or were revoked. It ends a run.
	ErrAuth = errors.New("bad credentials: set GITHUB_TOKEN to a token that is valid")
	// ErrEmpty is 409 for a git repository without commits.
	ErrEmpty = errors.New("repository is empty")
	// ErrTooLarge is a diff that GitHub refuses for its size (406), or a body
	// over our own bound. Take it from git.
	ErrTooLarge = errors.New("too large")
	// ErrNotAvailable is GitHub giving up on a diff (code not_available). Take it
	// from git.
	ErrNotAvailable = errors.New("not available")
	// ErrResourceLimits asks for a smaller page: GitHub cut the answer short.
	ErrResourceLimits = errors.New("resource limits exceeded")
	// ErrTimeout asks for a smaller page: GitHub did not finish within its ten seconds, answered 5xx, or the answer
	// broke off.
	ErrTimeout = errors.New("timed out")
	// ErrLimited is a rate limit that was still in force after every wait. It ends a run, because the limit applies
	// to every request.
	ErrLimited = errors.New("rate limited")
	// ErrBadBody is an answer that is no data: an error page, an empty, cut or
	// garbled body, or one that failed the caller's check, every time.
	ErrBadBody = errors.New("unusable answer")
	// ErrMismatch is an answer that contradicts GitHub's own counts, every time. A
	// caller's check says so by wrapping it.
	ErrMismatch = errors.New("the answer contradicts GitHub's own counts")
	// ErrToken is a token that cannot be sent.
	ErrToken = errors.New("the token is unusable")
	// ErrNetwork is a connection that failed on every attempt.
	ErrNetwork = errors.New("cannot reach GitHub")
	// ErrBudget says that the run's budget of retries is spent. It ends a run; collected facts are kept.
	ErrBudget = errors.New("too many failures in a row: GitHub seems to be down; run the same command again later")
	// ErrQuery is a query that GitHub does not accept, an internal error, or a
	// GraphQL endpoint that refuses whatever it is asked. It ends a run.
	ErrQuery = errors.New("query refused")
)

// Error is a request that failed for good.
type Error struct {
	Kind     error  // one of the Err values above
	Op       string // method and path, or "graphql"; never a token
	Status   int    // HTTP status; 0 if there was no answer
	Reason   string // GitHub's code or block reason: "dmca", "too_large", "saml"
	Message  string // GitHub's message, or what was wrong with the body
	Attempts int    // how often it was asked, not counting waits for a limit
	Err      error  // the cause on our side, if any
}

// Error names the request, the answer and the number of attempts.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %v", e.Op, e.Kind)
	if e.Status != 0 {
		fmt.Fprintf(&b, " (HTTP %d)", e.Status)
	}
	if e.Reason != "" {
		fmt.Fprintf(&b, " [%s]", e.Reason)
	}
	if e.Message != "" {
		fmt.Fprintf(&b, ": %s", e.Message)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	if e.Attempts > 1 {
		fmt.Fprintf(&b, " (asked %d times)", e.Attempts)
	}
	return b.String()
}

// Unwrap gives the kind and the cause.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// GraphQLError is one entry of a GraphQL answer's errors.
type GraphQLError struct {
	Type    string   // NOT_FOUND, FORBIDDEN, RESOURCE_LIMITS_EXCEEDED, ...; "" where GitHub gave none
	Path    []string // from the root of the query; list indexes in decimal
	Message string
	SAML    bool // an organization's single sign-on keeps the token out
}

// Kind maps the type onto one of the Err values; ErrNotAvailable where GitHub
// gave no type.
func (e GraphQLError) Kind() error {
	switch e.Type {
	case "NOT_FOUND":
		return ErrNotFound
	case "FORBIDDEN":
		if strings.Contains(strings.ToLower(e.Message), "access blocked") {
			return ErrBlocked
		}
		return ErrForbidden
	case "RESOURCE_LIMITS_EXCEEDED":
		return ErrResourceLimits
	}
	return ErrNotAvailable
}

// Error is the message with its type and path.
func (e GraphQLError) Error() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s: %s", e.Type, strings.Join(e.Path, "."), e.Message))
}

// Unwrap gives the kind.
func (e GraphQLError) Unwrap() error { return e.Kind() }

// PartialError is an answer with errors beside data. The data is decoded, but a value at an error's path is not
// reliable, and a null there does not mean absence.
type PartialError struct{ Errors []GraphQLError }

// Error is the first error and the number of others.
func (e *PartialError) Error() string {
	if len(e.Errors) == 1 {
		return e.Errors[0].Error()
	}
	return fmt.Sprintf("%s (and %d more)", e.Errors[0].Error(), len(e.Errors)-1)
}

// Unwrap gives every error of the answer.
func (e *PartialError) Unwrap() []error {
	all := make([]error, len(e.Errors))
	for i := range e.Errors {
		all[i] = e.Errors[i]
	}
	return all
}

// CleanError unwraps the *Error from the errors of net/http and go-github.
func CleanError(err error) error {
	if known, ok := errors.AsType[*Error](err); ok {
		return known
	}
	return err
}
