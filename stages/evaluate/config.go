package evaluate

import (
	"fmt"
	"net/url"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/internal/config"
)

// Config is eval.yaml: who reviews, who judges, where they are reached.
type Config struct {
	Version    int                 `yaml:"version"`
	Endpoints  map[string]Endpoint `yaml:"endpoints"`
	Models     []evaluation.Model  `yaml:"models"`
	Judge      evaluation.Judge    `yaml:"judge"`
	Configs    []string            `yaml:"configs"` // A, B, C; empty for all that the dataset has
	Prompt     string              `yaml:"prompt"`  // of files with one fault: review, told, tests; empty for the one that the dataset names
	Repeats    int                 `yaml:"repeats"` // reviews of one task by one model in one configuration
	Seed       uint64              `yaml:"seed"`
	Draws      int                 `yaml:"draws"`        // permutations of a test
	Cluster    string              `yaml:"cluster"`      // what intervals and tests take as a whole: task or repo
	PricesAsOf string              `yaml:"prices_as_of"` // a note for whoever reads the costs
	// Similarity is the embeddings model of the published protocols, for
	// eval score --similarity openai.
	Similarity struct {
		Endpoint string `yaml:"endpoint"`
		Model    string `yaml:"model"`
	} `yaml:"similarity"`
}

// Endpoint is where models are reached and what the endpoint allows. Its
// address and its key are no part of a run's files.
type Endpoint struct {
	URL               string `yaml:"url"`
	KeyEnv            string `yaml:"api_key_env"` // name of the variable that holds the key
	InFlight          int    `yaml:"in_flight"`
	RequestsPerMinute int    `yaml:"requests_per_minute"` // 0 for no limit
	TokensPerMinute   int    `yaml:"tokens_per_minute"`
	Attempts          int    `yaml:"attempts"`
	TimeoutSeconds    int    `yaml:"timeout_seconds"`
}

// Defaults of an endpoint; the others are collectors/openai's.
const (
	defaultInFlight       = 4
	defaultTimeoutSeconds = 600
)

// DefaultConfig names no model and judges by rules.
func DefaultConfig() Config {
	return Config{
		Version: 1, Repeats: 1, Seed: 1, Draws: 10_000, Cluster: "task",
		Judge: evaluation.Judge{ID: "judge", Provider: evaluation.ProviderRules, Mode: evaluation.ModeRecord, Repeat: 3, MaxDiff: 200_000},
	}
}

// ReferenceConfig is an evaluation without a model: a benchmark's reference
// reviewers, judged by rules.
func ReferenceConfig(b evaluation.Benchmark) Config {
	c := DefaultConfig()
	c.Judge.ID = evaluation.ProviderRules
	for _, name := range b.References() {
		c.Models = append(c.Models, evaluation.Model{ID: name, Provider: evaluation.ProviderReference, Reference: name})
	}
	return c
}

// LoadConfig reads eval.yaml. Faults are *config.Error.
func LoadConfig(path string) (*Config, error) {
	c := DefaultConfig()
	if err := config.LoadStrict(path, "prforge help evaluation > "+path, &c); err != nil {
		return nil, err
	}
	if err := c.check(); err != nil {
		return nil, &config.Error{File: path, Message: err.Error()}
	}
	return &c, nil
}

func (c *Config) check() error {
	if c.Version != 1 {
		return fmt.Errorf("version: is %d; this prforge reads version 1", c.Version)
	}
	for name, e := range c.Endpoints {
		u, err := url.Parse(e.URL)
		if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Scheme != "http" && u.Scheme != "https" {
			return fmt.Errorf("endpoints: %s: url must be an http or https address without a user or a query; keys come from the variable that api_key_env names", name)
		}
		if e.InFlight < 0 || e.RequestsPerMinute < 0 || e.TokensPerMinute < 0 || e.Attempts < 0 || e.TimeoutSeconds < 0 {
			return fmt.Errorf("endpoints: %s: a limit is not below 0", name)
		}
	}
	calls := []evaluation.Call{}
	for _, m := range c.Models {
		if m.Provider == evaluation.ProviderOpenAI {
			calls = append(calls, m.Call)
		}
	}
	if c.Judge.Provider == evaluation.ProviderOpenAI {
		calls = append(calls, c.Judge.Call)
	}
	if c.Similarity.Model != "" {
		calls = append(calls, evaluation.Call{Endpoint: c.Similarity.Endpoint, Model: c.Similarity.Model})
	}
	for _, call := range calls {
		if _, ok := c.Endpoints[call.Endpoint]; !ok {
			return fmt.Errorf("endpoint %q of %s is not among the endpoints", call.Endpoint, call.Model)
		}
	}
	return nil
}
