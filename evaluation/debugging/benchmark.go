package debugging

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/prforge/prforge/evaluation"
)

// Benchmark is the evaluation's benchmark of scripts with injected errors. An
// item's prompts are the views of the script, its key a Sample.
type Benchmark struct{}

var _ evaluation.Benchmark = Benchmark{}

// Name implements evaluation.Benchmark.
func (Benchmark) Name() string { return "debugging" }

// Judged implements evaluation.Benchmark: the rule scores; a model that judges messages is optional (AskJudge).
func (Benchmark) Judged() bool { return false }

// Prompts implements evaluation.Benchmark.
func (Benchmark) Prompts() map[string]string {
	out := map[string]string{}
	for _, name := range []string{"find", "again", "judge", "judge_again", "dsdbench", "dsdbench_one", "dsdbench_several",
		"dsdbench_thought", "dsdbench_refine"} {
		out["debugging/"+name+".txt"] = prompt(name + ".txt")
	}
	return out
}

// SampleOf decodes an item's key.
func SampleOf(it evaluation.Item) (Sample, error) {
	var s Sample
	if err := json.Unmarshal(it.Key, &s); err != nil {
		return s, fmt.Errorf("key of %s: %w", it.ID, err)
	}
	if len(s.Truths) == 0 || len(s.Truths) > maxTruths {
		return s, fmt.Errorf("key of %s: %d errors, want 1 to %d", it.ID, len(s.Truths), maxTruths)
	}
	return s, nil
}

// Question implements evaluation.Benchmark. The key selects the prompt and, for the published ones, one error or
// several; nothing else of it is shown.
func (Benchmark) Question(it evaluation.Item, config string, again bool) evaluation.Request {
	r := evaluation.Request{System: prompt("find.txt"), Prompt: it.Prompts[config]}
	s, err := SampleOf(it)
	if err == nil { // Score reports it
		r.System = s.instruction()
	}
	if again && s.Prompt == "" {
		r.Prompt += "\n\n---\n\n" + prompt("again.txt")
	}
	return r
}

// Read implements evaluation.Benchmark.
func (Benchmark) Read(_ evaluation.Item, text string) evaluation.Reading {
	named, fault := readAnswer(text)
	r := evaluation.Reading{Outcome: evaluation.ReadReview, Comments: []evaluation.Comment{}}
	switch {
	case fault != nil:
		r.Outcome, r.Code = evaluation.ReadUnusable, fault.Code
	case len(named) == 0:
		r.Outcome = evaluation.ReadNothing
	}
	for _, n := range named[:min(len(named), maxNamed)] {
		c := evaluation.Comment{Body: fmt.Sprintf("%s: %s\ncause: %s\neffect: %s", n.Type, n.Message, n.Cause, n.Effect)}
		if n.CauseNumber > 0 {
			c.Line = &n.CauseNumber
		}
		r.Comments = append(r.Comments, c)
	}
	if data, err := json.Marshal(named); err == nil {
		r.Answer = data
	}
	return r
}

// Metrics implements evaluation.Benchmark: the F1 of the cause ranks.
func (Benchmark) Metrics() []evaluation.Metric {
	var out []evaluation.Metric
	for d, name := range Dimensions() {
		what := strings.ReplaceAll(name, "_", " ")
		out = append(out,
			evaluation.Metric{Name: name + "_f1", Better: "higher", Headline: true, Ranks: d == Cause,
				Means: "harmonic mean of precision and recall of the " + what},
			evaluation.Metric{Name: name + "_recall", Better: "higher", Means: "share of the injected errors whose " + what +
				" is right"},
			evaluation.Metric{Name: name + "_precision", Better: "higher", Means: "share of the named errors whose " + what +
				" is right"},
			evaluation.Metric{Name: name + "_exact_set", Better: "higher",
				Means: "share of scripts with as many errors named as there are, the " + what + " of each right"})
	}
	return append(out,
		evaluation.Metric{Name: "unusable", Better: "lower",
			Means: "share of answers that could not be read, after a second question"})
}

