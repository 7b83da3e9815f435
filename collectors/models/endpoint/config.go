// Package endpoint sends requests to models behind an HTTP endpoint, in any form: attempts and waits, limits, keys,
// maximum costs, and when to stop using an endpoint.
package endpoint

import (
	"errors"
	"net/url"
	"time"
)

// Config has the address of models and the endpoint's limits. The address and the key are not part of a run's files.
type Config struct {
	URL string `yaml:"url"`
	// Trusted says that the endpoint may receive texts of repositories that are not public.
	Trusted bool   `yaml:"trusted"`
	KeyEnv  string `yaml:"api_key_env"` // name of the variable that holds the key; "" sends none
	// PollSeconds is the interval for checking a batch.
	PollSeconds int `yaml:"poll_seconds"`
	// KeyHeader is the header that carries the key, such as api-key; "" for the
	// one of the provider's protocol.
	KeyHeader string `yaml:"api_key_header"`
	// Headers and Query go along with every request; a value of "env:NAME" is that
	// of the variable, and masked like a key. Body are further fields of every
	// request, and part of the plan.
	Headers           map[string]string `yaml:"headers"`
	Query             map[string]string `yaml:"query"`
	Body              map[string]any    `yaml:"body"`
	InFlight          int               `yaml:"in_flight"` // requests at once
	RequestsPerMinute int               `yaml:"requests_per_minute"`
	TokensPerMinute   int               `yaml:"tokens_per_minute"`
	Attempts          int               `yaml:"attempts"`
	TimeoutSeconds    int               `yaml:"timeout_seconds"` // of one attempt
	// GiveUpAfter is how many attempts in a row may end without any reply before the run stops using the endpoint.
	GiveUpAfter int `yaml:"give_up_after"`
}

// The defaults of a Config for fields that are 0; limits of requests and tokens have none.
const (
	DefaultInFlight       = 4
	defaultAttempts       = 5
	defaultTimeoutSeconds = 600
	defaultGiveUpAfter    = 20
	defaultPollSeconds    = 30
)

// The client's own limits.
const (
	backoff    = time.Second // after the first failure; it doubles
	maxBackoff = time.Minute
	// maxWait is the longest wait that a server may ask for: it is kept to the
	// millisecond. A server that asks for more has refused.
	maxWait = time.Hour
	maxBody = 32 << 20 // bytes of a reply
	// MaxFile is the most bytes of a file of results.
	MaxFile = 256 << 20
)

// Check rejects an address that could carry a secret, and limits below 0.
func (c Config) Check() error {
	u, err := url.Parse(c.URL)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("url must be an http or https address without a user or a query; keys come from the variable that api_key_env names")
	}
	if min(c.InFlight, c.RequestsPerMinute, c.TokensPerMinute, c.Attempts, c.TimeoutSeconds, c.GiveUpAfter,
		c.PollSeconds) < 0 {
		return errors.New("a limit is not below 0")
	}
	return nil
}

func orDefault(n, other int) int {
	if n == 0 {
		return other
	}
	return n
}
