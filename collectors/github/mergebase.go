package github

import (
	"context"
	"fmt"

	"github.com/google/go-github/v62/github"

	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
)

// MergeBase asks GitHub for the merge base of two commits: the last resort for a
// fork point, where git cannot have one of them. The error Is ghapi.ErrNotFound
// where GitHub does not have one of them either.
func (c *Client) MergeBase(ctx context.Context, repo model.RepoRef, base, head string) (string, error) {
	// A page of one commit: the commits are not wanted.
	got, _, err := c.api.REST().Repositories.CompareCommits(ctx, repo.Owner, repo.Name, base, head, &github.ListOptions{PerPage: 1})
	if err != nil {
		return "", fmt.Errorf("merge base of %s...%s in %s: %w", base, head, repo, ghapi.CleanError(err))
	}
	sha := got.GetMergeBaseCommit().GetSHA()
	if sha == "" {
		return "", fmt.Errorf("merge base of %s...%s in %s: %w: the answer has none", base, head, repo, ghapi.ErrBadBody)
	}
	return sha, nil
}
