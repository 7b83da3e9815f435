package ghapi

import (
	"context"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestConcurrencyIsModest counts the requests in flight: as many as allowed, of
// GraphQL one.
func TestConcurrencyIsModest(t *testing.T) {
	for _, concurrent := range []int{1, 4} {
		var rest, graphql, all, most atomic.Int64
		count := func(n *atomic.Int64, limit int64) {
			if got := n.Add(1); got > limit {
				t.Errorf("%d in flight, want at most %d", got, limit)
			}
		}
		serve := func(good reply, own *atomic.Int64, limit int64) reply {
			return reply{do: func(w http.ResponseWriter, _ *http.Request) {
				count(own, limit)
				count(&all, int64(concurrent))
				if now := all.Load(); now > most.Load() {
					most.Store(now)
				}
				defer func() { own.Add(-1); all.Add(-1) }()
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write([]byte(good.body))
			}}
		}
		g := newGitHub(t)
		for range 40 {
			// Either kind may come next: what is served goes by what is asked.
			g.replies = append(g.replies, reply{do: func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodPost {
					serve(goodGraphQL, &graphql, 1).do(w, r)
				} else {
					serve(goodREST, &rest, int64(concurrent)).do(w, r)
				}
			}})
		}
		c := g.client(func(o *Options) { o.Concurrent = concurrent })
		var all40 sync.WaitGroup
		for i := range 40 {
			all40.Add(1)
			go func() {
				defer all40.Done()
				var err error
				if i%2 == 0 {
					_, err = viewer(context.Background(), c)
				} else {
					_, err = repository(context.Background(), c)
				}
				if err != nil {
					t.Error(err)
				}
			}()
		}
		all40.Wait()
	}
}

func TestAllowanceNeverBelievesTheBetterNumber(t *testing.T) {
	now := newClock().now
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var a allowance
		lowest, reset := 0, now.Add(time.Hour)
		for i := range 50 {
			said := rng.IntN(1000)
			a.update(limits{remaining: said, hasRemaining: true, reset: reset}, now)
			if i == 0 || said < lowest {
				lowest = said
			}
			if a.left > lowest {
				t.Fatalf("%d left, but GitHub said %d", a.left, lowest)
			}
			a.spend()
			if lowest > 0 {
				lowest--
			}
		}
	}
}

// FuzzLimits feeds headers to the limiter: no pause may be longer than allowed, or
// in the past for ever.
func FuzzLimits(f *testing.F) {
	f.Add("60", "0", "1776255000", "Wed, 15 Apr 2026 12:00:00 GMT", true)
	f.Add("-1", "-5", "-1", "never", false)
	f.Add("99999999999999999999", "x", "99999999999999", "", true)
	f.Fuzz(func(t *testing.T, after, remaining, reset, date string, isPrimary bool) {
		c := newClock()
		o := DefaultOptions()
		o.Now, o.Sleep = c.Now, c.Sleep
		g := newLimiter(&o, &counters{})
		l := readLimits(http.Header{"Retry-After": {after}, "X-Ratelimit-Remaining": {remaining}, "X-Ratelimit-Reset": {reset}, "Date": {date}}, c.Now(), o.MaxWait)
		if isPrimary {
			g.primary(core, l)
		} else {
			g.secondary(l)
		}
		leave, err := g.enter(context.Background(), core)
		if err != nil {
			t.Fatal(err)
		}
		leave()
		if s := c.Slept(); s > o.MaxWait+o.ResetMargin || s <= 0 {
			t.Errorf("waited %v", s)
		}
	})
}

// FuzzClassify feeds bodies to both judges: they must not panic, and nothing but a
// JSON object with data may pass for data.
func FuzzClassify(f *testing.F) {
	for _, body := range []string{goodGraphQL.body, somethingWrong, secondaryBody, unicorn, "", "{}", `{"errors":[{"path":[1,"a",null]}]}`, `{"data":{"rateLimit":null,"x":[]}}`} {
		f.Add(200, body)
		f.Add(403, body)
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		h := http.Header{"Content-Type": {"application/json"}}
		if a, fail := classifyGraphQL(status, h, []byte(body)); fail == nil && (status != 200 || !isData(a.body)) {
			t.Errorf("%d %q passes for data", status, body)
		}
		if fail := classifyREST(status, h, []byte(body), false); fail == nil && status == 200 && body == "" {
			t.Errorf("%s passes for data", strconv.Quote(body))
		}
	})
}

// TestFault12APauseCatchesWhoeverWaitsForASlot has a request wait for the only
// slot, its own look at the pauses behind it, while the one in flight is refused.
func TestFault12APauseCatchesWhoeverWaitsForASlot(t *testing.T) {
	c := newClock()
	o := DefaultOptions()
	o.Now, o.Sleep = c.Now, c.Sleep
	g := newLimiter(&o, &counters{})
	leave, err := g.enter(context.Background(), core)
	if err != nil {
		t.Fatal(err)
	}
	entered := make(chan time.Duration)
	go func() {
		leave, err := g.enter(context.Background(), core)
		if err != nil {
			t.Error(err)
		} else {
			leave()
		}
		entered <- c.Slept()
	}()
	for len(g.turns[core]) == 0 { // until it has its turn
		runtime.Gosched()
	}
	g.secondary(limits{retryAfter: 90 * time.Second})
	leave()
	if slept := <-entered; slept != 90*time.Second {
		t.Errorf("the waiting request was let through after %v, want 90s", slept)
	}
}
