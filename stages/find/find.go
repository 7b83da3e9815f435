// Package find looks for repositories that a benchmark could be made of: by GitHub's
// search, or in hour files of GH Archive. It ranks them by what a first look costs next to
// nothing to know, and has the best ones scored within a budget.
package find

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/prforge/prforge/collectors/github"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/review"
	"github.com/prforge/prforge/stages/run"
)

// Options say what is looked for, and what may be spent.
type Options struct {
	Languages   []string // one at least, where there are no events
	MinStars    int
	MaxStars    int
	PushedAfter time.Time // the zero time asks for nothing
	Licenses    []string  // SPDX ids; none are any but no license
	Topics      []string
	MinMerged   int      // pull requests merged in the window
	Events      []string // hour files; with them nothing is searched
	Private     bool     // repositories that are not public may take part
	// Points is the budget of GraphQL points for everything, 0 for no scores. Best is how
	// many repositories are scored at most.
	Points, Best int
	// Cost receives the number of requests before each step.
	Cost func(text string)
}

// Candidate is a repository that was found.
type Candidate struct {
	Ref      model.RepoRef            `json:"repository"`
	Facts    *github.Found            `json:"facts,omitempty"`  // nil from events
	Merged   int                      `json:"merged_in_window"` // -1 where it was not counted
	Activity *Activity                `json:"activity,omitempty"`
	Score    *review.RepositoryReport `json:"score,omitempty"` // nil where it was not scored
}

// Found is the outcome.
type Found struct {
	Candidates []Candidate    `json:"candidates"` // the most promising first
	LeftOut    map[string]int `json:"left_out"`   // repositories, by why
	Counted    *Counted       `json:"-"`
	Searches   int            `json:"searches"` // pages of results
	// Incomplete are searches that gave more than can be listed, of one day and one
	// number of stars.
	Incomplete []string `json:"incomplete,omitempty"`
	Afford     int      `json:"afford"` // repositories that the budget scored
}

// Rough costs in points, for the budget: a hundred results or fifty counts are one
// request, and a repository is scored by its lists, its newest pull requests and those of
// the window. Which repositories are scored rests on these and not on what was spent, so
// that a run that goes on ends like one that was not killed.
const (
	perPage       = 1
	perScore      = 10
	maxCounted    = 200
	unlimitedStar = 1_000_000
)

// Run finds, ranks and scores.
func Run(ctx context.Context, s *run.Session, o Options) (*Found, error) {
	f := &finder{s: s, o: o, out: &Found{LeftOut: map[string]int{}}, seen: map[int64]bool{}}
	var err error
	if len(o.Events) > 0 {
		err = f.fromEvents(ctx)
	} else {
		err = f.search(ctx)
	}
	if err != nil {
		return nil, err
	}
	f.rank()
	if len(o.Events) == 0 {
		if err := f.countMerged(ctx); err != nil {
			return nil, err
		}
	}
	return f.out, f.score(ctx)
}

type finder struct {
	s    *run.Session
	o    Options
	out  *Found
	seen map[int64]bool
}

func (f *finder) fromEvents(ctx context.Context) error {
	counted, err := Events(ctx, f.s, f.o.Events)
	if err != nil {
		return err
	}
	f.out.Counted = counted
	for name, a := range counted.Repos {
		ref, err := model.ParseRepoRef(name)
		if err != nil {
			return err
		}
		f.out.Candidates = append(f.out.Candidates, Candidate{Ref: ref, Merged: -1, Activity: &a})
	}
	return nil
}

