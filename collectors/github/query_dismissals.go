package github

import (
	"context"

	"github.com/shurcooL/githubv4"

	"github.com/prforge/prforge/internal/model"
)

// dismissalsQuery asks the timelines of pull requests what their dismissed
// reviews were before. It is asked only of pull requests that have such reviews:
// timelines are slow.
type dismissalsQuery struct {
	RateLimit charged
	Nodes     []*struct {
		PullRequest dismissalsOf `graphql:"... on PullRequest"`
	} `graphql:"nodes(ids:$ids)"`
}

type dismissalsOf struct {
	ID            string
	TimelineItems *page[dismissalNode] `graphql:"timelineItems(first:$items,itemTypes:[REVIEW_DISMISSED_EVENT])"`
}

type dismissalNode struct {
	Event struct {
		ID                  string
		PreviousReviewState model.ReviewState
		Review              *reference
	} `graphql:"... on ReviewDismissedEvent"`
}

func (n dismissalNode) key() string { return n.Event.ID }

func (c *Client) queryDismissals(ctx context.Context, ids []string, items int) (*dismissalsQuery, *partial, error) {
	var q dismissalsQuery
	p, err := c.query(ctx, &q, map[string]any{"ids": idList(ids), "items": githubv4.Int(items)})
	return &q, p, err
}

type moreDismissalsQuery struct {
	RateLimit charged
	Node      struct {
		PullRequest struct {
			TimelineItems *page[dismissalNode] `graphql:"timelineItems(first:$items,after:$after,itemTypes:[REVIEW_DISMISSED_EVENT])"`
		} `graphql:"... on PullRequest"`
	} `graphql:"node(id:$id)"`
}

// moreDismissals pages by hasNextPage alone: it is not documented whether the
// count of a timeline knows of itemTypes.
func (c *Client) moreDismissals() more[dismissalNode] {
	return moreOf(c, func(q *moreDismissalsQuery) *page[dismissalNode] {
		return uncounted(q.Node.PullRequest.TimelineItems)
	})
}

func uncounted(p *page[dismissalNode]) *page[dismissalNode] {
	if p != nil {
		p.TotalCount = 0
	}
	return p
}
