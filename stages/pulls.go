package stages

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

// runPulls takes the pull requests of the window through an ordered list of
// stages and notes what was decided about each in Items, newest number first.
// Further records of those that passed go through the stages after them; their
// trails begin where the revision is chosen. It gives the items that passed every
// stage, in that order, each with the index of its trail in Items.
func (sh *shard[F]) runPulls(ctx context.Context, s *Session, list []pipeline.Stage[*item]) ([]passed, error) {
	census, err := sh.repo.Census()
	if err != nil {
		return nil, err
	}
	inside, over := s.window.Split(census)
	items := make([]*item, len(inside))
	for i, p := range inside {
		items[i] = newItem(sh.repo, p)
		items[i].c.Labels = sh.labels[p.Number]
	}
	sh.labels = nil
	results, err := runItems(ctx, s, sh.name(), list, items)
	if err != nil {
		return nil, err
	}
	further, err := runItems(ctx, s, sh.name(), list, furtherItems(results))
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
	item  *item
}

// outcomeOf is the outcome of a result whose decisions its trail has.
func outcomeOf(s *Session, trail *pipeline.Trail, r *pipeline.Result[*item]) outcome {
	s.pseudonymise(trail, r.Item.c.Pull)
	if !r.Alive() {
		return outcome{trail: trail}
	}
	return outcome{trail, r.Item}
}

// outside are the outcomes of pull requests that the window leaves out.
func (sh *shard[F]) outside(s *Session, over []model.PullSummary) []outcome {
	var out []outcome
	for _, p := range over {
		if p.Number == 0 {
			continue // taken out
		}
		t := pullTrail(sh.Facts.Ref, p.Number)
		t.Decide(verdict.StageWindow, s.window.Over(p))
		out = append(out, outcome{trail: t})
	}
	return out
}

// first are the outcomes of the pull requests' first records. It notes who took part
// in them, and what was ruled about their comments.
func (sh *shard[F]) first(s *Session, results []pipeline.Result[*item]) []outcome {
	var out []outcome
	accounts := map[string]bool{}
	sh.Ruled = nil
	for i := range results {
		r := &results[i]
		if r.Item.hidden {
			continue
		}
		t := pullTrail(sh.Facts.Ref, r.Item.ref.Number)
		t.Decide(verdict.StageWindow, verdict.Pass())
		pipeline.Take(t, r)
		out = append(out, outcomeOf(s, t, r))
		see(accounts, r.Item.c.Pull)
		sh.Ruled = append(sh.Ruled, s.ruledComments(t.Repo+"#"+strconv.Itoa(t.Number), r.Item.c.Labels)...)
	}
	sh.Accounts = slices.Sorted(maps.Keys(accounts))
	return out
}

// furtherOutcomes are the outcomes of further records.
func furtherOutcomes(s *Session, results []pipeline.Result[*item]) []outcome {
	out := make([]outcome, len(results))
	for i := range results {
		out[i] = outcomeOf(s, furtherTrail(&results[i]), &results[i])
	}
	return out
}

// note takes the trails of outcomes into Items, in their order, and gives those
// that passed.
func (sh *shard[F]) note(outcomes []outcome) []passed {
	sh.Items = nil
	var out []passed
	first := 0 // the index of the pull request's own trail
	for i, o := range outcomes {
		if o.trail.Item == "" {
			first = i
		}
		sh.Items = append(sh.Items, o.trail)
		use(&sh.Used, o.trail)
		if o.item != nil {
			out = append(out, passed{o.item, i, first})
		}
	}
	return out
}

// passed is an item that passed every stage, the index of its trail, and that of
// its pull request's first record, which may be the same.
type passed struct {
	*item
	index, first int
}

// furtherItems are the further records of the pull requests that passed, each
// from the beginning.
func furtherItems(results []pipeline.Result[*item]) []*item {
	var out []*item
	for i := range results {
		first := results[i].Item
		if !results[i].Alive() {
			continue
		}
		for record := 2; record <= 1+first.further; record++ {
			it := newItem(first.repo, first.summary)
			it.record = record
			out = append(out, it)
		}
	}
	return out
}

// furtherTrail is what was decided about a further record: all from the choice of
// its revision on, since what comes before is about the pull request.
func furtherTrail(r *pipeline.Result[*item]) *pipeline.Trail {
	t := pullTrail(r.Item.repo.Facts().Ref, r.Item.ref.Number)
	t.Kind, t.Item = string(artifacts.KindRevision), artifacts.RecordMark(r.Item.record)
	pipeline.Take(t, r)
	t.Decisions = slices.Delete(t.Decisions, 0, revisionIndex(t.Decisions))
	return t
}

// revisionIndex is where the revision is chosen among decisions; 0 where it is
// not, as when one before it failed.
func revisionIndex(decisions []verdict.Decision) int {
	return max(0, slices.IndexFunc(decisions, func(d verdict.Decision) bool { return d.Stage == verdict.StageRevision }))
}

func pullTrail(repo model.RepoRef, number int) *pipeline.Trail {
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
