package fakegithub

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
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
