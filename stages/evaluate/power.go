package evaluate

import (
	"context"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/stats"
)

// Detection says what it takes to distinguish two reviewers.
type Detection struct {
	Difference float64 `json:"difference"` // of the ranking metric
	Power      float64 `json:"power"`
	Metric     string  `json:"metric"`
	Tasks      int     `json:"pull_requests"` // of the dataset
	Needs      []Need  `json:"needs"`
}

// Need is the number of pull requests that one pair of reviewers needs at a number of reviews per pull request.
type Need struct {
	evaluation.Pilot
	Repeats int `json:"repeats"`
	Needed  int `json:"needed_pull_requests"` // 0 if it cannot be computed
	// Detectable is the smallest difference that the dataset's pull requests show.
	Detectable stats.Number `json:"detectable"`
	// LowUSD to HighUSD is the cost of the needed pull requests. Unpriced says that a model has no price.
	LowUSD   float64 `json:"usd_low"`
	HighUSD  float64 `json:"usd_high"`
	Unpriced bool    `json:"unpriced"`
}

// plannedRepeats are the numbers of repeats that a plan compares.
var plannedRepeats = []int{1, 2, 3}

// Detect computes how many pull requests, repeats and dollars it takes to distinguish two reviewers whose ranking
// metric differs by a given amount in a given share of evaluations. Noise and cost come from the models of another
// run on the dataset, the pilot, or are guessed if run is "". It asks no model.
func (e *Evaluation) Detect(ctx context.Context, run string, difference, power float64) (*Detection, error) {
	b, items, err := Open(e.Benchmarks, e.Dataset)
	if err != nil {
		return nil, err
	}
	d := &Detection{Difference: difference, Power: power, Tasks: len(items)}
	for _, m := range b.Metrics() {
		if m.Ranks {
			d.Metric = m.Name
		}
	}
	var pilots []pilot
	if run != "" {
		pilots, err = e.fromPilot(ctx, run)
	} else {
		pilots, err = e.guessed(ctx, b, items)
	}
	if err != nil {
		return nil, err
	}
	o := evaluation.Plan{Draws: e.Config.Draws, Seed: e.Config.Seed}.Statistics()
	for _, p := range pilots {
		for _, repeats := range plannedRepeats {
			if repeats > 1 && !p.Noise.Within.Defined() {
				continue // what repeats would save was not measured
			}
			n := Need{Pilot: p.Pilot, Repeats: repeats, Needed: p.Noise.Clusters(o, difference, power, repeats),
				Unpriced: p.unpriced}
			n.Detectable = stats.Number(p.Noise.Detectable(o, power, repeats, d.Tasks))
			reviews := float64(repeats * n.Needed)
			n.LowUSD, n.HighUSD = p.low*reviews, p.high*reviews
			d.Needs = append(d.Needs, n)
		}
	}
	return d, nil
}

// pilot is a pair of reviewers with the cost of one review of a pull request by both, in all configurations.
type pilot struct {
	evaluation.Pilot
	low, high float64
	unpriced  bool
}

// fromPilot measures noise and cost on a run.
func (e *Evaluation) fromPilot(ctx context.Context, run string) ([]pilot, error) {
	one := *e
	one.Run = run
	c, err := one.reportOf(ctx)
	if err != nil {
		return nil, err
	}
	if len(c.plan.Models) < 2 {
		return nil, planErrorf("%s has one model: a pilot compares two", run)
	}
	r, err := c.report()
	if err != nil {
		return nil, err
	}
	usd := map[string]float64{} // for one review and its judging
	for _, m := range r.Models {
		if m.Scored > 0 {
			usd[m.Model] = (m.Cost.USD + m.Cost.JudgeUSD) / float64(m.Scored)
		}
	}
	var out []pilot
	for _, p := range evaluation.Pilots(c.plan, c.benchmark.Metrics(), c.results, c.items) {
		sum := (usd[p.A] + usd[p.B]) * float64(len(c.plan.Configs))
		out = append(out, pilot{p, sum, sum, sum == 0})
	}
	return out, nil
}

// guessed guesses the noise, and takes the cost from the configuration's models if there are any.
func (e *Evaluation) guessed(ctx context.Context, b Benchmark, items []evaluation.Item) ([]pilot, error) {
	if _, ok := b.Benchmark.(evaluation.Reviews); !ok {
		return nil, planErrorf("%s is a dataset of %s: how two reviewers of it differ is not guessed, name a pilot run",
			e.Dataset, b.Name())
	}
	guess, err := evaluation.GuessPilot(items, len(items[0].Prompts), e.Config.Seed)
	if err != nil || len(e.Config.Models) == 0 {
		return []pilot{{Pilot: guess, unpriced: true}}, err
	}
	one := *e
	one.Getenv = func(string) string { return "not asked" } // a plan needs no key
	estimate, err := one.Estimate(ctx)
	if err != nil {
		return nil, err
	}
	pair := 2 / float64(len(e.Config.Models)*len(items)*e.Config.Repeats)
	return []pilot{{guess, estimate.LowUSD * pair, estimate.HighUSD * pair, estimate.Unpriced}}, nil
}
