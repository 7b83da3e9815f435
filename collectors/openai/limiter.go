package openai

import (
	"context"
	"sync"
	"time"
)

// Limits are what an endpoint allows; 0 sets no limit.
type Limits struct {
	InFlight          int // requests at once
	RequestsPerMinute int
	TokensPerMinute   int
}

// Limiter spaces the requests to one endpoint, whoever makes them. A nil Limiter
// sets no limit. It is safe for concurrent use.
type Limiter struct {
	limits Limits
	slots  chan struct{}
	sleep  func(context.Context, time.Duration) error
	now    func() time.Time

	mu     sync.Mutex
	next   time.Time // when the next request may start, by the limits a minute
	paused time.Time // until when the server asked everybody to wait
}

// NewLimiter makes a limiter that waits by sleep and reads the time by now.
func NewLimiter(l Limits, sleep func(context.Context, time.Duration) error, now func() time.Time) *Limiter {
	out := &Limiter{limits: l, sleep: sleep, now: now}
	if l.InFlight > 0 {
		out.slots = make(chan struct{}, l.InFlight)
	}
	return out
}

// acquire waits until a request of so many tokens may start. Each acquire that
// gives no error needs one release.
func (l *Limiter) acquire(ctx context.Context, tokens int) error {
	if l == nil {
		return nil
	}
	if l.slots != nil {
		select {
		case l.slots <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	start := l.reserve(tokens)
	for {
		l.mu.Lock()
		wait := max(start.Sub(l.now()), l.paused.Sub(l.now()))
		l.mu.Unlock()
		if wait <= 0 {
			return nil
		}
		if err := l.sleep(ctx, wait); err != nil {
			l.release()
			return err
		}
	}
}

// reserve takes the next start and moves the one after it on by what a request
// and its tokens take of a minute.
func (l *Limiter) reserve(tokens int) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	start := l.now()
	if l.next.After(start) {
		start = l.next
	}
	var takes time.Duration
	if n := l.limits.RequestsPerMinute; n > 0 {
		takes = time.Minute / time.Duration(n)
	}
	if n := l.limits.TokensPerMinute; n > 0 {
		takes = max(takes, time.Duration(float64(time.Minute)*float64(tokens)/float64(n)))
	}
	l.next = start.Add(takes)
	return start
}

func (l *Limiter) release() {
	if l != nil && l.slots != nil {
		<-l.slots
	}
}

// pause keeps everybody waiting for a while.
func (l *Limiter) pause(d time.Duration) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if until := l.now().Add(d); until.After(l.paused) {
		l.paused = until
	}
}
