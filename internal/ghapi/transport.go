package ghapi

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

func newTransport(o Options, api, graph *url.URL) *transport {
	if o.Base == nil {
		o.Base = http.DefaultTransport.(*http.Transport).Clone()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	t := &transport{o: o, api: api, graph: graph, tokens: o.Tokens, budget: budget{max: o.RetryBudget}}
	t.limiter = newLimiter(&t.o, &t.stats)
	return t
}

// call is one request of a library, with what has happened to it so far.
type call struct {
	req        *http.Request
	resource   resource
	op         string
	wantsDiff  bool
	splittable bool
	check      func([]byte) error
	errors     *[]GraphQLError

	attempts   int
	limited    int
	renewed    bool
	firstFault time.Time
}

func (t *transport) newCall(req *http.Request) *call {
	c := &call{req: req, op: req.Method + " " + req.URL.Path}
	if req.URL.Host == t.graph.Host && req.URL.Path == t.graph.Path {
		c.resource, c.op = graph, "graphql"
	}
	accept := req.Header.Get("Accept")
	c.wantsDiff = strings.HasPrefix(accept, "application/vnd.github.") && strings.Contains(accept, "diff")
	ctx := req.Context()
	c.splittable, _ = ctx.Value(shrinkKey{}).(bool)
	c.check, _ = ctx.Value(checkKey{}).(func([]byte) error)
	c.errors, _ = ctx.Value(errorsKey{}).(*[]GraphQLError)
	return c
}

// RoundTrip implements http.RoundTripper. The error is an *Error or that of the
// request's context.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	c := t.newCall(req)
	if req.Body != nil {
		defer req.Body.Close()
	}
	for {
		a, f, err := t.once(c)
		if err != nil {
			return nil, err
		}
		if f == nil {
			t.o.Log.Info("asked GitHub", "request", c.op, "status", a.status, "bytes", len(a.body))
			return a.response(req), nil
		}
		if !t.mayRepeat(c, f) {
			return nil, c.failed(a, f)
		}
		message := f.message
		if message == "" && f.err != nil {
			message = f.err.Error()
		}
		t.o.Log.Warn("GitHub gave no answer of use", "request", c.op, "attempt", c.attempts, "status", a.status, "why",
			f.kind.Error(), "message", message, "host", c.req.URL.Host)
	}
}

// once sends the request one time and reports the result to the limiter before another request may pass.
func (t *transport) once(c *call) (answer, *failure, error) {
	ctx := c.req.Context()
	token, err := t.token(ctx, c.req.URL)
	if err != nil {
		return answer{}, nil, err
	}
	leave, err := t.limiter.enter(ctx, c.resource)
	if err != nil {
		return answer{}, nil, err
	}
	defer leave()
	c.attempts++
	t.stats.add(func(s *Stats) {
		if c.resource == graph {
			s.GraphQL++
		} else {
			s.REST++
		}
	})
	a, err := t.send(c.req, token)
	if ctx.Err() != nil {
		return answer{}, nil, ctx.Err()
	}
	f := t.classify(c, &a, err)
	t.record(c, a, f)
	return a, f, nil
}

// classify decides whether an answer is data and, for GraphQL, takes the errors out
// of its body.
func (t *transport) classify(c *call, a *answer, err error) *failure {
	if err != nil {
		return classifyNetwork(err)
	}
	t.answered.Store(true)
	var f *failure
	if c.resource == graph {
		var g graphAnswer
		if g, f = classifyGraphQL(a.status, a.header, a.body); f == nil {
			a.body = g.body
			if c.errors != nil {
				*c.errors = g.errors
			}
			t.stats.add(func(s *Stats) { s.Points += g.points })
		}
	} else {
		f = classifyREST(a.status, a.header, a.body, c.wantsDiff)
	}
	if f == nil && c.check != nil && a.status == http.StatusOK {
		if err := c.check(a.body); err != nil {
			f = &failure{kind: ErrBadBody, retryAction: unchecked, err: err}
			if errors.Is(err, ErrMismatch) {
				f.kind = ErrMismatch
			}
		}
	}
	return f
}

