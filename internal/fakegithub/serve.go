package fakegithub

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"
)

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
		s.send(w, http.StatusOK,
			encode(map[string]any{"errors": []gqlError{{Type: "RATE_LIMITED",
				Message: "API rate limit already exceeded for user ID 1."}}}), nil)
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
		s.send(w, http.StatusBadGateway,
			[]byte(`{"data":null,"errors":[{"message":"Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug."}]}`), nil)
		return
	}
	s.send(w, http.StatusOK, answer.body, f)
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

// Start builds the world's git repositories and serves GraphQL at /graphql,
// REST at / and /api/v3/, and git at /OWNER/NAME.git on 127.0.0.1. It needs the
// git program. The error names the repository and pull request of the world
// that cannot be built.
func Start(world *World, opts Options) (*Server, error) {
	s := &Server{opts: opts, dir: opts.Dir, stop: make(chan struct{}), known: map[string]bool{}}
	if s.opts.Now == nil {
		s.opts.Now = time.Now
	}
	if s.dir == "" {
		dir, err := os.MkdirTemp("", "prforge-github-")
		if err != nil {
			return nil, fmt.Errorf("a folder for the fake GitHub's repositories: %w", err)
		}
		s.dir, s.owned = dir, true
	}
	if err := s.start(world); err != nil {
		s.removeDir()
		return nil, err
	}
	return s, nil
}

func (s *Server) start(world *World) error {
	var err error
	if s.site, err = build(world, s.dir); err != nil {
		return err
	}
	if s.ln, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return fmt.Errorf("listen on loopback for the fake GitHub: %w", err)
	}
	s.reset()
	s.http = &http.Server{Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: time.Minute}
	go func() { _ = s.http.Serve(s.ln) }() // ends with ErrServerClosed at Close
	return nil
}

// TB is what ForTest needs of a *testing.T, so that this package does not
// import testing into the program.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
	Cleanup(func())
}

// ForTest starts a server that the test closes; requests that nothing in the
// world matched fail the test.
func ForTest(t TB, world *World, opts Options) *Server {
	t.Helper()
	s, err := Start(world, opts)
	if err != nil {
		t.Fatalf("start the fake GitHub: %v", err)
	}
	t.Cleanup(func() {
		_ = s.Close()
		for _, request := range s.Unmatched() {
			t.Errorf("the fake GitHub does not know %s", request)
		}
	})
	return s
}
