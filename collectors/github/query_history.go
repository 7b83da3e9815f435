package github

import (
	"context"

	"github.com/shurcooL/githubv4"

	"github.com/prforge/prforge/internal/model"
)

// historyQuery requests facts that later ones replace. For reviewed pull requests: the former state of dismissed
// reviews, commits lost in a force push, former titles and descriptions; timelines are slow, so it skips other pull
// requests. For comments with edits or reactions: their former texts, and who reacted.
type historyQuery struct {
	RateLimit charged
	Nodes     []*struct {
		PullRequest struct {
			ID               string
			TimelineItems    *page[eventNode] `graphql:"timelineItems(first:$items,itemTypes:[REVIEW_DISMISSED_EVENT,HEAD_REF_FORCE_PUSHED_EVENT,RENAMED_TITLE_EVENT])"`
			UserContentEdits *editPage        `graphql:"userContentEdits(first:$edits)"`
		} `graphql:"... on PullRequest"`
		Comment struct {
			ID               string
			UserContentEdits *editPage `graphql:"userContentEdits(first:$edits)"`
			ReactionGroups   []reactionNode
		} `graphql:"... on PullRequestReviewComment"`
	} `graphql:"nodes(ids:$ids)"`
}

// timelineTypes are the events of historyQuery, as an argument of timelineItems.
const timelineTypes = "itemTypes:[REVIEW_DISMISSED_EVENT,HEAD_REF_FORCE_PUSHED_EVENT,RENAMED_TITLE_EVENT]"

// maxEdits is how many edits of one text are requested: the list is not paged.
const maxEdits = 100

// eventNode is one event. Every fragment receives the fields of the same name,
// which is why the kind is taken from __typename.
type eventNode struct {
	Typename  string `graphql:"__typename"`
	Dismissed struct {
		ID                  string
		PreviousReviewState model.ReviewState
		Review              *reference
	} `graphql:"... on ReviewDismissedEvent"`
	Pushed struct {
		ID           string
		CreatedAt    timestamp
		BeforeCommit *oid
		AfterCommit  *oid
	} `graphql:"... on HeadRefForcePushedEvent"`
	Renamed struct {
		ID            string
		CreatedAt     timestamp
		PreviousTitle string
		CurrentTitle  string
	} `graphql:"... on RenamedTitleEvent"`
}

// editPage is the newest edits first; an edit that was deleted has no text.
type editPage struct {
	TotalCount int
	Nodes      []*struct {
		EditedAt timestamp
		Diff     *string // the whole text after the edit, whatever its name says
	}
}

// reactionNode is one of the eight kinds of reaction, also when nobody used it.
type reactionNode struct {
	Content  string
	Reactors struct {
		TotalCount int
		Nodes      []*struct {
			Typename     string    `graphql:"__typename"`
			Actor        loginOnly `graphql:"... on Actor"`
			User         accountID `graphql:"... on User"`
			Bot          accountID `graphql:"... on Bot"`
			Mannequin    accountID `graphql:"... on Mannequin"`
			Organization accountID `graphql:"... on Organization"`
		}
	} `graphql:"reactors(first:$reactors)"`
}

type loginOnly struct{ Login string }

func (c *Client) queryHistory(ctx context.Context, ids []string, items int) (*historyQuery, *partial, error) {
	var q historyQuery
	p, err := c.query(ctx, &q, map[string]any{
		"ids": idList(ids), "items": githubv4.Int(items), "edits": githubv4.Int(maxEdits),
		"reactors": githubv4.Int(model.MaxReactors),
	})
	return &q, p, err
}
