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
		PullRequest dismissalsNode `graphql:"... on PullRequest"`
	} `graphql:"nodes(ids:$ids)"`
}

type dismissalsNode struct {
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

func (c *Client) queryDismissals(ctx context.Context, ids []string, items int) (*dismissalsQuery, *partial, error) {
	var q dismissalsQuery
	p, err := c.query(ctx, &q, map[string]any{"ids": idList(ids), "items": githubv4.Int(items)})
	return &q, p, err
}
