package ghapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/go-github/v62/github"
	"github.com/shurcooL/githubv4"
)

// Client is the API of one GitHub, over one transport. It is safe for
// concurrent use.
type Client struct {
	rest      *github.Client
	v4        *githubv4.Client
	transport *transport
}

// New makes a client. It sends nothing.
func New(o Options) (*Client, error) {
	api, err := url.Parse(strings.TrimSuffix(o.APIURL, "/") + "/")
	if err != nil || api.Host == "" {
		return nil, fmt.Errorf("GITHUB_API_URL %q is not a URL", o.APIURL)
	}
	graph, err := url.Parse(o.GraphQLURL)
	if err != nil || graph.Host == "" {
		return nil, fmt.Errorf("GITHUB_GRAPHQL_URL %q is not a URL", o.GraphQLURL)
	}
	t := newTransport(o, api, graph)
	// No Timeout here: it would span the waits and retries below.
	httpClient := &http.Client{Transport: t}
	if o.App != nil {
		if t.tokens, err = newAppTokens(*o.App, httpClient, api.String(), o.Now); err != nil {
			return nil, err
		}
	}
	rest := github.NewClient(httpClient)
	rest.BaseURL, rest.UserAgent = api, o.UserAgent
	return &Client{rest: rest, v4: githubv4.NewEnterpriseClient(graph.String(), httpClient), transport: t}, nil
}

// REST is go-github over the transport. Its errors hold *Error.
func (c *Client) REST() *github.Client { return c.rest }

// Stats is what the client has cost so far.
func (c *Client) Stats() Stats { return c.transport.stats.snapshot() }

// Left returns what remains of the hourly limits, by name, without limits that no answer has mentioned.
func (c *Client) Left() map[string]int { return c.transport.limiter.known() }

// Token is the current token, "" if none, for git, which talks to the same server.
func (c *Client) Token(ctx context.Context) (string, error) {
	if c.transport.tokens == nil {
		return "", nil
	}
	return c.transport.tokens.Token(ctx)
}

// Query runs a GraphQL query built by githubv4 from q, which must be fresh: a
// null leaves what a used struct held. The error is a *PartialError where data
// came beside errors, and an *Error where there is no data.
func (c *Client) Query(ctx context.Context, q any, variables map[string]any) error {
	var found []GraphQLError
	err := c.v4.Query(context.WithValue(ctx, errorsKey{}, &found), q, variables)
	var known *Error
	switch {
	case errors.As(err, &known):
		return known
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return &Error{Kind: ErrBadBody, Op: "graphql", Status: http.StatusOK, Err: err}
	case len(found) > 0:
		return &PartialError{Errors: found}
	}
	return nil
}

// Shrinkable marks a query whose caller will ask for less on ErrTimeout and
// ErrResourceLimits, so that the transport does not ask for the same again.
func Shrinkable(ctx context.Context) context.Context {
	return context.WithValue(ctx, shrinkKey{}, true)
}

// WithCheck makes the transport run check on every body of status 200. A body that fails counts as bad and is
// requested again.
func WithCheck(ctx context.Context, check func(body []byte) error) context.Context {
	return context.WithValue(ctx, checkKey{}, check)
}
