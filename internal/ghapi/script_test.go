package ghapi

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// clock is a clock that only sleeping moves.
type clock struct {
	mu     sync.Mutex
	now    time.Time
	slept  time.Duration
	before func() // called before each sleep
}

func newClock() *clock { return &clock{now: time.Date(2026, 4, 15, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	if c.before != nil {
		c.before()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.slept += d
	return nil
}

func (c *clock) Slept() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.slept
}

// reply is one scripted answer. Headers may be nil.
type reply struct {
	status  int
	headers map[string]string
	body    string
	do      func(w http.ResponseWriter, r *http.Request) // instead of the above
}

// scripted is a scripted GitHub: it gives its replies in order and fails the test
// when it is asked once too often or, at the end, not often enough.
type scripted struct {
	t       *testing.T
	url     string
	clock   *clock
	mu      sync.Mutex
	replies []reply
	asked   []time.Time // by the test's clock
	bodies  []string
	headers []http.Header
}

func newGitHub(t *testing.T, replies ...reply) *scripted {
	t.Helper()
	g := &scripted{t: t, clock: newClock(), replies: replies}
	server := httptest.NewUnstartedServer(g)
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.Start()
	g.url = server.URL
	t.Cleanup(func() {
		server.Close()
		if len(g.replies) > 0 && !t.Failed() {
			t.Errorf("%d replies were not asked for", len(g.replies))
		}
	})
	return g
}

func (g *scripted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	g.mu.Lock()
	g.asked = append(g.asked, g.clock.Now())
	g.bodies = append(g.bodies, string(body))
	g.headers = append(g.headers, r.Header.Clone())
	if len(g.replies) == 0 {
		g.mu.Unlock()
		g.t.Errorf("asked once too often: %s %s", r.Method, r.URL)
		w.WriteHeader(http.StatusTeapot)
		return
	}
	next := g.replies[0]
	g.replies = g.replies[1:]
	g.mu.Unlock()
	if next.do != nil {
		next.do(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Date", g.clock.Now().UTC().Format(http.TimeFormat))
	for name, value := range next.headers {
		w.Header().Set(name, value)
	}
	w.WriteHeader(next.status)
	_, _ = io.WriteString(w, next.body)
}

// options are those of a test: the scripted GitHub and its clock, no jitter.
func (g *scripted) options() Options {
	o := DefaultOptions()
	o.APIURL, o.GraphQLURL, o.Tokens = g.url, g.url+"/graphql", StaticToken("secret-token")
	o.Now, o.Sleep, o.Jitter = g.clock.Now, g.clock.Sleep, func() float64 { return 1 }
	return o
}

func (g *scripted) client(change ...func(*Options)) *Client {
	g.t.Helper()
	o := g.options()
	for _, f := range change {
		f(&o)
	}
	c, err := New(o)
	if err != nil {
		g.t.Fatal(err)
	}
	return c
}

// waitedBefore is how long the clock ran between requests i-1 and i (from 1).
func (g *scripted) waitedBefore(i int) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.asked[i-1].Sub(g.asked[i-2])
}

// viewer asks the smallest of queries.
func viewer(ctx context.Context, c *Client) (string, error) {
	var q struct {
		Viewer *struct{ Login string }
	}
	err := c.Query(ctx, &q, nil)
	if q.Viewer == nil {
		return "", err
	}
	return q.Viewer.Login, err
}

// repository asks for a repository over REST.
func repository(ctx context.Context, c *Client) (string, error) {
	r, _, err := c.REST().Repositories.Get(ctx, "o", "r")
	return r.GetFullName(), CleanError(err)
}

// The two good answers.
var (
	goodGraphQL = reply{status: 200, body: `{"data":{"viewer":{"login":"octocat"}}}`}
	goodREST    = reply{status: 200, body: `{"full_name":"o/r"}`}
)

func text(status int, body string) reply { return reply{status: status, body: body} }

func with(r reply, headers ...string) reply {
	r.headers = map[string]string{}
	for i := 0; i < len(headers); i += 2 {
		r.headers[headers[i]] = headers[i+1]
	}
	return r
}

const (
	somethingWrong = `{"data":null,"errors":[{"message":"Something went wrong while executing your query. This may be the result of a timeout"}]}`
	secondaryBody  = `{"message":"You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}`
	unicorn        = `<html><body>Unicorn!</body></html>`
)

// drop breaks the connection before the answer.
var drop = reply{do: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }}

// wantLogin fails the test unless the query succeeds.
func wantLogin(t *testing.T, c *Client) {
	t.Helper()
	login, err := viewer(context.Background(), c)
	if err != nil || login != "octocat" {
		t.Fatalf("viewer = %q, %v", login, err)
	}
}

func wantRepository(t *testing.T, c *Client) {
	t.Helper()
	name, err := repository(context.Background(), c)
	if err != nil || name != "o/r" {
		t.Fatalf("repository = %q, %v", name, err)
	}
}

func wantError(t *testing.T, err, kind error) *Error {
	t.Helper()
	var known *Error
	if !errors.Is(err, kind) || !errors.As(err, &known) {
		t.Fatalf("error is %v, want %v", err, kind)
	}
	return known
}
