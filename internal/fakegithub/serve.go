package fakegithub

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// bodyLimit bounds what a request may send: a git client may want many objects.
const bodyLimit = 64 << 20

// serve answers every request: limits and faults first, then the endpoint.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyLimit))
	if err != nil {
		http.Error(w, "the body could not be read", http.StatusBadRequest)
		return
	}
	s.enter(1)
	defer s.enter(-1)
	target, path := "rest", strings.TrimPrefix(r.URL.Path, "/api/v3")
	switch {
	case strings.Contains(r.URL.Path, ".git/"):
		target = "git"
	case path == "/graphql" || path == "/api/graphql":
		target = "graphql"
	}
	s.arrived(target, tokenOf(r))
	if s.opts.Log != nil {
		s.opts.Log.Debug("fake GitHub", "target", target, "method", r.Method, "path", r.URL.RequestURI())
	}
	switch target {
	case "git":
		s.serveGit(w, r, body)
	case "graphql":
		s.serveGraphQL(w, r, body)
	default:
		s.serveREST(w, r, path)
	}
}

func (s *Server) enter(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight += n
	s.stats.MaxConcurrent = max(s.stats.MaxConcurrent, s.inFlight)
}

// arrived counts a request and notes impatience.
func (s *Server) arrived(target, token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch target {
	case "git":
		s.stats.Git++
		return
	case "graphql":
		s.stats.GraphQL++
	default:
		s.stats.REST++
	}
	if until, ok := s.penalties[token]; ok && s.opts.Now().Before(until) {
		s.stats.IgnoredRetryAfter++
	}
}

func (s *Server) count(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stats.Bytes += int64(n)
}

// send writes an answer, damaged if a fault says so.
func (s *Server) send(w http.ResponseWriter, status int, body []byte, f *Fault) {
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
	}
	body, broken := f.damage(w.Header(), body)
	if f != nil && (f.Garbage || f.Empty) {
		status = http.StatusOK
	}
	w.WriteHeader(status)
	s.count(len(body))
	_, _ = w.Write(body) // the client may be gone
	if broken {
		_ = http.NewResponseController(w).Flush() // what is cut off has to arrive
		panic(http.ErrAbortHandler)
	}
}

func message(text string) []byte {
	return encode(map[string]string{"message": text, "documentation_url": "https://docs.github.com/rest"})
}

// admitted does what both APIs ask of every request: a good token where one is
// needed, and not too many at once. It writes the refusal itself.
func (s *Server) admitted(w http.ResponseWriter, token string, needsToken bool) bool {
	if needsToken && token == "" {
		s.send(w, http.StatusUnauthorized, message("This endpoint requires you to be authenticated."), nil)
		return false
	}
	if s.opts.Token != "" && token != "" && token != s.opts.Token {
		s.send(w, http.StatusUnauthorized, message("Bad credentials"), nil)
		return false
	}
	s.mu.Lock()
	crowded := s.inFlight > s.opts.Limits.withDefaults().Concurrent
	s.mu.Unlock()
	if crowded {
		s.penalize(token, 2*time.Second)
		w.Header().Set("Retry-After", "2")
		s.send(w, http.StatusForbidden, message("You have exceeded a secondary rate limit. Please wait a few minutes before you try again."), nil)
		return false
	}
	return true
}

func (s *Server) serveGraphQL(w http.ResponseWriter, r *http.Request, body []byte) {
	token := tokenOf(r)
	if !s.admitted(w, token, true) {
		return
	}
	var req gqlRequest
	if r.Header.Get("Content-Encoding") == "gzip" {
		body = gunzip(body)
	}
	if err := json.Unmarshal(body, &req); err != nil {
		s.send(w, http.StatusBadRequest, message("Problems parsing JSON"), nil)
		return
	}
	f := s.fault("graphql", req.Query+" "+string(encode(req.Variables)))
	if f != nil && s.before(w, r, f, token) {
		return
	}
	s.note(req)
	limit := func(cost int) any { return s.rateLimit(token, cost) }
	answer := s.site.run(req, limit)
	if !s.spend(w.Header(), token, "graphql", answer.cost) {
		s.send(w, http.StatusOK, encode(map[string]any{"errors": []gqlError{{Type: "RATE_LIMITED", Message: "API rate limit already exceeded for user ID 1."}}}), nil)
		return
	}
	s.mu.Lock()
	s.stats.Points += answer.cost
	s.mu.Unlock()
	slow := s.opts.SlowNodes
	if slow == 0 {
		slow = 40_000
	}
	if answer.nodes > slow {
		s.send(w, http.StatusBadGateway, []byte(`{"data":null,"errors":[{"message":"Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug."}]}`), nil)
		return
	}
	s.send(w, http.StatusOK, answer.body, f)
}

func gunzip(body []byte) []byte {
	z, err := gzip.NewReader(strings.NewReader(string(body)))
	if err != nil {
		return nil
	}
	out, err := io.ReadAll(io.LimitReader(z, bodyLimit))
	if err != nil {
		return nil
	}
	return out
}

var operationName = regexp.MustCompile(`^\s*(?:query|mutation)\s+(\w+)`)

// note records a document for Queries and the counts.
func (s *Server) note(req gqlRequest) {
	name := req.OperationName
	if m := operationName.FindStringSubmatch(req.Query); name == "" && m != nil {
		name = m[1]
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stats.Operations[name]++
	if !s.known[req.Query] {
		s.known[req.Query] = true
		s.queries = append(s.queries, Query{Operation: name, Text: req.Query, Variables: req.Variables})
	}
}

// rateLimit is the GraphQL object of that name, as after this query.
func (s *Server) rateLimit(token string, cost int) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.bucketFor(token, "graphql")
	return map[string]any{
		"cost": cost, "limit": b.limit, "used": b.used + cost, "remaining": max(0, b.remaining()-cost),
		"resetAt": time.Unix(ceilUnix(b.reset), 0).UTC().Format(time.RFC3339), "nodeCount": 0,
	}
}
