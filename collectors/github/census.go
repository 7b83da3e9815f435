package github

import (
	"fmt"
	"sort"
	"time"

	"github.com/shurcooL/githubv4"

	"github.com/prforge/prforge/internal/model"
)

// censusNode has the fields of a pull request that the census needs.
type censusNode struct {
	ID        string
	Number    int
	State     model.PullState
	CreatedAt timestamp
	UpdatedAt timestamp
	MergedAt  *timestamp
	ClosedAt  *timestamp
}

// censusPage is a page of a repository's merged and closed pull requests, the one updated last first. The order by
// update makes a census provably complete: whatever was merged or closed since a timestamp was updated since then.
type censusPage page[censusNode]

// censusPass pages through a repository's pull requests, newest update first, down to a timestamp. A pull request
// that is updated meanwhile moves to the front, behind the cursor. So a pass of several pages is followed by passes
// from the head down to where the last one began, until a pass takes one page, which shows one moment, or finds
// nothing newer than the start of the pass before.
type censusPass struct {
	since     time.Time
	refreshes int // times the head may still be read again be made
	pulls     map[int]model.PullSummary

	looking bool            // this pass is a look at the head
	stop    time.Time       // this pass ends below it
	newest  time.Time       // the newest update seen on its first page
	cursor  *string         // of the page to ask for; nil is the first
	past    map[string]bool // cursors used in this pass
	pages   int
	seen    map[int]bool // in this pass
	nulls   int          // pages in a row with null nodes
	note    string       // why the census is not complete
}

// newCensusPass starts a census of what was merged or closed since a timestamp. A complete census of an earlier run
// that reaches back as far is updated, at the cost of the changes alone.
func newCensusPass(since time.Time, known *model.Census, refreshes int) *censusPass {
	p := &censusPass{since: since.UTC().Truncate(time.Second), refreshes: refreshes, pulls: map[int]model.PullSummary{}}
	stop := p.since
	if known != nil && known.Complete && !known.Since.After(p.since) && known.Newest != nil {
		stop = *known.Newest
		for _, s := range known.Pulls {
			p.pulls[s.Number] = s
		}
	}
	p.begin(stop)
	return p
}

// begin starts a pass from the head.
func (p *censusPass) begin(stop time.Time) {
	p.stop, p.newest, p.cursor, p.pages = stop, time.Time{}, nil, 0
	p.past, p.seen = map[string]bool{}, map[int]bool{}
}

// after is the cursor of the page to ask for.
func (p *censusPass) after() *githubv4.String { return (*githubv4.String)(p.cursor) }

// add adds a page and reports whether the census is done.
func (p *censusPass) add(page *censusPage) bool {
	if hasNull(page.Nodes) && p.nulls < 2 {
		p.nulls++ // null is not absent: ask for the page again
		return false
	}
	if hasNull(page.Nodes) {
		p.note = "GitHub left out pull requests of a page each time it was asked for"
	}
	p.nulls = 0
	p.pages++
	bottom := false
	for _, n := range page.Nodes {
		if n == nil {
			continue
		}
		updated := n.UpdatedAt.Time
		p.seen[n.Number] = true
		p.pulls[n.Number] = n.summary()
		if p.pages == 1 && updated.After(p.newest) {
			p.newest = updated
		}
		bottom = updated.Before(p.stop)
	}
	if bottom {
		return p.passed()
	}
	more := page.PageInfo.HasNextPage || len(p.seen) < page.TotalCount // hasNextPage has been wrong
	if !more {
		return p.passed()
	}
	next := page.PageInfo.EndCursor
	if next == nil || p.past[*next] || len(page.Nodes) == 0 {
		p.note = fmt.Sprintf("GitHub counts %d pull requests and lists %d", page.TotalCount, len(p.seen))
		return true
	}
	p.past[*next] = true
	p.cursor = next
	return false
}

// passed ends a pass and reports whether no further look is needed.
func (p *censusPass) passed() bool {
	if p.pages == 1 || p.looking && p.newest.Equal(p.stop) {
		return true
	}
	if p.refreshes == 0 {
		p.note = "the list kept changing while it was read"
		return true
	}
	p.refreshes--
	p.looking = true
	p.begin(p.newest)
	return false
}

// census is the result: what was merged or closed since, newest number first.
func (p *censusPass) census() *model.Census {
	c := &model.Census{Since: p.since, Complete: p.note == "", Note: p.note, Pulls: []model.PullSummary{}}
	for _, s := range p.pulls {
		if c.Newest == nil || s.UpdatedAt.After(*c.Newest) {
			newest := s.UpdatedAt
			c.Newest = &newest
		}
		if s.ClosedAt != nil && !s.ClosedAt.Before(p.since) {
			c.Pulls = append(c.Pulls, s)
		}
	}
	sort.Slice(c.Pulls, func(i, j int) bool { return c.Pulls[i].Number > c.Pulls[j].Number })
	return c
}

// summary is the node as a fact.
func (n *censusNode) summary() model.PullSummary {
	return model.PullSummary{
		Number: n.Number, NodeID: n.ID, State: n.State, CreatedAt: n.CreatedAt.Time, UpdatedAt: n.UpdatedAt.Time,
		MergedAt: timeOf(n.MergedAt), ClosedAt: timeOf(n.ClosedAt),
	}
}
