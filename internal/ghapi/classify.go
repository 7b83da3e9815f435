package ghapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"
)

// retryAction says what to do about an answer without data.
type retryAction int

const (
	final       retryAction = iota // asking again gives the same
	again                          // bad luck: ask again
	smaller                        // ask for less if the caller can, else again
	unchecked                      // it failed the caller's check: ask again, less often
	unreachable                    // no connection: ask again for as long as an outage may last
	primary                        // wait for the reset
	secondary                      // wait as told
)

// failure is an answer without data.
type failure struct {
	kind        error
	retryAction retryAction
	reason      string
	message     string
	err         error
}

// apiMessage is the body of GitHub's errors, REST and GraphQL alike.
type apiMessage struct {
	Message string `json:"message"`
	Errors  []struct {
		Code string `json:"code"`
	} `json:"errors"`
	Block *struct {
		Reason string `json:"reason"`
	} `json:"block"`
	Reason string `json:"reason"`
}

// readMessage reads what it can of an error's body; a body that is no JSON gives
// the zero value.
func readMessage(body []byte) apiMessage {
	var m apiMessage
	if json.Unmarshal(body, &m) != nil {
		var plain struct {
			Message string `json:"message"`
		}
		if json.Unmarshal(body, &plain) == nil {
			m.Message = plain.Message // errors in a shape of their own
		}
	}
	return m
}

// has reports whether one of the errors has the code.
func (m apiMessage) has(code string) bool {
	for _, e := range m.Errors {
		if e.Code == code {
			return true
		}
	}
	return false
}

// blocked is the reason of a repository's takedown, or "".
func (m apiMessage) blocked() string {
	switch {
	case m.Block != nil && m.Block.Reason != "":
		return m.Block.Reason
	case m.Block != nil || strings.Contains(strings.ToLower(m.Message), "access blocked"):
		return "blocked"
	case m.Reason == "tos":
		return m.Reason
	}
	return ""
}

// isSecondary reports whether a message is about a secondary limit, in its current or its former wording.
func isSecondary(message string) bool {
	lower := strings.ToLower(message)
	return strings.Contains(lower, "secondary rate limit") || strings.Contains(lower, "abuse detection")
}

// isPrimary reports whether a message is about an hourly limit.
func isPrimary(message string) bool {
	return strings.Contains(strings.ToLower(message), "rate limit") && !isSecondary(message)
}

// limitOf is the failure for a message about a limit at status 200; nil for any other message.
func limitOf(message string) *failure {
	switch {
	case isSecondary(message):
		return &failure{kind: ErrLimited, retryAction: secondary, message: message}
	case isPrimary(message):
		return &failure{kind: ErrLimited, retryAction: primary, message: message}
	}
	return nil
}

// classifyStatus classifies an answer of any API by its status; nil means that the body
// decides.
func classifyStatus(status int, h http.Header, body []byte) *failure {
	if status < 400 {
		return nil
	}
	m := readMessage(body)
	f := &failure{kind: ErrRefused, message: m.Message}
	switch {
	case status == http.StatusUnauthorized:
		f.kind = ErrAuth
	case status == http.StatusForbidden, status == http.StatusTooManyRequests:
		return classifyRefusal(status, h, m)
	case status == http.StatusNotFound, status == http.StatusGone:
		f.kind = ErrNotFound
	case status == http.StatusUnavailableForLegalReasons:
		f.kind, f.reason = ErrBlocked, m.blocked()
	case m.has("too_large"), status == http.StatusNotAcceptable:
		f.kind, f.reason = ErrTooLarge, "too_large"
	case m.has("not_available"):
		f.kind, f.reason = ErrNotAvailable, "not_available"
	case status == http.StatusConflict && strings.Contains(m.Message, "empty"):
		f.kind = ErrEmpty
	case status == http.StatusUnprocessableEntity && strings.HasPrefix(m.Message, "No commit found"):
		f.kind = ErrNotFound
	case status == http.StatusRequestTimeout, status >= 500:
		f.kind, f.retryAction = ErrTimeout, smaller
	}
	return f
}

// classifyRefusal distinguishes the meanings of 403 and 429, by the body before the
// headers: remaining may be 0 on the last good request, and above 0 on a limit.
func classifyRefusal(status int, h http.Header, m apiMessage) *failure {
	f := &failure{kind: ErrForbidden, message: m.Message}
	switch reason := m.blocked(); {
	case reason != "":
		f.kind, f.reason = ErrBlocked, reason
	case isSecondary(m.Message):
		f.kind, f.retryAction = ErrLimited, secondary
	case isPrimary(m.Message):
		f.kind, f.retryAction = ErrLimited, primary
	case h.Get("Retry-After") != "", status == http.StatusTooManyRequests:
		f.kind, f.retryAction = ErrLimited, secondary
	case m.Message == "" && h.Get("X-RateLimit-Remaining") == "0":
		f.kind, f.retryAction = ErrLimited, primary
	case m.Message == "":
		f.kind, f.retryAction, f.message = ErrBadBody, again, "a refusal without a message"
	}
	return f
}

// classifyREST classifies an answer of the REST API; nil means that the body is data.
func classifyREST(status int, h http.Header, body []byte, wantsDiff bool) *failure {
	if f := classifyStatus(status, h, body); f != nil {
		return f
	}
	if status != http.StatusOK {
		return nil // a redirect has no body to classify
	}
	kind, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	if wantsDiff {
		if strings.HasSuffix(kind, "html") || strings.HasSuffix(kind, "json") {
			return badBody("a diff of type "+kind, body)
		}
		return nil
	}
	if !strings.HasSuffix(kind, "json") {
		return badBody("JSON of type "+kind, body)
	}
	if !json.Valid(body) {
		return badBody("no valid JSON", body)
	}
	if m := readMessage(body); onlyMessage(body) {
		if f := limitOf(m.Message); f != nil {
			return f
		}
		return badBody("an error at status 200", body)
	}
	return nil
}

// onlyMessage reports whether a JSON object is an error and nothing else.
func onlyMessage(body []byte) bool {
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil || fields["message"] == nil {
		return false
	}
	for name := range fields {
		switch name {
		case "message", "documentation_url", "status", "errors":
		default:
			return false
		}
	}
	return true
}

// badBody is the failure of an answer whose body is not data.
func badBody(what string, body []byte) *failure {
	return &failure{kind: ErrBadBody, retryAction: again, message: fmt.Sprintf("%s: %q", what, excerpt(body))}
}

// excerpt is the beginning of a body, for a message.
func excerpt(body []byte) string {
	const enough = 60
	body = bytes.TrimSpace(body)
	if len(body) <= enough {
		return string(body)
	}
	cut := enough
	for cut > 0 && !utf8.RuneStart(body[cut]) {
		cut--
	}
	return string(body[:cut]) + "..."
}
