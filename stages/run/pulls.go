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

// RunPulls takes the pull requests of the window through an ordered list of
// stages and notes what was decided about each in Items, newest number first.
// Further records of those that passed go through the stages after them; their
// trails begin where the revision is chosen. It gives the items that passed every
// stage, in that order, each with the index of its trail in Items.
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

// outcome is what was decided about a record, and its item if it passed, else
// nil.
type outcome struct {
	trail *pipeline.Trail
	item  *Item
}

// outcomeOf is the outcome of a result whose decisions its trail has.
func outcomeOf(s *Session, trail *pipeline.Trail, r *pipeline.Result[*Item]) outcome {
	s.pseudonymise(trail, r.Item.Candidate.Pull)
	if !r.Alive() {
		return outcome{trail: trail}
	}
	return outcome{trail, r.Item}
}

// outside are the outcomes of pull requests that the window leaves out.
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

// first are the outcomes of the pull requests' first records. It notes who took part
// in them, and what was ruled about their comments.
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

// note takes the trails of outcomes into Items, in their order, and gives those
// that passed.
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

// furtherTrail is what was decided about a further record: all from the choice of
// its revision on, since what comes before is about the pull request.
func furtherTrail(r *pipeline.Result[*Item]) *pipeline.Trail {
	t := PullTrail(r.Item.Repo.Facts().Ref, r.Item.Ref.Number)
	t.Kind, t.Item = string(artifacts.KindRevision), artifacts.RecordMark(r.Item.Record)
	pipeline.Take(t, r)
	t.Decisions = slices.Delete(t.Decisions, 0, RevisionIndex(t.Decisions))
	return t
}

// RevisionIndex is where the revision is chosen among decisions; 0 where it is
// not, as when one before it failed.
func RevisionIndex(decisions []verdict.Decision) int {
	return max(0, slices.IndexFunc(decisions, func(d verdict.Decision) bool { return d.Stage == verdict.StageRevision }))
}

// PullTrail is an empty trail of a pull request.
func PullTrail(repo model.RepoRef, number int) *pipeline.Trail {
	return &pipeline.Trail{Kind: string(artifacts.KindPullRequest), Repo: repo.String(), Number: number}
}

// see notes who took part in a pull request; nil is nobody.
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
