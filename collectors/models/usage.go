package models

import (
	"github.com/prforge/prforge/internal/reviewer"
)

// MessageTokens is more than what the form of two messages takes beside their
// texts.
const MessageTokens = 16

// maxOverrun is how many times its limit of output an answer may take and still
// be believed: reasoning is seen by nobody but the endpoint.
const maxOverrun = 16

// worst is the most that an attempt may cost: no tokenizer makes more tokens of a
// request than it has bytes. Once a model has answered more than it was allowed
// to, it may do so twice as much again.
func (s *Endpoint) worst(sent int) float64 {
	return s.Call.Price.Worst(int64(sent), max(int64(s.Call.MaxOutput()), 2*s.overrun.Load()))
}

// observe notes answers that took more than they were allowed to.
func (s *Endpoint) observe(u reviewer.Usage) {
	for {
		most := s.overrun.Load()
		if u.Output <= most || u.Output <= int64(s.Call.MaxOutput()) || s.overrun.CompareAndSwap(most, u.Output) {
			return
		}
	}
}

// believe puts our own counts in place of what an endpoint cannot have counted,
// and reports whether the answer's cost is known. sent and received are the bytes
// of request and reply, counted is our count of the question's tokens.
func (s *Endpoint) believe(a *Answer, sent, received, counted int) bool {
	u := &a.Usage
	u.Counted = int64(counted)
	input := u.Input >= 1 && u.Input <= int64(sent)
	output := u.Output >= 0 && u.Output <= int64(max(received, maxOverrun*s.Call.MaxOutput())) && (u.Output > 0 || a.Text == "")
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
