package evaluate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prforge/prforge/collectors/openai"
	"github.com/prforge/prforge/collectors/program"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/internal/retry"
	"github.com/prforge/prforge/internal/store"
)

// errBudget says that a call was not made since it could have passed the limit
// of cost.
var errBudget = errors.New("the call could pass the limit of cost")

// source answers the questions to one reviewer or judge. An offline source
// answers from what is kept alone.
type source interface {
	ask(ctx context.Context, it evaluation.Item, k evaluation.RecordKey, q evaluation.Request) (openai.Answer, error)
}

// askers are the sources of a run, with what they may spend and what they took.
type askers struct {
	models map[string]source
	judge  source
	budget *budget
	ledger *ledger
	tokens func(string) int
}

// reviewer is the function that a record's review is asked by.
func (a *askers) reviewer(it evaluation.Item, k evaluation.RecordKey) evaluation.Ask {
	return a.by(a.models[k.Model], it, k, false)
}

// judged is the function that a record's judging is asked by.
func (a *askers) judged(it evaluation.Item, k evaluation.RecordKey) evaluation.Ask {
	return a.by(a.judge, it, k, true)
}

func (a *askers) by(s source, it evaluation.Item, k evaluation.RecordKey, judge bool) evaluation.Ask {
	return func(ctx context.Context, q evaluation.Request) (string, error) {
		if s == nil {
			return "", fmt.Errorf("nobody answers for %s", k)
		}
		answer, err := s.ask(ctx, it, k, q)
		if err == nil {
			a.ledger.add(k.Model, judge, answer)
		}
		return answer.Text, err
	}
}

// connect makes the sources of a plan.
func (e *Evaluation) connect(b evaluation.Benchmark, p evaluation.Plan, answers *store.Shard, offline bool, spent float64) (*askers, error) {
	a := &askers{models: map[string]source{}, budget: &budget{limit: e.MaxCost, spent: spent}, ledger: newLedger(), tokens: e.tokens}
	limiters := map[string]*openai.Limiter{}
	endpoint := func(c evaluation.Call) (source, error) {
		o, err := e.endpointOptions(c, limiters, offline)
		if err != nil {
			return nil, err
		}
		client, err := openai.New(answers, o)
		if err != nil {
			return nil, fmt.Errorf("endpoint %s: %w", c.Endpoint, err)
		}
		return &endpointSource{client: client, call: c, budget: a.budget, tokens: e.tokens}, nil
	}
	for _, m := range p.Models {
		var err error
		switch m.Provider {
		case evaluation.ProviderOpenAI:
			a.models[m.ID], err = endpoint(m.Call)
		case evaluation.ProviderProgram:
			a.models[m.ID] = &programSource{model: m, answers: answers, offline: offline, getenv: e.Getenv}
		case evaluation.ProviderReference:
			if !slices.Contains(b.References(), m.Reference) {
				return nil, planErrorf("models: %s: reference is %q, want one of %s", m.ID, m.Reference, strings.Join(b.References(), ", "))
			}
			a.models[m.ID] = referenceSource{b, m.Reference}
		case evaluation.ProviderImported:
			a.models[m.ID] = importedSource{answers}
		}
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", m.ID, err)
		}
	}
	if p.Judge.Provider == evaluation.ProviderOpenAI {
		var err error
		if a.judge, err = endpoint(p.Judge.Call); err != nil {
			return nil, fmt.Errorf("judge %s: %w", p.Judge.ID, err)
		}
	}
	return a, nil
}

// endpointOptions are how an endpoint is asked. Offline needs no address: none
// is asked.
func (e *Evaluation) endpointOptions(c evaluation.Call, limiters map[string]*openai.Limiter, offline bool) (openai.Options, error) {
	o := openai.DefaultOptions()
	o.Model, o.Temperature, o.MaxTokens, o.MaxCompletionTokens = c.Model, c.Temperature, c.MaxTokens, c.MaxCompletionTokens
	o.Seed, o.ReasoningEffort, o.Offline, o.Log, o.Getenv = c.Seed, c.ReasoningEffort, offline, e.Log, e.Getenv
	o.KeyEnv, o.Endpoint = "", "http://offline.invalid"
	if offline {
		o.Getenv = func(string) string { return "" }
		return o, nil
	}
	at, ok := e.Config.Endpoints[c.Endpoint]
	if !ok {
		return o, fmt.Errorf("the configuration has no endpoint %q", c.Endpoint)
	}
	o.Endpoint, o.KeyEnv = at.URL, at.KeyEnv
	if at.KeyEnv == "" {
		o.Getenv = func(string) string { return "" }
	}
	if at.Attempts > 0 {
		o.Attempts = at.Attempts
	}
	o.Timeout = defaultTimeoutSeconds * time.Second
	if at.TimeoutSeconds > 0 {
		o.Timeout = time.Duration(at.TimeoutSeconds) * time.Second
	}
	if limiters[c.Endpoint] == nil {
		l := openai.Limits{InFlight: at.InFlight, RequestsPerMinute: at.RequestsPerMinute, TokensPerMinute: at.TokensPerMinute}
		if l.InFlight == 0 {
			l.InFlight = defaultInFlight
		}
		limiters[c.Endpoint] = openai.NewLimiter(l, retry.Sleep, o.Now)
	}
	o.Limiter = limiters[c.Endpoint]
	return o, nil
}

