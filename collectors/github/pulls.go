package github

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
)

// maxOpen bounds the pull requests that wait for their threads. This bounds memory and the loss from an interruption.
const maxOpen = 100

// Pulls reads whole pull requests of any repositories in as few requests as GitHub allows. It yields each when it is
// complete, in no fixed order. A *PullError concerns one pull request; any other error ends the sequence.
// PullRequest.Incomplete names the lists that are incomplete: labels, files, reviews, threads, thread_comments,
// comments, history, edits.
func (c *Client) Pulls(ctx context.Context, asks []PullAsk) iter.Seq2[*model.PullRequest, error] {
	return func(yield func(*model.PullRequest, error) bool) {
		g := &batch{c: c}
		for _, ask := range asks {
			g.queue = append(g.queue, &job{ask: ask})
		}
		for len(g.queue) > 0 || len(g.open) > 0 {
			if err := g.step(ctx); err != nil {
				yield(nil, fmt.Errorf("get pull requests: %w", err))
				return
			}
			if !g.deliver(yield) {
				return
			}
		}
	}
}

// step sends the next request: details until enough threads or unfinished lists wait to fill a request, then those.
func (g *batch) step(ctx context.Context) error {
	last := len(g.queue) == 0 || len(g.open) >= maxOpen
	switch {
	case len(g.threads) > 0 && (last || len(g.threads) >= g.c.threads.now()):
		return g.askThreads(ctx)
	case len(g.lists) > 0 && (last || len(g.lists) >= g.c.lists.now()):
		return g.askMore(ctx)
	case len(g.history) > 0 && (last || len(g.history) >= g.c.histories.now()):
		return g.askHistory(ctx)
	case len(g.queue) > 0:
		return g.askDetails(ctx)
	}
	return nil
}

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

// deliver yields what is complete or has failed for good.
func (g *batch) deliver(yield func(*model.PullRequest, error) bool) bool {
	waiting := g.open[:0]
	for i, j := range g.open {
		switch {
		case j.err != nil:
			if !yield(nil, &PullError{Ref: j.ask.Ref, Err: j.err}) {
				return false
			}
		case j.waiting > 0:
			waiting = append(waiting, g.open[i])
		default:
			order(j.pull)
			if !yield(j.pull, nil) {
				return false
			}
		}
	}
	g.open = waiting
	return true
}

// nextPage takes the pull requests for the next request off the queue.
func (g *batch) nextPage() []*job {
	n := 1
	for size := g.c.pulls.now(); !g.queue[0].alone && n < min(size, len(g.queue)) && !g.queue[n].alone; n++ {
	}
	page := g.queue[:n:n]
	g.queue = g.queue[n:]
	return page
}

// putBack puts pull requests at the head of the queue.
func (g *batch) putBack(page []*job) { g.queue = append(page, g.queue...) }

// askDetails requests a page of pull requests. It splits a page that is too large. A single pull request gets shorter
// and shorter lists before it is given up.
func (g *batch) askDetails(ctx context.Context) error {
	page := g.nextPage()
	ids := make([]string, len(page))
	for i, j := range page {
		ids[i] = j.ask.NodeID
	}
	if len(page) == 1 {
		return g.askAlone(ctx, page[0])
	}
	q, found, err := g.c.queryPulls(ghapi.Shrinkable(ctx), ids, g.c.o.Items)
	var errorsOf map[int][]ghapi.GraphQLError
	if err == nil {
		errorsOf, err = found.byNode(len(page))
	}
	if err != nil {
		if !ofItem(err) {
			return err
		}
		g.c.pulls.shrink(len(page))
		g.putBack(page)
		return nil
	}
	if found.limited() {
		g.c.pulls.shrink(len(page))
	} else {
		g.c.pulls.grow()
	}
	g.takeDetails(page, q, errorsOf)
	return nil
}

