package models

import (
	"github.com/prforge/prforge/internal/reviewer"
)

// MessageTokens is an upper bound of the tokens for the form of two messages besides their texts.
const MessageTokens = 16

// maxOverrun is how many times an answer may exceed its limit of output and still be plausible: only the endpoint
// sees reasoning.
const maxOverrun = 16

// worst is the maximum cost of an attempt: a request has at most as many tokens as bytes. Once a model has exceeded
// its limit, worst allows twice that excess.
func (s *Endpoint) worst(sent int) float64 {
	return s.Call.Price.Worst(int64(sent), max(int64(s.Call.MaxOutput()), 2*s.overrun.Load()))
}

// observe notes answers that exceeded their limit.
func (s *Endpoint) observe(u reviewer.Usage) {
	for {
		most := s.overrun.Load()
		if u.Output <= most || u.Output <= int64(s.Call.MaxOutput()) || s.overrun.CompareAndSwap(most, u.Output) {
			return
		}
	}
}

// believe replaces implausible counts of an endpoint by our own, and reports whether the answer's cost is known. sent
// and received are the bytes of request and reply, counted is our count of the question's tokens.
func (s *Endpoint) believe(a *Answer, sent, received, counted int) bool {
	u := &a.Usage
	u.Counted = int64(counted)
	input := u.Input >= 1 && u.Input <= int64(sent)
	output := u.Output >= 0 && u.Output <= int64(max(received, maxOverrun*s.Call.MaxOutput())) &&
		(u.Output > 0 || a.Text == "")
	if !input {
		u.Input = u.Counted
	}
	if !output {
		u.Output = int64(s.count(a.Text))
	}
	u.Cached = min(max(0, u.Cached), u.Input)
	u.CacheWrite = min(max(0, u.CacheWrite), u.Input-u.Cached)
	u.Reasoning = min(max(0, u.Reasoning), u.Output)
	u.Doubted = !input || !output || 2*u.Input < u.Counted
	if !u.Doubted {
		s.observe(*u)
	}
	return !u.Doubted
}
