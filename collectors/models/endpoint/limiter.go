package endpoint

import (
	"context"
	"sync"
	"time"
)

// limiter spaces the requests to one endpoint, whoever makes them. It is safe
// for concurrent use.
type limiter struct {
	config Config
	slots  chan struct{}
	sleep  func(context.Context, time.Duration) error
	now    func() time.Time

	mu     sync.Mutex
	next   time.Time // when the next request may start, by the limits a minute
	paused time.Time // until when the server asked everybody to wait
}

// newLimiter makes a limiter that waits by sleep and reads the time by now.
func newLimiter(c Config, sleep func(context.Context, time.Duration) error, now func() time.Time) *limiter {
	return &limiter{config: c, slots: make(chan struct{}, orDefault(c.InFlight, DefaultInFlight)), sleep: sleep, now: now}
}

// acquire waits until a request with a number of tokens may start. Each successful acquire needs one release.
func (l *limiter) acquire(ctx context.Context, tokens int) error {
	select {
	case l.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
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

// reserve takes the next start and delays the one after it by the request's and its tokens' share of a minute.
func (l *limiter) reserve(tokens int) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	start := l.now()
	if l.next.After(start) {
		start = l.next
	}
	var takes time.Duration
	if n := l.config.RequestsPerMinute; n > 0 {
		takes = time.Minute / time.Duration(n)
	}
	if n := l.config.TokensPerMinute; n > 0 {
		takes = max(takes, time.Duration(float64(time.Minute)*float64(tokens)/float64(n)))
	}
	l.next = start.Add(takes)
	return start
}

func (l *limiter) release() { <-l.slots }

// pause delays all requests for a while.
func (l *limiter) pause(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until := l.now().Add(d); until.After(l.paused) {
		l.paused = until
	}
}
