package github

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// mediaTypeDiff asks for a pull request as its unified diff.
const mediaTypeDiff = "application/vnd.github.v3.diff"

// Diff gets a pull request's unified diff and checks it against the pull
// request's counts. An error that Is ghapi.ErrTooLarge, ErrNotAvailable or
// ErrMismatch asks for the diff to be made by git.
func (c *Client) Diff(ctx context.Context, pull *model.PullRequest) (*model.Diff, error) {
	diff, err := c.diff(ctx, pull)
	if err != nil {
		return nil, fmt.Errorf("diff of %s: %w", pull.Ref, ghapi.CleanError(err))
	}
	return diff, nil
}

func (c *Client) diff(ctx context.Context, pull *model.PullRequest) (*model.Diff, error) {
	path := fmt.Sprintf("repos/%s/%s/pulls/%d", url.PathEscape(pull.Ref.Repo.Owner), url.PathEscape(pull.Ref.Repo.Name),
		pull.Ref.Number)
	text, err := c.diffText(ctx, path, func(body []byte) error { return checkDiff(body, pull) })
	if err != nil {
		return nil, err
	}
	return &model.Diff{HeadOid: pull.HeadOid, Source: model.DiffFromREST, Text: text}, nil
}

// Comparison is GitHub's diff of a commit against one of its ancestors, for a commit that git has lost. The error Is
// ghapi.ErrNotFound if GitHub lacks one of them too.
func (c *Client) Comparison(ctx context.Context, repo model.RepoRef, base, head string) (string, error) {
	path := fmt.Sprintf("repos/%s/%s/compare/%s...%s", url.PathEscape(repo.Owner), url.PathEscape(repo.Name),
		url.PathEscape(base), url.PathEscape(head))
	text, err := c.diffText(ctx, path, func(body []byte) error {
		_, err := parsedDiff(body)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("diff of %s...%s in %s: %w", base, head, repo, ghapi.CleanError(err))
	}
	return text, nil
}

// diffText asks for a diff that passes a check.
func (c *Client) diffText(ctx context.Context, path string, check func([]byte) error) (string, error) {
	rest := c.api.REST()
	req, err := rest.NewRequest(http.MethodGet, path, nil)
	if err != nil {
		return "", err
	}
	req.Header.Set("Accept", mediaTypeDiff)
	checked := ghapi.WithCheck(ctx, func(body []byte) error {
		if int64(len(body)) > c.o.MaxDiffBytes {
			return nil // no better for being asked again
		}
		return check(body)
	})
	var text bytes.Buffer
	if _, err := rest.Do(checked, req, &text); err != nil {
		return "", err
	}
	if int64(text.Len()) > c.o.MaxDiffBytes {
		return "", fmt.Errorf("%w: %d bytes, at most %d are taken from REST", ghapi.ErrTooLarge, text.Len(), c.o.MaxDiffBytes)
	}
	return text.String(), nil
}

// parsedDiff reads a body that must be a diff.
func parsedDiff(body []byte) (*unidiff.Diff, error) {
	if !bytes.HasPrefix(body, []byte("diff --git ")) {
		return nil, errors.New("it does not begin as a diff")
	}
	return unidiff.Parse(string(body))
}

// checkDiff checks a body against the facts of the pull request. It refuses error pages, diffs that are cut short,
// and diffs of another state.
func checkDiff(body []byte, pull *model.PullRequest) error {
	if len(body) == 0 && pull.ChangedFiles == 0 {
		return nil
	}
	d, err := parsedDiff(body)
	if err != nil {
		return err
	}
	if len(d.Files) != pull.ChangedFiles || d.AddedLines != pull.Additions || d.DeletedLines != pull.Deletions {
		return fmt.Errorf("%w: it has %d files, +%d -%d; the pull request has %d, +%d -%d",
			ghapi.ErrMismatch, len(d.Files), d.AddedLines, d.DeletedLines, pull.ChangedFiles, pull.Additions, pull.Deletions)
	}
	return nil
}
