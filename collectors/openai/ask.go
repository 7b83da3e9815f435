package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/prforge/prforge/internal/retry"
	"github.com/prforge/prforge/internal/text"
)

// Error is an endpoint that gave no usable answer. The key is never in it.
type Error struct {
	Status int    // of HTTP; 0 where there was no answer at all
	Detail string // what it said, cut short
}

// Error implements error.
func (e *Error) Error() string {
	if e.Status == 0 {
		return "no answer: " + e.Detail
	}
	return fmt.Sprintf("status %d: %s", e.Status, e.Detail)
}

// maxDetail is how much of an error page is repeated.
const maxDetail = 300

// ask posts a request until read accepts the answer, the endpoint refuses it
// for good, or the attempts are used up. This is the one layer of retries. It
// reports how many attempts were made. tokens is what the request is expected to
// count against a limit of tokens.
func (c *Client) ask(ctx context.Context, path string, request any, tokens int, read func([]byte) error) (attempts int, err error) {
	body, err := json.Marshal(request)
	if err != nil {
		return 0, err
	}
	p := retry.Policy{Attempts: c.opts.Attempts, Wait: c.opts.Backoff, MaxWait: c.opts.MaxBackoff, Sleep: c.opts.Sleep, Log: c.opts.Log}
	return p.Do(ctx, "request to the model endpoint", func(ctx context.Context) error {
		failed, retryAfter := c.attempt(ctx, path, body, tokens, read)
		if retryAfter <= c.opts.MaxWait {
			c.opts.Limiter.pause(retryAfter) // the limit is everybody's
		}
		switch {
		case failed == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case !passing(failed.Status) || retryAfter > c.opts.MaxWait:
			return failed
		}
		return &retry.Again{Err: failed, Wait: retryAfter}
	})
}

// passing reports whether a failure may pass: no answer, an answer of status
// 200 that is none, a limit, a server's trouble.
func passing(status int) bool {
	return status == 0 || status == http.StatusOK || status == http.StatusRequestTimeout || status == http.StatusTooManyRequests || status >= 500
}

// attempt posts once.
func (c *Client) attempt(ctx context.Context, path string, body []byte, tokens int, read func([]byte) error) (failed *Error, retryAfter time.Duration) {
	if err := c.opts.Limiter.acquire(ctx, tokens); err != nil {
		return c.failure(0, err.Error()), 0
	}
	defer c.opts.Limiter.release()
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, bytes.NewReader(body))
	if err != nil {
		return c.failure(0, err.Error()), 0
	}
	request.Header.Set("Content-Type", "application/json")
	if c.key != "" {
		request.Header.Set("Authorization", "Bearer "+c.key)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return c.failure(0, err.Error()), 0
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, c.opts.MaxBody+1))
	switch {
	case err != nil:
		return c.failure(0, err.Error()), 0
	case int64(len(data)) > c.opts.MaxBody:
		return c.failure(http.StatusRequestEntityTooLarge, fmt.Sprintf("the answer is over %d bytes", c.opts.MaxBody)), 0
	case response.StatusCode != http.StatusOK:
		return c.failure(response.StatusCode, string(data)), c.retryAfter(response.Header.Get("Retry-After"))
	}
	if c.key != "" {
		data = bytes.ReplaceAll(data, []byte(c.key), []byte("***")) // an endpoint may send back what it was sent
	}
	if err := read(data); err != nil {
		return c.failure(http.StatusOK, err.Error()), 0
	}
	return nil, 0
}

// retryAfter reads a Retry-After header: seconds, or a date; 0 where there is
// none (RFC 9110, section 10.2.3).
func (c *Client) retryAfter(header string) time.Duration {
	if seconds, err := strconv.Atoi(header); err == nil {
		return time.Duration(min(max(0, seconds), 1<<30)) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(0, at.Sub(c.opts.Now()))
	}
	return 0
}

// failure is an Error with its detail cut short and the key taken out.
func (c *Client) failure(status int, detail string) *Error {
	if c.key != "" {
		detail = strings.ReplaceAll(detail, c.key, "***")
	}
	return &Error{Status: status, Detail: text.Clip(text.OneLine(detail), maxDetail)}
}
