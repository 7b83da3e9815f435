package bugs

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/prompts"
)

//go:embed prompts
var promptFiles embed.FS

func prompt(name string) string { return prompts.Read(promptFiles, "prompts/"+name) }

// Benchmark is the evaluation's benchmark of files with one fault. An item's
// prompts are the views, its key a Key.
type Benchmark struct{}

var _ evaluation.Benchmark = Benchmark{}

// Name implements evaluation.Benchmark.
func (Benchmark) Name() string { return "bugs" }

// Judged implements evaluation.Benchmark: the rule scores.
func (Benchmark) Judged() bool { return false }

// Prompts implements evaluation.Benchmark.
func (Benchmark) Prompts() map[string]string {
	out := map[string]string{}
	for _, name := range []string{"review.txt", "told.txt", "tests.txt", "again.txt", "judge_blind.txt",
		"judge_informed.txt"} {
		out["bugs/"+name] = prompt(name)
	}
	return out
}

// keyOf decodes an item's key.
func keyOf(it evaluation.Item) (Key, error) {
	var k Key
	if err := json.Unmarshal(it.Key, &k); err != nil {
		return k, fmt.Errorf("key of %s: %w", it.ID, err)
	}
	return k, nil
}

// The prompts for a question.
const (
	promptReview = "review" // mentions no fault, and asks for findings as JSON
	promptTold   = "told"   // also says that there may be one
	promptTests  = "tests"  // the paper's: tests and their expected results, in prose
)

var _ evaluation.Prompter = Benchmark{}

// WithPrompt implements evaluation.Prompter.
func (Benchmark) WithPrompt(it evaluation.Item, name string) (evaluation.Item, error) {
	if names := []string{promptReview, promptTold, promptTests}; !slices.Contains(names, name) {
		return it, fmt.Errorf("prompt: is %q, want %s", name, strings.Join(names, ", "))
	}
	k, err := keyOf(it)
	if err != nil {
		return it, err
	}
	k.Prompt = name
	it.Key, err = json.Marshal(k)
	return it, err
}

// Question implements evaluation.Benchmark. The key selects the prompt; nothing else of it is shown.
func (Benchmark) Question(it evaluation.Item, config string, again bool) evaluation.Request {
	k, err := keyOf(it)
	r := evaluation.Request{System: prompt("review.txt"), Prompt: it.Prompts[config]}
	switch {
	case err != nil: // Score reports it
	case k.Prompt == promptTests:
		r.System = prompt("tests.txt")
	case k.Prompt == promptTold:
		r.System += "\n" + prompt("told.txt")
	}
	if again && k.Prompt != promptTests {
		r.Prompt += "\n\n---\n\n" + prompt("again.txt")
	}
	return r
}

// Read implements evaluation.Benchmark.
func (Benchmark) Read(_ evaluation.Item, text string) evaluation.Reading {
	a := read(text)
	r := evaluation.Reading{Outcome: evaluation.ReadReview, Code: a.Code, Comments: []evaluation.Comment{},
		Dropped: map[string]int{}}
	switch {
	case a.Code != "":
		r.Outcome = evaluation.ReadUnusable
	case len(a.Findings) == 0:
		r.Outcome = evaluation.ReadNothing
	}
	if a.Dropped > 0 {
		r.Dropped["over_limit"] = a.Dropped
	}
	for _, f := range a.Findings {
		c := evaluation.Comment{Body: f.Kind + " " + f.Name + ": " + f.Why, File: f.Path}
		if f.Line > 0 {
			c.Line = &f.Line
		}
		r.Comments = append(r.Comments, c)
	}
	if data, err := json.Marshal(a); err == nil {
		r.Answer = data
	}
	return r
}

// Metrics implements evaluation.Benchmark.
func (Benchmark) Metrics() []evaluation.Metric {
	return []evaluation.Metric{
		{Name: "balanced", Better: "higher", Headline: true, Ranks: true,
			Means: "mean of the credit and of the share of controls without a false alarm: a question and a control weigh as a pair. Half of it can be had by silence, and by a constant answer no more"},
		{Name: "credit", Better: "higher", Headline: true,
			Means: "mean credit for name, line and kind, over files with a fault"},
		{Name: "strict", Better: "higher", Headline: true, Means: "share of faults named with name, line and kind"},
		{Name: "found", Better: "higher", Headline: true, Means: "share of faults found at least in half"},
		{Name: "import_strict", Better: "higher",
			Means: "the same of imports of what another file lacks (E5), which no linter of one file sees"},
		{Name: "undecidable_found",
			Means: "share of faults found at least in half in a configuration that does not show what it takes: what guessing gives; they are in no other share"},
		{Name: "alarmed_controls", Better: "lower", Headline: true,
			Means: "share of files without a fault in which the reviewer claims one"},
		{Name: "precision", Better: "higher",
			Means: "share of claimed undeclared names, imports and indentation errors that are the fault"},
		{Name: "proven_false", Better: "lower", Means: "share of such claims that are proven to be wrong"},
		{Name: "unusable", Better: "lower",
			Means: "share of answers that could not be read by rule, after a second question"},
	}
}