// classifyNetwork classifies an attempt that got no whole answer while the request's own context went on. Only a
// connection that cannot be made is about the network; one that breaks or falls silent may be about what was asked
// for. The failure keeps only the error's text, so that the attempt's deadline is not taken for the run's.
func classifyNetwork(err error) *failure {
	f := &failure{kind: ErrTimeout, retryAction: again, err: errors.New(err.Error())}
	var op *net.OpError
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.Is(err, errTooLong):
		f.kind, f.retryAction = ErrTooLarge, final
	case errors.As(err, &certificate):
		f.kind, f.retryAction = ErrNetwork, final
	case errors.As(err, &dns), errors.As(err, &op) && op.Op == "dial":
		f.kind, f.retryAction = ErrNetwork, unreachable
	case errors.Is(err, context.DeadlineExceeded):
		f.retryAction, f.err = smaller, errSlow
	case errors.Is(err, errIdle):
		f.retryAction = smaller
	}
	return f
}

// record reports an answer to the limiter and the counters.
func (t *transport) record(c *call, a answer, f *failure) {
	l := readLimits(a.header, t.o.Now(), t.o.MaxWait)
	switch {
	case f == nil:
		t.limiter.succeeded(c.resource, l)
		t.budget.earn()
	case f.retryAction == primary:
		t.stats.add(func(s *Stats) { s.Limited++ })
		t.limiter.primary(c.resource, l)
	case f.retryAction == secondary:
		t.stats.add(func(s *Stats) { s.Limited++ })
		t.limiter.secondary(l)
	case f.retryAction == final:
		t.limiter.succeeded(c.resource, l) // a valid answer, though not a success
	default:
		t.limiter.failed(c.resource, l, a.describe(f))
	}
}

// mayRepeat decides whether to send the request again.
func (t *transport) mayRepeat(c *call, f *failure) bool {
	switch f.retryAction {
	case final:
		if errors.Is(f.kind, ErrAuth) && !c.renewed && t.tokens != nil && t.tokens.Renew() {
			c.renewed = true
			return true
		}
		return false
	case primary, secondary:
		c.attempts-- // it got no answer, so it does not count
		c.limited++
		return c.limited < t.o.LimitWaits
	}
	if !t.budget.spend() {
		f.err = errors.Join(f.err, f.kind)
		f.kind = ErrBudget
		return false
	}
	if f.retryAction == smaller && c.splittable {
		return false
	}
	now := t.o.Now()
	if c.firstFault.IsZero() {
		c.firstFault = now
	}
	limit := t.o.Attempts
	if f.retryAction == unchecked {
		limit = min(limit, t.o.CheckAttempts)
	}
	outlasting := f.retryAction == unreachable && t.answered.Load() && now.Sub(c.firstFault) < t.o.Outage
	if c.attempts >= limit && !outlasting {
		return false
	}
	t.stats.add(func(s *Stats) { s.Retries++ })
	return true
}

// failed is the error of a failed call.
func (c *call) failed(a answer, f *failure) *Error {
	return &Error{Kind: f.kind, Op: c.op, Status: a.status, Reason: f.reason, Message: f.message, Attempts: c.attempts,
		Err: f.err}
}

// describe names a failure for messages.
func (a answer) describe(f *failure) string {
	if a.status == 0 {
		return f.kind.Error()
	}
	return fmt.Sprintf("HTTP %d, %v", a.status, f.kind)
}

// response is the answer for the libraries. It drops the rate headers, because go-github would refuse requests by
// them; waiting is the limiter's job.
func (a answer) response(req *http.Request) *http.Response {
	h := a.header.Clone()
	for _, name := range []string{"X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Used", "X-Ratelimit-Reset",
		"X-Ratelimit-Resource", "Retry-After", "Content-Length", "Content-Encoding"} {
		h.Del(name)
	}
	return &http.Response{
		Status: fmt.Sprintf("%d %s", a.status, http.StatusText(a.status)), StatusCode: a.status,
		Proto: a.proto, Header: h, Body: io.NopCloser(bytes.NewReader(a.body)), ContentLength: int64(len(a.body)),
		Request: req,
	}
}

// token is the token for a URL: "" for any host or scheme but the API's, because a redirect may lead elsewhere.
func (t *transport) token(ctx context.Context, u *url.URL) (string, error) {
	ours := func(api *url.URL) bool { return u.Scheme == api.Scheme && u.Host == api.Host }
	if !ours(t.api) && !ours(t.graph) {
		return "", nil
	}
	if bearer, ok := ctx.Value(bearerKey{}).(string); ok {
		return bearer, nil
	}
	if t.tokens == nil {
		return "", nil
	}
	return t.tokens.Token(ctx)
}
