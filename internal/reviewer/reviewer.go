// Package reviewer is who answers questions, as eval.yaml names it and run.json
// records it, and what an answer takes. The evaluation plans by it, the
// collectors ask by it.
package reviewer

import (
	"errors"
	"fmt"
	"regexp"
	"time"
)

// Model is one reviewer.
type Model struct {
	ID       string `json:"id" yaml:"id"`
	Provider string `json:"provider" yaml:"provider"`
	Call     `yaml:",inline"`
	// Cutoff is the day (2006-01-02) until which the model's training reaches; ""
	// where it is not known.
	Cutoff string `json:"cutoff,omitempty" yaml:"cutoff"`
	// Configs are those that the model has records in, as the plan found them; nil
	// for all of the plan.
	Configs []string `json:"configs,omitempty" yaml:"-"`
	// Reference is the built-in reviewer's name.
	Reference string `json:"reference,omitempty" yaml:"reference"`
	// Command is a program with its arguments, Env the names of the variables
	// that it gets besides PATH and HOME, TimeoutSeconds its limit a review.
	Command        []string `json:"command,omitempty" yaml:"command"`
	Env            []string `json:"env,omitempty" yaml:"env"`
	TimeoutSeconds int      `json:"timeout_seconds,omitempty" yaml:"timeout_seconds"`
	Sandboxed      `yaml:",inline"`
	// Tools is what a model at an endpoint may use: ToolsRepository, or "" for nothing.
	Tools  string `json:"tools,omitempty" yaml:"tools"`
	Budget Budget `json:"budget,omitzero" yaml:"budget"`
}

// Providers that the evaluation itself treats apart; collectors/models has the
// others.
const (
	Reference = "reference" // a built-in reviewer of the benchmark
	Imported  = "imported"  // reviews brought by eval import
	Agent     = "agent"     // a program that reads the repository
)