// decidable reports whether a configuration shows enough to see the fault.
func (k Key) decidable(config string) bool {
	return k.DecidableIn == nil || slices.Contains(k.DecidableIn, strings.TrimPrefix(config, "config_"))
}

// Oppose sets for every key how many records of the other sort there are: controls for a question, decidable
// questions for a control. So questions and controls have the same total weight.
func Oppose(keys []Key, configs []string) {
	for _, config := range configs {
		questions, controls := 0, 0
		for _, k := range keys {
			questions += one(k.Fault != nil && k.decidable(config))
			controls += one(k.Fault == nil)
		}
		for i := range keys {
			if keys[i].Against == nil {
				keys[i].Against = map[string]int{}
			}
			if keys[i].Against[config] = controls; keys[i].Fault == nil {
				keys[i].Against[config] = questions
			}
		}
	}
}

// Score implements evaluation.Benchmark. The part chance is the question's
// stored chance of a guess; failure types are counts.
func (Benchmark) Score(it evaluation.Item, config string, r evaluation.Reading,
	_ *evaluation.Judgement) (evaluation.Score, error) {
	k, err := keyOf(it)
	if err != nil {
		return evaluation.Score{}, err
	}
	var a Answer
	if err := json.Unmarshal(r.Answer, &a); err != nil {
		return evaluation.Score{}, fmt.Errorf("answer to %s: %w", it.ID, err)
	}
	res := k.Score(a)
	claims := 0
	for _, f := range a.Findings {
		if f.Kind != other {
			claims++
		}
	}
	right := claims - res.FalseAlarms
	s := evaluation.Score{
		Counts: map[string]int{"findings": len(a.Findings), "false_alarms": res.FalseAlarms, "proven_false": res.ProvenFalse,
			"others": res.Others},
		Rates: map[string]evaluation.Rate{"precision": {N: right, Of: claims},
			"proven_false": {N: res.ProvenFalse, Of: claims},
			"unusable":     {N: one(a.Code != ""), Of: 1}},
		Parts:  map[string]float64{},
		Weight: 1,
	}
	against := k.Against[config]
	if k.Fault == nil {
		if against > 0 {
			s.Rates["balanced"] = evaluation.Rate{N: quarters * against * one(res.FalseAlarms == 0), Of: quarters * against}
		}
		s.Rates["alarmed_controls"] = evaluation.Rate{N: one(res.FalseAlarms > 0), Of: 1}
		return s, nil
	}
	if res.Failure != "" {
		s.Counts["failure_"+string(res.Failure)] = 1
	}
	if !k.decidable(config) {
		s.Rates["undecidable_found"] = evaluation.Rate{N: one(res.found()), Of: 1}
		return s, nil
	}
	s.Rates["credit"] = evaluation.Rate{N: res.Quarters, Of: quarters}
	if against > 0 {
		s.Rates["balanced"] = evaluation.Rate{N: res.Quarters * against, Of: quarters * against}
	}
	s.Rates["strict"] = evaluation.Rate{N: one(res.strict()), Of: 1}
	s.Rates["found"] = evaluation.Rate{N: one(res.found()), Of: 1}
	if k.Family == Import {
		s.Rates["import_strict"] = s.Rates["strict"]
	}
	s.Parts["chance"] = k.Chance
	return s, nil
}

func one(ok bool) int {
	if ok {
		return 1
	}
	return 0
}

// References lists the built-in reviewers of the benchmark.
func (Benchmark) References() []string { return references() }

// Refer is a built-in reviewer's answer to an item (Key.Refer).
func (Benchmark) Refer(name string, it evaluation.Item, config string) (string, error) {
	k, err := keyOf(it)
	if err != nil {
		return "", err
	}
	return k.Refer(name, config)
}
