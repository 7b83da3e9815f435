package github

import (
	"context"

	"github.com/prforge/prforge/internal/ghapi"
)

// askThreads requests the comments of as many threads as fit one request, of any pull requests. It retries missing
// ones page by page.
func (g *batch) askThreads(ctx context.Context) error {
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
		if t.job.err != nil {
			continue
		}
		var first *page[commentNode]
		if err == nil && i < len(q.Nodes) && q.Nodes[i] != nil && len(errorsOf[i]) == 0 {
			first = q.Nodes[i].Thread.Comments
		}
		g.takeThread(t, first)
	}
	return nil
}

// takeThread adds the first page of a thread's comments; nil where GitHub
// gave none.
func (g *batch) takeThread(t threadJob, first *page[commentNode]) {
	t.job.waiting--
	begin(g, t.job, threadCommentsOf, t.thread().NodeID, first, func(all []commentNode) {
		t.thread().Comments = factsOf(all, commentFact)
		for i, n := range all {
			if n.LastEditedAt != nil || n.reacted() {
				g.wantEdits(t, i, n.ID)
			}
		}
	})
}
