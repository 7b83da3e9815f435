package verdict

import "fmt"

// Counts counts the outcomes of the items that reached a stage. Conservation: In = Pass + Reject + Undetermined +
// Failed, and the reasons add up to those that did not pass (spec section 1).
type Counts struct {
	In           int            `json:"in"`
	Pass         int            `json:"pass"`
	Reject       int            `json:"reject"`
	Undetermined int            `json:"undetermined"`
	Failed       int            `json:"failed"`
	Reasons      map[string]int `json:"reasons"`
}

// Add counts one verdict. A verdict without a known outcome, or one that does
// not pass and gives no reason, is an internal error of the stage.
func (c *Counts) Add(v Verdict) error {
	c.In++
	if err := v.Outcome.Validate(); err != nil {
		return err
	}
	switch v.Outcome {
	case OutcomePass:
		c.Pass++
		return nil
	case OutcomeReject:
		c.Reject++
	case OutcomeUndetermined:
		c.Undetermined++
	case OutcomeFailed:
		c.Failed++
	}
	if v.Code == "" {
		return fmt.Errorf("a verdict %q has no reason code", v.Outcome)
	}
	if c.Reasons == nil {
		c.Reasons = map[string]int{}
	}
	c.Reasons[string(v.Code)]++
	return nil
}

// check reports counts that break conservation.
func (c *Counts) check() error {
	if out := c.Pass + c.Reject + c.Undetermined + c.Failed; out != c.In {
		return fmt.Errorf("%d items came in and %d were decided", c.In, out)
	}
	return nil
}

// StageCounts are the counts of one stage.
type StageCounts struct {
	Stage string `json:"stage"`
	Counts
}

// Funnel is the outcomes of all items, stage by stage, in the order of the stages: audit/funnel.json.
type Funnel struct {
	Stages []StageCounts `json:"stages"`
}

// NewFunnel is an empty funnel with its stages in order.
func NewFunnel(stages ...string) *Funnel {
	f := &Funnel{}
	for _, s := range stages {
		f.Stages = append(f.Stages, StageCounts{Stage: s, Counts: Counts{Reasons: map[string]int{}}})
	}
	return f
}

// Add counts one stage's verdict about one item. The stage must be one of the
// funnel's.
func (f *Funnel) Add(stage string, v Verdict) error {
	for i := range f.Stages {
		if f.Stages[i].Stage == stage {
			if err := f.Stages[i].Add(v); err != nil {
				return fmt.Errorf("%s: %w", stage, err)
			}
			return nil
		}
	}
	return fmt.Errorf("%s is no stage of the funnel", stage)
}

// Check checks conservation: each stage's counts add up, and a stage that follows another got exactly what that one
// passed, unless it is named in starts: a stage where items of a new kind enter.
func (f *Funnel) Check(starts ...string) error {
	start := map[string]bool{}
	for _, s := range starts {
		start[s] = true
	}
	for i, s := range f.Stages {
		if err := s.check(); err != nil {
			return fmt.Errorf("%s: %w", s.Stage, err)
		}
		if i > 0 && !start[s.Stage] && s.In != f.Stages[i-1].Pass {
			return fmt.Errorf("%s: %d items came in, %s passed %d", s.Stage, s.In, f.Stages[i-1].Stage, f.Stages[i-1].Pass)
		}
	}
	return nil
}