// endpointSource asks a model at an endpoint, within the budget.
type endpointSource struct {
	client *openai.Client
	call   evaluation.Call
	budget *budget
	tokens func(string) int
}

func (s *endpointSource) ask(ctx context.Context, _ evaluation.Item, _ evaluation.RecordKey, q evaluation.Request) (openai.Answer, error) {
	full := openai.Question{System: q.System, Prompt: q.Prompt, Sample: q.Sample}
	if s.call.Schema && q.Schema != "" {
		full.SchemaName, full.Schema = q.Schema, json.RawMessage(evaluation.Schema(q.Schema))
	}
	if kept, found, err := s.client.Kept(full); err != nil || found {
		return kept, err
	}
	full.Tokens = s.tokens(q.System) + s.tokens(q.Prompt) + messageTokens
	worst := s.call.Price.USD(int64(full.Tokens), int64(s.call.MaxOutput()))
	if err := s.budget.reserve(worst); err != nil {
		return openai.Answer{}, err
	}
	answer, err := s.client.Ask(ctx, full)
	s.budget.settle(worst, s.call.Price.USD(answer.Usage.Input, answer.Usage.Output))
	return answer, err
}

// messageTokens is more than what the form of two messages takes beside their
// texts.
const messageTokens = 16

// budget stops calls before one could pass the limit. Its amounts are US
// dollars.
type budget struct {
	limit float64 // 0 for none

	mu              sync.Mutex
	spent, reserved float64
	stopped         bool
}

// reserve admits a call that costs at most worst.
func (b *budget) reserve(worst float64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.limit > 0 && b.spent+b.reserved+worst > b.limit {
		b.stopped = true
		return errBudget
	}
	b.reserved += worst
	return nil
}

// settle replaces what was reserved for a call by what it took.
func (b *budget) settle(worst, took float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reserved -= worst
	b.spent += took
}

// now is what was spent, and whether a call was refused.
func (b *budget) now() (spent float64, stopped bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.spent, b.stopped
}

// keptText is an answer that no endpoint gave.
type keptText struct {
	Kind   string `json:"kind"` // program, imported
	Text   string `json:"text"`
	Millis int64  `json:"ms,omitempty"`
}

