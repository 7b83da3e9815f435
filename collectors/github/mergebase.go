package github

import (
	"context"
	"fmt"

	"github.com/google/go-github/v62/github"

	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
)

// MergeBase asks GitHub for the merge base of two commits. It is the last way to find a fork point when git cannot
// get one of them. The error Is ghapi.ErrNotFound if GitHub lacks one of them too.
func (c *Client) MergeBase(ctx context.Context, repo model.RepoRef, base, head string) (string, error) {
	// A page of one commit: the commits are not wanted.
	got, _, err := c.api.REST().Repositories.CompareCommits(ctx, repo.Owner, repo.Name, base, head,
		&github.ListOptions{PerPage: 1})
	if err != nil {
		return "", fmt.Errorf("merge base of %s...%s in %s: %w", base, head, repo, ghapi.CleanError(err))
	}
	sha := got.GetMergeBaseCommit().GetSHA()
	if sha == "" {
		return "", fmt.Errorf("merge base of %s...%s in %s: %w: the answer has none", base, head, repo, ghapi.ErrBadBody)
	}
	return sha, nil
}
