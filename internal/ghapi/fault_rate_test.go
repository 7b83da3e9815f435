package ghapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

// in is the moment d from now on the scripted clock, as x-ratelimit-reset.
func in(d time.Duration) string {
	return strconv.FormatInt(newClock().now.Add(d).Unix(), 10)
}

func TestFault09PrimaryLimitAtStatus200(t *testing.T) {
	for _, body := range []string{
		`{"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded for user ID 1."}]}`,
		`{"data":null,"errors":[{"type":"RATE_LIMIT","code":"graphql_rate_limit","message":"API rate limit already exceeded for user ID 1."}]}`,
		`{"errors":[{"extensions":{"code":"graphql_rate_limit"},"message":"slow down"}]}`,
		`{"message":"API rate limit exceeded for user ID 1."}`,
	} {
		limited := with(text(200, body), "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", in(17*time.Minute))
		g := newGitHub(t, limited, goodGraphQL)
		wantLogin(t, g.client())
		if got := g.waitedBefore(2); got != 17*time.Minute+time.Second {
			t.Errorf("%s: waited %v, want until the reset", body, got)
		}
	}
}

func TestFault09PrimaryLimitOverREST(t *testing.T) {
	limited := with(text(403, `{"message":"API rate limit exceeded for user ID 1."}`), "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", in(time.Minute))
	g := newGitHub(t, limited, goodREST)
	wantRepository(t, g.client())
	if got := g.waitedBefore(2); got != 61*time.Second {
		t.Errorf("waited %v, want until the reset", got)
	}
}