// id is a name that is safe as a folder and in a table.
var id = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$`)

// Check refuses what no provider can use: an id that is not safe as a folder's
// name, a cutoff that is no day.
func (m Model) Check() error {
	if !id.MatchString(m.ID) {
		return errors.New("an id has letters, digits, dots, dashes and underscores, at most 80")
	}
	if m.Tools != "" && (m.Tools != ToolsRepository || m.Provider != "openai" || m.Batch) {
		return fmt.Errorf("tools is %q, want %s, of provider openai, not in batches", m.Tools, ToolsRepository)
	}
	if min(m.Budget.Calls, m.Budget.Tokens) < 0 {
		return errors.New("budget: calls and tokens are not below 0")
	}
	if _, err := time.Parse(time.DateOnly, m.Cutoff); m.Cutoff != "" && err != nil {
		return fmt.Errorf("cutoff is %q, want a day such as 2025-09-30", m.Cutoff)
	}
	return nil
}

// ReadsRepository reports whether the model reviews by reading a checkout.
func (m Model) ReadsRepository() bool { return m.Provider == Agent || m.Tools != "" }

// Reviews reports whether the model reviews in a configuration: who reads the
// repository in that one alone, a model that is shown a text in the others.
func (m Model) Reviews(config string) bool {
	if m.Provider == Reference || m.Provider == Imported {
		return true
	}
	return m.ReadsRepository() == (config == Repository)
}

// Call is how a model is called; all of it is sent and recorded.
type Call struct {
	Endpoint            string   `json:"endpoint" yaml:"endpoint"` // name of an endpoint of the configuration
	Model               string   `json:"model" yaml:"model"`
	Temperature         *float64 `json:"temperature" yaml:"temperature"` // left out where nil
	MaxTokens           int      `json:"max_tokens" yaml:"max_tokens"`   // left out where 0
	MaxCompletionTokens int      `json:"max_completion_tokens" yaml:"max_completion_tokens"`
	Seed                *int64   `json:"seed" yaml:"seed"`
	ReasoningEffort     string   `json:"reasoning_effort" yaml:"reasoning_effort"`
	Schema              bool     `json:"response_schema" yaml:"response_schema"` // the endpoint takes a JSON schema
	// Batch sends the questions in batches, at the price of batches.
	Batch bool `json:"batch,omitempty" yaml:"batch"`
	// Body are further fields of a request, such as an OpenRouter provider or an
	// Anthropic thinking budget; they go before the fields above.
	Body map[string]any `json:"body,omitempty" yaml:"body"`
	// Price is in US dollars for a million tokens; without it there is no cost.
	Price *Price `json:"price" yaml:"price"`
}

// Check refuses what no endpoint can be asked by; the message begins with the
// key.
func (c Call) Check() error {
	switch {
	case c.Endpoint == "" || c.Model == "":
		return errors.New("endpoint and model must be named")
	case c.MaxTokens < 0 || c.MaxCompletionTokens < 0 || c.MaxTokens > 0 && c.MaxCompletionTokens > 0:
		return errors.New("set one of max_tokens and max_completion_tokens, to more than 0")
	case c.Price != nil && min(c.Price.Input, c.Price.Output, c.Price.Cached, c.Price.CacheWrite, c.Price.Batch) < 0:
		return errors.New("a price is not below 0")
	}
	return nil
}

// MaxOutput is the most tokens that a call may answer; 0 where it has no limit.
func (c Call) MaxOutput() int { return max(c.MaxTokens, c.MaxCompletionTokens) }

// Price is US dollars for a million tokens.
type Price struct {
	Input  float64 `json:"input" yaml:"input"`
	Output float64 `json:"output" yaml:"output"`
	// Cached is that of input read from a cache, as Input where 0; CacheWrite that
	// of input written to one, 1.25 of Input where 0, as Anthropic has it.
	Cached     float64 `json:"cached,omitempty" yaml:"cached"`
	CacheWrite float64 `json:"cache_write,omitempty" yaml:"cache_write"`
	// Batch is the part of the price that an answer in a batch costs, half where 0.
	Batch float64 `json:"batch,omitempty" yaml:"batch"`
}

// batchFactor is what OpenAI and Anthropic take of the price in a batch.
const batchFactor = 0.5

// Batched is what a batch takes of an amount.
func (p *Price) Batched(usd float64) float64 {
	if p == nil || p.Batch == 0 {
		return usd * batchFactor
	}
	return usd * p.Batch
}

// cacheWriteFactor is what writing input to a cache costs where no price says.
const cacheWriteFactor = 1.25

func (p *Price) cacheWrite() float64 {
	if p.CacheWrite > 0 {
		return p.CacheWrite
	}
	return cacheWriteFactor * p.Input
}

// USD is what tokens cost: what the reviewer said, or by the price; 0 without one.
func (p *Price) USD(u Usage) float64 {
	if u.USD > 0 || p == nil {
		return u.USD
	}
	cached := p.Input
	if p.Cached > 0 {
		cached = p.Cached
	}
	plain := u.Input - u.Cached - u.CacheWrite
	usd := (float64(plain)*p.Input + float64(u.Cached)*cached + float64(u.CacheWrite)*p.cacheWrite() +
		float64(u.Output)*p.Output) / 1e6
	if u.Batch {
		return p.Batched(usd)
	}
	return usd
}

// Worst is the most that so many tokens may cost.
func (p *Price) Worst(input, output int64) float64 {
	if p == nil {
		return 0
	}
	return (float64(input)*max(p.Input, p.Cached, p.cacheWrite()) + float64(output)*p.Output) / 1e6
}

// Usage are the tokens of an answer.
type Usage struct {
	Input     int64 `json:"input,omitempty"`
	Output    int64 `json:"output,omitempty"`    // with those of reasoning
	Reasoning int64 `json:"reasoning,omitempty"` // part of Output
	Cached    int64 `json:"cached,omitempty"`    // part of Input, read from a cache
	// CacheWrite is the part of Input that was written to a cache.
	CacheWrite int64 `json:"cache_write,omitempty"`
	// Batch says that the answer came in a batch.
	Batch bool `json:"batch,omitempty"`
	// Counted is our own count of the input.
	Counted int64 `json:"counted,omitempty"`
	// USD is what a reviewer says that it took; 0 where it says nothing.
	USD float64 `json:"usd,omitempty"`
	// Doubted says that the endpoint did not say what the answer took, or nothing
	// that can be true: then Input and Output are our own counts.
	Doubted bool `json:"doubted,omitempty"`
}

// Plus adds what another answer took.
func (u Usage) Plus(o Usage) Usage {
	u.Input, u.Output, u.Reasoning = u.Input+o.Input, u.Output+o.Output, u.Reasoning+o.Reasoning
	u.Cached, u.CacheWrite, u.Counted = u.Cached+o.Cached, u.CacheWrite+o.CacheWrite, u.Counted+o.Counted
	u.USD, u.Batch, u.Doubted = u.USD+o.USD, u.Batch || o.Batch, u.Doubted || o.Doubted
	return u
}
