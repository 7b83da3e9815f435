// Package report shows the contents of a dataset and the reasons for them: figures for a terminal or a machine, and
// one page for a browser.
package report

import (
	"maps"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/card"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// Summary is a dataset in figures. Lists are never null; counts are ranked,
// most first, unless their order has a meaning of its own.
type Summary struct {
	Name            string `json:"name"`
	PipelineVersion string `json:"pipeline_version"`
	FreezeDate      string `json:"freeze_date"`
	Records         int    `json:"records"`
	LookedAt        int    `json:"looked_at"` // pull requests with a decision
	// of pull requests, in the order selected, rejected, undetermined, failed
	Outcomes []card.Count `json:"outcomes"`

	Funnel []Stage `json:"funnel"`

	Languages  []card.Count `json:"languages"`  // of the released pull requests
	Difficulty []card.Count `json:"difficulty"` // in the order Type1, Type2, Type3
	PRTypes    []card.Count `json:"pr_types"`

	RVS          Distribution   `json:"rvs"`           // [0,1], of the released pull requests
	RQS          Distribution   `json:"rqs"`           // 0-100, of the repositories that have one
	LinesChanged Distribution   `json:"lines_changed"` // added and removed, a pull request
	FilesChanged Distribution   `json:"files_changed"`
	GroundTruth  Distribution   `json:"ground_truth"` // ground-truth comments a pull request
	Tokens       []ContextSizes `json:"tokens"`

	Comments     int          `json:"comments"`      // review comments seen in the released pull requests
	Substantive  int          `json:"substantive"`   // those that are ground truth
	InDiff       int          `json:"in_diff"`       // ground truth on a changed line
	Anchors      []card.Count `json:"anchors"`       // of ground truth, by method
	LabelReasons []card.Count `json:"label_reasons"` // why the others are none, by the first rule that failed
	// of ground truth: what became of the code, in the order of the states
	CodeStates  []card.Count `json:"code_states"`
	Validations []card.Count `json:"validations"` // of ground truth: what the author then did
	Shown       []card.Count `json:"shown"`       // ground truth whose line A, B, C show, or none of them
	Rules       []string     `json:"rules"`       // ids of the rules on comments, in their order

	Repositories []Yield `json:"repositories"`
}

// Stage is one stage of the funnel: In = Pass + Reject + Undetermined + Failed.
type Stage struct {
	Stage        string         `json:"stage"`
	Of           artifacts.Kind `json:"of"` // what it decides about
	In           int            `json:"in"`
	Pass         int            `json:"pass"`
	Reject       int            `json:"reject"`
	Undetermined int            `json:"undetermined"`
	Failed       int            `json:"failed"`
	Reasons      []card.Count   `json:"reasons"`
}

// ContextSizes are the sizes of one of the three contexts, in tokens.
type ContextSizes struct {
	Config string       `json:"config"`
	Sizes  Distribution `json:"sizes"`
}

// Yield is the outcome of one repository.
type Yield struct {
	Repo        string           `json:"repo"`
	Outcome     artifacts.Fate   `json:"outcome"` // of its quality gate
	Code        verdict.Code     `json:"code"`
	RQS         *artifacts.Float `json:"rqs"` // null if unknown
	LookedAt    int              `json:"looked_at"`
	Released    int              `json:"released"`
	GroundTruth int              `json:"ground_truth"` // comments
	Reasons     []card.Count     `json:"reasons"`      // why pull requests were not released
}

// Summarize reads a dataset once, task by task.
func Summarize(r *load.Reader) (*Summary, error) {
	t := newTally()
	for d, err := range r.Decisions() {
		if err != nil {
			return nil, err
		}
		t.decision(d)
	}
	for a, err := range r.Repositories() {
		if err != nil {
			return nil, err
		}
		t.repository(a)
	}
	if b := r.Manifest.Benchmark; b == artifacts.Review || b == "" { // the others have no reviews to tell of
		for task, err := range r.Tasks() {
			if err != nil {
				return nil, err
			}
			t.task(task)
		}
	}
	funnel, err := r.Funnel()
	if err != nil {
		return nil, err
	}
	return t.summary(&r.Manifest, funnel), nil
}

// tally gathers figures while it reads the dataset: counts and small numbers, never texts.
type tally struct {
	*card.Figures
	outcomes, reasons map[string]int
	rqs               []float64
	lookedAt          int
	gates             map[string]bool // stages that decided about repositories
	yields            map[string]*Yield
	why               map[string]map[string]int // by repository
	rules             []string
}

func newTally() *tally {
	return &tally{
		Figures: card.NewFigures(), outcomes: map[string]int{}, reasons: map[string]int{},
		gates: map[string]bool{}, yields: map[string]*Yield{}, why: map[string]map[string]int{}, rules: []string{},
	}
}

func (t *tally) yield(repo string) *Yield {
	y := t.yields[repo]
	if y == nil {
		y = &Yield{Repo: repo}
		t.yields[repo], t.why[repo] = y, map[string]int{}
	}
	return y
}

func (t *tally) decision(d *artifacts.Decision) {
	y := t.yield(d.Repo)
	if d.Kind == artifacts.KindRepository {
		t.gates[d.Stage] = true
		y.Outcome, y.Code = d.Outcome, d.Code
		return
	}
	t.lookedAt++
	t.outcomes[string(d.Outcome)]++
	y.LookedAt++
	if d.Outcome != artifacts.Selected {
		t.why[d.Repo][string(d.Code)]++
	}
}

func (t *tally) repository(a *artifacts.RepositoryAudit) {
	y := t.yield(a.Repo)
	y.Outcome, y.Code, y.RQS = a.Outcome, a.Code, a.RQS
	if a.RQS != nil {
		t.rqs = append(t.rqs, float64(*a.RQS))
	}
}

func (t *tally) task(task *artifacts.Task) {
	t.Add(task)
	y := t.yield(task.Record.Repo)
	y.Released++
	for _, c := range task.Evidence.Comments {
		if c.GroundTruth {
			y.GroundTruth++
		} else if c.Reason != nil {
			t.reasons[*c.Reason]++
		}
		for _, r := range c.Rules {
			if !slices.Contains(t.rules, r.ID) {
				t.rules = append(t.rules, r.ID)
			}
		}
	}
}

func (t *tally) summary(m *artifacts.Manifest, f *verdict.Funnel) *Summary {
	s := &Summary{
		Name: m.Name, PipelineVersion: m.PipelineVersion, FreezeDate: m.FreezeDate,
		Records: t.Records, LookedAt: t.lookedAt, Funnel: t.stages(f),
		Outcomes:  ordered(t.outcomes, artifacts.Selected, artifacts.Rejected, artifacts.Undetermined, artifacts.Failed),
		Languages: card.Ranked(t.Languages), PRTypes: card.Ranked(t.Types),
		Difficulty: ordered(t.Difficulty, model.Type1, model.Type2, model.Type3),
		RVS:        distributionOf(t.RVS, unitEdges), RQS: distributionOf(t.rqs, scoreEdges),
		LinesChanged: distributionOf(t.Changed, lineEdges), FilesChanged: distributionOf(t.Files, smallEdges),
		GroundTruth: distributionOf(t.GroundTruth, smallEdges),
		Comments:    t.Comments, Substantive: t.Truth, InDiff: t.InDiff,
		Anchors: card.Ranked(t.Anchors), LabelReasons: card.Ranked(t.reasons),
		CodeStates:  present(ordered(t.States, model.CodeStates()...)),
		Validations: present(ordered(t.Validations, model.Validations()...)),
		Shown:       append(ordered(t.Visible, "A", "B", "C"), card.Count{Name: "nowhere", Count: t.Nowhere}), Rules: t.rules,
	}
	for _, config := range artifacts.Configs {
		s.Tokens = append(s.Tokens, ContextSizes{config, distributionOf(t.Tokens[config], tokenEdges)})
	}
	s.Repositories = make([]Yield, 0, len(t.yields))
	for _, repo := range slices.Sorted(maps.Keys(t.yields)) {
		y := *t.yields[repo]
		y.Reasons = card.Ranked(t.why[repo])
		s.Repositories = append(s.Repositories, y)
	}
	return s
}

// stages is the funnel. Stages up to the last gate on repositories count repositories, the others pull requests.
func (t *tally) stages(f *verdict.Funnel) []Stage {
	out := make([]Stage, len(f.Stages))
	last := -1
	for i, s := range f.Stages {
		if t.gates[s.Stage] {
			last = i
		}
		out[i] = Stage{s.Stage, artifacts.KindPullRequest, s.In, s.Pass, s.Reject, s.Undetermined, s.Failed,
			card.Ranked(s.Reasons)}
	}
	for i := range last + 1 {
		out[i].Of = artifacts.KindRepository
	}
	return out
}

// ordered lists counts in a given order, including zeros, and then all others.
func ordered[T ~string](m map[string]int, names ...T) []card.Count {
	rest := maps.Clone(m)
	out := make([]card.Count, 0, len(m))
	for _, name := range names {
		out = append(out, card.Count{Name: string(name), Count: m[string(name)]})
		delete(rest, string(name))
	}
	return append(out, card.Ranked(rest)...)
}

// present drops zero counts.
func present(counts []card.Count) []card.Count {
	return slices.DeleteFunc(counts, func(c card.Count) bool { return c.Count == 0 })
}
