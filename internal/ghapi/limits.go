package ghapi

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// limits is what an answer's headers say about rates, on the local clock.
type limits struct {
	remaining    int
	hasRemaining bool
	reset        time.Time     // zero if not given
	retryAfter   time.Duration // 0 if not given, not readable, or not positive
}

// readLimits reads the rate headers of an answer received at now. It converts the server's times by the Date header,
// so that a wrong local clock makes no wait too short. No wait exceeds longest, because a header may say anything.
func readLimits(h http.Header, now time.Time, longest time.Duration) limits {
	var l limits
	if n, err := strconv.Atoi(h.Get("X-RateLimit-Remaining")); err == nil {
		l.remaining, l.hasRemaining = max(0, n), true
	}
	server := now
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		server = date
	}
	if unix, err := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 64); err == nil && unix > 0 {
		l.reset = now.Add(min(time.Unix(unix, 0).Sub(server), longest))
	}
	after := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseInt(after, 10, 64); err == nil && seconds > 0 {
		l.retryAfter = min(time.Duration(min(seconds, int64(longest/time.Second)+1))*time.Second, longest)
	} else if date, err := http.ParseTime(after); err == nil && date.After(server) {
		l.retryAfter = min(date.Sub(server), longest)
	}
	return l
}

// allowance is what is left of one hourly limit: the lower of GitHub's figure and our own count, because GitHub's
// servers contradict each other.
type allowance struct {
	left  int
	reset time.Time // zero: nothing is known
}

// spend counts one request about to be sent.
func (a *allowance) spend() {
	if a.left > 0 {
		a.left--
	}
}

// update records an answer's headers. It never replaces a window that has not ended by a more generous one.
func (a *allowance) update(l limits, now time.Time) {
	if !l.hasRemaining || l.reset.IsZero() {
		return
	}
	if a.reset.IsZero() || !now.Before(a.reset) {
		*a = allowance{left: l.remaining, reset: l.reset}
		return
	}
	a.left = min(a.left, l.remaining)
}

// heldUntil is the reset of a limit that is used up, or the zero time.
func (a *allowance) heldUntil(margin time.Duration) time.Time {
	if a.reset.IsZero() || a.left > 0 {
		return time.Time{}
	}
	return a.reset.Add(margin)
}
