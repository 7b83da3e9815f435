package evaluation

import (
	"math"
	"slices"

	"github.com/prforge/prforge/evaluation/official"
	"github.com/prforge/prforge/evaluation/prompts"
)

// Reviews is the benchmark of reviewed pull requests: a reviewer comments on a
// change, a judge compares its comments with those of people.
type Reviews struct {
	// Clean are the clean hunks by task; nil if unknown.
	Clean map[string][]CleanHunk
}

// Name implements Benchmark.
func (Reviews) Name() string { return "review" }

// Judged implements Benchmark.
func (Reviews) Judged() bool { return true }

// Prompts implements Benchmark.
func (Reviews) Prompts() map[string]string {
	out := map[string]string{}
	for _, name := range []string{"review.txt", "review_again.txt", "judge.txt", "judge_again.txt", "pair.txt",
		"review.schema.json", "judge.schema.json", "pair.schema.json"} {
		out[name] = prompts.Text(name)
	}
	for _, name := range []string{official.PromptAgent, official.PromptAgentAgain, official.PromptJudge} {
		out["official/"+name] = official.Prompt(name)
	}
	return out
}

// Question implements Benchmark.
func (Reviews) Question(it Item, config string, again bool) Request {
	r := Request{System: prompts.Text("review.txt"), Prompt: it.Prompts[config], Schema: "review"}
	if it.Canary != "" {
		r.Prompt += "\n\n" + it.Canary + "\n"
	}
	if again {
		r.Prompt += "\n\n---\n\n" + prompts.Text("review_again.txt")
	}
	return r
}

// Read implements Benchmark.
func (Reviews) Read(_ Item, answer string) Reading { return readReview(answer) }

// Metrics implements Benchmark.
func (b Reviews) Metrics() []Metric {
	all := []Metric{
		{Name: "f1", Better: "higher", Headline: true, Ranks: true, Means: "harmonic mean of recall and precision"},
		{Name: "recall", Better: "higher", Headline: true,
			Means: "share of the people's comments whose problem the reviewer reports"},
		{Name: "precision", Better: "higher", Headline: true,
			Means: "share of the reviewer's comments that report a problem people reported; repeats of a caught problem left out"},
		{Name: "useful", Better: "higher", Headline: true,
			Means: "share of the reviewer's comments that are confirmed or plausible; repeats left out"},
		{Name: "fabricated", Better: "lower", Headline: true,
			Means: "share of the reviewer's comments that are wrong about the code; repeats left out"},
		AlarmMetric(),
		{Name: composite, Better: "higher", Headline: true, Mean: true,
			Means: "the published composite of the same answers, with similarity by words; mean over records"},
		{Name: "recall_visible", Better: "higher", Means: "recall over comments whose line the configuration shows"},
		{Name: "recall_validated", Better: "higher", Means: "recall over comments that the author acted on or agreed to"},
		{Name: "caught_any", Better: "higher", Means: "share of pull requests in which at least one problem was caught"},
		{Name: "duplicate", Better: "lower", Means: "share of comments that repeat a problem already caught"},
		{Name: "unanimous", Means: "share of judged comments to which all repeats of the judge gave one label"},
		{Name: "cannot_tell", Means: "share of judged comments whose claim the judge could not decide"},
		{Name: "unusable", Better: "lower", Means: "share of answers that could not be read, after a second question"},
	}
	if b.Clean == nil {
		all = slices.DeleteFunc(all, func(m Metric) bool { return m.Name == AlarmMetric().Name })
	}
	return all
}

// WithClean implements Controlled.
func (Reviews) WithClean(clean map[string][]CleanHunk) Benchmark { return Reviews{Clean: clean} }

// AlarmMetric is the rate of reports on clean hunks (Alarms).
func AlarmMetric() Metric {
	return Metric{Name: "alarms", Better: "lower", Headline: true,
		Means: "share of the hunks that proved clean on which the reviewer reports a problem"}
}

