package evaluation

import "context"

// Request is one question to a model, complete: what is asked decides by which
// key its answer is kept.
type Request struct {
	System string
	Prompt string
	// Shared is how many bytes of Prompt other questions begin with too, which an
	// endpoint may keep in a cache.
	Shared int
	// Schema names the answer's JSON schema among the prompts; "" for none. It
	// is sent only to endpoints whose configuration says that they take one.
	Schema string
	// Sample numbers the repeats of one question, from 0.
	Sample int
}

// Benchmark is what one kind of dataset asks and how it scores. A dataset's
// manifest says which it is.
type Benchmark interface {
	// Name is the manifest's word: review, bugs, debugging.
	Name() string
	// Prompts are the texts that the questions are made of, by name. Their
	// digests are part of the plan.
	Prompts() map[string]string
	// Question is what a reviewer is asked about an item in a configuration.
	// again rewords it for an answer that could not be read.
	Question(it Item, config string, again bool) Request
	// Read reads an answer. It never fails: an unusable answer is a verdict.
	Read(it Item, answer string) Reading
	// Judged says whether comments have to be judged before they can be scored.
	Judged() bool
	// Score gives a record's figures from what was read and judged. judged is
	// nil where nothing is.
	Score(it Item, config string, r Reading, judged *Judgement) (Score, error)
	// Metrics are the rates of Score, in the order that reports show them.
	Metrics() []Metric
	// References are the names of the built-in reviewers: known ends of the scale.
	References() []string
	// Refer is a built-in reviewer's answer to an item in a configuration, in the
	// form that a model answers in. The error names the reviewers where there is
	// none of the name.
	Refer(name string, it Item, config string) (string, error)
}

// Asker is a Benchmark that is scored by rule, and asks a judge about what a rule
// cannot decide where the plan has a model for one.
type Asker interface {
	// AskJudge has a reading judged as often as the plan says, and writes what the
	// judge said into it. code is why the record failed, as in Result.
	AskJudge(ctx context.Context, p Plan, it Item, r *Result, ask Ask) (code string, err error)
}

// Prompter is a Benchmark whose questions can be put by several prompts.
type Prompter interface {
	// WithPrompt is an item that is asked by the prompt of that name. The error
	// names the prompts where there is none of the name.
	WithPrompt(it Item, name string) (Item, error)
}

// Controlled is a Benchmark that counts reports on hunks that proved clean.
type Controlled interface {
	// WithClean is the benchmark with the clean hunks by task.
	WithClean(clean map[string][]CleanHunk) Benchmark
}

// Borrower is a Controlled benchmark whose clean hunks are of pull requests of the
// review benchmark, which reviewers are asked about beside its own items.
type Borrower interface {
	// Borrow makes items of those of reviews, with which of these each is made of by
	// its id.
	Borrow(own, reviews []Item) (items []Item, of map[string]string, err error)
}

// Besider is a Benchmark that gives further figures of a scored record, which
// need more than a reading and a judgement.
type Besider interface {
	Beside(p Plan, it Item, r *Result) error
}

// Metric is one of a benchmark's rates.
type Metric struct {
	Name string `json:"name"` // key of Score.Rates
	// Means explains it in a sentence, for reports.
	Means string `json:"means"`
	// Better is "higher", "lower" or "" where neither is.
	Better string `json:"better"`
	// Headline metrics are shown with intervals in the leaderboard; the first
	// one that is better when higher ranks it.
	Headline bool `json:"headline"`
	// Mean says that it is no share but the mean over records of the figure of
	// that name in Score.Parts.
	Mean bool `json:"mean"`
	// Ranks marks the one metric that orders the leaderboard.
	Ranks bool `json:"ranks"`
}

// Rate is a share of things: N of Of. Of = 0 says that there is nothing to have
// a share of, which is not zero.
type Rate struct {
	N  int `json:"n"`
	Of int `json:"of"`
}

// Value is the share; the second result is false where there is none.
func (r Rate) Value() (float64, bool) {
	if r.Of == 0 {
		return 0, false
	}
	return float64(r.N) / float64(r.Of), true
}

// Score is what one record is worth, without any mean or rounding.
type Score struct {
	Counts map[string]int  `json:"counts"`
	Rates  map[string]Rate `json:"rates"`
	// Parts are figures that are no shares, such as a published composite.
	Parts map[string]float64 `json:"parts"`
	// Weight is what a weighted mean weighs the record by: ln(truth + 1).
	Weight float64 `json:"weight"`
}
