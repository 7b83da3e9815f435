package ghapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
)

// envelope is the outermost shape of a GraphQL answer.
type envelope struct {
	Data    json.RawMessage `json:"data"`
	Errors  []wireError     `json:"errors"`
	Message string          `json:"message"`
}

// wireError is a GraphQL error as GitHub writes it.
type wireError struct {
	Type       string            `json:"type"`
	Code       string            `json:"code"`
	Message    string            `json:"message"`
	Path       []json.RawMessage `json:"path"`
	Extensions struct {
		Type        string `json:"type"`
		Code        string `json:"code"`
		SAMLFailure bool   `json:"saml_failure"`
	} `json:"extensions"`
}

// typed is the error in our own terms.
func (e wireError) typed() GraphQLError {
	out := GraphQLError{Type: e.Type, Message: e.Message, SAML: e.Extensions.SAMLFailure}
	if out.Type == "" {
		out.Type = e.Extensions.Type
	}
	for _, step := range e.Path {
		out.Path = append(out.Path, strings.Trim(string(step), `"`))
	}
	return out
}

// limit returns the limit that the error reports, or final if none.
func (e wireError) limit() retryAction {
	switch {
	case isSecondary(e.Message):
		return secondary
	case e.Type == "RATE_LIMITED", e.Type == "RATE_LIMIT", e.Code == "graphql_rate_limit",
		e.Extensions.Code == "graphql_rate_limit":
		return primary
	case e.Type == "" && isPrimary(e.Message):
		return primary
	}
	return final
}

// refused reports whether GitHub refuses the query itself: an unknown field, a
// page too long, too many nodes.
func (e wireError) refused() bool {
	switch e.Type {
	case "MAX_NODE_LIMIT_EXCEEDED", "ARGUMENT_LIMIT", "EXCESSIVE_PAGINATION", "MISSING_PAGINATION_BOUNDARIES",
		"INVALID_CURSOR_ARGUMENTS":
		return true
	case "":
		return e.Extensions.Code != "" || strings.HasPrefix(e.Message, "Parse error")
	}
	return false
}

// graphAnswer is a GraphQL answer that holds data.
type graphAnswer struct {
	body   []byte // {"data": ...} without the errors, for githubv4
	errors []GraphQLError
	points int
}

// classifyGraphQL classifies an answer of the GraphQL API.
func classifyGraphQL(status int, h http.Header, body []byte) (graphAnswer, *failure) {
	if f := classifyStatus(status, h, body); f != nil {
		// the status is the endpoint's; what was asked for has errors in the body
		if f.retryAction == final && !errors.Is(f.kind, ErrAuth) {
			f.kind = ErrQuery
		}
		return graphAnswer{}, f
	}
	var e envelope
	if status != http.StatusOK {
		return graphAnswer{}, badBody("an answer that is no answer", body)
	}
	if err := json.Unmarshal(body, &e); err != nil {
		return graphAnswer{}, badBody("no valid JSON", body)
	}
	// Limits come first: GitHub has been seen to send them beside empty data.
	for _, found := range e.Errors {
		if r := found.limit(); r != final {
			return graphAnswer{}, &failure{kind: ErrLimited, retryAction: r, message: found.Message}
		}
	}
	if !isData(e.Data) {
		return graphAnswer{}, classifyNoData(e, body)
	}
	answer := graphAnswer{points: pointsOf(e.Data)}
	for _, found := range e.Errors {
		answer.errors = append(answer.errors, found.typed())
	}
	answer.body = append(append([]byte(`{"data":`), e.Data...), '}')
	return answer, nil
}

// isData reports whether data is an object with something in it.
func isData(data json.RawMessage) bool {
	trimmed := bytes.TrimSpace(data)
	return len(trimmed) > 2 && trimmed[0] == '{' && bytes.ContainsRune(trimmed, ':')
}

// classifyNoData says why an answer has no data.
func classifyNoData(e envelope, body []byte) *failure {
	if len(e.Errors) == 0 {
		if f := limitOf(e.Message); f != nil {
			return f
		}
		return badBody("no data", body)
	}
	first := e.Errors[0]
	f := &failure{kind: first.typed().Kind(), message: first.Message}
	switch {
	case first.refused():
		f.kind = ErrQuery
	case first.Type == "RESOURCE_LIMITS_EXCEEDED":
		f.retryAction = smaller
	case first.Type == "NOT_FOUND", first.Type == "FORBIDDEN":
	default: // "Something went wrong while executing your query", and whatever else has no type
		f.kind, f.retryAction = ErrTimeout, smaller
	}
	return f
}

// pointsOf is what GitHub charged if the query asked for rateLimit{cost}, else the minimum.
func pointsOf(data json.RawMessage) int {
	var d struct {
		RateLimit struct {
			Cost int `json:"cost"`
		} `json:"rateLimit"`
	}
	if json.Unmarshal(data, &d) != nil {
		return 1
	}
	return max(1, d.RateLimit.Cost)
}