// keyOf is what such an answer is kept by.
func keyOf(parts ...string) string {
	data, _ := json.Marshal(parts) // strings always have a JSON form
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// programSource runs a program for each review, once.
type programSource struct {
	model   evaluation.Model
	answers *store.Shard
	offline bool
	getenv  func(string) string
}

func (s *programSource) ask(ctx context.Context, _ evaluation.Item, _ evaluation.RecordKey, q evaluation.Request) (openai.Answer, error) {
	key := keyOf(append([]string{"program", q.Prompt, fmt.Sprint(q.Sample)}, s.model.Command...)...)
	kept, found, err := store.Get[keptText](s.answers, store.Answer, key)
	if err != nil || found {
		return openai.Answer{Key: key, Text: kept.Text, Millis: kept.Millis}, err
	}
	if s.offline {
		return openai.Answer{}, openai.ErrNotKept
	}
	o := program.DefaultOptions()
	o.Command, o.Env, o.Getenv, o.Timeout = s.model.Command, s.model.Env, s.getenv, time.Duration(s.model.TimeoutSeconds)*time.Second
	began := time.Now()
	text, err := program.Ask(ctx, o, q.Prompt)
	if err != nil {
		return openai.Answer{}, err
	}
	kept = keptText{Kind: "program", Text: text, Millis: time.Since(began).Milliseconds()}
	return openai.Answer{Key: key, Text: text, Millis: kept.Millis}, store.Put(s.answers, store.Answer, key, kept)
}

// referenceSource is a built-in reviewer of a benchmark.
type referenceSource struct {
	benchmark evaluation.Benchmark
	name      string
}

func (s referenceSource) ask(_ context.Context, it evaluation.Item, k evaluation.RecordKey, _ evaluation.Request) (openai.Answer, error) {
	text, err := s.benchmark.Refer(s.name, it, k.Config)
	return openai.Answer{Text: text}, err
}

// importedSource answers with what was imported for a task in a configuration,
// or else for the task in any.
type importedSource struct{ answers *store.Shard }

func importKey(model, config, task string, repeat int) string {
	return keyOf("imported", model, config, task, fmt.Sprint(repeat))
}

func (s importedSource) ask(_ context.Context, _ evaluation.Item, k evaluation.RecordKey, _ evaluation.Request) (openai.Answer, error) {
	for _, config := range []string{k.Config, ""} {
		kept, found, err := store.Get[keptText](s.answers, store.Answer, importKey(k.Model, config, k.Task, k.Repeat))
		if err != nil || found {
			return openai.Answer{Text: kept.Text}, err
		}
	}
	return openai.Answer{}, fmt.Errorf("no review of %s was imported for %s", k.Task, k.Model)
}

// ledger adds up what answers took, each answer once.
type ledger struct {
	mu     sync.Mutex
	seen   map[string]bool
	totals map[string]*usageLine // by model; judging of its reviews apart
}

// usageLine is what a model's calls took.
type usageLine struct {
	Model     string `json:"model"`
	Role      string `json:"role"` // reviewer, judge
	Calls     int    `json:"calls"`
	Attempts  int    `json:"attempts"`
	Input     int64  `json:"input_tokens"`
	Output    int64  `json:"output_tokens"`
	Reasoning int64  `json:"reasoning_tokens"`
	Cached    int64  `json:"cached_tokens"`
	Millis    int64  `json:"ms"`
	// Reported counts the names by which the endpoint called its model, Finish
	// why answers ended.
	Reported map[string]int `json:"reported_models"`
	Finish   map[string]int `json:"finish_reasons"`
	USD      float64        `json:"usd"`
}

func newLedger() *ledger { return &ledger{seen: map[string]bool{}, totals: map[string]*usageLine{}} }

func (l *ledger) add(model string, judge bool, a openai.Answer) {
	if a.Key == "" {
		return // no call
	}
	role := "reviewer"
	if judge {
		role = "judge"
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	u := l.totals[role+"/"+model]
	if u == nil {
		u = &usageLine{Model: model, Role: role, Reported: map[string]int{}, Finish: map[string]int{}}
		l.totals[role+"/"+model] = u
	}
	if id := role + "/" + model + "/" + a.Key; l.seen[id] {
		return
	} else {
		l.seen[id] = true
	}
	u.Calls++
	u.Attempts += a.Attempts
	u.Input += a.Usage.Input
	u.Output += a.Usage.Output
	u.Reasoning += a.Usage.Reasoning
	u.Cached += a.Usage.Cached
	u.Millis += a.Millis
	if a.Model != "" {
		u.Reported[a.Model]++
	}
	if a.Finish != "" {
		u.Finish[a.Finish]++
	}
}

// costs are the totals by model, in dollars by the plan's prices.
func (l *ledger) costs(p evaluation.Plan) map[string]evaluation.Cost {
	out := map[string]evaluation.Cost{}
	for _, m := range p.Models {
		var c evaluation.Cost
		if u := l.totals["reviewer/"+m.ID]; u != nil {
			u.USD = m.Price.USD(u.Input, u.Output)
			c.Calls, c.Input, c.Output, c.USD = u.Calls, u.Input, u.Output, u.USD
		}
		if u := l.totals["judge/"+m.ID]; u != nil {
			u.USD = p.Judge.Price.USD(u.Input, u.Output)
			c.JudgeCalls, c.JudgeUSD = u.Calls, u.USD
		}
		out[m.ID] = c
	}
	return out
}

// usd is everything that was spent.
func usd(costs map[string]evaluation.Cost, p evaluation.Plan) float64 {
	sum := 0.0
	for _, m := range p.Models {
		sum += costs[m.ID].USD + costs[m.ID].JudgeUSD
	}
	return sum
}
