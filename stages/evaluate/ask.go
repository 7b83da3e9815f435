package evaluate

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"slices"
	"sync"

	"github.com/sourcegraph/conc/pool"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/collectors/models/endpoint"
	"github.com/prforge/prforge/collectors/models/providers"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/prompts"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/internal/store"
)

// askers are the sources of a run, with their limit of cost and their usage.
type askers struct {
	session *session
	models  map[string]models.Source
	judge   models.Source
	servers map[string]*endpoint.Server
	bill    *models.Bill
	ledger  *ledger

	mu   sync.Mutex
	used map[usedKey][]models.Answer // in the order of the questions
	// damaged is the first error of a store that cannot be read.
	damaged error
}

// connect makes the sources of the plan. Offline sources answer from stored answers; spent is what the others have
// cost so far.
func (s *session) connect(offline bool, spent float64) (*askers, error) {
	answers := s.folder.store.Answers()
	a := &askers{session: s, models: map[string]models.Source{}, bill: models.NewBill(answers, s.MaxCost, spent),
		ledger: newLedger(), used: map[usedKey][]models.Answer{}}
	env := models.Environment{
		Answers: answers, Offline: offline, Getenv: s.Getenv, Log: s.Log, Bill: a.bill, Count: s.tokens,
		Checkout:   s.checkout,
		References: s.benchmark.References(),
		Refer: func(name string, t models.Task) (string, error) {
			return s.benchmark.Refer(name, s.items[t.ID], t.Config)
		},
	}
	if !offline {
		var err error
		if a.servers, err = s.servers(s.calls()); err != nil {
			return nil, err
		}
		env.Servers = a.servers
	}
	for _, m := range s.plan.Models {
		var err error
		if a.models[m.ID], err = source(m, env); err != nil {
			return nil, planErrorf("models: %s: %w", m.ID, err)
		}
	}
	if j := s.plan.Judge; j.Asks() {
		var err error
		if a.judge, err = source(reviewer.Model{ID: j.ID, Provider: j.Provider, Call: j.Call}, env); err != nil {
			return nil, planErrorf("judge: %w", err)
		}
	}
	return a, nil
}

func source(m reviewer.Model, env models.Environment) (models.Source, error) {
	p, err := providers.Named(m.Provider)
	if err != nil {
		return nil, err
	}
	return p.Connect(m, env)
}

// calls are the plan's calls to endpoints, the reviewers' first.
func (s *session) calls() []reviewer.Call {
	var out []reviewer.Call
	for _, m := range s.plan.Models {
		if m.Endpoint != "" {
			out = append(out, m.Call)
		}
	}
	if s.plan.Judge.Asks() {
		out = append(out, s.plan.Judge.Call)
	}
	return out
}

// trust keeps the texts of an unpublished dataset from endpoints, and from hosts that agents may reach, unless the
// configuration trusts them.
func (s *session) trust(calls []reviewer.Call) error {
	if !s.plan.Dataset.NotForPublication {
		return nil
	}
	hosts := map[string]bool{}
	for _, e := range s.Config.Endpoints {
		if u, err := url.Parse(e.URL); err == nil && e.Trusted {
			hosts[u.Hostname()] = true
		}
	}
	for _, c := range calls {
		if e, ok := s.Config.Endpoints[c.Endpoint]; ok && !e.Trusted {
			return planErrorf("endpoints: %s: the dataset is not for publication, and its texts may only go to an endpoint with trusted: true", c.Endpoint)
		}
	}
	for _, m := range s.plan.Models {
		allowed := m.Allow
		if u, err := url.Parse(m.ModelBaseURL); err == nil && m.ModelBaseURL != "" {
			allowed = append(slices.Clone(allowed), u.Hostname())
		}
		for _, host := range allowed {
			if !hosts[host] {
				return planErrorf("models: %s: the dataset is not for publication, and %s is the host of no endpoint with trusted: true", m.ID, host)
			}
		}
	}
	return nil
}

// servers are the endpoints of some calls, each once: their limits are shared.
func (s *session) servers(calls []reviewer.Call) (map[string]*endpoint.Server, error) {
	if err := s.trust(calls); err != nil {
		return nil, err
	}
	e := s.Evaluation
	out := map[string]*endpoint.Server{}
	for _, c := range calls {
		config, ok := e.Config.Endpoints[c.Endpoint]
		if out[c.Endpoint] != nil {
			continue
		}
		if !ok {
			return nil, planErrorf("the configuration has no endpoint %q", c.Endpoint)
		}
		server, err := endpoint.NewServer(c.Endpoint, config, endpoint.Host{Getenv: e.Getenv, Log: e.Log, Sleep: e.sleep})
		if err != nil {
			return nil, &planError{err}
		}
		out[c.Endpoint] = server
	}
	return out, nil
}

// ended are the sentences about endpoints that the run stopped using.
func (a *askers) ended() []string {
	var out []string
	for _, s := range a.servers {
		out = append(out, s.Ended()...)
	}
	slices.Sort(out)
	return out
}

