package ghapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestFault01ConnectionResetIsRetried(t *testing.T) {
	g := newGitHub(t, drop, drop, goodGraphQL, drop, goodREST)
	c := g.client()
	wantLogin(t, c)
	wantRepository(t, c)
	// net/http itself repeats a GET on a connection that was kept alive.
	if s := c.Stats(); s.Retries < 2 || s.GraphQL != 3 {
		t.Errorf("stats are %+v", s)
	}
}

func TestFault01ConnectionResetIsBounded(t *testing.T) {
	g := newGitHub(t, drop, drop, drop)
	_, err := repository(context.Background(), g.client(func(o *Options) { o.Attempts = 3 }))
	if e := wantError(t, err, ErrTimeout); e.Attempts != 3 {
		t.Errorf("attempts are %d, want 3", e.Attempts)
	}
}

func TestFault02CutBodyIsNoData(t *testing.T) {
	cut := func(kind, body string) reply {
		return reply{do: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, body)
		}}
	}
	short := func(body string) reply { return text(200, body) } // complete for HTTP, cut for JSON
	g := newGitHub(t,
		cut("application/json", `{"data":{"viewer":`), short(`{"data":{"viewer":{"login":"oct`), goodGraphQL,
		cut("application/json", `{"full_name":"o/r"`), short(`{"full_name":"o`), goodREST)
	c := g.client()
	wantLogin(t, c)
	wantRepository(t, c)
}

func TestFault03HTTP2StreamErrorIsRetried(t *testing.T) {
	asked := 0
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if r.ProtoMajor != 2 {
			t.Errorf("protocol is %s", r.Proto)
		}
		if asked < 3 {
			panic(http.ErrAbortHandler) // the stream ends with RST_STREAM
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, goodGraphQL.body)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	g := newGitHub(t)
	c := g.client(func(o *Options) {
		o.APIURL, o.GraphQLURL, o.Base = server.URL, server.URL+"/graphql", server.Client().Transport
	})
	wantLogin(t, c)
}

func TestFault04SilenceEndsAnAttempt(t *testing.T) {
	done := make(chan struct{})
	defer close(done)
	stall := func(headers bool) reply {
		return reply{do: func(w http.ResponseWriter, r *http.Request) {
			if headers {
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, `{"full_name":`)
				_ = http.NewResponseController(w).Flush()
			}
			select {
			case <-r.Context().Done():
			case <-done:
			}
		}}
	}
	t.Run("before the headers", func(t *testing.T) {
		g := newGitHub(t, stall(false), goodREST)
		wantRepository(t, g.client(func(o *Options) { o.AttemptTimeout = 50 * time.Millisecond }))
	})
	t.Run("within the body", func(t *testing.T) {
		g := newGitHub(t, stall(true), goodREST)
		wantRepository(t, g.client(func(o *Options) { o.IdleTimeout = 50 * time.Millisecond }))
	})
	// Nobody may take an attempt's deadline for the run's.
	t.Run("every time", func(t *testing.T) {
		g := newGitHub(t, stall(false), stall(true))
		_, err := repository(context.Background(), g.client(func(o *Options) { o.Attempts, o.AttemptTimeout = 2, 50*time.Millisecond }))
		wantError(t, err, ErrTimeout)
		if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
			t.Errorf("%v passes for the end of the run", err)
		}
	})
}

func TestFault05AnswersThatAreNoData(t *testing.T) {
	html := with(text(200, unicorn), "Content-Type", "text/html")
	for name, bad := range map[string]reply{
		"empty": text(200, ""), "HTML": html, "HTML called JSON": text(200, unicorn), "null": text(200, `{"data":null}`),
		"nothing": text(200, `{}`), "no fields": text(200, `{"data":{}}`), "a list": text(200, `{"data":[]}`), "a message": text(200, `{"message":"Server Error"}`),
	} {
		t.Run("GraphQL "+name, func(t *testing.T) {
			wantLogin(t, newGitHub(t, bad, goodGraphQL).client())
		})
	}
	for name, bad := range map[string]reply{
		"empty": text(200, ""), "HTML": html, "HTML called JSON": text(200, unicorn), "a message": text(200, `{"message":"Server Error"}`),
	} {
		t.Run("REST "+name, func(t *testing.T) {
			wantRepository(t, newGitHub(t, bad, goodREST).client())
		})
	}
	t.Run("every time", func(t *testing.T) {
		g := newGitHub(t, html, html)
		_, err := repository(context.Background(), g.client(func(o *Options) { o.Attempts = 2 }))
		wantError(t, err, ErrBadBody)
	})
	t.Run("contradicting GitHub's counts", func(t *testing.T) {
		g := newGitHub(t, goodREST, goodREST)
		ctx := WithCheck(context.Background(), func([]byte) error { return fmt.Errorf("%w: 3 files of 4", ErrMismatch) })
		_, err := repository(ctx, g.client(func(o *Options) { o.CheckAttempts = 2 }))
		wantError(t, err, ErrMismatch)
	})
	t.Run("failing the caller's check", func(t *testing.T) {
		bad := text(200, `{"full_name":"another/one"}`)
		g := newGitHub(t, bad, bad, goodREST)
		ctx := WithCheck(context.Background(), func(body []byte) error {
			if !strings.Contains(string(body), "o/r") {
				return errors.New("it is another")
			}
			return nil
		})
		if name, err := repository(ctx, g.client()); err != nil || name != "o/r" {
			t.Errorf("repository = %q, %v", name, err)
		}
	})
}

