package github

import (
	"context"

	"github.com/shurcooL/githubv4"
)

// threadsQuery requests the comments of threads of any pull requests.
type threadsQuery struct {
	RateLimit charged
	Nodes     []*struct {
		Thread threadComments `graphql:"... on PullRequestReviewThread"`
	} `graphql:"nodes(ids:$ids)"`
}

type threadComments struct {
	ID       string
	Comments *page[commentNode] `graphql:"comments(first:$items)"`
}

type commentNode struct {
	ID                string
	FullDatabaseID    bigInt `graphql:"fullDatabaseId"`
	URL               string `graphql:"url"`
	Author            *actor
	AuthorAssociation string
	Body              string
	CreatedAt         timestamp
	LastEditedAt      *timestamp
	DiffHunk          string
	Commit            *oid
	OriginalCommit    *oid
	ReplyTo           *reference
	PullRequestReview *reference
	State             string
	IsMinimized       bool
	MinimizedReason   *string
	// ReactionGroups has all eight kinds; one that nobody used has no date.
	ReactionGroups []struct{ CreatedAt *timestamp }
}

// reacted reports whether anybody reacted to the comment.
func (n commentNode) reacted() bool {
	for _, g := range n.ReactionGroups {
		if g.CreatedAt != nil {
			return true
		}
	}
	return false
}

func (c *Client) queryThreads(ctx context.Context, ids []string, items int) (*threadsQuery, *partial, error) {
	var q threadsQuery
	p, err := c.query(ctx, &q, map[string]any{"ids": idList(ids), "items": githubv4.Int(items)})
	return &q, p, err
}
