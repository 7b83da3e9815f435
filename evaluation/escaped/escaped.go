// Package escaped scores reviewers on faults that the reviewers of a real pull request missed: does a comment name
// this fault, at this position? A rule decides if lines and words suffice; else a judge decides. Recall here counts
// what people missed, and is never mixed with recall of what they wrote.
package escaped

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/prompts"
	"github.com/prforge/prforge/internal/text"
)

//go:embed prompts
var promptFiles embed.FS

func prompt(name string) string { return prompts.Read(promptFiles, "prompts/"+name) }

// Key is the part of a question that only scoring may see: the change, with the fault as its one Truth, whose Body is
// the text of the fix.
type Key struct {
	evaluation.Key
	Kind  string `json:"kind"`  // lines or omission
	Lines []Line `json:"lines"` // where the fault is, in the new version of the change
	// Control says that the change is none of the dataset's: it has clean hunks, and no
	// fault is known.
	Control bool `json:"control,omitempty"`
}

// Line is a line of a file.
type Line struct {
	File string `json:"path"`
	Line int    `json:"line"`
}

// The verdicts on a reviewer's comments: whether one names the fault.
const (
	Yes    = "yes"
	Partly = "partly"
	No     = "no"
)

// Outcome says whether a reviewer's comments name the fault. It is stored with a reading.
type Outcome struct {
	Named string `json:"named"` // Yes, Partly or No
	// Open says that the rule cannot decide and a judge must. Without one the outcome is No.
	Open bool `json:"open"`
	// Rounds are the judge's verdicts, one per repeat.
	Rounds []string `json:"rounds,omitempty"`
	// At says that a comment points to the fault's position, whatever its text.
	At bool `json:"at"`
}

// nearLines is the maximum distance from a faulty line to a comment at its position.
const nearLines = 3

// sameWords is the share of common words from which a comment at the fault's position says the same as the fix.
const sameWords = 0.5

// decide is the rule. A comment at the position with nearly the fix's words names the fault. If all comments are on
// other files, none does. A judge decides all else.
func (k Key) decide(comments []evaluation.Comment) Outcome {
	o := Outcome{Named: No}
	for _, c := range comments {
		at := k.at(c)
		o.At = o.At || at
		for _, t := range k.Truth {
			if at && text.SharedWords(c.Body, t.Body) >= sameWords {
				return Outcome{Named: Yes, At: true}
			}
		}
		o.Open = o.Open || k.about(c)
	}
	return o
}

// at reports whether a comment points to a faulty line or one close to it.
func (k Key) at(c evaluation.Comment) bool {
	for _, l := range k.Lines {
		if c.Near(l.File, l.Line, nearLines) {
			return true
		}
	}
	return false
}

// about reports whether a comment may be about the fault: it names its file, or
// none.
func (k Key) about(c evaluation.Comment) bool {
	if c.File == "" {
		return true
	}
	for _, l := range k.Lines {
		if c.IsOn(l.File) {
			return true
		}
	}
	return false
}

// Benchmark is the evaluation's benchmark of escaped defects. An item's prompts are
// the contexts, its key a Key; reviewers are asked as in the review benchmark.
type Benchmark struct {
	clean map[string][]evaluation.CleanHunk // by control; nil without controls
}

var (
	_ evaluation.Benchmark  = Benchmark{}
	_ evaluation.Asker      = Benchmark{}
	_ evaluation.Tabler     = Benchmark{}
	_ evaluation.Controlled = Benchmark{}
	_ evaluation.Borrower   = Benchmark{}
)

// Name implements evaluation.Benchmark.
func (Benchmark) Name() string { return "escaped" }

// Judged implements evaluation.Benchmark: the rule scores what it can, and a judge decides the rest (AskJudge).
func (Benchmark) Judged() bool { return false }

// Prompts implements evaluation.Benchmark.
func (Benchmark) Prompts() map[string]string {
	out := map[string]string{"escaped/judge.txt": prompt("judge.txt"),
		"escaped/judge_again.txt": prompt("judge_again.txt")}
	all := evaluation.Reviews{}.Prompts()
	for _, name := range []string{"review.txt", "review_again.txt", "review.schema.json"} {
		out[name] = all[name]
	}
	return out
}

// Question implements evaluation.Benchmark.
func (Benchmark) Question(it evaluation.Item, config string, again bool) evaluation.Request {
	return evaluation.Reviews{}.Question(it, config, again)
}

// References implements evaluation.Benchmark.
func (Benchmark) References() []string { return evaluation.References }

