package evaluation

import "context"

// Benchmark is the questions and the scoring of one kind of dataset. A dataset's manifest names it.
type Benchmark interface {
	// Name is the name in the manifest: review, bugs, debugging.
	Name() string
	// Prompts are the texts of the questions, by name. Their digests are part of the plan.
	Prompts() map[string]string
	// Question is a reviewer's question about an item in a configuration. again rewords it after an unreadable
	// answer.
	Question(it Item, config string, again bool) Request
	// Read reads an answer. It never fails: an unusable answer is a verdict.
	Read(it Item, answer string) Reading
	// Judged reports whether comments need a judge before they can be scored.
	Judged() bool
	// Score returns a record's figures from a reading and its judgement. judged is nil without one.
	Score(it Item, config string, r Reading, judged *Judgement) (Score, error)
	// Metrics are the rates of Score, in the order that reports show them.
	Metrics() []Metric
	// References are the names of the built-in reviewers, whose scores are known.
	References() []string
	// Refer is a built-in reviewer's answer to an item in a configuration, in the form of a model's answer. The error
	// for an unknown name lists the reviewers.
	Refer(name string, it Item, config string) (string, error)
}

// Asker is a Benchmark that is scored by rule and can ask a judge, if the plan has one, what a rule cannot decide.
type Asker interface {
	// AskJudge has a judge decide about a reading as often as the plan says, and stores the verdicts in it. code is
	// why the record failed, as in Result.
	AskJudge(ctx context.Context, p Plan, it Item, r *Result, ask Ask) (code string, err error)
}

// Prompter is a Benchmark with several prompts for its questions.
type Prompter interface {
	// WithPrompt returns an item with the prompt of that name. The error for an unknown name lists the prompts.
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

// Publisher is a Benchmark whose answers can be scored by a published protocol of its own.
type Publisher interface {
	// Protocol is the protocol's name.
	Protocol() string
	// Publish scores results by the protocol.
	Publish(items map[string]Item, results []Result, o PublishOptions) (*Tables, error)
}

// PublishOptions are the choices that a published protocol leaves.
type PublishOptions struct {
	Confidence  float64 // of intervals
	OfficialIDs bool    // only the records that the published scripts keep
}

// Tables are what a published protocol makes of answers.
type Tables struct {
	Protocol string // with its version, if it has one
	Tables   any    // for JSON
	Text     string
	Answers  []any // the questions and answers in the published form, if it has one of a line each
}

// Besider is a Benchmark with further figures of a scored record that need more than a reading and a judgement.
type Besider interface {
	Beside(p Plan, it Item, r *Result) error
}

// Metric is one of a benchmark's rates.
type Metric struct {
	Name string `json:"name"` // key of Score.Rates
	// Means explains it in a sentence, for reports.
	Means string `json:"means"`
	// Better is "higher", "lower" or "" for neither.
	Better string `json:"better"`
	// Headline metrics are shown with intervals in the leaderboard; the first
	// one that is better when higher ranks it.
	Headline bool `json:"headline"`
	// Mean says that it is not a share but the mean over records of the figure of that name in Score.Parts.
	Mean bool `json:"mean"`
	// Ranks marks the one metric that orders the leaderboard.
	Ranks bool `json:"ranks"`
}
