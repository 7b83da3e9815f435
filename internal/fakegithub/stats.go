package fakegithub

import (
	"maps"
	"slices"
)

// Stats counts what a server was asked and how well its client behaved.
type Stats struct {
	GraphQL, REST, Git int
	Points             int // GraphQL points charged
	Billed             int // REST requests charged: those that no limit refused
	Bytes              int64
	Faults             int // faults that happened
	RateLimited        int // answers that said so
	AfterExhaustion    int // requests to a limit that had already refused one
	IgnoredRetryAfter  int // API requests made before a Retry-After was over
	MaxConcurrent      int
	Operations         map[string]int // GraphQL requests by operation name
	Paths              map[string]int // REST requests by shape: /repos/O/R/pulls/N
	Packs              map[string]int // git transfers that were answered, by repository
}

// Query is a GraphQL document that the server was sent.
type Query struct {
	Operation string
	Text      string
	Variables map[string]any // of the first request with this text
}

// Stats returns the counts so far.
func (s *Server) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.stats
	out.Operations, out.Paths, out.Packs = maps.Clone(out.Operations), maps.Clone(out.Paths), maps.Clone(out.Packs)
	return out
}

func (s *Server) reset() {
	s.stats = Stats{Operations: map[string]int{}, Paths: map[string]int{}, Packs: map[string]int{}}
	s.buckets, s.penalties = map[string]*bucket{}, nil
	s.seen, s.fired = make([]int, len(s.opts.Faults)), make([]int, len(s.opts.Faults))
	s.unmatched, s.queries, s.known = nil, nil, map[string]bool{}
}

// Unmatched lists the requests that the server has no endpoint for, in order:
// "GET /repos/o/r/stargazers". A repository or number that the world does not
// have is a 404, not an unmatched request.
func (s *Server) Unmatched() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.unmatched)
}

// Queries lists the distinct GraphQL documents received, in order.
func (s *Server) Queries() []Query {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.queries)
}
