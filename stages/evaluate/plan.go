package evaluate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/collectors/models/imported"
	"github.com/prforge/prforge/collectors/models/providers"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/prompts"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/internal/store"
)

// protocolName is the protocol by which runs are judged and scored.
const protocolName = "prforge/1"

// newPlan makes the plan for a configuration and a choice, with its tasks.
func (e *Evaluation) newPlan(b Benchmark, items, borrowed []evaluation.Item) (evaluation.Plan, []evaluation.Item,
	error) {
	ref, err := datasetRef(e.Dataset)
	if err != nil {
		return evaluation.Plan{}, nil, err
	}
	c := e.Config
	p := evaluation.Plan{
		Version: evaluation.PlanVersion, Benchmark: b.Name(), Dataset: ref, Protocol: protocolName,
		Prompts: prompts.Digests(b.Prompts()),
		Prompt:  c.Prompt, Split: e.Choice.Split, Judge: c.Judge, Repeats: c.Repeats, Seed: c.Seed, Draws: c.Draws,
		Cluster: c.Cluster, PricesAsOf: c.PricesAsOf,
	}
	if _, asks := b.Benchmark.(evaluation.Asker); asks && c.Judge.Asks() {
		if c.Judge.Mode != evaluation.ModeRecord {
			return p, nil, planErrorf("judge: mode is %q, but a judge of messages is asked about a record at once (%s)",
				c.Judge.Mode, evaluation.ModeRecord)
		}
	} else if !b.Judged() {
		p.Judge = evaluation.Judge{ID: "none", Provider: evaluation.ProviderRules, Mode: evaluation.ModeRecord}
	}
	if p.Configs, err = e.configs(items); err != nil {
		return p, nil, err
	}
	if p.Models, err = e.models(); err != nil {
		return p, nil, err
	}
	if p.Models, err = digested(p.Models); err != nil {
		return p, nil, &planError{err}
	}
	chosen, err := e.tasks(items)
	if err != nil {
		return p, nil, err
	}
	chosen = slices.Concat(chosen, borrowed)
	for _, it := range chosen {
		p.Tasks = append(p.Tasks, it.ID)
	}
	if p.TasksSHA256, err = tasksDigest(chosen); err != nil {
		return p, nil, err
	}
	if err := p.Check(); err != nil {
		return p, nil, &planError{err}
	}
	if err := checkProviders(p); err != nil {
		return p, nil, &planError{err}
	}
	if e.MaxCost > 0 {
		if err := priced(p); err != nil {
			return p, nil, &planError{err}
		}
	}
	return p, chosen, nil
}

// importedOnce counts an imported review without a configuration once, in the plan's last configuration, which shows
// the most: its author saw none of them. Reviews that name configurations count in these.
func importedOnce(p *evaluation.Plan, answers *store.Shard) error {
	p.Models = slices.Clone(p.Models)
	for i, m := range p.Models {
		if m.Provider != reviewer.Imported {
			continue
		}
		p.Models[i].Configs = []string{}
		for at, c := range p.Configs {
			named, unnamed, err := imported.Has(answers, m.ID, p.Tasks, c)
			if err != nil {
				return err
			}
			if last := at == len(p.Configs)-1; named || last && (unnamed || len(p.Models[i].Configs) == 0) {
				p.Models[i].Configs = append(p.Models[i].Configs, c)
			}
		}
	}
	return nil
}

// checkProviders refuses models that their providers cannot ask.
func checkProviders(p evaluation.Plan) error {
	for _, m := range p.Models {
		provider, err := providers.Named(m.Provider)
		if err == nil {
			err = provider.Check(m)
		}
		if err != nil {
			return fmt.Errorf("models: %s: %w", m.ID, err)
		}
	}
	if !p.Judge.Asks() {
		return nil
	}
	provider, err := providers.Named(p.Judge.Provider)
	if err == nil && !provider.Priced {
		err = fmt.Errorf("a judge is rules or a model at an endpoint, not %s", provider.Name)
	}
	if err == nil {
		err = provider.Check(reviewer.Model{ID: p.Judge.ID, Provider: p.Judge.Provider, Call: p.Judge.Call})
	}
	if err != nil {
		return fmt.Errorf("judge: %w", err)
	}
	return nil
}

// priced refuses calls whose cost has no upper bound.
func priced(p evaluation.Plan) error {
	calls := map[string]reviewer.Call{}
	for _, m := range p.Models {
		if m.Endpoint != "" {
			calls[m.ID] = m.Call
		}
	}
	if p.Judge.Asks() {
		calls[p.Judge.ID] = p.Judge.Call
	}
	for _, id := range slices.Sorted(maps.Keys(calls)) {
		if c := calls[id]; c.Price == nil || c.MaxOutput() == 0 {
			return fmt.Errorf("a limit of cost needs a price and max_tokens or max_completion_tokens for every model: %s lacks one", id)
		}
	}
	return nil
}

