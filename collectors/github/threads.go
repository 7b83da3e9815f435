package github

import (
	"context"

	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
)

// askThreads asks for the comments of as many threads as fit a request, of
// whatever pull requests. What does not come is asked for again, page by page.
func (g *gathering) askThreads(ctx context.Context) error {
	n := min(len(g.threads), g.c.threads.now())
	batch := g.threads[:n:n]
	g.threads = g.threads[n:]
	ids := make([]string, n)
	for i, t := range batch {
		ids[i] = t.thread().NodeID
	}
	call := ctx
	if n > 1 {
		call = ghapi.Shrinkable(ctx)
	}
	q, found, err := g.c.queryThreads(call, ids, g.c.o.Items)
	var errorsOf map[int][]ghapi.GraphQLError
	if err == nil {
		errorsOf, err = found.byNode(n)
	}
	switch {
	case err == nil && !found.limited():
		g.c.threads.grow()
	case err != nil && !ofItem(err):
		return err
	case g.c.threads.shrink(n) && err != nil:
		g.threads = append(batch, g.threads...)
		return nil
	}
	for i, t := range batch {
		var first *page[commentNode]
		if err == nil && i < len(q.Nodes) && q.Nodes[i] != nil && len(errorsOf[i]) == 0 {
			first = q.Nodes[i].Thread.Comments
		}
		g.takeThread(t, first)
	}
	return nil
}

// takeThread takes in the first page of a thread's comments; nil where GitHub
// gave none.
func (g *gathering) takeThread(t threadJob, first *page[commentNode]) {
	t.job.waiting--
	begin(g, t.job, threadCommentsOf, t.thread().NodeID, first, func(all []commentNode) {
		t.thread().Comments = factsOf(all, commentFact)
	})
}

// askDismissals asks the timelines of pull requests that have a dismissed review
// what the review was before.
func (g *gathering) askDismissals(ctx context.Context) error {
	n := min(maxIDs, len(g.dismissed))
	batch := g.dismissed[:n]
	g.dismissed = g.dismissed[n:]
	ids := make([]string, n)
	for i, j := range batch {
		ids[i] = j.ask.NodeID
	}
	q, found, err := g.c.queryDismissals(ghapi.Shrinkable(ctx), ids, g.c.o.Items)
	var errorsOf map[int][]ghapi.GraphQLError
	if err == nil {
		errorsOf, err = found.byNode(n)
	}
	if err != nil && !ofItem(err) {
		return err
	}
	for i, j := range batch {
		var first *page[dismissalNode]
		if err == nil && i < len(q.Nodes) && q.Nodes[i] != nil && len(errorsOf[i]) == 0 {
			first = q.Nodes[i].PullRequest.TimelineItems
		}
		j.waiting--
		begin(g, j, dismissalsOf, j.ask.NodeID, first, func(all []dismissalNode) { noteDismissals(j.pull, all) })
	}
	return nil
}

// noteDismissals notes what the dismissed reviews of a pull request were before.
func noteDismissals(p *model.PullRequest, events []dismissalNode) {
	for _, n := range events {
		if n.Event.Review == nil || n.Event.PreviousReviewState == "" {
			continue
		}
		if p.Dismissed == nil {
			p.Dismissed = map[string]model.ReviewState{}
		}
		p.Dismissed[n.Event.Review.ID] = n.Event.PreviousReviewState
	}
}
