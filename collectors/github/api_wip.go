package github

import (
	"context"
	"errors"
	"iter"

	"github.com/prforge/prforge/internal/model"
)

var errUnbuilt = errors.New("not built yet")

// Survey looks at repositories and lists their pull requests, several in one
// request; each answer is yielded as soon as it is complete. A repository that
// cannot be had has its own error in the answer; the error of the sequence is
// one that ends the run (credentials, budget, context) and is the last.
func (c *Client) Survey(ctx context.Context, wants []Want) iter.Seq2[Surveyed, error] {
	return func(yield func(Surveyed, error) bool) { yield(Surveyed{}, errUnbuilt) }
}

// Changed tells for up to any number of repositories, by node id, when a merged
// or closed pull request of theirs last changed: one request per 100.
func (c *Client) Changed(ctx context.Context, nodeIDs []string) ([]Latest, error) {
	return nil, errUnbuilt
}

// Pulls gets pull requests in full, of any repositories, packed into as few
// requests as GitHub bears; each is yielded once it is complete, in no certain
// order. An error that is a *PullError is about one pull request; any other ends
// the sequence.
func (c *Client) Pulls(ctx context.Context, asks []PullAsk) iter.Seq2[*model.PullRequest, error] {
	return func(yield func(*model.PullRequest, error) bool) { yield(nil, errUnbuilt) }
}

// Diff gets a pull request's unified diff and checks it against the pull
// request's counts. An error that Is ghapi.ErrTooLarge, ErrNotAvailable or
// ErrBadBody asks for the diff to be made by git. etag is "" or that of an
// earlier answer, for which an unchanged diff costs nothing.
func (c *Client) Diff(ctx context.Context, pull *model.PullRequest, etag string) (DiffAnswer, error) {
	return DiffAnswer{}, errUnbuilt
}

// MergeBase asks GitHub for the merge base of two commits: the last resort for a
// fork point, where git cannot have one of them.
func (c *Client) MergeBase(ctx context.Context, repo model.RepoRef, base, head string) (string, error) {
	return "", errUnbuilt
}
