package fakegithub

import (
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"sync"
	"time"
)

// Options are the settings of a server. The zero value is a GitHub without
// faults and with its own limits.
type Options struct {
	// Dir holds the git repositories; "" for a temporary folder that Close
	// removes.
	Dir string
	// Token is the only one accepted; "" accepts any. GraphQL always wants one.
	Token string
	// Limits replace GitHub's hourly limits.
	Limits Limits
	// Faults happen in the order of the list: the first that matches wins.
	Faults []Fault
	// SlowNodes is the number of possible nodes from which a query "times out"
	// with 502; 0 for 40,000.
	SlowNodes int
	// MaxDiffLines is the size from which a diff is refused with 406; 0 for
	// GitHub's 20,000.
	MaxDiffLines int
	// APIKeepsPurged has the API compare commits of purged pull requests, which
	// git has no more.
	APIKeepsPurged bool
	// Now is the clock of limits and headers; nil for the real one.
	Now func() time.Time
	// Log gets one line per request at debug level; nil for none.
	Log *slog.Logger
}

// Server is a running fake GitHub on the loopback interface. It is safe for
// concurrent use.
type Server struct {
	opts  Options
	site  *site
	http  *http.Server
	ln    net.Listener
	dir   string
	owned bool // dir is ours to remove
	stop  chan struct{}
	once  sync.Once

	mu        sync.Mutex // guards the fields below
	stats     Stats
	inFlight  int
	buckets   map[string]*bucket
	penalties map[string]time.Time // token -> not before
	seen      []int                // by fault: requests it matched
	fired     []int                // by fault: times it happened
	unmatched []string
	queries   []Query
	known     map[string]bool // texts in queries
}

// URL is the server's address without a slash at the end: GITHUB_API_URL and
// GITHUB_SERVER_URL. GITHUB_GRAPHQL_URL is URL() + "/graphql".
func (s *Server) URL() string { return "http://" + s.ln.Addr().String() }

// GraphQLURL is the address of the GraphQL endpoint.
func (s *Server) GraphQLURL() string { return s.URL() + "/graphql" }

// Close stops the server and removes its repositories.
func (s *Server) Close() error {
	var err error
	s.once.Do(func() {
		close(s.stop)
		err = s.http.Close()
		s.removeDir()
	})
	return err
}

func (s *Server) removeDir() {
	if s.owned {
		_ = os.RemoveAll(s.dir) // a leftover temporary folder is no failure
	}
}

// Fault is something that goes wrong. It matches by target and pattern; of the
// requests that match, it happens to those that Nth or Every name, else to all,
// and at most Times times.
type Fault struct {
	Target string // "graphql", "rest" or "git"; "" for all
	// Match is looked for in "PATH?QUERY", for GraphQL in the query's text
	// followed by its variables as JSON, for git in "PATH?QUERY" followed by what
	// is sent, which names the objects that are wanted; nil matches everything.
	Match *regexp.Regexp
	Nth   []int // from 1
	Every int
	Times int

	// What happens. With Status the answer is that status, Headers and Body and
	// nothing is executed; "{{now+N}}" in a header is the Unix time in N seconds.
	Status  int
	Headers map[string]string
	Body    string
	Drop    bool    // the connection is reset before the answer
	Cut     float64 // only this share of the true answer arrives, then the connection is reset
	Garbage bool    // an HTML page with status 200 instead of the true answer
	Empty   bool    // status 200 and no body instead of the true answer
	Stall   bool    // the answer never comes; the server waits until the client or the server ends
	Lost    string  // git refuses to have this object
	Delay   time.Duration
}

// Limits make GitHub's limits small, so that meeting them can be tested. Zero
// fields keep GitHub's: 5,000 points and 5,000 requests in an hour, 100
// requests at once.
type Limits struct {
	GraphQL    int           // points in a window
	Core       int           // REST requests in a window
	Window     time.Duration // an hour
	Concurrent int
}

// bucket is one limit of one token within its window.
type bucket struct {
	resource string
	limit    int
	used     int
	reset    time.Time
	refused  bool // it has refused a request in this window
}

func (b *bucket) remaining() int { return max(0, b.limit-b.used) }

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

func (s *Server) reset() {
	s.stats = Stats{Operations: map[string]int{}, Paths: map[string]int{}, Packs: map[string]int{}}
	s.buckets, s.penalties = map[string]*bucket{}, nil
	s.seen, s.fired = make([]int, len(s.opts.Faults)), make([]int, len(s.opts.Faults))
	s.unmatched, s.queries, s.known = nil, nil, map[string]bool{}
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
