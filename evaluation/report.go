package evaluation

import (
	"fmt"
	"maps"
	"slices"

	"github.com/prforge/prforge/evaluation/stats"
	"github.com/prforge/prforge/evaluation/usage"
)

// Report is report.json: all results of a run, as a pure function of its plan and its results.
type Report struct {
	Plan Plan `json:"plan"`
	// Seal is the SHA-256 of digests.jsonl, which lists every task and every answer.
	Seal     string   `json:"digests_sha256,omitempty"`
	Metrics  []Metric `json:"metrics"`
	Warnings []string `json:"warnings"`
	// Planned = Scored + Failed + NotAsked, in records.
	Planned  int            `json:"planned"`
	Scored   int            `json:"scored"`
	Failed   int            `json:"failed"`
	NotAsked int            `json:"not_asked"`
	Codes    map[string]int `json:"failure_codes"`
	Models   []ModelReport  `json:"models"` // the leaderboard, best first
	// Pairs are the paired comparisons of models by the ranking metric.
	Pairs []stats.Comparison `json:"pairs"`
	// Steps compare configurations within a model, on the same tasks.
	Steps []Step `json:"steps"`
	Cells []Cell `json:"cells"`
	// Tables are the benchmark's own tables (Tabler).
	Tables []Table `json:"tables"`
}

// HasComments reports whether the answers are comments.
func (r Report) HasComments() bool {
	return slices.ContainsFunc(r.Models, func(m ModelReport) bool { _, ok := m.Counts["comments"]; return ok })
}

// ModelReport is one row of the leaderboard.
type ModelReport struct {
	Model    string `json:"model"`
	Planned  int    `json:"planned"`
	Scored   int    `json:"scored"`
	Failed   int    `json:"failed"`
	NotAsked int    `json:"not_asked"`
	// BestRank to WorstRank is the range of ranks that the significant differences allow.
	BestRank  int            `json:"best_rank"`
	WorstRank int            `json:"worst_rank"`
	Counts    map[string]int `json:"counts"`
	Values    []Value        `json:"values"` // in the order of Metrics
	// Parts are means over records, plain and weighted by Score.Weight.
	Parts map[string]Part `json:"parts"`
	Cost  Cost            `json:"cost"`
}

// Value is a metric of some records.
type Value struct {
	Metric string `json:"metric"`
	// Micro is the share over all comments together; Macro is the mean over records, which weighs pull requests
	// equally.
	Micro stats.Estimate `json:"micro"`
	Macro stats.Estimate `json:"macro"`
	// People is Micro by people's labels, estimated from the judge's labels of all comments and people's of some;
	// null without labels.
	People *stats.Estimate `json:"people"`
	N      int             `json:"n"`
	Of     int             `json:"of"`
	// Low and High bound Macro's value if every record without a score had zero, and if each had the model's best;
	// null without failures.
	Low  *stats.Number `json:"low_if_failed"`
	High *stats.Number `json:"high_if_failed"`
}

// Part is the mean of a figure that is not a share.
type Part struct {
	Mean     stats.Number `json:"mean"`
	Weighted stats.Number `json:"weighted"`
}

// Cost is the usage of a model's reviews and their judging, as the endpoints counted it.
type Cost struct {
	Calls      int          `json:"calls"`
	Input      int64        `json:"input_tokens"`
	Output     int64        `json:"output_tokens"`
	USD        float64      `json:"usd"`
	JudgeCalls int          `json:"judge_calls"`
	JudgeUSD   float64      `json:"judge_usd"`
	PerRecord  stats.Number `json:"usd_per_record"` // of reviewing
	PerCaught  stats.Number `json:"usd_per_caught"`
}

// Step is the difference between two configurations of one model.
type Step struct {
	Model       string           `json:"model"`
	From        string           `json:"from"`
	To          string           `json:"to"`
	Metric      string           `json:"metric"`
	Difference  stats.Difference `json:"difference"` // To minus From
	Adjusted    stats.Number     `json:"p_holm"`     // over all steps of the run
	Significant bool             `json:"significant"`
}

