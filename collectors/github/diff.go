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
// ErrBadBody asks for the diff to be made by git.
func (c *Client) Diff(ctx context.Context, pull *model.PullRequest) (*model.Diff, error) {
	diff, err := c.diff(ctx, pull)
	if err != nil {
		return nil, fmt.Errorf("diff of %s: %w", pull.Ref, ghapi.CleanError(err))
	}
	return diff, nil
}

func (c *Client) diff(ctx context.Context, pull *model.PullRequest) (*model.Diff, error) {
	rest := c.api.REST()
	path := fmt.Sprintf("repos/%s/%s/pulls/%d", url.PathEscape(pull.Ref.Repo.Owner), url.PathEscape(pull.Ref.Repo.Name), pull.Ref.Number)
	req, err := rest.NewRequest(http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", mediaTypeDiff)
	checked := ghapi.WithCheck(ctx, func(body []byte) error {
		if int64(len(body)) > c.o.MaxDiffBytes {
			return nil // no better for being asked again
		}
		return checkDiff(body, pull)
	})
	var text bytes.Buffer
	if _, err := rest.Do(checked, req, &text); err != nil {
		return nil, err
	}
	if int64(text.Len()) > c.o.MaxDiffBytes {
		return nil, fmt.Errorf("%w: %d bytes, at most %d are taken from REST", ghapi.ErrTooLarge, text.Len(), c.o.MaxDiffBytes)
	}
	return &model.Diff{HeadOid: pull.HeadOid, Source: model.DiffFromREST, Text: text.String()}, nil
}

// checkDiff checks a body against what is known of the pull request: an error
// page, a diff cut short or one of another state does not get past it.
func checkDiff(body []byte, pull *model.PullRequest) error {
	if len(body) == 0 && pull.ChangedFiles == 0 {
		return nil
	}
	if !bytes.HasPrefix(body, []byte("diff --git ")) {
		return errors.New("it does not begin as a diff")
	}
	d, err := unidiff.Parse(string(body))
	if err != nil {
		return err
	}
	if len(d.Files) != pull.ChangedFiles || d.AddedLines != pull.Additions || d.DeletedLines != pull.Deletions {
		return fmt.Errorf("it has %d files, +%d -%d; the pull request has %d, +%d -%d",
			len(d.Files), d.AddedLines, d.DeletedLines, pull.ChangedFiles, pull.Additions, pull.Deletions)
	}
	return nil
}
