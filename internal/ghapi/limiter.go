package ghapi

import (
	"context"
	"sync"
	"time"

	"github.com/prforge/prforge/internal/retry"
)

// resource is one of GitHub's hourly limits.
type resource int

const (
	core resource = iota
	graph
	resources
)

// String is the name that people know the limit by.
func (r resource) String() string {
	if r == graph {
		return "GraphQL"
	}
	return "REST"
}

// pause holds requests back until a time.
type pause struct {
	until  time.Time
	reason string
}

// extend makes a pause longer, never shorter.
func (p *pause) extend(until time.Time, reason string) {
	if until.After(p.until) {
		*p = pause{until, reason}
	}
}

// limiter admits requests: a bounded number at a time, none during a pause, and none beyond what is left of an hourly
// limit. A pause applies to every request that has not been sent, whichever request caused it.
type limiter struct {
	o     *Options
	stats *counters
	// turns holds the request of each resource that waits for the limiter. A GraphQL request keeps its turn until it
	// is answered, so that only one is in flight.
	turns [resources]chan struct{}
	slots chan struct{}

	mu          sync.Mutex
	all         pause
	own         [resources]pause
	left        [resources]allowance
	failures    int // in a row, over all requests
	secondaries int // secondary limits in a row
	told        time.Time
	counted     time.Time // the end of the wait that the stats include
}

func newLimiter(o *Options, stats *counters) *limiter {
	g := &limiter{o: o, stats: stats, slots: make(chan struct{}, max(1, o.Concurrent))}
	for r := range g.turns {
		g.turns[r] = make(chan struct{}, 1)
	}
	for _, w := range o.Held {
		g.hold(w)
	}
	return g
}

// hold puts a pause of an earlier run in force.
func (g *limiter) hold(w Wait) {
	for r := range resources {
		if w.Resource == r.String() {
			g.own[r].extend(w.Until, w.Reason)
			return
		}
	}
	g.all.extend(w.Until, w.Reason)
}

// enter waits until a request may be sent and counts it. The caller calls leave after it has read the answer.
func (g *limiter) enter(ctx context.Context, r resource) (leave func(), err error) {
	if err := take(ctx, g.turns[r]); err != nil {
		return nil, err
	}
	for {
		if err := g.wait(ctx, r); err != nil {
			<-g.turns[r]
			return nil, err
		}
		if err := take(ctx, g.slots); err != nil {
			<-g.turns[r]
			return nil, err
		}
		if g.begin(r) {
			break
		}
		<-g.slots // a pause began while we waited for the slot
	}
	if r == graph {
		return func() { <-g.slots; <-g.turns[graph] }, nil
	}
	<-g.turns[r]
	return func() { <-g.slots }, nil
}

// take puts a token into a channel that holds as many as may pass.
func take(ctx context.Context, c chan struct{}) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case c <- struct{}{}:
		return nil
	}
}

// wait sleeps until no pause is in force for the resource.
func (g *limiter) wait(ctx context.Context, r resource) error {
	for {
		p, now := g.held(r)
		if !now.Before(p.until) {
			return nil
		}
		if err := g.o.Sleep(ctx, p.until.Sub(now)); err != nil {
			return err
		}
	}
}

// held is the pause in force for the resource. It reports and counts each pause once.
func (g *limiter) held(r resource) (pause, time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.o.Now()
	p := g.pauseOf(r)
	if !now.Before(p.until) {
		return p, now
	}
	if from := later(now, g.counted); p.until.After(from) {
		g.counted = p.until
		g.stats.add(func(s *Stats) { s.Waited += p.until.Sub(from) })
	}
	if g.o.OnWait != nil && !p.until.Equal(g.told) {
		g.told = p.until
		wait := Wait{Reason: p.reason, Until: p.until}
		if p.until.After(g.all.until) {
			wait.Resource = r.String()
		}
		g.o.OnWait(wait)
	}
	return p, now
}

// known returns what is left of the limits that answers mentioned.
func (g *limiter) known() map[string]int {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := map[string]int{}
	for r := range resources {
		if !g.left[r].reset.IsZero() {
			out[r.String()] = g.left[r].left
		}
	}
	return out
}

// pauseOf is the longest of the pauses that hold the resource; g.mu is held.
func (g *limiter) pauseOf(r resource) pause {
	p := g.all
	p.extend(g.own[r].until, g.own[r].reason)
	p.extend(g.left[r].heldUntil(g.o.ResetMargin), r.String()+" limit used up")
	return p
}

// begin counts a request unless a pause is in force.
func (g *limiter) begin(r resource) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.o.Now()
	if now.Before(g.pauseOf(r).until) {
		return false
	}
	if a := &g.left[r]; !a.reset.IsZero() && a.left == 0 {
		*a = allowance{} // its reset has passed
	}
	g.left[r].spend()
	return true
}

// succeeded notes a useful answer.
func (g *limiter) succeeded(r resource, l limits) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.failures, g.secondaries = 0, 0
	g.left[r].update(l, g.o.Now())
}

// failed notes a useless answer and pauses everything for a time that doubles with each failure in a row, with
// jitter.
func (g *limiter) failed(r resource, l limits, reason string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.o.Now()
	g.left[r].update(l, now)
	backoff := retry.Doubled(g.o.BackoffBase, g.failures, g.o.BackoffMax)
	g.failures++
	g.all.extend(now.Add(time.Duration((0.5+0.5*g.o.Jitter())*float64(backoff))), reason)
}

// primary notes that the hourly limit is used up: nothing of the resource goes
// out before its reset.
func (g *limiter) primary(r resource, l limits) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.o.Now()
	until := now.Add(g.o.SecondaryWait)
	switch {
	case l.retryAfter > 0:
		until = now.Add(l.retryAfter)
	case !l.reset.IsZero():
		until = later(l.reset, now).Add(g.o.ResetMargin)
	case !g.left[r].reset.IsZero():
		until = later(g.left[r].reset, now).Add(g.o.ResetMargin)
	}
	g.left[r] = allowance{}
	g.own[r].extend(earlier(until, now.Add(g.o.MaxWait)), r.String()+" limit used up")
}

// secondary notes a secondary limit: nothing is sent for as long as GitHub says. A reset counts only if no requests
// remain; otherwise it is just the end of the hour.
func (g *limiter) secondary(l limits) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.o.Now()
	wait := retry.Doubled(g.o.SecondaryWait, g.secondaries, g.o.MaxWait)
	switch {
	case l.retryAfter > 0:
		wait = l.retryAfter
	case l.hasRemaining && l.remaining == 0 && l.reset.After(now):
		wait = l.reset.Sub(now) + g.o.ResetMargin
	}
	g.secondaries++
	g.all.extend(now.Add(min(wait, g.o.MaxWait)), "secondary limit")
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
