package github

import (
	"context"
	"fmt"

	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
)

// nextThreads takes the threads for the next request off the queue, leaving out
// those of pull requests that were given up.
func (g *gathering) nextThreads() []threadJob {
	var page []threadJob
	size := g.c.threads.now()
	for len(g.threads) > 0 && len(page) < size {
		if t := g.threads[0]; t.job.err == nil {
			page = append(page, t)
		}
		g.threads = g.threads[1:]
	}
	return page
}

// askThreads asks for the comments of a page of threads, of whatever pull
// requests. What does not come in company is asked for alone.
func (g *gathering) askThreads(ctx context.Context) error {
	page := g.nextThreads()
	ids := make([]string, len(page))
	for i, t := range page {
		ids[i] = t.thread().NodeID
	}
	if len(page) == 0 {
		return nil
	}
	call := ctx
	if len(page) > 1 {
		call = ghapi.Shrinkable(ctx)
	}
	q, found, err := g.c.queryThreads(call, ids, g.c.o.Items)
	var errorsOf map[int][]ghapi.GraphQLError
	if err == nil {
		errorsOf, err = found.byNode(len(page))
	}
	switch {
	case err == nil && !found.limited():
		g.c.threads.grow()
	case err != nil && !ofItem(err):
		return err
	case g.c.threads.shrink(len(page)) && err != nil:
		g.threads = append(page, g.threads...)
		return nil
	}
	for i, t := range page {
		var first *commentPage
		if err == nil && i < len(q.Nodes) && q.Nodes[i] != nil && len(errorsOf[i]) == 0 {
			first = q.Nodes[i].Thread.Comments
		}
		if err := g.takeThread(ctx, t, first); err != nil {
			return err
		}
	}
	return nil
}

// commentPage is a page of a thread's comments.
type commentPage = page[commentNode]

// takeThread completes a thread from its first page; nil asks for it alone. A
// thread that cannot be had leaves a gap that is noted.
func (g *gathering) takeThread(ctx context.Context, t threadJob, first *commentPage) error {
	nodes, whole, err := wholeList(ctx, t.thread().NodeID, g.c.o.Items, first, g.c.moreThreadComments())
	if err != nil && !ofItem(err) {
		return fmt.Errorf("comments of a thread of %s: %w", t.job.ask.Ref, err)
	}
	if err != nil || !whole {
		g.c.log.Warn("a thread is incomplete", "pull", t.job.ask.Ref.String(), "thread", t.thread().NodeID, "err", err)
		lacking(t.job.pull, listThreadComments)
	}
	t.thread().Comments = factsOf(nodes, commentFact)
	t.job.threads--
	return nil
}

// askDismissals asks the timelines of all pull requests that have a dismissed
// review what the review was before.
func (g *gathering) askDismissals(ctx context.Context) error {
	n := min(maxIDs, len(g.dismissed))
	page := g.dismissed[:n]
	ids := make([]string, n)
	for i, j := range page {
		ids[i] = j.ask.NodeID
	}
	firsts := make([]*dismissalPage, n)
	call := ctx
	if n > 1 {
		call = ghapi.Shrinkable(ctx)
	}
	q, found, err := g.c.queryDismissals(call, ids, g.c.o.Items)
	if err != nil && !ofItem(err) {
		return err
	}
	if errorsOf, all := found.byNode(n); err == nil && all == nil {
		for i := range firsts {
			if i < len(q.Nodes) && q.Nodes[i] != nil && len(errorsOf[i]) == 0 {
				firsts[i] = uncounted(q.Nodes[i].PullRequest.TimelineItems)
			}
		}
	}
	g.dismissed = g.dismissed[n:]
	for i, j := range page {
		if err := g.takeDismissals(ctx, j, firsts[i]); err != nil {
			return err
		}
	}
	return nil
}

// dismissalPage is a page of a timeline's dismissals.
type dismissalPage = page[dismissalNode]

// takeDismissals notes what the dismissed reviews of a pull request were before.
func (g *gathering) takeDismissals(ctx context.Context, j *job, first *dismissalPage) error {
	j.asksMore = false
	nodes, whole, err := wholeList(ctx, j.ask.NodeID, g.c.o.Items, first, g.c.moreDismissals())
	if err != nil && !ofItem(err) {
		return fmt.Errorf("timeline of %s: %w", j.ask.Ref, err)
	}
	if err != nil || !whole {
		lacking(j.pull, listDismissed)
	}
	for _, n := range nodes {
		if n.Event.Review == nil || n.Event.PreviousReviewState == "" {
			continue
		}
		if j.pull.Dismissed == nil {
			j.pull.Dismissed = map[string]model.ReviewState{}
		}
		j.pull.Dismissed[n.Event.Review.ID] = n.Event.PreviousReviewState
	}
	return nil
}
