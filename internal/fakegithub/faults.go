package fakegithub

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// SetFaults has other faults happen from the next request on, in place of
// Options.Faults, and counts from zero again.
func (s *Server) SetFaults(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opts.Faults = faults
	s.reset()
}

// fault picks the fault that happens to a request, nil for none.
func (s *Server) fault(target, text string) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.opts.Faults {
		f := &s.opts.Faults[i]
		if f.Target != "" && f.Target != target || f.Match != nil && !f.Match.MatchString(text) {
			continue
		}
		s.seen[i]++
		if f.Times > 0 && s.fired[i] >= f.Times || !f.due(s.seen[i]) {
			continue
		}
		s.fired[i]++
		s.stats.Faults++
		return f
	}
	return nil
}

func (f *Fault) due(n int) bool {
	for _, k := range f.Nth {
		if k == n {
			return true
		}
	}
	if len(f.Nth) > 0 {
		return false
	}
	return f.Every == 0 || n%f.Every == 0
}

var laterHeader = regexp.MustCompile(`^\{\{now\+(\d+)\}\}$`)

// before does what a fault does instead of the true answer. It reports whether
// the request is thereby answered.
func (s *Server) before(w http.ResponseWriter, r *http.Request, f *Fault, token string) bool {
	if f.Delay > 0 && !s.wait(r, f.Delay) {
		return true
	}
	switch {
	case f.Stall:
		s.wait(r, 0)
		return true
	case f.Drop:
		panic(http.ErrAbortHandler)
	case f.Lost != "":
		refusal := "ERR upload-pack: not our ref " + f.Lost
		w.Header().Set("Content-Type", "application/x-git-upload-pack-result")
		fmt.Fprintf(w, "%04x%s", len(refusal)+4, refusal)
		return true
	case f.Status == 0:
		return false
	}
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	for name, value := range f.Headers {
		if m := laterHeader.FindStringSubmatch(value); m != nil {
			seconds, _ := strconv.Atoi(m[1]) // only digits match
			value = strconv.FormatInt(s.opts.Now().Unix()+int64(seconds), 10)
		}
		h.Set(name, value)
	}
	if seconds, err := strconv.Atoi(h.Get("Retry-After")); err == nil {
		s.penalize(token, time.Duration(seconds)*time.Second)
	}
	body := f.Body
	if body == "" {
		body = `{"message":"Server Error"}`
	}
	w.WriteHeader(f.Status)
	s.count(len(body))
	_, _ = w.Write([]byte(body)) // the client may be gone
	return true
}

// wait sleeps for d, or for ever when it is 0, and reports whether the request
// is still of interest.
func (s *Server) wait(r *http.Request, d time.Duration) bool {
	var timer <-chan time.Time
	if d > 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		timer = t.C
	}
	select {
	case <-timer:
		return true
	case <-r.Context().Done():
	case <-s.stop:
	}
	return false
}

// penalize notes that the token must not ask before a Retry-After is over. A
// quarter of a second is forgiven, for clocks.
func (s *Server) penalize(token string, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.penalties == nil {
		s.penalties = map[string]time.Time{}
	}
	s.penalties[token] = s.opts.Now().Add(d - 250*time.Millisecond)
}

// damage applies a fault to the true answer: what arrives, and whether the
// connection breaks after it.
func (f *Fault) damage(h http.Header, body []byte) (arrives []byte, broken bool) {
	switch {
	case f == nil:
		return body, false
	case f.Garbage:
		h.Set("Content-Type", "text/html; charset=utf-8")
		return []byte("<!DOCTYPE html><html><body><h1>Unicorn!</h1></body></html>"), false
	case f.Empty:
		return nil, false
	case f.Cut > 0:
		h.Set("Content-Length", strconv.Itoa(len(body)))
		return body[:int(float64(len(body))*min(f.Cut, 1))], true
	}
	return body, false
}

// tokenOf is the token of an Authorization header, "" if there is none.
func tokenOf(r *http.Request) string {
	kind, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	if !ok || !strings.EqualFold(kind, "bearer") && !strings.EqualFold(kind, "token") {
		return ""
	}
	return strings.TrimSpace(token)
}
