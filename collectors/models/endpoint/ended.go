package endpoint

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// why is a sentence that says why a model is no longer used, or "".
func (s *Server) why(model string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if all := s.ended[""]; all != "" {
		return all
	}
	return s.ended[model]
}

// Ended are the sentences about what this run stopped using.
func (s *Server) Ended() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Values(s.ended))
}

// end stops using a model or, with "", the whole endpoint.
func (s *Server) end(model, why string, err error) {
	if s.ended[model] != "" {
		return
	}
	name := s.name
	if model != "" {
		name = model + " at " + name
	}
	s.ended[model] = fmt.Sprintf("%s is not asked any more: %s (%v)", name, why, err)
}

// noReply counts an attempt that ended without any reply.
func (s *Server) noReply(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.silent++; s.silent >= orDefault(s.config.GiveUpAfter, defaultGiveUpAfter) {
		s.end("", fmt.Sprintf("%d attempts in a row got no reply", s.silent), err)
	}
}

// replied notes a reply. A refused key or a used-up credit ends the endpoint. A refused or unknown model ends the
// model, unless it has answered before: then the refusal is about the question.
func (s *Server) replied(model string, status int, body []byte, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.silent = 0
	switch {
	case err == nil:
		s.answered[model] = true
	case status == http.StatusUnauthorized:
		s.end("", "the key is missing or refused", err)
	case exhausted(status, body):
		s.end("", "its quota or credit is used up", err)
	case (status == http.StatusForbidden || status == http.StatusNotFound) && !s.answered[model]:
		s.end(model, "the endpoint refuses it or does not know it", err)
	}
}

// exhausted reports whether a reply says that the credit is used up: by status, or in the words of OpenAI and
// Anthropic.
func exhausted(status int, body []byte) bool {
	switch status {
	case http.StatusPaymentRequired:
		return true
	case http.StatusTooManyRequests:
		return bytes.Contains(body, []byte("insufficient_quota"))
	case http.StatusBadRequest:
		return bytes.Contains(body, []byte("credit balance is too low"))
	}
	return false
}

// retryAfter is the server's requested wait: milliseconds in retry-after-ms, seconds, whole or not, or a date in
// Retry-After (RFC 9110, section 10.2.3); 0 without one.
func retryAfter(h http.Header, now time.Time) time.Duration {
	header := h.Get("Retry-After")
	for _, given := range []struct {
		text string
		unit time.Duration
	}{{h.Get("retry-after-ms"), time.Millisecond}, {header, time.Second}} {
		const most = float64(1<<30) * float64(time.Second)
		if n, err := strconv.ParseFloat(given.text, 64); err == nil && n >= 0 {
			return time.Duration(min(n*float64(given.unit), most))
		}
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
