package fakegithub

import (
	"net/http"
	"strconv"
	"time"
)

func (l Limits) withDefaults() Limits {
	if l.GraphQL == 0 {
		l.GraphQL = 5000
	}
	if l.Core == 0 {
		l.Core = 5000
	}
	if l.Window == 0 {
		l.Window = time.Hour
	}
	if l.Concurrent == 0 {
		l.Concurrent = 100
	}
	return l
}

// bucketFor is the token's limit for a resource ("graphql" or "core") now. The
// caller holds s.mu.
func (s *Server) bucketFor(token, resource string) *bucket {
	limits := s.opts.Limits.withDefaults()
	now := s.opts.Now()
	key := token + " " + resource
	b := s.buckets[key]
	if b == nil || !now.Before(b.reset) {
		b = &bucket{resource: resource, limit: limits.Core, reset: now.Add(limits.Window)}
		if resource == "graphql" {
			b.limit = limits.GraphQL
		}
		s.buckets[key] = b
	}
	return b
}

// spend charges a limit and writes its headers. It reports whether the limit
// allowed the request at all; the headers are written either way.
func (s *Server) spend(h http.Header, token, resource string, cost int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.bucketFor(token, resource)
	ok := b.remaining() > 0
	if ok {
		b.used += cost
	} else {
		s.stats.RateLimited++
		if b.refused {
			s.stats.AfterExhaustion++
		}
		b.refused = true
	}
	h.Set("X-Ratelimit-Limit", strconv.Itoa(b.limit))
	h.Set("X-Ratelimit-Remaining", strconv.Itoa(b.remaining()))
	h.Set("X-Ratelimit-Used", strconv.Itoa(b.used))
	h.Set("X-Ratelimit-Reset", strconv.FormatInt(ceilUnix(b.reset), 10))
	h.Set("X-Ratelimit-Resource", b.resource)
	return ok
}

// ceilUnix never names a second before t, so that whoever waits for it is not
// too early.
func ceilUnix(t time.Time) int64 {
	if t.Nanosecond() > 0 {
		return t.Unix() + 1
	}
	return t.Unix()
}