// Records counts the records by outcome.
func (r Report) Records() string {
	text := fmt.Sprintf("%d planned = %d scored + %d failed", r.Planned, r.Scored, r.Failed)
	if r.NotAsked > 0 {
		text += fmt.Sprintf(" + %d not asked", r.NotAsked)
	}
	return text
}

// Warn adds warnings about answers.
func (r *Report) Warn(taken []usage.Taken) {
	for _, t := range taken {
		r.Warnings = append(r.Warnings, t.Warnings()...)
	}
	for _, m := range r.Models {
		for _, v := range m.Values {
			if v.Metric == "unusable" && float64(v.N) > usage.ManyBad*float64(v.Of) {
				r.Warnings = append(r.Warnings, fmt.Sprintf("%s: %d of %d answers cannot be read.", m.Model, v.N, v.Of))
			}
		}
	}
}

// NewReport summarizes results of items, by task. costs are by model, and may be
// nil.
func NewReport(p Plan, metrics []Metric, results []Result, items map[string]Item, costs map[string]Cost) Report {
	s := summary{plan: p, metrics: metrics, items: items, options: p.Statistics()}
	r := Report{Plan: p, Metrics: metrics, Warnings: append([]string{}, p.warnings()...), Planned: len(results),
		Codes:  map[string]int{},
		Models: []ModelReport{}, Pairs: []stats.Comparison{}, Steps: []Step{}, Cells: []Cell{}, Tables: []Table{}}
	byModel := map[string][]Result{}
	for _, x := range results {
		byModel[x.Model] = append(byModel[x.Model], x)
		switch x.Outcome {
		case Scored:
			r.Scored++
		case NotAsked:
			r.NotAsked++
		default:
			r.Failed++
			r.Codes[x.Code]++
		}
	}
	board := s.rank(byModel)
	for _, place := range board.Places {
		m := s.model(place.Name, byModel[place.Name], costs[place.Name])
		m.BestRank, m.WorstRank = place.Best, place.Worst
		r.Models = append(r.Models, m)
		r.Steps = append(r.Steps, s.steps(place.Name, byModel[place.Name])...)
		r.Cells = append(r.Cells, s.cells(place.Name, byModel[place.Name])...)
	}
	r.Pairs = append(r.Pairs, board.Comparisons...)
	s.adjust(r.Steps)
	r.Tables = append(r.Tables, s.freshness(byModel)...)
	return r
}

// ranking is the metric that orders the leaderboard.
func (s summary) ranking() Metric {
	for _, m := range s.metrics {
		if m.Ranks {
			return m
		}
	}
	return s.metrics[0]
}

func (s summary) rank(byModel map[string][]Result) stats.Leaderboard {
	var entries []stats.Entry
	for _, name := range slices.Sorted(maps.Keys(byModel)) {
		entries = append(entries, stats.Entry{Name: name, Rows: s.rows(byModel[name], []Metric{s.ranking()}, byRecord)})
	}
	return stats.Rank(s.options, entries, s.ranking().statistic(0))
}

func (s summary) model(name string, results []Result, cost Cost) ModelReport {
	m := ModelReport{Model: name, Planned: len(results), Counts: map[string]int{}, Parts: map[string]Part{},
		Values: []Value{}, Cost: cost}
	for _, x := range results {
		switch x.Outcome {
		case NotAsked:
			m.NotAsked++
			continue
		case Failed:
			m.Failed++
			continue
		}
		m.Scored++
		for k, n := range x.Score.Counts {
			m.Counts[k] += n
		}
	}
	m.Values = append(m.Values, s.values(results)...)
	for name := range parts(results) {
		m.Parts[name] = meanPart(results, name)
	}
	m.Cost.PerRecord = ratio(cost.USD, float64(m.Scored))
	m.Cost.PerCaught = ratio(cost.USD, float64(m.Counts["matched"]))
	return m
}