// configs are the chosen configurations: of the flags, else of the file, else
// all that the tasks have. A short name may be used: A for config_A.
func (e *Evaluation) configs(items []evaluation.Item) ([]string, error) {
	has := map[string]bool{}
	for _, it := range items {
		for c := range it.Prompts {
			has[c] = true
		}
	}
	all := slices.Sorted(maps.Keys(has))
	wanted := e.Choice.Configs
	if len(wanted) == 0 {
		wanted = e.Config.Configs
	}
	if len(wanted) == 0 {
		return all, nil
	}
	chosen := map[string]bool{}
	for _, c := range wanted {
		if !has[c] && c != reviewer.Repository {
			c = "config_" + c
		}
		if !has[c] {
			return nil, planErrorf("configuration %q is not in the dataset: it has %s", strings.TrimPrefix(c, "config_"),
				strings.Join(all, ", "))
		}
		chosen[c] = true
	}
	if e.reads() {
		chosen[reviewer.Repository] = true
	}
	return slices.Sorted(maps.Keys(chosen)), nil
}

// tasks are the chosen tasks, in the order of the dataset.
func (e *Evaluation) tasks(items []evaluation.Item) ([]evaluation.Item, error) {
	wanted := e.Choice.Tasks
	if e.Choice.Split != "" {
		split, err := splitTasks(e.Dataset, e.Choice.Split)
		if err != nil {
			return nil, &planError{err}
		}
		if len(wanted) == 0 {
			wanted = split
		} else if i := slices.IndexFunc(wanted, func(id string) bool { return !slices.Contains(split, id) }); i >= 0 {
			return nil, planErrorf("task %q is not in the split %s", wanted[i], e.Choice.Split)
		}
	}
	var out []evaluation.Item
	for _, it := range items {
		if len(wanted) == 0 && e.Choice.Split == "" || slices.Contains(wanted, it.ID) {
			out = append(out, it)
		}
	}
	for _, id := range wanted {
		if !slices.ContainsFunc(out, func(it evaluation.Item) bool { return it.ID == id }) {
			return nil, planErrorf("task %q is not in the dataset", id)
		}
	}
	if n := e.Choice.Limit; n > 0 && n < len(out) {
		out = out[:n]
	}
	return out, nil
}

// merge merges a new plan into an existing one. Without extend they must be equal. With extend the new one may add
// tasks, configurations, models and repeats; planned parts always stay.
func merge(old, now evaluation.Plan, extend bool) (evaluation.Plan, error) {
	if same(old, now) {
		return old, nil
	}
	if changed := fixed(old, now); changed != "" {
		return old, planErrorf("this run folder was planned with another %s; use a new folder", changed)
	}
	grown := old
	grown.Repeats = max(old.Repeats, now.Repeats)
	grown.Tasks = union(old.Tasks, now.Tasks)
	grown.Configs = union(old.Configs, now.Configs)
	slices.Sort(grown.Configs)
	for _, m := range now.Models {
		i := slices.IndexFunc(old.Models, func(o reviewer.Model) bool { return o.ID == m.ID })
		switch {
		case i < 0:
			grown.Models = append(slices.Clone(grown.Models), m)
		case !same(old.Models[i], m):
			return old, planErrorf("model %s was planned with other parameters; give it another id, or use a new folder", m.ID)
		}
	}
	if extend {
		return grown, nil
	}
	var what []string
	if same(old.Tasks, now.Tasks) && old.TasksSHA256 != now.TasksSHA256 {
		what = append(what, "the tasks' texts: this prforge reads the dataset otherwise")
	}
	if !same(old.Tasks, now.Tasks) {
		what = append(what, fmt.Sprintf("tasks (%d planned, %d now)", len(old.Tasks), len(now.Tasks)))
	}
	if !same(old.Configs, now.Configs) {
		what = append(what, fmt.Sprintf("configurations (%s planned, %s now)", strings.Join(old.Configs, " "),
			strings.Join(now.Configs, " ")))
	}
	if !same(old.Models, now.Models) {
		what = append(what, fmt.Sprintf("models (%d planned, %d now)", len(old.Models), len(now.Models)))
	}
	if old.Repeats != now.Repeats {
		what = append(what, fmt.Sprintf("repeats (%d planned, %d now)", old.Repeats, now.Repeats))
	}
	return old, planErrorf("the plan of this run folder differs in %s; --extend adds what is new, or use a new folder",
		strings.Join(what, ", "))
}

// fixed names the first part of a plan that may never change, or "".
func fixed(old, now evaluation.Plan) string {
	for _, part := range []struct {
		name string
		a, b any
	}{
		{"benchmark", old.Benchmark, now.Benchmark}, {"dataset", old.Dataset, now.Dataset},
		{"protocol", old.Protocol, now.Protocol},
		{"set of prompts: this is another version of prforge", old.Prompts, now.Prompts}, {"prompt", old.Prompt, now.Prompt},
		{"split", old.Split, now.Split}, {"judge", old.Judge, now.Judge},
		{"seed", old.Seed, now.Seed}, {"number of draws", old.Draws, now.Draws}, {"cluster", old.Cluster, now.Cluster},
		{"prices_as_of", old.PricesAsOf, now.PricesAsOf},
	} {
		if !same(part.a, part.b) {
			return part.name
		}
	}
	return ""
}

// union is a followed by the new elements of b.
func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// splitTasks reads the task ids of one of a dataset's splits.
func splitTasks(dir, name string) ([]string, error) {
	if strings.ContainsAny(name, `/\`) || name == "" || name[0] == '.' {
		return nil, fmt.Errorf("%q is not the name of a split", name)
	}
	split, err := load.ReadJSON[struct {
		TaskIDs []string `json:"task_ids"`
	}](dir, "evals/"+name+".json")
	if err != nil {
		return nil, fmt.Errorf("read the split %s: %w", name, err)
	}
	return split.TaskIDs, nil
}
