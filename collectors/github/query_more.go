package github

import (
	"context"

	"github.com/shurcooL/githubv4"
)

// The queries for the rest of a list that is longer than a page: one list of one
// pull request or thread at a time, for such lists are rare.

type moreLabelsQuery struct {
	RateLimit charged
	Node      struct {
		PullRequest struct {
			Labels *page[labelNode] `graphql:"labels(first:$items,after:$after)"`
		} `graphql:"... on PullRequest"`
	} `graphql:"node(id:$id)"`
}

type moreFilesQuery struct {
	RateLimit charged
	Node      struct {
		PullRequest struct {
			Files *page[fileNode] `graphql:"files(first:$items,after:$after)"`
		} `graphql:"... on PullRequest"`
	} `graphql:"node(id:$id)"`
}

type moreReviewsQuery struct {
	RateLimit charged
	Node      struct {
		PullRequest struct {
			Reviews *page[reviewNode] `graphql:"reviews(first:$items,after:$after)"`
		} `graphql:"... on PullRequest"`
	} `graphql:"node(id:$id)"`
}

type moreThreadsQuery struct {
	RateLimit charged
	Node      struct {
		PullRequest struct {
			ReviewThreads *page[threadNode] `graphql:"reviewThreads(first:$items,after:$after)"`
		} `graphql:"... on PullRequest"`
	} `graphql:"node(id:$id)"`
}

type moreIssueCommentsQuery struct {
	RateLimit charged
	Node      struct {
		PullRequest struct {
			Comments *page[issueCommentNode] `graphql:"comments(first:$items,after:$after)"`
		} `graphql:"... on PullRequest"`
	} `graphql:"node(id:$id)"`
}

type moreThreadCommentsQuery struct {
	RateLimit charged
	Node      struct {
		Thread struct {
			Comments *page[commentNode] `graphql:"comments(first:$items,after:$after)"`
		} `graphql:"... on PullRequestReviewThread"`
	} `graphql:"node(id:$id)"`
}

// more gets the page after a cursor (nil: the first) of the list of a node.
type more[T any] func(ctx context.Context, id string, after *string, items int) (*page[T], *partial, error)

// moreOf makes a more of a query of the kinds above.
func moreOf[Q, T any](c *Client, list func(*Q) *page[T]) more[T] {
	return func(ctx context.Context, id string, after *string, items int) (*page[T], *partial, error) {
		var q Q
		p, err := c.query(ctx, &q, map[string]any{"id": githubv4.ID(id), "after": (*githubv4.String)(after), "items": githubv4.Int(items)})
		return list(&q), p, err
	}
}

func (c *Client) moreLabels() more[labelNode] {
	return moreOf(c, func(q *moreLabelsQuery) *page[labelNode] { return q.Node.PullRequest.Labels })
}

func (c *Client) moreFiles() more[fileNode] {
	return moreOf(c, func(q *moreFilesQuery) *page[fileNode] { return q.Node.PullRequest.Files })
}

func (c *Client) moreReviews() more[reviewNode] {
	return moreOf(c, func(q *moreReviewsQuery) *page[reviewNode] { return q.Node.PullRequest.Reviews })
}

func (c *Client) moreThreads() more[threadNode] {
	return moreOf(c, func(q *moreThreadsQuery) *page[threadNode] { return q.Node.PullRequest.ReviewThreads })
}

func (c *Client) moreIssueComments() more[issueCommentNode] {
	return moreOf(c, func(q *moreIssueCommentsQuery) *page[issueCommentNode] { return q.Node.PullRequest.Comments })
}

func (c *Client) moreThreadComments() more[commentNode] {
	return moreOf(c, func(q *moreThreadCommentsQuery) *page[commentNode] { return q.Node.Thread.Comments })
}

func (n labelNode) key() string        { return n.ID }
func (n fileNode) key() string         { return n.Path }
func (n reviewNode) key() string       { return n.ID }
func (n threadNode) key() string       { return n.ID }
func (n issueCommentNode) key() string { return n.ID }
func (n commentNode) key() string      { return n.ID }