// search lists every repository that fits, whatever their number.
func (f *finder) search(ctx context.Context) error {
	f.s.Progress.Phase("searching", len(f.o.Languages))
	var firsts []*github.FoundPage
	total := 0
	for _, language := range f.o.Languages {
		q := f.query(language)
		page, err := f.page(ctx, q.text(), "")
		if err != nil {
			return err
		}
		firsts, total = append(firsts, page), total+page.Total
	}
	pages := (total + 99) / 100
	f.o.Cost(fmt.Sprintf("%d repositories: about %d points to list them, then up to %d to score the best", total,
		pages*perPage+len(f.o.Languages), max(0, f.o.Points-pages*perPage)))
	for i, language := range f.o.Languages {
		if err := f.list(ctx, f.query(language), firsts[i]); err != nil {
			return err
		}
		f.s.Progress.Done(language, fmt.Sprintf("%d fit", firsts[i].Total))
	}
	return nil
}

// query is one search: everything within ranges of stars and of days of creation.
type query struct {
	fixed     string
	low, high int
	from, to  time.Time // both days included
}

func (f *finder) query(language string) query {
	terms := []string{`language:"` + language + `"`, "archived:false"}
	if !f.o.Private {
		terms = append(terms, "is:public")
	}
	if !f.o.PushedAfter.IsZero() {
		terms = append(terms, "pushed:>="+f.o.PushedAfter.Format(time.DateOnly))
	}
	if len(f.o.Licenses) == 1 {
		terms = append(terms, "license:"+f.o.Licenses[0])
	}
	for _, topic := range f.o.Topics {
		terms = append(terms, "topic:"+topic)
	}
	return query{
		fixed: strings.Join(terms, " "), low: f.o.MinStars, high: cmp.Or(f.o.MaxStars, unlimitedStar),
		from: time.Date(2007, 10, 1, 0, 0, 0, 0, time.UTC), to: f.s.Config.Dataset.FreezeDate.Time,
	}
}

func (q query) text() string {
	return fmt.Sprintf("%s stars:%d..%d created:%s..%s sort:stars-desc", q.fixed, q.low, q.high,
		q.from.Format(time.DateOnly), q.to.Format(time.DateOnly))
}

// halves are two searches that together give what q gives: by stars while there are
// several numbers of them, in the ratio in which repositories thin out, then by days. A
// search that cannot be divided has none.
func (q query) halves() (a, b query, ok bool) {
	a, b = q, q
	if q.high > q.low {
		middle := int(math.Sqrt(float64(q.low+1)*float64(q.high+1))) - 1
		middle = min(max(middle, q.low), q.high-1)
		a.high, b.low = middle, middle+1
		return a, b, true
	}
	days := int(q.to.Sub(q.from) / (24 * time.Hour))
	if days < 1 {
		return a, b, false
	}
	a.to = q.from.AddDate(0, 0, days/2)
	b.from = a.to.AddDate(0, 0, 1)
	return a, b, true
}

// list reads a search whose first page is known, and splits one with too many results.
func (f *finder) list(ctx context.Context, q query, first *github.FoundPage) error {
	if first.Total > github.SearchLimit {
		if a, b, ok := q.halves(); ok {
			for _, half := range []query{a, b} {
				page, err := f.page(ctx, half.text(), "")
				if err != nil {
					return err
				}
				if err := f.list(ctx, half, page); err != nil {
					return err
				}
			}
			return nil
		}
		f.out.Incomplete = append(f.out.Incomplete, q.text())
	}
	for page := first; ; {
		for _, found := range page.Found {
			f.take(found)
		}
		if page.Next == "" {
			return nil
		}
		var err error
		if page, err = f.page(ctx, q.text(), page.Next); err != nil {
			return err
		}
	}
}

func (f *finder) page(ctx context.Context, text, after string) (*github.FoundPage, error) {
	f.out.Searches++
	f.s.Progress.Doing("search",
		pipeline.Step{Stage: fmt.Sprintf("page %d, %d found", f.out.Searches, len(f.out.Candidates))})
	return f.s.Collector.Find(ctx, text, after)
}