// Score implements evaluation.Benchmark.
func (Benchmark) Score(it evaluation.Item, _ string, r evaluation.Reading, _ *evaluation.Judgement) (evaluation.Score,
	error) {
	sample, err := SampleOf(it)
	if err != nil {
		return evaluation.Score{}, err
	}
	var named []Named
	if err := json.Unmarshal(r.Answer, &named); err != nil {
		return evaluation.Score{}, fmt.Errorf("answer to %s: %w", it.ID, err)
	}
	x := score(sample, named)
	s := evaluation.Score{
		Counts: map[string]int{"errors": x.Truths, "named": x.Named, "pairs": len(x.Pairs)},
		Rates:  map[string]evaluation.Rate{"unusable": {N: one(r.Outcome == evaluation.ReadUnusable), Of: 1}},
		Parts:  map[string]float64{},
		Weight: 1,
	}
	for d, name := range Dimensions() {
		tp := x.tp(d)
		s.Rates[name+"_f1"] = evaluation.Rate{N: 2 * tp, Of: x.Truths + x.Named}
		s.Rates[name+"_recall"] = evaluation.Rate{N: tp, Of: x.Truths}
		s.Rates[name+"_precision"] = evaluation.Rate{N: tp, Of: x.Named}
		s.Rates[name+"_exact_set"] = evaluation.Rate{N: one(x.exactSet(d)), Of: 1}
	}
	return s, nil
}

func one(ok bool) int {
	if ok {
		return 1
	}
	return 0
}

// references are the built-in reviewers.
func references() []string { return []string{"oracle", "silent", "effect"} }

// Refer is a reference reviewer's answer, in the form that a model answers in:
//
//   - oracle: the errors
//   - silent: nothing
//   - effect: the errors as a traceback shows them, each line of an effect
//     taken for its cause: right on errors of one line only
func (s Sample) Refer(name string) (string, error) {
	named := []Named{}
	for _, t := range s.Truths {
		n := Named{Cause: t.Cause.Text, CauseNumber: t.Cause.First, Effect: t.Effect.Text, EffectNumber: t.Effect.First,
			Type: t.Type, Message: t.Message}
		switch name {
		case "oracle":
			named = append(named, n)
		case "effect":
			n.Cause, n.CauseNumber = n.Effect, n.EffectNumber
			named = append(named, n)
		case "silent":
		default:
			return "", fmt.Errorf("there is no reference reviewer %q: they are %s", name, strings.Join(references(), ", "))
		}
	}
	return encodeErrors(named)
}

// encodeErrors is an answer that names errors.
func encodeErrors(named []Named) (string, error) {
	answer, err := json.Marshal(map[string]any{"errors": named})
	if err != nil {
		return "", fmt.Errorf("encode an answer: %w", err)
	}
	return string(answer), nil
}

// References lists the built-in reviewers of the benchmark.
func (Benchmark) References() []string { return references() }

// Refer is a built-in reviewer's answer to an item (Sample.Refer).
func (Benchmark) Refer(name string, it evaluation.Item, _ string) (string, error) {
	s, err := SampleOf(it)
	if err != nil {
		return "", err
	}
	return s.Refer(name)
}

var _ evaluation.Prompter = Benchmark{}

// WithPrompt implements evaluation.Prompter. The published prompts show no line
// numbers: only the configuration plain is left.
func (Benchmark) WithPrompt(it evaluation.Item, name string) (evaluation.Item, error) {
	if _, ok := published(name); !ok {
		return it, fmt.Errorf("prompt: is %q, want dsdbench, dsdbench-thought or dsdbench-refine, or none", name)
	}
	s, err := SampleOf(it)
	if err != nil {
		return it, err
	}
	s.Prompt = name
	it.Prompts = map[string]string{"plain": s.question(it.Canary)}
	it.Key, err = json.Marshal(s)
	return it, err
}
