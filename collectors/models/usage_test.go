package models

import (
	"math"
	"testing"

	"github.com/prforge/prforge/internal/reviewer"
)

// A model that answered more than it may is booked at twice that from then on.
func TestWorst(t *testing.T) {
	s := &Endpoint{Call: reviewer.Call{MaxTokens: 100, Price: &reviewer.Price{Input: 1e6, Output: 1e6, CacheWrite: 1e6}}}
	for _, tc := range []struct {
		seen int64
		want float64
	}{{0, 110}, {100, 110}, {150, 310}, {120, 310}, {400, 810}} {
		s.observe(reviewer.Usage{Output: tc.seen})
		if got := s.worst(10); got != tc.want {
			t.Errorf("after %d: %g, want %g", tc.seen, got, tc.want)
		}
	}
}

// Usage is believed where it can be true; otherwise our own counts stand in.
func TestBelieve(t *testing.T) {
	count := func(text string) int { return len(text) / 4 }
	for name, tc := range map[string]struct {
		said, want reviewer.Usage
	}{
		"honest":             {reviewer.Usage{Input: 90, Output: 5, Cached: 40}, reviewer.Usage{Input: 90, Output: 5, Cached: 40}},
		"as many as bytes":   {reviewer.Usage{Input: 400, Output: 5}, reviewer.Usage{Input: 400, Output: 5}},
		"more than bytes":    {reviewer.Usage{Input: 401, Output: 5}, reviewer.Usage{Input: 100, Output: 5, Doubted: true}},
		"none":               {reviewer.Usage{}, reviewer.Usage{Input: 100, Output: 3, Doubted: true}},
		"negative":           {reviewer.Usage{Input: -1, Output: -9}, reviewer.Usage{Input: 100, Output: 3, Doubted: true}},
		"the largest":        {reviewer.Usage{Input: math.MaxInt64, Output: math.MaxInt64}, reviewer.Usage{Input: 100, Output: 3, Doubted: true}},
		"hidden reasoning":   {reviewer.Usage{Input: 90, Output: 160, Reasoning: 170}, reviewer.Usage{Input: 90, Output: 160, Reasoning: 160}},
		"beyond any overrun": {reviewer.Usage{Input: 90, Output: 161}, reviewer.Usage{Input: 90, Output: 3, Doubted: true}},
		"no output":          {reviewer.Usage{Input: 90}, reviewer.Usage{Input: 90, Output: 3, Doubted: true}},
		"half of it":         {reviewer.Usage{Input: 50, Output: 5}, reviewer.Usage{Input: 50, Output: 5}},
		"a cut window":       {reviewer.Usage{Input: 49, Output: 5}, reviewer.Usage{Input: 49, Output: 5, Doubted: true}},
		"too much cached":    {reviewer.Usage{Input: 90, Output: 5, Cached: 99, CacheWrite: 99}, reviewer.Usage{Input: 90, Output: 5, Cached: 90}},
	} {
		s := &Endpoint{Call: reviewer.Call{MaxTokens: 10}, Env: Environment{Count: count}}
		a := Answer{Text: "twelve bytes", Usage: tc.said}
		said := s.believe(&a, 400, 120, 100)
		tc.want.Counted = 100
		if a.Usage != tc.want || said == tc.want.Doubted {
			t.Errorf("%s: %+v, want %+v; believed %v", name, a.Usage, tc.want, said)
		}
	}
}