func TestFault05BodiesAreBounded(t *testing.T) {
	g := newGitHub(t, text(200, `{"full_name":"`+strings.Repeat("x", 2000)+`"}`))
	_, err := repository(context.Background(), g.client(func(o *Options) { o.MaxBody = 1000 }))
	wantError(t, err, ErrTooLarge)
}

func TestFault06ServerErrors(t *testing.T) {
	for _, status := range []int{500, 502, 503, 504} {
		for _, body := range []string{somethingWrong, unicorn, ""} {
			g := newGitHub(t, text(status, body), goodGraphQL, text(status, body), goodREST)
			c := g.client()
			wantLogin(t, c)
			wantRepository(t, c)
		}
	}
	t.Run("are handed to a caller who can ask for less", func(t *testing.T) {
		g := newGitHub(t, text(502, unicorn), goodGraphQL)
		c := g.client()
		_, err := viewer(Shrinkable(context.Background()), c)
		wantError(t, err, ErrTimeout)
		wantLogin(t, c)
		if got := g.waitedBefore(2); got != time.Second {
			t.Errorf("the next request came after %v, want 1s", got)
		}
	})
}

// unplugged is a network that is down for some time.
type unplugged struct {
	clock *clock
	until time.Time
	err   error
	next  http.RoundTripper
}

func (u *unplugged) RoundTrip(r *http.Request) (*http.Response, error) {
	if u.clock.Now().Before(u.until) {
		return nil, u.err
	}
	return u.next.RoundTrip(r)
}

func TestFault07OutageIsSatOut(t *testing.T) {
	for name, err := range map[string]error{
		"DNS": &net.DNSError{Err: "no such host", Name: "api.github.com"}, "refused": &net.OpError{Op: "dial", Err: errors.New("connection refused")},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGitHub(t, goodREST, goodREST)
			net := &unplugged{clock: g.clock, err: err, next: http.DefaultTransport}
			c := g.client(func(o *Options) { o.Base = net })
			wantRepository(t, c)
			net.until = g.clock.Now().Add(20 * time.Minute)
			wantRepository(t, c)
		})
	}
}

func TestFault07OutageHasAnEnd(t *testing.T) {
	g := newGitHub(t, goodREST)
	down := &unplugged{clock: g.clock, err: &net.OpError{Op: "dial", Err: errors.New("connection refused")}, next: http.DefaultTransport}
	c := g.client(func(o *Options) { o.Base = down })
	wantRepository(t, c)
	down.until = g.clock.Now().Add(24 * time.Hour)
	_, err := repository(context.Background(), c)
	wantError(t, err, ErrNetwork)
	if slept := g.clock.Slept(); slept < 30*time.Minute || slept > 35*time.Minute {
		t.Errorf("gave up after %v, want about 30m", slept)
	}
}

func TestFault07WrongHostFailsSoon(t *testing.T) {
	g := newGitHub(t)
	down := &unplugged{clock: g.clock, until: g.clock.Now().Add(24 * time.Hour), err: &net.DNSError{Err: "no such host", Name: "typo.invalid", IsNotFound: true}}
	var log bytes.Buffer
	_, err := repository(context.Background(), g.client(func(o *Options) { o.Base, o.Log = down, slog.New(slog.NewTextHandler(&log, nil)) }))
	wantError(t, err, ErrNetwork)
	if !strings.Contains(log.String(), "no such host") || !strings.Contains(log.String(), "host=127.0.0.1") {
		t.Errorf("neither host nor cause: %s", log.String())
	}
	if slept := g.clock.Slept(); slept > 2*time.Minute {
		t.Errorf("gave up after %v", slept)
	}
}

func TestBudgetEndsARunAgainstADeadGitHub(t *testing.T) {
	g := newGitHub(t, drop, drop, drop, drop, drop, drop, drop)
	c := g.client(func(o *Options) { o.RetryBudget, o.Attempts = 4, 3 })
	_, err := repository(context.Background(), c)
	wantError(t, err, ErrTimeout)
	_, err = repository(context.Background(), c)
	wantError(t, err, ErrBudget)
	for range 2 {
		_, err = repository(context.Background(), c)
		wantError(t, err, ErrBudget)
	}
}
