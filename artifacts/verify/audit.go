package verify

import (
	"context"
	"maps"
	"math"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/schema"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// audit checks decisions, rejections and funnel against each other and against the released records.
func (c *checker) audit(context.Context) error {
	d := decided{
		kinds: map[artifacts.Kind]int{}, stages: map[string]map[artifacts.Fate]int{}, reasons: map[string]map[string]int{},
		selected: map[string]bool{}, repos: map[string]artifacts.Fate{},
	}
	seen := map[string]bool{}
	err := lines(c, artifacts.FileDecisions, schema.Decision, func(place string, x *artifacts.Decision) {
		name := x.Name()
		c.Check(DecisionTwice, !seen[name], "%s: %s", place, name)
		seen[name] = true
		c.Check(DecisionReason, x.Outcome == artifacts.Selected || x.Code != "", "%s: %s", place, name)
		d.add(x, name)
	})
	if err != nil {
		return err
	}
	rejected := []string{}
	err = lines(c, artifacts.FileRejections, schema.Rejection, func(_ string, x *artifacts.Rejection) {
		rejected = append(rejected, x.Name()+" "+string(x.Code))
	})
	if err != nil {
		return err
	}
	for i := range max(len(rejected), len(d.rejected)) {
		same := i < len(rejected) && i < len(d.rejected) && rejected[i] == d.rejected[i]
		if !c.Check(RejectionsDiffer, same, "%s:%d of %d, %d rejected decisions", artifacts.FileRejections, i+1,
			len(rejected), len(d.rejected)) {
			break
		}
	}
	for name := range d.selected {
		c.Check(SelectedReleased, c.released[name], "%s is selected and not released", name)
	}
	for name := range c.released {
		c.Check(SelectedReleased, d.selected[name], "%s is released and not selected", name)
	}
	c.decided = d
	return c.funnel(d)
}

func (d *decided) add(x *artifacts.Decision, name string) {
	d.kinds[x.Kind]++
	if x.Kind == artifacts.KindRepository {
		d.repos[x.Repo] = x.Outcome
	} else if x.Outcome == artifacts.Selected {
		d.selected[name] = true
	}
	if x.Outcome == artifacts.Rejected {
		d.rejected = append(d.rejected, name+" "+string(x.Code))
	}
	if x.Outcome == artifacts.Selected {
		return
	}
	if d.stages[x.Stage] == nil {
		d.stages[x.Stage], d.reasons[x.Stage] = map[artifacts.Fate]int{}, map[string]int{}
	}
	d.stages[x.Stage][x.Outcome]++
	d.reasons[x.Stage][string(x.Code)]++
}

// funnel checks conservation: at each stage, from one to the next, and with the decisions. Items of a new kind may
// enter: pull requests after repositories, once, and further records at the choice of the revision.
func (c *checker) funnel(d decided) error {
	f, err := one[verdict.Funnel](c, artifacts.FileFunnel, schema.Funnel)
	if err != nil || f == nil {
		return err
	}
	known := map[string]bool{}
	pulls := false // whether the stages are about pull requests yet
	passed := d.kinds[artifacts.KindRepository]
	for _, s := range f.Stages {
		known[s.Stage] = true
		c.Check(FunnelSum, s.In == s.Pass+s.Reject+s.Undetermined+s.Failed, "%s: %d in, %d+%d+%d+%d out", s.Stage, s.In,
			s.Pass, s.Reject, s.Undetermined, s.Failed)
		reasons := 0
		for _, n := range s.Reasons {
			reasons += n
		}
		c.Check(FunnelReasons, reasons == s.Reject+s.Undetermined+s.Failed, "%s: %d", s.Stage, reasons)
		if s.Stage == verdict.StageRevision {
			passed += d.kinds[artifacts.KindRevision]
		}
		chained := s.In == passed
		if !chained && !pulls && s.In == d.kinds[artifacts.KindPullRequest] {
			chained, pulls = true, true
		}
		c.Check(FunnelChain, chained, "%s: %d came in, %d passed before", s.Stage, s.In, passed)
		passed = s.Pass
		got := d.stages[s.Stage]
		c.Check(FunnelDecisions, got[artifacts.Rejected] == s.Reject && got[artifacts.Undetermined] == s.Undetermined &&
			got[artifacts.Failed] == s.Failed &&
			maps.Equal(nonzero(s.Reasons), nonzero(d.reasons[s.Stage])), "%s: %d, %d, %d decided, %d, %d, %d in the funnel",
			s.Stage,
			got[artifacts.Rejected], got[artifacts.Undetermined], got[artifacts.Failed], s.Reject, s.Undetermined, s.Failed)
	}
	for stage := range d.stages {
		c.Check(FunnelDecisions, known[stage], "%s is no stage of the funnel", stage)
	}
	return nil
}

func nonzero(m map[string]int) map[string]int {
	out := map[string]int{}
	for k, n := range m {
		if n != 0 {
			out[k] = n
		}
	}
	return out
}

// scoreTolerance is how far RQS may differ from the sum of its parts, each of which may be rounded.
const scoreTolerance = 0.05

func (c *checker) repositories(context.Context) error {
	seen := map[string]bool{}
	err := lines(c, artifacts.FileRepositories, schema.Repository, func(place string, r *artifacts.RepositoryAudit) {
		fate, decided := c.decided.repos[r.Repo]
		c.Check(RepositoryAudit, decided && fate == r.Outcome && !seen[r.Repo], "%s: %s", place, r.Repo)
		seen[r.Repo] = true
		sum, missing := 0.0, 0
		for _, p := range r.Parts {
			if p.Points == nil {
				missing++
				continue
			}
			sum += float64(*p.Points)
			c.Check(RepositoryScore, *p.Points <= p.Max, "%s: %s: %v of %v", r.Repo, p.Name, *p.Points, p.Max)
		}
		c.Check(RepositoryScore, missing == len(r.Missing), "%s: %d missing parts, %d named", r.Repo, missing, len(r.Missing))
		if r.RQS == nil {
			return
		}
		asked, err := model.ParseRepoRef(r.Asked)
		_, raw := c.m.Files[artifacts.FileRaw(asked)]
		c.Check(RawMissing, err == nil && raw, "%s", r.Repo)
		if len(r.Parts) > 0 {
			c.Check(RepositoryScore, math.Abs(sum-float64(*r.RQS)) <= scoreTolerance, "%s: %v for %.2f", r.Repo, *r.RQS, sum)
		}
		c.Check(RepositoryScore, r.Outcome != artifacts.Selected || *r.RQS >= c.m.Parameters.RQSMinScore, "%s: %v", r.Repo,
			*r.RQS)
	})
	for repo := range c.decided.repos {
		c.Check(RepositoryAudit, seen[repo], "%s is not there", repo)
	}
	return err
}