// askAlone asks for one pull request, with shorter and shorter lists.
func (g *batch) askAlone(ctx context.Context, j *job) error {
	var q *pullsQuery
	var errorsOf map[int][]ghapi.GraphQLError
	err := shrinking(ctx, g.c.o.Items, func(ctx context.Context, n int) error {
		var found *partial
		var err error
		if q, found, err = g.c.queryPulls(ctx, []string{j.ask.NodeID}, n); err != nil {
			return err
		}
		if errorsOf, err = found.byNode(1); err != nil {
			return err
		}
		if found.limited() {
			return fmt.Errorf("%w: %w", ghapi.ErrResourceLimits, found.errors[0])
		}
		return nil
	})
	switch {
	case err != nil && !ofItem(err):
		return err
	case err != nil:
		g.fail(j, err)
		return nil
	}
	g.c.pulls.grow()
	g.takeDetails([]*job{j}, q, errorsOf)
	return nil
}

// takeDetails adds a page of pull requests. Those that failed are requested again, alone.
func (g *batch) takeDetails(page []*job, q *pullsQuery, errorsOf map[int][]ghapi.GraphQLError) {
	for i, j := range page {
		var node *pullNode
		if i < len(q.Nodes) && q.Nodes[i] != nil && q.Nodes[i].PullRequest.ID != "" {
			node = &q.Nodes[i].PullRequest
		}
		problems := errorsOf[i]
		if (node == nil || len(problems) > 0) && j.tries == 0 {
			j.tries++
			// A missing pull request is confirmed within a page; any other failure is retried alone.
			j.alone = len(problems) == 0 || !errors.Is(problems[0], ghapi.ErrNotFound)
			g.queue = append(g.queue, j)
			continue
		}
		unanswered := slices.IndexFunc(problems, func(e ghapi.GraphQLError) bool { return !isAnswer(e) })
		switch {
		case node == nil:
			g.fail(j, missing(problems))
			continue
		case unanswered >= 0:
			g.fail(j, problems[unanswered])
			continue
		}
		g.complete(j, node, problems)
	}
}

// missing is the error of a node that GitHub did not give.
func missing(problems []ghapi.GraphQLError) error {
	if len(problems) > 0 {
		return problems[0]
	}
	return fmt.Errorf("%w: GitHub leaves it out", ghapi.ErrNotAvailable)
}

// complete makes the facts of a pull request and begins its lists. problems are GitHub's errors about parts of it;
// they make those lists incomplete.
func (g *batch) complete(j *job, n *pullNode, problems []ghapi.GraphQLError) {
	p := pullFacts(j.ask.Ref, n)
	j.pull = p
	g.open = append(g.open, j)
	for _, e := range problems {
		noteProblem(p, e)
	}
	begin(g, j, labelsOf, n.ID, n.Labels, func(all []labelNode) { p.Labels = factsOf(all, labelFact) })
	begin(g, j, filesOf, n.ID, n.Files, func(all []fileNode) {
		p.Files = factsOf(all, fileFact)
		if len(p.Files) != p.ChangedFiles { // files.totalCount stops at 3,000, changedFiles does not
			lacking(p, listFiles)
		}
	})
	begin(g, j, commentsOf, n.ID, n.Comments, func(all []issueCommentNode) { p.Comments = factsOf(all, issueCommentFact) })
	begin(g, j, reviewsOf, n.ID, n.Reviews, func(all []reviewNode) {
		p.Reviews = factsOf(all, reviewFact)
		if slices.ContainsFunc(p.Reviews, func(r model.Review) bool { return r.State == model.Dismissed }) {
			g.wantHistory(j)
		}
	})
	begin(g, j, threadsOf, n.ID, n.ReviewThreads, func(all []threadNode) {
		p.Threads = factsOf(all, threadFact)
		if len(p.Threads) > 0 {
			g.wantHistory(j)
		}
		for i := range p.Threads {
			j.waiting++
			g.threads = append(g.threads, threadJob{job: j, index: i})
		}
	})
}

// noteProblem names the list of an error by the error's path: nodes, index, field.
func noteProblem(p *model.PullRequest, e ghapi.GraphQLError) {
	if len(e.Path) < 3 {
		return
	}
	switch field := e.Path[2]; field {
	case "labels", "files", "reviews", "comments":
		lacking(p, field)
	case "reviewThreads":
		lacking(p, listThreads)
	default:
		lacking(p, "field_"+field)
	}
}
