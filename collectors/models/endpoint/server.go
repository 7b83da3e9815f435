package endpoint

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/prforge/prforge/internal/retry"
)

// ErrReply is the kind of every Error.
var ErrReply = errors.New("no usable reply")

// Error is an endpoint's failure to give a usable reply. It never contains the key.
type Error struct {
	Status int    // of HTTP; 0 where there was no reply at all
	Detail string // what it said, cut short
}

// Error implements error.
func (e *Error) Error() string {
	if e.Status == 0 {
		return "no answer: " + e.Detail
	}
	return fmt.Sprintf("status %d: %s", e.Status, e.Detail)
}

// Unwrap gives ErrReply.
func (e *Error) Unwrap() error { return ErrReply }

// maxDetail is how much of an error page is quoted.
const maxDetail = 300

// Server is one endpoint, shared by all its users. It is safe for concurrent use.
type Server struct {
	name    string
	config  Config
	key     string
	secrets []string // never in a reply or an error
	headers map[string]string
	query   url.Values
	http    *http.Client
	limiter *limiter
	host    Host

	mu       sync.Mutex
	silent   int               // attempts in a row without any reply
	ended    map[string]string // why a model is not asked any more; "" is all of them
	answered map[string]bool   // the models that gave an answer
}

// Host has a server's dependencies. A nil Getenv is an empty environment; nil Sleep and Now are the real ones.
type Host struct {
	Getenv func(string) string
	Log    *slog.Logger
	Sleep  func(context.Context, time.Duration) error
	Now    func() time.Time
}

// NewServer makes a server. It sends nothing.
func NewServer(name string, c Config, h Host) (*Server, error) {
	if err := c.Check(); err != nil {
		return nil, fmt.Errorf("endpoint %s: %w", name, err)
	}
	if h.Sleep == nil {
		h.Sleep = retry.Sleep
	}
	if h.Now == nil {
		h.Now = time.Now
	}
	s := &Server{name: name, config: c, host: h, limiter: newLimiter(c, h.Sleep, h.Now), ended: map[string]string{},
		answered: map[string]bool{}}
	s.http = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if c.KeyEnv != "" {
		s.key = s.variable(c.KeyEnv)
	}
	s.headers, s.query = map[string]string{}, url.Values{}
	for name, value := range c.Headers {
		s.headers[name] = s.value(value)
	}
	for name, value := range c.Query {
		s.query.Set(name, s.value(value))
	}
	return s, nil
}

// variable is a secret of the environment.
func (s *Server) variable(name string) string {
	if s.host.Getenv == nil {
		return ""
	}
	value := s.host.Getenv(name)
	if value != "" {
		s.secrets = append(s.secrets, value)
	}
	return value
}

// value is a configured value, or the value of the variable that it names.
func (s *Server) value(text string) string {
	if name, ok := strings.CutPrefix(text, "env:"); ok {
		return s.variable(name)
	}
	return text
}

// masked is a text without the secrets.
func (s *Server) masked(text string) string {
	for _, secret := range s.secrets {
		text = strings.ReplaceAll(text, secret, "***")
	}
	return text
}

// ErrEnded says that this run stopped using an endpoint.
var ErrEnded = errors.New("not asked")

// Account books the attempts of a question. Each Begin without an error is followed by Refused or Lost, except for
// the attempt whose reply is read: the caller settles that one.
type Account interface {
	// Begin is called before an attempt is sent. Its error prevents the attempt.
	Begin(ctx context.Context) error
	// Refused ends an attempt for which the endpoint did nothing, Lost one that it may have answered. why is its
	// error.
	Refused(why string) error
	Lost(why string) error
}

// Pause waits until the next check of a batch.
func (s *Server) Pause(ctx context.Context) error {
	return s.host.Sleep(ctx, time.Duration(orDefault(s.config.PollSeconds, defaultPollSeconds))*time.Second)
}

// Now is the server's clock.
func (s *Server) Now() time.Time { return s.host.Now() }
