package github

import (
	"context"
	"fmt"

	"github.com/shurcooL/githubv4"

	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
)

// maxIDs is GitHub's limit on nodes(ids:).
const maxIDs = 100

// changedQuery requests the newest change of up to 100 repositories.
type changedQuery struct {
	RateLimit charged
	Nodes     []*struct {
		Repository changedNode `graphql:"... on Repository"`
	} `graphql:"nodes(ids:$ids)"`
}

type changedNode struct {
	Facts        repositoryNode `graphql:"... on Repository"`
	PullRequests page[struct {
		UpdatedAt timestamp
	}] `graphql:"pullRequests(first:1,states:[MERGED,CLOSED],orderBy:{field:UPDATED_AT,direction:DESC})"`
}

// Changed returns, for repositories given by node id, their current facts and when one of their merged or closed pull
// requests last changed. It sends one request per 100. The answers are in the order of the ids. GitHub may not count
// resolving a thread as a change.
func (c *Client) Changed(ctx context.Context, nodeIDs []string) ([]Latest, error) {
	all := make([]Latest, 0, len(nodeIDs))
	for len(nodeIDs) > 0 {
		var got []Latest
		err := shrinking(ctx, min(maxIDs, len(nodeIDs)), func(ctx context.Context, n int) (err error) {
			got, err = c.changedPage(ctx, nodeIDs[:n])
			return err
		})
		switch {
		case err != nil && ofItem(err): // down to one repository
			got = []Latest{{NodeID: nodeIDs[0], Err: err}}
		case err != nil:
			return nil, fmt.Errorf("ask what changed: %w", err)
		}
		all = append(all, got...)
		nodeIDs = nodeIDs[len(got):]
	}
	return all, nil
}

func (c *Client) changedPage(ctx context.Context, ids []string) ([]Latest, error) {
	var q changedQuery
	partial, err := c.query(ctx, &q, map[string]any{"ids": idList(ids)})
	if err != nil {
		return nil, err
	}
	byIndex, err := partial.byNode(len(ids))
	if err != nil {
		return nil, err
	}
	out := make([]Latest, len(ids))
	for i, id := range ids {
		out[i] = Latest{NodeID: id}
		switch {
		case byIndex[i] != nil:
			out[i].Err = byIndex[i][0]
		case i >= len(q.Nodes) || q.Nodes[i] == nil || q.Nodes[i].Repository.Facts.ID == "":
			out[i].Err = fmt.Errorf("repository %s: %w: GitHub leaves it out", id, ghapi.ErrNotAvailable)
		default:
			out[i].Repository, out[i].Err = q.Nodes[i].Repository.Facts.facts(model.RepoRef{})
			if nodes := q.Nodes[i].Repository.PullRequests.Nodes; len(nodes) > 0 && nodes[0] != nil {
				updated := nodes[0].UpdatedAt.Time
				out[i].UpdatedAt = &updated
			}
		}
	}
	return out, nil
}

// idList is a variable of type [ID!]!.
func idList(ids []string) []githubv4.ID {
	out := make([]githubv4.ID, len(ids))
	for i, id := range ids {
		out[i] = id
	}
	return out
}
