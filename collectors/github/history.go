package github

import (
	"context"
	"slices"

	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
)

// wantHistory queues the request for a pull request's timeline and former descriptions, once.
func (g *batch) wantHistory(j *job) {
	if !j.history {
		j.history = true
		j.waiting++
		g.history = append(g.history, historyJob{job: j, id: j.ask.NodeID, comment: -1})
	}
}

// wantEdits queues the request for a comment's former texts and reactions.
func (g *batch) wantEdits(t threadJob, comment int, id string) {
	t.job.waiting++
	g.history = append(g.history, historyJob{job: t.job, id: id, thread: t.index, comment: comment})
}

// askHistory requests as many histories as fit one request, of any pull requests and comments. It retries missing
// ones; if GitHub never answers, the pull request fails.
func (g *batch) askHistory(ctx context.Context) error {
	n := min(len(g.history), g.c.histories.now())
	batch := g.history[:n:n]
	g.history = g.history[n:]
	ids := make([]string, n)
	for i, h := range batch {
		ids[i] = h.id
	}
	call := ctx
	if n > 1 {
		call = ghapi.Shrinkable(ctx)
	}
	q, found, err := g.c.queryHistory(call, ids, g.c.o.Items)
	var errorsOf map[int][]ghapi.GraphQLError
	if err == nil {
		errorsOf, err = found.byNode(n)
	}
	switch {
	case err == nil && !found.limited():
		g.c.histories.grow()
	case err != nil && !ofItem(err):
		return err
	case g.c.histories.shrink(n) && err != nil:
		g.history = append(batch, g.history...)
		return nil
	case err != nil:
		g.giveUp(batch[0].job, err)
		return nil
	}
	for i, h := range batch {
		if h.job.err != nil {
			continue
		}
		whole := len(errorsOf[i]) == 0 && i < len(q.Nodes) && q.Nodes[i] != nil
		if h.troubles++; !whole && h.troubles < maxTroubles {
			g.history = append(g.history, h)
			continue
		}
		if len(errorsOf[i]) > 0 && !isAnswer(errorsOf[i][0]) {
			g.giveUp(h.job, errorsOf[i][0])
			continue
		}
		h.job.waiting--
		switch {
		case h.comment < 0:
			var first *page[eventNode]
			if whole {
				first = q.Nodes[i].PullRequest.TimelineItems
				h.job.pull.Edits = editFacts(h.job.pull, q.Nodes[i].PullRequest.UserContentEdits)
			} else {
				lacking(h.job.pull, listEdits)
			}
			begin(g, h.job, historyOf, h.id, first, func(all []eventNode) { noteHistory(h.job.pull, all) })
		case whole:
			c := &h.job.pull.Threads[h.thread].Comments[h.comment]
			c.Edits = editFacts(h.job.pull, q.Nodes[i].Comment.UserContentEdits)
			c.Reactions = reactionFacts(q.Nodes[i].Comment.ReactionGroups)
		default:
			lacking(h.job.pull, listEdits)
		}
	}
	return nil
}

// noteHistory notes what a timeline says.
func noteHistory(p *model.PullRequest, events []eventNode) {
	for _, n := range events {
		switch n.Typename {
		case "ReviewDismissedEvent":
			if n.Dismissed.Review == nil || n.Dismissed.PreviousReviewState == "" {
				continue
			}
			if p.Dismissed == nil {
				p.Dismissed = map[string]model.ReviewState{}
			}
			p.Dismissed[n.Dismissed.Review.ID] = n.Dismissed.PreviousReviewState
		case "HeadRefForcePushedEvent":
			p.ForcePushes = append(p.ForcePushes, model.ForcePush{
				At: n.Pushed.CreatedAt.Time, Before: oidOf(n.Pushed.BeforeCommit), After: oidOf(n.Pushed.AfterCommit)})
		case "RenamedTitleEvent":
			p.Renames = append(p.Renames, model.Rename{At: n.Renamed.CreatedAt.Time, From: n.Renamed.PreviousTitle,
				To: n.Renamed.CurrentTitle})
		}
	}
}

// editFacts are the versions of a text, oldest first. More than a page of them,
// or a deleted one, leaves the list incomplete.
func editFacts(p *model.PullRequest, edits *editPage) []model.Edit {
	var out []model.Edit
	if edits == nil {
		return nil
	}
	for _, n := range slices.Backward(edits.Nodes) {
		if n != nil && n.Diff != nil {
			out = append(out, model.Edit{At: n.EditedAt.Time, Body: *n.Diff})
		}
	}
	if len(out) < edits.TotalCount {
		lacking(p, listEdits)
	}
	return out
}

// reactionFacts are the kinds of reaction that somebody used.
func reactionFacts(groups []reactionNode) []model.Reaction {
	var out []model.Reaction
	for _, g := range groups {
		if g.Reactors.TotalCount == 0 {
			continue
		}
		r := model.Reaction{Content: g.Content, Count: g.Reactors.TotalCount, By: []model.Account{}}
		for _, n := range g.Reactors.Nodes {
			if n == nil {
				continue
			}
			r.By = append(r.By,
				account(&actor{Typename: n.Typename, Login: n.Actor.Login, User: n.User, Bot: n.Bot, Mannequin: n.Mannequin,
					Organization: n.Organization}))
		}
		out = append(out, r)
	}
	return out
}
