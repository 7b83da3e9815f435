package ghapi

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestFault20PartialDataComesWithItsErrors(t *testing.T) {
	g := newGitHub(t, text(200, `{"data":{"viewer":{"login":"octocat"}},"errors":[{"type":"RESOURCE_LIMITS_EXCEEDED","path":["nodes",3,"files"],"message":"Resource limits for this query exceeded."}]}`))
	login, err := viewer(context.Background(), g.client())
	var partial *PartialError
	if login != "octocat" || !errors.As(err, &partial) || !errors.Is(err, ErrResourceLimits) {
		t.Fatalf("viewer = %q, %v", login, err)
	}
	if got := strings.Join(partial.Errors[0].Path, "."); got != "nodes.3.files" {
		t.Errorf("path is %s", got)
	}
}

func TestFault20ResourceLimitsWithoutData(t *testing.T) {
	none := text(200, `{"data":null,"errors":[{"type":"RESOURCE_LIMITS_EXCEEDED","message":"Resource limits for this query exceeded."}]}`)
	g := newGitHub(t, none)
	_, err := viewer(Shrinkable(context.Background()), g.client())
	wantError(t, err, ErrResourceLimits)
}

func TestFault22SomethingWrongIsATimeout(t *testing.T) {
	g := newGitHub(t, text(200, somethingWrong), text(200, somethingWrong), text(200, somethingWrong))
	c := g.client(func(o *Options) { o.Attempts = 2 })
	_, err := viewer(Shrinkable(context.Background()), c) // once
	wantError(t, err, ErrTimeout)
	_, err = viewer(context.Background(), c) // twice
	wantError(t, err, ErrTimeout)
}

func TestFault23OwnMistakesFailAtOnce(t *testing.T) {
	for _, body := range []string{
		`{"errors":[{"path":["query"],"extensions":{"code":"undefinedField"},"message":"Field 'x' doesn't exist on type 'Query'"}]}`,
		`{"errors":[{"type":"MAX_NODE_LIMIT_EXCEEDED","message":"This query requests up to 505,000 possible nodes which exceeds the maximum limit of 500,000."}]}`,
		`{"data":null,"errors":[{"type":"ARGUMENT_LIMIT","message":"You may not provide more than 100 node ids"}]}`,
		`{"errors":[{"message":"Parse error on \"}\" (RCURLY) at [1, 1]"}]}`,
	} {
		g := newGitHub(t, text(200, body))
		_, err := viewer(context.Background(), g.client())
		wantError(t, err, ErrQuery)
	}
}

func TestFault24SAMLKeepsTheRest(t *testing.T) {
	g := newGitHub(t, text(200, `{"data":{"viewer":{"login":"octocat"}},"errors":[{"type":"FORBIDDEN","path":["repository","parent"],"extensions":{"saml_failure":true},"message":"Resource protected by organization SAML enforcement."}]}`))
	login, err := viewer(context.Background(), g.client())
	var partial *PartialError
	if login != "octocat" || !errors.Is(err, ErrForbidden) || !errors.As(err, &partial) || !partial.Errors[0].SAML {
		t.Errorf("viewer = %q, %v", login, err)
	}
}