// Score implements Benchmark. With H truths, N comments, D duplicates and M
// pairs: recall M/H, precision M/(N-D), F1 2M/(H+N-D). An unusable answer or a
// silent one catches nothing of H and adds no comment.
func (b Reviews) Score(it Item, config string, r Reading, judged *Judgement) (Score, error) {
	key, err := it.Review()
	if err != nil {
		return Score{}, err
	}
	c := count(r, judged)
	caught := caughtBy(judged)
	h, n := len(key.Truth), c["comments"]-c["duplicates"]
	c["truth"] = h
	rates := map[string]Rate{
		"recall": {c["matched"], h}, "precision": {c["matched"], n}, "f1": {2 * c["matched"], h + n},
		"useful": {c["matched"] + c["plausible"], n}, "fabricated": {c["fabricated"], n},
		"recall_visible":   recallOver(key.Truth, caught, func(t Truth) bool { return t.visibleIn(config) }),
		"recall_validated": recallOver(key.Truth, caught, Truth.validated),
		"caught_any":       {min(1, c["matched"]), min(1, h)}, "duplicate": {c["duplicates"], c["comments"]},
		"unanimous": {c["unanimous"], c["comments"]}, "cannot_tell": {c["cannot_tell"], c["comments"]},
		"unusable": {c["unusable"], 1},
	}
	if b.Clean != nil {
		rates[AlarmMetric().Name] = Alarms(b.Clean[it.ID], r.Comments, judged)
	}
	if judged != nil && judged.Pairwise {
		rates["useful"], rates["fabricated"], rates["cannot_tell"] = Rate{}, Rate{}, Rate{}
	}
	if h == 0 {
		rates["f1"] = Rate{} // a change without ground truth tests false alarms only
		rates["precision"] = Rate{}
	}
	return Score{Counts: c, Rates: rates, Parts: map[string]float64{}, Weight: math.Log(float64(h) + 1)}, nil
}

// count counts comments by outcome.
func count(r Reading, judged *Judgement) map[string]int {
	c := map[string]int{"comments": len(r.Comments), "matched": 0, "duplicates": 0, "plausible": 0, "fabricated": 0,
		"unanimous": 0, "cannot_tell": 0, "unusable": 0}
	if r.Outcome == ReadUnusable {
		c["unusable"] = 1
	}
	if judged == nil {
		return c
	}
	for _, j := range judged.Comments {
		switch {
		case j.Match != "":
			c["matched"]++
		case j.Duplicate:
			c["duplicates"]++
		case j.Label == plausible:
			c["plausible"]++
		default:
			c["fabricated"]++
		}
		if j.Unanimous {
			c["unanimous"]++
		}
		if j.Claim == "cannot tell" {
			c["cannot_tell"]++
		}
	}
	return c
}

// caughtBy is the set of caught truths.
func caughtBy(judged *Judgement) map[string]bool {
	caught := map[string]bool{}
	if judged != nil {
		for _, j := range judged.Comments {
			if j.Match != "" {
				caught[j.Match] = true
			}
		}
	}
	return caught
}

func recallOver(truth []Truth, caught map[string]bool, counts func(Truth) bool) Rate {
	var r Rate
	for _, t := range truth {
		if counts(t) {
			r.Of++
			if caught[t.ID] {
				r.N++
			}
		}
	}
	return r
}

// composite is the name of the published composite among our own figures.
const composite = "official_composite"

// Alarms is the share of a task's clean hunks that a comment points into which
// reports no problem of the ground truth; judged is nil where there is none.
func Alarms(hunks []CleanHunk, comments []Comment, judged *Judgement) Rate {
	r := Rate{Of: len(hunks)}
	for _, h := range hunks {
		for i, c := range comments {
			if h.holds(c) && (judged == nil || judged.Comments[i].Label != confirmed) {
				r.N++
				break
			}
		}
	}
	return r
}
