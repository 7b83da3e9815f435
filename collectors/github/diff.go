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

// Diff gets a pull request's unified diff and holds it against the pull
// request's counts. An error that Is ghapi.ErrTooLarge, ErrNotAvailable or
// ErrBadBody asks for the diff to be made by git. etag is "" or that of an
// earlier answer, for which an unchanged diff costs nothing.
func (c *Client) Diff(ctx context.Context, pull *model.PullRequest, etag string) (DiffAnswer, error) {
	answer, err := c.diff(ctx, pull, etag)
	if err != nil {
		return DiffAnswer{}, fmt.Errorf("diff of %s: %w", pull.Ref, ghapi.CleanError(err))
	}
	return answer, nil
}

func (c *Client) diff(ctx context.Context, pull *model.PullRequest, etag string) (DiffAnswer, error) {
	rest := c.api.REST()
	path := fmt.Sprintf("repos/%s/%s/pulls/%d", url.PathEscape(pull.Ref.Repo.Owner), url.PathEscape(pull.Ref.Repo.Name), pull.Ref.Number)
	req, err := rest.NewRequest(http.MethodGet, path, nil)
	if err != nil {
		return DiffAnswer{}, err
	}
	req.Header.Set("Accept", mediaTypeDiff)
	if etag != "" {
		req.Header.Set("If-None-Match", etag)
	}
	checked := ghapi.WithCheck(ctx, func(body []byte) error {
		if int64(len(body)) > c.o.MaxDiffBytes {
			return nil // no better for being asked again
		}
		return checkDiff(body, pull)
	})
	var text bytes.Buffer
	resp, err := rest.Do(checked, req, &text)
	if resp != nil && resp.StatusCode == http.StatusNotModified {
		return DiffAnswer{ETag: etag, NotModified: true}, nil // an error for go-github
	}
	if err != nil {
		return DiffAnswer{}, err
	}
	if int64(text.Len()) > c.o.MaxDiffBytes {
		return DiffAnswer{}, fmt.Errorf("%w: %d bytes, at most %d are taken from REST", ghapi.ErrTooLarge, text.Len(), c.o.MaxDiffBytes)
	}
	return DiffAnswer{
		Diff: &model.Diff{HeadOid: pull.HeadOid, Source: model.DiffFromREST, Text: text.String()},
		ETag: resp.Header.Get("ETag"),
	}, nil
}

// checkDiff holds a body against what is known of the pull request: an error
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