func TestFault25And29StatusesWithAMeaning(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		kind   error
		reason string
	}{
		{404, `{"message":"Not Found"}`, ErrNotFound, ""},
		{410, `{"message":"Gone"}`, ErrNotFound, ""},
		{409, `{"message":"Git Repository is empty."}`, ErrEmpty, ""},
		{451, `{"message":"Repository access blocked","block":{"reason":"dmca","html_url":"https://github.com/github/dmca"}}`, ErrBlocked, "dmca"},
		{403, `{"message":"Repository access blocked","block":{"reason":"tos"}}`, ErrBlocked, "tos"},
		{403, `{"message":"Repository access blocked"}`, ErrBlocked, "blocked"},
		{403, `{"message":"Resource not accessible by personal access token"}`, ErrForbidden, ""},
		{406, `{"message":"Sorry, the diff exceeded the maximum number of lines (20000)","errors":[{"resource":"PullRequest","field":"diff","code":"too_large"}]}`, ErrTooLarge, "too_large"},
		{422, `{"message":"Sorry, this diff is taking too long to generate.","errors":[{"resource":"PullRequest","field":"diff","code":"not_available"}]}`, ErrNotAvailable, "not_available"},
		{503, `{"message":"Sorry, this diff is taking too long to generate.","errors":[{"code":"not_available"}]}`, ErrNotAvailable, "not_available"},
		{422, `{"message":"No commit found for SHA: 0"}`, ErrNotFound, ""},
		{422, `{"message":"Validation Failed"}`, ErrRefused, ""},
	} {
		g := newGitHub(t, text(c.status, c.body))
		_, err := repository(context.Background(), g.client())
		e := wantError(t, err, c.kind)
		if e.Reason != c.reason || e.Attempts != 1 {
			t.Errorf("%d %s: reason %q after %d attempts, want %q after 1", c.status, c.body, e.Reason, e.Attempts, c.reason)
		}
	}
}

// The status of a GraphQL answer is about no repository and no pull request.
func TestGraphQLRefusalsAreAboutTheEndpoint(t *testing.T) {
	for status, body := range map[int]string{
		403: `{"message":"Resource not accessible by personal access token"}`, 404: `{"message":"Not Found"}`,
		451: `{"message":"Repository access blocked","block":{"reason":"dmca"}}`, 400: `{"message":"Problems parsing JSON"}`,
	} {
		g := newGitHub(t, text(status, body))
		_, err := viewer(context.Background(), g.client())
		wantError(t, err, ErrQuery)
	}
}

func TestFault29LimitIsNotTakenForABlock(t *testing.T) {
	// The last good request leaves 0; the refusal after it is a takedown.
	g := newGitHub(t, with(text(403, `{"message":"Repository access blocked","block":{"reason":"tos"}}`), "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", in(1)))
	_, err := repository(context.Background(), g.client())
	wantError(t, err, ErrBlocked)
}

func TestRedirectsAreFollowedWithoutTheTokenElsewhere(t *testing.T) {
	var seen http.Header
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Clone()
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(goodREST.body))
	}))
	defer elsewhere.Close()
	g := newGitHub(t, with(text(301, `{"message":"Moved Permanently"}`), "Location", "/repositories/1"),
		with(text(302, `{}`), "Location", elsewhere.URL+"/x"))
	wantRepository(t, g.client())
	for i, h := range g.headers {
		if h.Get("Authorization") != "Bearer secret-token" || !strings.Contains(h.Get("User-Agent"), "prforge") {
			t.Errorf("request %d: headers are %v", i+1, h)
		}
	}
	if seen.Get("Authorization") != "" {
		t.Error("the token was sent to another host")
	}
}

func TestToken_InNoError(t *testing.T) {
	g := newGitHub(t, text(401, `{"message":"Bad credentials"}`), drop, drop)
	c := g.client(func(o *Options) { o.Attempts = 2 })
	for range 2 {
		_, err := viewer(context.Background(), c)
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("error is %v", err)
		}
	}
}

func TestPointsAreCounted(t *testing.T) {
	g := newGitHub(t, text(200, `{"data":{"rateLimit":{"cost":17},"viewer":{"login":"octocat"}}}`), goodGraphQL)
	c := g.client()
	var q struct {
		RateLimit struct{ Cost int }
		Viewer    struct{ Login string }
	}
	if err := c.Query(context.Background(), &q, nil); err != nil {
		t.Fatal(err)
	}
	wantLogin(t, c)
	if s := c.Stats(); s.Points != 18 || s.GraphQL+s.REST != 2 || s.Bytes == 0 {
		t.Errorf("stats are %+v", s)
	}
}
