package ghapi

import (
	"sync"
	"time"
)

// Stats is what a client has cost so far.
type Stats struct {
	GraphQL int           `json:"graphql_requests"`
	REST    int           `json:"rest_requests"`
	Points  int           `json:"points"` // GraphQL points as GitHub reports them, at least 1 a request
	Retries int           `json:"retries"`
	Limited int           `json:"limited"` // answers that refused for a rate limit
	Bytes   int64         `json:"bytes"`   // of bodies read, after decompression
	Waited  time.Duration `json:"waited"`  // time in which a limit or a backoff held requests back
}

// counters counts; safe for concurrent use.
type counters struct {
	mu    sync.Mutex
	stats Stats
}

func (l *counters) add(f func(*Stats)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f(&l.stats)
}

func (l *counters) snapshot() Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stats
}