// reviewer is the function that a record's review is asked by.
func (a *askers) reviewer(k evaluation.RecordKey) evaluation.Ask {
	return a.by(a.models[k.Model], a.session.model(k.Model).Call, k, "reviewer")
}

// judged is the function that a record's judging is asked by.
func (a *askers) judged(k evaluation.RecordKey) evaluation.Ask {
	return a.by(a.judge, a.session.plan.Judge.Call, k, "judge")
}

func (a *askers) by(s models.Source, call reviewer.Call, k evaluation.RecordKey, role string) evaluation.Ask {
	return func(ctx context.Context, q evaluation.Request) (evaluation.Reply, error) {
		if s == nil {
			return evaluation.Reply{}, fmt.Errorf("nobody answers for %s", k)
		}
		full := models.Question{Task: models.Task{ID: k.Task, Config: k.Config, Repeat: k.Repeat}, System: q.System,
			Prompt: q.Prompt, Shared: q.Shared, Sample: q.Sample}
		if call.Schema && q.Schema != "" {
			full.SchemaName, full.Schema = q.Schema, json.RawMessage(prompts.Schema(q.Schema))
		}
		answer, err := a.answer(ctx, s, usedKey{k, role}, full)
		switch {
		case errors.Is(err, models.ErrNotKept), errors.Is(err, models.ErrLimit), errors.Is(err, models.ErrGathered),
			errors.Is(err, endpoint.ErrEnded):
			return evaluation.Reply{}, fmt.Errorf("%w: %w", evaluation.ErrNotAsked, err)
		case err != nil:
			return evaluation.Reply{}, err
		}
		a.ledger.add(k.Model, role, call.Price, answer)
		reply := evaluation.Reply{Text: answer.Text, Fresh: answer.Fresh}
		if role == "reviewer" && a.session.model(k.Model).ReadsRepository() {
			reply.Run = &evaluation.Run{Attempts: answer.Attempts, Refused: answer.Refused, Log: answer.Log}
		}
		return reply, nil
	}
}

// answer asks a source and notes the answer. A run with other prompts than ours uses the answers that its digests
// name: the same questions in the same order.
func (a *askers) answer(ctx context.Context, s models.Source, at usedKey, q models.Question) (models.Answer, error) {
	answer, err := a.recorded(at)
	if errors.Is(err, errNotRecorded) {
		answer, err = s.Ask(ctx, q)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if errors.Is(err, store.ErrDamaged) && a.damaged == nil {
		a.damaged = damaged(a.session.folder.dir, err)
	}
	if err == nil {
		a.used[at] = append(a.used[at], answer)
	}
	return answer, err
}

// errNotRecorded says that an answer must be found by its question.
var errNotRecorded = errors.New("not recorded")

func (a *askers) recorded(at usedKey) (models.Answer, error) {
	if a.session.recorded == nil {
		return models.Answer{}, errNotRecorded
	}
	a.mu.Lock()
	n := len(a.used[at])
	a.mu.Unlock()
	keys := a.session.recorded[at]
	switch {
	case n >= len(keys):
		return models.Answer{}, models.ErrNotKept
	case keys[n] == "":
		return models.Answer{}, errNotRecorded // a built-in reviewer's
	}
	answer, found, err := models.Known(a.session.folder.store.Answers(), keys[n])
	if err == nil && !found {
		err = models.ErrNotKept
	}
	return answer, err
}

// workers is how many records are evaluated at once: the configured number, or as many as the endpoints accept and
// the machine has processors.
func (s *session) workers() int {
	if s.Workers > 0 {
		return s.Workers
	}
	n := runtime.NumCPU()
	seen := map[string]bool{}
	for _, c := range s.calls() {
		if !seen[c.Endpoint] {
			seen[c.Endpoint] = true
			n += cmp.Or(s.Config.Endpoints[c.Endpoint].InFlight, endpoint.DefaultInFlight)
		}
	}
	return n
}

// each evaluates every record, several at once. The results are in the order of
// the plan.
func (s *session) each(ctx context.Context, a *askers, done func(evaluation.Result)) ([]evaluation.Result, error) {
	results := make([]evaluation.Result, len(s.records))
	group := pool.New().WithMaxGoroutines(s.workers()).WithContext(ctx).WithCancelOnError().WithFirstError()
	for i, k := range s.records {
		group.Go(func(ctx context.Context) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			it := s.items[k.Task]
			r, err := s.plan.Evaluate(ctx, s.benchmark.Benchmark, it, k, a.reviewer(k), a.judged(k))
			if err != nil {
				return err
			}
			results[i] = r
			done(r)
			return nil
		})
	}
	return results, errors.Join(group.Wait(), a.damaged)
}

// offline evaluates stored answers alone. It returns their cost and that of calls without an answer.
func (s *session) offline(ctx context.Context) ([]evaluation.Result, float64, error) {
	a, err := s.connect(true, 0)
	if err != nil {
		return nil, 0, err
	}
	results, err := s.each(ctx, a, func(evaluation.Result) {})
	if err != nil {
		return nil, 0, err
	}
	booked, err := models.Booked(s.folder.store.Answers())
	return results, a.ledger.billed() + booked, err
}
