package ghapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// errTooLong says that a body went over Options.MaxBody.
var errTooLong = errors.New("the body is longer than allowed")

// errSlow says that an attempt took longer than Options.AttemptTimeout.
var errSlow = errors.New("no answer in time")

// errIdle says that a body stopped coming.
var errIdle = errors.New("the answer stopped coming")

// send makes one attempt of a request and reads the whole answer within the limits of time and size.
func (t *transport) send(req *http.Request, token string) (answer, error) {
	ctx, cancel := context.WithTimeout(req.Context(), t.o.AttemptTimeout)
	defer cancel()
	attempt := req.Clone(ctx)
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return answer{}, fmt.Errorf("repeat the request's body: %w", err)
		}
		attempt.Body = body
	}
	attempt.Header.Set("User-Agent", t.o.UserAgent)
	attempt.Header.Del("Authorization")
	if token != "" {
		attempt.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := t.o.Base.RoundTrip(attempt)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	a := answer{status: resp.StatusCode, header: resp.Header, proto: resp.Proto}
	a.body, err = readBody(resp.Body, t.o.MaxBody, t.o.IdleTimeout, cancel)
	t.stats.add(func(s *Stats) { s.Bytes += int64(len(a.body)) })
	if err != nil {
		return a, fmt.Errorf("read the answer: %w", err)
	}
	return a, nil
}

// readBody reads at most limit bytes and gives up, by cancel, when none come for
// the idle time.
func readBody(r io.Reader, limit int64, idle time.Duration, cancel func()) ([]byte, error) {
	stalled := false
	var mu sync.Mutex
	timer := time.AfterFunc(idle, func() {
		mu.Lock()
		stalled = true
		mu.Unlock()
		cancel()
	})
	defer timer.Stop()
	body, err := io.ReadAll(io.LimitReader(&restarting{r, timer, idle}, limit+1))
	mu.Lock()
	defer mu.Unlock()
	switch {
	case err != nil && stalled:
		return body, errIdle
	case err != nil:
		return body, err
	case int64(len(body)) > limit:
		return body[:limit], errTooLong
	}
	return body, nil
}

// restarting restarts a timer at each read.
type restarting struct {
	r     io.Reader
	timer *time.Timer
	idle  time.Duration
}

func (r *restarting) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if n > 0 && err == nil {
		r.timer.Reset(r.idle)
	}
	return n, err
}

// budget is the run's allowance of failed attempts: each takes one, each good answer returns one. Failures spread
// over a night cost nothing, and an outage of GitHub ends the run.
type budget struct {
	mu    sync.Mutex
	max   int
	spent int
}

func (b *budget) spend() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.spent >= b.max {
		return false
	}
	b.spent++
	return true
}

func (b *budget) earn() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = max(0, b.spent-1)
}

// errorsKey, shrinkKey and checkKey are the context keys that carry a call's settings to the transport.
type (
	errorsKey struct{}
	shrinkKey struct{}
	checkKey  struct{}
)

// transport is the http.RoundTripper under both libraries. It retries a request as needed and returns either a
// response whose whole body is data, or an *Error.
type transport struct {
	o          Options
	api, graph *url.URL
	tokens     TokenSource
	stats      counters
	limiter    *limiter
	budget     budget
	answered   atomic.Bool // GitHub has answered at least once
}

// answer is an answer read to its end.
type answer struct {
	status int
	header http.Header
	body   []byte
	proto  string
}