func TestFault10LastGoodAnswerIsKept(t *testing.T) {
	last := with(goodGraphQL, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", in(10*time.Minute))
	g := newGitHub(t, last, goodREST, goodGraphQL)
	c := g.client()
	wantLogin(t, c)
	wantRepository(t, c) // another limit: not held back
	if got := g.waitedBefore(2); got != 0 {
		t.Errorf("REST waited %v for GraphQL's limit", got)
	}
	wantLogin(t, c)
	if got := g.waitedBefore(3); got != 10*time.Minute+time.Second {
		t.Errorf("waited %v, want until the reset", got)
	}
	if s := c.Stats(); s.Limited != 0 || s.Waited != 10*time.Minute+time.Second {
		t.Errorf("stats are %+v", s)
	}
}

func TestFault10LimitOfAnAnswerWithoutSuccess(t *testing.T) {
	limits := []string{"X-RateLimit-Remaining", "0", "X-RateLimit-Reset", in(10 * time.Minute)}
	g := newGitHub(t, with(text(404, `{"message":"Not Found"}`), limits...), goodREST, text(403, `{"message":"API rate limit exceeded for user ID 1."}`), goodREST)
	c := g.client()
	if _, err := repository(t.Context(), c); !errors.Is(err, ErrNotFound) {
		t.Fatal(err)
	}
	wantRepository(t, c)
	wantRepository(t, c) // what was known of the limit has passed, so that nobody says how long this one lasts
	if first, second := g.waitedBefore(2), g.waitedBefore(4)-g.waitedBefore(3); first != 10*time.Minute+time.Second || second != time.Minute {
		t.Errorf("waited %v until the reset and %v later, want 10m1s and 1m", first, second)
	}
}

func TestFault10GoGitHubDoesNotBlockItself(t *testing.T) {
	last := with(goodREST, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", strconv.FormatInt(time.Now().Add(time.Hour).Unix(), 10),
		"Date", time.Now().UTC().Format(http.TimeFormat))
	g := newGitHub(t, last, goodREST)
	c := g.client()
	wantRepository(t, c)
	wantRepository(t, c) // go-github would refuse by the real clock
}

func TestFault11BodyDecidesWhateverRemains(t *testing.T) {
	limited := with(text(200, `{"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded"}]}`),
		"X-RateLimit-Remaining", "4321", "X-RateLimit-Reset", in(5*time.Minute))
	g := newGitHub(t, limited, goodGraphQL)
	wantLogin(t, g.client())
	if got := g.waitedBefore(2); got != 5*time.Minute+time.Second {
		t.Errorf("waited %v, want until the reset", got)
	}
}

func TestFault12RetryAfterHoldsEverythingBack(t *testing.T) {
	for _, status := range []int{403, 429, 200} {
		g := newGitHub(t, with(text(status, secondaryBody), "Retry-After", "37"), goodGraphQL, goodREST)
		c := g.client()
		wantLogin(t, c)
		wantRepository(t, c)
		if got := g.waitedBefore(2); got != 37*time.Second {
			t.Errorf("status %d: waited %v, want 37s", status, got)
		}
	}
	t.Run("429 without a word", func(t *testing.T) {
		g := newGitHub(t, with(text(429, ""), "Retry-After", "5"), goodREST)
		wantRepository(t, g.client())
		if got := g.waitedBefore(2); got != 5*time.Second {
			t.Errorf("waited %v, want 5s", got)
		}
	})
}

// TestFault12RacingRequestsQueue has many requests waiting for the limiter when one of them
// is refused: none may be sent before the pause is over.
func TestFault12RacingRequestsQueue(t *testing.T) {
	replies := []reply{with(text(403, secondaryBody), "Retry-After", "90")}
	for range 20 {
		replies = append(replies, goodREST)
	}
	g := newGitHub(t, replies...)
	c := g.client()
	var racing sync.WaitGroup
	for range 20 {
		racing.Add(1)
		go func() {
			defer racing.Done()
			if name, err := repository(context.Background(), c); err != nil || name != "o/r" {
				t.Errorf("repository = %q, %v", name, err)
			}
		}()
	}
	racing.Wait()
	for i, at := range g.asked[1:] {
		if at.Sub(g.asked[0]) < 90*time.Second {
			t.Errorf("request %d was sent %v after the refusal", i+2, at.Sub(g.asked[0]))
		}
	}
	if s := c.Stats(); s.Waited != 90*time.Second {
		t.Errorf("waited %v, want 90s counted once", s.Waited)
	}
}

func TestFault13SecondaryWithoutHeadersDoubles(t *testing.T) {
	g := newGitHub(t, text(403, secondaryBody), text(403, secondaryBody), text(429, `{}`), goodREST, text(403, secondaryBody), goodREST)
	c := g.client()
	wantRepository(t, c)
	wantRepository(t, c)
	for i, want := range map[int]time.Duration{2: time.Minute, 3: 2 * time.Minute, 4: 4 * time.Minute, 6: time.Minute} {
		if got := g.waitedBefore(i); got != want {
			t.Errorf("waited %v before request %d, want %v", got, i, want)
		}
	}
}

// A secondary limit may come as an error of a good status.
func TestFault13SecondaryAtStatus200(t *testing.T) {
	g := newGitHub(t, text(200, `{"errors":[{"message":"You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}]}`), goodGraphQL)
	wantLogin(t, g.client())
	if got := g.waitedBefore(2); got != time.Minute {
		t.Errorf("waited %v, want a minute", got)
	}
}

// Jitter takes up to half of a pause off.
func TestPausesAreSpread(t *testing.T) {
	pause := func(jitter float64) time.Duration {
		g := newGitHub(t, text(502, ""), goodREST)
		wantRepository(t, g.client(func(o *Options) { o.Jitter = func() float64 { return jitter } }))
		return g.waitedBefore(2)
	}
	if whole, some := pause(1), pause(0.5); whole == 0 || some != whole*3/4 {
		t.Errorf("%v and %v", whole, some)
	}
}

// By default one request waits for eight limits and no more.
func TestFault13DefaultWaits(t *testing.T) {
	g := newGitHub(t, slices.Repeat([]reply{text(403, secondaryBody)}, 8)...)
	_, err := repository(context.Background(), g.client())
	wantError(t, err, ErrLimited)
}

func TestFault13LimitsThatNeverEndFail(t *testing.T) {
	g := newGitHub(t, text(403, secondaryBody), text(403, secondaryBody), text(403, secondaryBody))
	_, err := repository(context.Background(), g.client(func(o *Options) { o.LimitWaits = 3 }))
	wantError(t, err, ErrLimited)
}

func TestFault14DistantResetIsNoReasonToWait(t *testing.T) {
	limited := with(text(403, secondaryBody), "X-RateLimit-Remaining", "4990", "X-RateLimit-Reset", in(50*time.Minute))
	g := newGitHub(t, limited, goodREST, goodREST)
	c := g.client()
	wantRepository(t, c)
	wantRepository(t, c) // go-github would block itself for 50 minutes
	if got := g.waitedBefore(2); got != time.Minute {
		t.Errorf("waited %v, want 1m", got)
	}
}

func TestFault15RetryAfterIsClamped(t *testing.T) {
	date := newClock().now.Add(42 * time.Second).Format(http.TimeFormat)
	past := newClock().now.Add(-42 * time.Second).Format(http.TimeFormat)
	for value, want := range map[string]time.Duration{
		date: 42 * time.Second, past: time.Minute, "0": time.Minute, "-5": time.Minute, "soon": time.Minute,
		"99999999": DefaultOptions().MaxWait, "99999999999999999999": time.Minute,
	} {
		if l := readLimits(http.Header{"Retry-After": {value}}, newClock().now, time.Hour); l.retryAfter < 0 {
			t.Errorf("Retry-After %q: read as %v", value, l.retryAfter)
		}
		g := newGitHub(t, with(text(403, secondaryBody), "Retry-After", value), goodREST)
		wantRepository(t, g.client())
		if got := g.waitedBefore(2); got != want {
			t.Errorf("Retry-After %q: waited %v, want %v", value, got, want)
		}
	}
}

func TestFault16ClockSkew(t *testing.T) {
	for _, skew := range []time.Duration{-3 * time.Hour, 3 * time.Hour} {
		server := newClock().now.Add(skew)
		last := with(goodREST, "X-RateLimit-Remaining", "0",
			"X-RateLimit-Reset", strconv.FormatInt(server.Add(4*time.Minute).Unix(), 10), "Date", server.Format(http.TimeFormat))
		g := newGitHub(t, last, goodREST)
		c := g.client()
		wantRepository(t, c)
		wantRepository(t, c)
		if got := g.waitedBefore(2); got != 4*time.Minute+time.Second {
			t.Errorf("skew %v: waited %v, want 4m1s", skew, got)
		}
	}
}

func TestFault17ContradictoryRemaining(t *testing.T) {
	says := func(remaining int) reply {
		return with(goodREST, "X-RateLimit-Remaining", fmt.Sprint(remaining), "X-RateLimit-Reset", in(10*time.Minute))
	}
	// 2 are left; the machines that say otherwise are not believed.
	g := newGitHub(t, says(2), says(4999), says(5000), goodREST)
	c := g.client()
	for range 4 {
		wantRepository(t, c)
	}
	if got := g.waitedBefore(4); got != 10*time.Minute+time.Second {
		t.Errorf("waited %v before the request beyond the limit, want until the reset", got)
	}
}

func TestFault18BadCredentialsStop(t *testing.T) {
	g := newGitHub(t, text(401, `{"message":"Bad credentials"}`), text(401, `{"message":"Bad credentials"}`))
	c := g.client()
	_, err := viewer(context.Background(), c)
	wantError(t, err, ErrAuth)
	_, err = repository(context.Background(), c)
	wantError(t, err, ErrAuth)
}

func TestFault19TimeoutIsChargedByWhatGitHubSaysNext(t *testing.T) {
	reset := in(10 * time.Minute)
	g := newGitHub(t,
		with(goodGraphQL, "X-RateLimit-Remaining", "10", "X-RateLimit-Reset", reset),
		with(text(502, somethingWrong), "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", reset),
		goodGraphQL)
	c := g.client()
	wantLogin(t, c)
	wantLogin(t, c)
	if got := g.waitedBefore(3); got != 10*time.Minute+time.Second {
		t.Errorf("waited %v, want until the reset", got)
	}
}

func TestPauseOfAnEarlierRunIsKept(t *testing.T) {
	g := newGitHub(t, goodREST, goodGraphQL)
	start := g.clock.Now()
	var told []Wait
	c := g.client(func(o *Options) {
		o.Held = []Wait{{Reason: "secondary limit", Until: start.Add(time.Minute)}, {Resource: "GraphQL", Reason: "GraphQL limit used up", Until: start.Add(time.Hour)}}
		o.OnWait = func(w Wait) { told = append(told, w) }
	})
	wantRepository(t, c)
	wantLogin(t, c)
	if a, b := g.asked[0].Sub(start), g.asked[1].Sub(start); a != time.Minute || b != time.Hour {
		t.Errorf("asked after %v and %v", a, b)
	}
	if len(told) != 2 || told[0].Resource != "" || told[1].Resource != "GraphQL" {
		t.Errorf("told of %+v", told)
	}
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	g := newGitHub(t, with(text(403, secondaryBody), "Retry-After", "37"))
	ctx, cancel := context.WithCancel(context.Background())
	g.clock.before = cancel
	if _, err := repository(ctx, g.client()); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want that of the context", err)
	}
}