// take keeps a repository that could be in a dataset.
func (f *finder) take(r github.Found) {
	if f.seen[r.ID] {
		return
	}
	f.seen[r.ID] = true
	switch {
	case r.IsFork:
		f.out.LeftOut["a fork"]++
	case r.IsArchived || r.IsDisabled || r.IsEmpty:
		f.out.LeftOut["archived, disabled or empty"]++
	case r.IsPrivate && !f.o.Private:
		f.out.LeftOut["not public"]++
	case r.SPDX == "":
		f.out.LeftOut["without a license that GitHub knows"]++
	case len(f.o.Licenses) > 0 &&
		!slices.ContainsFunc(f.o.Licenses, func(l string) bool { return strings.EqualFold(l, r.SPDX) }):
		f.out.LeftOut["with another license"]++
	case r.Merged < max(1, f.o.MinMerged):
		f.out.LeftOut["too few merged pull requests"]++
	default:
		f.out.Candidates = append(f.out.Candidates, Candidate{Ref: r.Ref, Facts: &r, Merged: -1})
	}
}

// rank puts the most promising first: those with the most review comments by people, or
// the most pull requests merged in the window, then ever; of equals the less known one,
// which fewer models have read (scores.md), then by name.
func (f *finder) rank() {
	promise := func(c Candidate) []int {
		comments, ever, stars := 0, 0, 0
		if c.Activity != nil {
			comments = c.Activity.Comments()
		}
		if c.Facts != nil {
			ever, stars = c.Facts.Merged, c.Facts.Stars
		}
		return []int{-comments, -c.Merged, -ever, stars}
	}
	slices.SortFunc(f.out.Candidates, func(a, b Candidate) int {
		return cmp.Or(slices.Compare(promise(a), promise(b)), strings.Compare(a.Ref.String(), b.Ref.String()))
	})
}

// countMerged counts the pull requests of the window of the most promising, and ranks
// again.
func (f *finder) countMerged(ctx context.Context) error {
	n := min(len(f.out.Candidates), maxCounted)
	refs := make([]model.RepoRef, n)
	for i, c := range f.out.Candidates[:n] {
		refs[i] = c.Ref
	}
	counts, err := f.s.Collector.CountMerged(ctx, refs, f.s.Window.Since, f.s.Window.Until)
	if err != nil {
		return err
	}
	for i, merged := range counts {
		f.out.Candidates[i].Merged = merged
	}
	before := len(f.out.Candidates)
	f.out.Candidates = slices.DeleteFunc(f.out.Candidates,
		func(c Candidate) bool { return c.Merged >= 0 && c.Merged < f.o.MinMerged })
	if gone := before - len(f.out.Candidates); gone > 0 {
		f.out.LeftOut["too few merged pull requests in the window"] = gone
	}
	f.rank()
	return nil
}

// score scores the best within what is left of the budget.
func (f *finder) score(ctx context.Context) error {
	left := f.o.Points - f.out.Searches*perPage
	if len(f.o.Events) == 0 {
		left -= (min(len(f.out.Candidates), maxCounted) + github.MaxCounts - 1) / github.MaxCounts
	}
	n := min(max(0, left/perScore), f.o.Best, len(f.out.Candidates))
	f.out.Afford = n
	if n == 0 {
		return nil
	}
	f.o.Cost(fmt.Sprintf("scoring the best %d of %d: about %d points", n, len(f.out.Candidates), n*perScore))
	refs := make([]model.RepoRef, n)
	for i, c := range f.out.Candidates[:n] {
		refs[i] = c.Ref
	}
	scored, err := review.ScoreRepositories(ctx, f.s, refs)
	if err != nil {
		return err
	}
	for i := range scored {
		f.out.Candidates[i].Score = &scored[i]
	}
	slices.SortStableFunc(f.out.Candidates[:n], func(a, b Candidate) int { return cmp.Compare(yield(b), yield(a)) })
	return nil
}

// yield orders what was scored: repositories that pass by their records, then the others
// by their score.
func yield(c Candidate) float64 {
	switch {
	case c.Score.RQS == nil:
		return -1
	case c.Score.Passes:
		return 1000 + float64(c.Score.Yield)
	}
	return float64(*c.Score.RQS)
}
