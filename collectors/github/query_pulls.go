package github

import (
	"context"

	"github.com/shurcooL/githubv4"

	"github.com/prforge/prforge/internal/model"
)

// pullsQuery requests whole pull requests without the comments of threads: nested here, these would multiply the cost
// by the number of threads.
type pullsQuery struct {
	RateLimit charged
	Nodes     []*struct {
		PullRequest pullNode `graphql:"... on PullRequest"`
	} `graphql:"nodes(ids:$ids)"`
}

// pullNode has the fields of a pull request. Connections that GitHub's schema allows to be null are pointers.
type pullNode struct {
	ID                string
	Number            int
	URL               string `graphql:"url"`
	Title             string
	Body              string
	State             model.PullState
	IsDraft           bool
	Author            *actor
	MergedBy          *actor
	CreatedAt         timestamp
	UpdatedAt         timestamp
	MergedAt          *timestamp
	ClosedAt          *timestamp
	LastEditedAt      *timestamp
	BaseRefName       string
	BaseRefOid        string
	HeadRefName       string
	HeadRefOid        string
	MergeCommit       *mergeNode
	Additions         int
	Deletions         int
	ChangedFiles      int
	IsCrossRepository bool
	Labels            *page[labelNode]        `graphql:"labels(first:$items)"`
	Files             *page[fileNode]         `graphql:"files(first:$items)"`
	Reviews           *page[reviewNode]       `graphql:"reviews(first:$items)"`
	ReviewThreads     *page[threadNode]       `graphql:"reviewThreads(first:$items)"`
	Comments          *page[issueCommentNode] `graphql:"comments(first:$items)"`
}

type mergeNode struct {
	Oid     string
	Parents struct{ Nodes []*oid } `graphql:"parents(first:10)"`
}

type labelNode struct {
	ID   string
	Name string
}

type fileNode struct {
	Path       string
	Additions  int
	Deletions  int
	ChangeType model.ChangeType
}

type reviewNode struct {
	ID             string
	FullDatabaseID bigInt `graphql:"fullDatabaseId"`
	Author         *actor
	State          model.ReviewState
	Body           string
	SubmittedAt    *timestamp
	Commit         *oid
	IsMinimized    bool
}

// threadNode has the side and the lines, which its comments do not.
type threadNode struct {
	ID                string
	Path              string
	DiffSide          model.Side
	StartDiffSide     *model.Side
	Line              *int
	StartLine         *int
	OriginalLine      *int
	OriginalStartLine *int
	SubjectType       model.SubjectType
	IsResolved        bool
	IsOutdated        bool
	ResolvedBy        *userRef
}

type issueCommentNode struct {
	ID              string
	FullDatabaseID  bigInt `graphql:"fullDatabaseId"`
	Author          *actor
	Body            string
	CreatedAt       timestamp
	IsMinimized     bool
	MinimizedReason *string
}

func (c *Client) queryPulls(ctx context.Context, ids []string, items int) (*pullsQuery, *partial, error) {
	var q pullsQuery
	p, err := c.query(ctx, &q, map[string]any{"ids": idList(ids), "items": githubv4.Int(items)})
	return &q, p, err
}
