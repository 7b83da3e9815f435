package run

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
)

// RunPulls takes the pull requests of the window through an ordered list of stages and notes the decisions about each
// in Items, newest number first. Further records of those that passed go through the stages after the choice of the
// revision, where their trails begin. It returns the items that passed every stage, in that order, each with the
// index of its trail in Items.
func (sh *Shard[F]) RunPulls(ctx context.Context, s *Session, list []pipeline.Stage[*Item]) ([]Passed, error) {
	census, err := sh.Repo.Census()
	if err != nil {
		return nil, err
	}
	inside, over := s.Window.Split(census)
	items := make([]*Item, len(inside))
	for i, p := range inside {
		items[i] = NewItem(sh.Repo, p)
		items[i].Candidate.Labels = sh.Labels[p.Number]
	}
	sh.Labels = nil
	results, err := runItems(ctx, s, sh.Name(), list, items)
	if err != nil {
		return nil, err
	}
	further, err := runItems(ctx, s, sh.Name(), list, furtherItems(results))
	if err != nil {
		return nil, err
	}
	outcomes := slices.Concat(sh.outside(s, over), sh.first(s, results), furtherOutcomes(s, further))
	slices.SortStableFunc(outcomes, func(a, b outcome) int { return b.trail.Number - a.trail.Number })
	return sh.note(outcomes), nil
}

// outcome is the decisions about a record, and its item if it passed, else nil.
type outcome struct {
	trail *pipeline.Trail
	item  *Item
}

// outcomeOf makes the outcome of a result; its trail has the decisions.
func outcomeOf(s *Session, trail *pipeline.Trail, r *pipeline.Result[*Item]) outcome {
	s.pseudonymise(trail, r.Item.Candidate.Pull)
	if !r.Alive() {
		return outcome{trail: trail}
	}
	return outcome{trail, r.Item}
}

// outside are the outcomes of pull requests outside the window.
func (sh *Shard[F]) outside(s *Session, over []model.PullSummary) []outcome {
	var out []outcome
	for _, p := range over {
		if p.Number == 0 {
			continue // taken out
		}
		t := PullTrail(sh.Facts.Ref, p.Number)
		t.Decide(verdict.StageWindow, s.Window.Over(p))
		out = append(out, outcome{trail: t})
	}
	return out
}

// first returns the outcomes of the pull requests' first records. It notes their participants and the verdicts on
// their comments.
func (sh *Shard[F]) first(s *Session, results []pipeline.Result[*Item]) []outcome {
	var out []outcome
	accounts := map[string]bool{}
	sh.Ruled = nil
	for i := range results {
		r := &results[i]
		if r.Item.hidden {
			continue
		}
		t := PullTrail(sh.Facts.Ref, r.Item.Ref.Number)
		t.Decide(verdict.StageWindow, verdict.Pass())
		pipeline.Take(t, r)
		out = append(out, outcomeOf(s, t, r))
		see(accounts, r.Item.Candidate.Pull)
		sh.Ruled = append(sh.Ruled, s.ruledComments(t.Repo+"#"+strconv.Itoa(t.Number), r.Item.Candidate.Labels)...)
	}
	sh.Accounts = slices.Sorted(maps.Keys(accounts))
	return out
}

// furtherOutcomes are the outcomes of further records.
func furtherOutcomes(s *Session, results []pipeline.Result[*Item]) []outcome {
	out := make([]outcome, len(results))
	for i := range results {
		out[i] = outcomeOf(s, furtherTrail(&results[i]), &results[i])
	}
	return out
}

// note appends the trails of outcomes to Items, in their order, and returns those that passed.
func (sh *Shard[F]) note(outcomes []outcome) []Passed {
	sh.Items = nil
	var out []Passed
	first := 0 // the index of the pull request's own trail
	for i, o := range outcomes {
		if o.trail.Item == "" {
			first = i
		}
		sh.Items = append(sh.Items, o.trail)
		use(&sh.Used, o.trail)
		if o.item != nil {
			out = append(out, Passed{o.item, i, first})
		}
	}
	return out
}

// Passed is an item that passed every stage, the index of its trail, and that of
// its pull request's first record, which may be the same.
type Passed struct {
	*Item
	Index, First int
}

// furtherItems are the further records of the pull requests that passed, each
// from the beginning.
func furtherItems(results []pipeline.Result[*Item]) []*Item {
	var out []*Item
	for i := range results {
		first := results[i].Item
		if !results[i].Alive() {
			continue
		}
		for record := 2; record <= 1+first.Further; record++ {
			it := NewItem(first.Repo, first.Summary)
			it.Record = record
			out = append(out, it)
		}
	}
	return out
}

// furtherTrail is the decisions about a further record, from the choice of its revision on: earlier decisions are
// about the pull request.
func furtherTrail(r *pipeline.Result[*Item]) *pipeline.Trail {
	t := PullTrail(r.Item.Repo.Facts().Ref, r.Item.Ref.Number)
	t.Kind, t.Item = string(artifacts.KindRevision), artifacts.RecordMark(r.Item.Record)
	pipeline.Take(t, r)
	t.Decisions = slices.Delete(t.Decisions, 0, RevisionIndex(t.Decisions))
	return t
}

// RevisionIndex is the index of the choice of the revision among decisions; 0 without one, as after an earlier
// failure.
func RevisionIndex(decisions []verdict.Decision) int {
	return max(0, slices.IndexFunc(decisions, func(d verdict.Decision) bool { return d.Stage == verdict.StageRevision }))
}

// PullTrail is an empty trail of a pull request.
func PullTrail(repo model.RepoRef, number int) *pipeline.Trail {
	return &pipeline.Trail{Kind: string(artifacts.KindPullRequest), Repo: repo.String(), Number: number}
}

// see notes the participants of a pull request; nil has none.
func see(accounts map[string]bool, p *model.PullRequest) {
	if p == nil {
		return
	}
	accounts[p.Author.Login] = true
	for _, r := range p.Reviews {
		accounts[r.Author.Login] = true
	}
	for _, c := range p.Comments {
		accounts[c.Author.Login] = true
	}
	for _, t := range p.Threads {
		for _, c := range t.Comments {
			accounts[c.Author.Login] = true
		}
	}
}