// values are all metrics of some records.
func (s summary) values(results []Result) []Value {
	rates := make([]stats.Statistic, len(s.metrics))
	for i, m := range s.metrics {
		rates[i] = m.statistic(2 * i)
	}
	out := make([]Value, len(s.metrics))
	for i, e := range stats.Estimates(s.options, s.rows(results, s.metrics, byRecord), rates...) {
		out[i] = s.macro(results, s.metrics[i])
		out[i].Micro = e
	}
	people := s.people(results)
	for i := range out {
		if e, ok := people[out[i].Metric]; ok {
			out[i].People = &e
		}
	}
	return out
}

// macro is the mean of a metric over records, and its bounds with failures.
func (s summary) macro(results []Result, m Metric) Value {
	v := Value{Metric: m.Name}
	var rows []stats.Row
	sum, best := 0.0, 0.0
	failed := 0
	for _, x := range results {
		if x.Outcome != Scored {
			failed++
			continue
		}
		rate := x.Score.Rates[m.Name]
		v.N, v.Of = v.N+rate.N, v.Of+rate.Of
		if sums := m.sums(*x.Score); sums[1] > 0 {
			share := sums[0] / sums[1]
			sum, best = sum+share, max(best, share)
			rows = append(rows, stats.Row{Unit: byRecord(x), Cluster: s.cluster(x), Sums: []float64{share, 1}})
		}
	}
	v.Macro = stats.Estimates(s.options, rows, m.statistic(0))[0]
	if n := float64(len(rows)); failed > 0 && n > 0 {
		low, high := ratio(sum, n+float64(failed)), ratio(sum+best*float64(failed), n+float64(failed))
		v.Low, v.High = &low, &high
	}
	return v
}

// parts is the set of the names of the figures that are no shares.
func parts(results []Result) map[string]bool {
	names := map[string]bool{}
	for _, x := range results {
		if x.Outcome == Scored {
			for name := range x.Score.Parts {
				names[name] = true
			}
		}
	}
	return names
}

func meanPart(results []Result, name string) Part {
	sum, weighted, weights, n := 0.0, 0.0, 0.0, 0.0
	for _, x := range results {
		if x.Outcome != Scored {
			continue
		}
		if v, ok := x.Score.Parts[name]; ok {
			sum, n = sum+v, n+1
			weighted, weights = weighted+v*x.Score.Weight, weights+x.Score.Weight
		}
	}
	p := Part{Mean: ratio(sum, n), Weighted: ratio(weighted, weights)}
	if weights == 0 {
		p.Weighted = p.Mean
	}
	return p
}

// steps compares each configuration with the ones after it, on the tasks that
// have the metric in both.
func (s summary) steps(model string, results []Result) []Step {
	var out []Step
	metric := s.ranking()
	rows := map[string][]stats.Row{}
	for _, c := range s.plan.Configs {
		rows[c] = s.rows(where(results,
			func(x Result) bool { return x.Config == c && x.Score != nil && metric.sums(*x.Score)[1] > 0 }), []Metric{metric},
			byTask)
	}
	for from, to := range Pairs(s.plan.Configs) {
		out = append(out,
			Step{Model: model, From: from, To: to, Metric: metric.Name,
				Difference: stats.Paired(s.options, rows[to], rows[from], metric.statistic(0))})
	}
	return out
}

// adjust applies Holm's correction to the p-values of all steps.
func (s summary) adjust(steps []Step) {
	ps := make([]stats.Number, len(steps))
	for i, x := range steps {
		ps[i] = x.Difference.P
	}
	for i, p := range stats.Holm(ps) {
		steps[i].Adjusted = p
		steps[i].Significant = float64(p) < 1-s.options.Confidence
	}
}