// Refer implements evaluation.Benchmark. The oracle says what the fix says.
func (Benchmark) Refer(name string, it evaluation.Item, _ string) (string, error) {
	return evaluation.Refer(name, it)
}

// KeyOf decodes an item's key.
func KeyOf(it evaluation.Item) (Key, error) {
	var k Key
	if err := json.Unmarshal(it.Key, &k); err != nil {
		return k, fmt.Errorf("key of %s: %w", it.ID, err)
	}
	if !k.Control && (len(k.Truth) != 1 || len(k.Lines) == 0) {
		return k, fmt.Errorf("key of %s: it has no fault, or no line of it", it.ID)
	}
	return k, nil
}

// Read implements evaluation.Benchmark: comments, and the rule's verdict on them.
func (Benchmark) Read(it evaluation.Item, answer string) evaluation.Reading {
	r := evaluation.Reviews{}.Read(it, answer)
	if k, err := KeyOf(it); err == nil && !k.Control { // of an error Score says so
		r.Answer, _ = json.Marshal(k.decide(r.Comments)) // of strings and booleans: it cannot fail
	}
	return r
}

// Metrics implements evaluation.Benchmark.
func (b Benchmark) Metrics() []evaluation.Metric {
	all := []evaluation.Metric{
		{Name: "recall", Better: "higher", Headline: true, Ranks: true,
			Means: "share of the faults that review let through which the reviewer names at their place"},
		{Name: "recall_partly", Better: "higher", Headline: true,
			Means: "the same, with those that it suspects without saying what goes wrong"},
		{Name: "at_place", Headline: true,
			Means: "share of the faults with a comment at most three lines away, whatever it says: what pointing everywhere earns"},
		{Name: "comments", Better: "lower", Mean: true, Means: "comments on a change, mean over records"},
		{Name: "open", Better: "lower",
			Means: "share of records that neither lines and words nor a judge decided; they count as not named"},
		{Name: "unanimous", Means: "share of judged records of which all repeats of the judge said the same"},
		{Name: "unusable", Better: "lower", Means: "share of answers that could not be read, after a second question"},
	}
	if b.clean != nil {
		all = slices.Insert(all, slices.IndexFunc(all, func(m evaluation.Metric) bool { return m.Name == "comments" }),
			evaluation.AlarmMetric())
	}
	return all
}

// Score implements evaluation.Benchmark. A fault counts for recall, a control for
// alarms.
func (b Benchmark) Score(it evaluation.Item, _ string, r evaluation.Reading, _ *evaluation.Judgement) (evaluation.Score,
	error) {
	k, err := KeyOf(it)
	if err != nil {
		return evaluation.Score{}, err
	}
	s := evaluation.Score{
		Counts: map[string]int{"comments": len(r.Comments)},
		Rates:  map[string]evaluation.Rate{"unusable": share(r.Outcome == evaluation.ReadUnusable)},
		Parts:  map[string]float64{"comments": float64(len(r.Comments))}, Weight: 1,
	}
	if k.Control {
		s.Rates[evaluation.AlarmMetric().Name] = evaluation.Alarms(b.clean[it.ID], r.Comments, nil)
		return s, nil
	}
	o, err := outcomeOf(it, r)
	if err != nil {
		return evaluation.Score{}, err
	}
	maps.Copy(s.Rates, map[string]evaluation.Rate{
		"recall": share(o.Named == Yes), "recall_partly": share(o.Named != No), "at_place": share(o.At),
		"open": share(o.Open && len(o.Rounds) == 0), "unanimous": {},
	})
	if len(o.Rounds) > 0 {
		s.Rates["unanimous"] = share(o.unanimous())
	}
	return s, nil
}

// share is a share of one record.
func share(ok bool) evaluation.Rate {
	if ok {
		return evaluation.Rate{N: 1, Of: 1}
	}
	return evaluation.Rate{Of: 1}
}

// outcomeOf reads the outcome stored with a reading.
func outcomeOf(it evaluation.Item, r evaluation.Reading) (Outcome, error) {
	var o Outcome
	if err := json.Unmarshal(r.Answer, &o); err != nil {
		return o, fmt.Errorf("what was said of the comments on %s: %w", it.ID, err)
	}
	return o, nil
}

// unanimous reports whether all rounds say the same.
func (o Outcome) unanimous() bool {
	for _, r := range o.Rounds {
		if r != o.Rounds[0] {
			return false
		}
	}
	return true
}
