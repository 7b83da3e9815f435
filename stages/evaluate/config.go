package evaluate

import (
	"cmp"
	"errors"
	"fmt"
	"maps"

	"github.com/prforge/prforge/collectors/models/endpoint"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/stages/config"
)

// Config is eval.yaml: the reviewers, the judges and their endpoints.
type Config struct {
	Version   int                        `yaml:"version"`
	Endpoints map[string]endpoint.Config `yaml:"endpoints"`
	Models    []reviewer.Model           `yaml:"models"`
	Judge     evaluation.Judge           `yaml:"judge"`
	// Judges are further ones, for eval judge.
	Judges  []evaluation.Judge `yaml:"judges"`
	Configs []string           `yaml:"configs"` // A, B, C; empty for all that the dataset has
	// of files with one fault: review, told, tests; of scripts: dsdbench, dsdbench-thought, dsdbench-refine; empty for
	// the one that the dataset names
	Prompt     string `yaml:"prompt"`
	Repeats    int    `yaml:"repeats"` // reviews of one task by one model in one configuration
	Seed       uint64 `yaml:"seed"`
	Draws      int    `yaml:"draws"`        // permutations of a test
	Cluster    string `yaml:"cluster"`      // unit of resampling for intervals and tests: task or repo
	PricesAsOf string `yaml:"prices_as_of"` // a note for whoever reads the costs
	// Similarity is the embeddings model of the published protocols, for
	// eval score --similarity openai.
	Similarity struct {
		Endpoint string `yaml:"endpoint"`
		Model    string `yaml:"model"`
	} `yaml:"similarity"`
}

// DefaultConfig names no model and judges by rules.
func DefaultConfig() Config {
	return Config{
		Version: 1, Repeats: 1, Seed: 1, Draws: 10_000, Cluster: "task",
		Judge: evaluation.Judge{ID: "judge", Provider: evaluation.ProviderRules, Mode: evaluation.ModeRecord, Repeat: 3,
			MaxDiff: 200_000},
	}
}

// ReferenceConfig is an evaluation without a model: a benchmark's reference
// reviewers, judged by rules.
func ReferenceConfig(b evaluation.Benchmark) Config {
	c := DefaultConfig()
	c.Judge.ID = evaluation.ProviderRules
	for _, name := range b.References() {
		c.Models = append(c.Models, reviewer.Model{ID: name, Provider: reviewer.Reference, Reference: name})
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
	for i, m := range c.Models {
		c.Models[i].Body = merged(c.Endpoints[m.Endpoint].Body, m.Body)
	}
	c.Judge.Body = merged(c.Endpoints[c.Judge.Endpoint].Body, c.Judge.Body)
	for i := range c.Judges {
		j, usual := &c.Judges[i], DefaultConfig().Judge
		j.Body = merged(c.Endpoints[j.Endpoint].Body, j.Body)
		j.Mode, j.Repeat, j.MaxDiff = cmp.Or(j.Mode, usual.Mode), cmp.Or(j.Repeat, usual.Repeat),
			cmp.Or(j.MaxDiff, usual.MaxDiff)
	}
	return &c, nil
}

// merged returns a call with missing fields taken from its endpoint.
func merged(endpoint, call map[string]any) map[string]any {
	if len(endpoint) == 0 {
		return call
	}
	out := maps.Clone(endpoint)
	maps.Copy(out, call)
	return out
}

func (c *Config) check() error {
	if c.Version != 1 {
		return fmt.Errorf("version: is %d; this prforge reads version 1", c.Version)
	}
	for name, e := range c.Endpoints {
		if err := e.Check(); err != nil {
			return fmt.Errorf("endpoints: %s: %w", name, err)
		}
	}
	calls := []reviewer.Call{c.Judge.Call, {Endpoint: c.Similarity.Endpoint, Model: c.Similarity.Model}}
	for _, m := range c.Models {
		calls = append(calls, m.Call)
	}
	for _, j := range c.Judges {
		calls = append(calls, j.Call)
	}
	for _, call := range calls {
		if _, ok := c.Endpoints[call.Endpoint]; !ok && call.Endpoint+call.Model != "" {
			return fmt.Errorf("endpoint %q of %s is not among the endpoints", call.Endpoint, call.Model)
		}
	}
	return nil
}

// planError is a plan that cannot run: a fault of the configuration or of the flags.
type planError struct{ err error }

func (e *planError) Error() string { return e.err.Error() }

func (e *planError) Unwrap() error { return e.err }

func planErrorf(format string, args ...any) error { return &planError{fmt.Errorf(format, args...)} }

// IsPlanError reports whether the error is a fault of the requested plan.
func IsPlanError(err error) bool {
	var p *planError
	return errors.As(err, &p)
}
