package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

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

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// askChat asks for a chat completion.
func (c *Client) askChat(ctx context.Context, system, prompt string) (string, error) {
	request := struct {
		Model       string    `json:"model"`
		Messages    []message `json:"messages"`
		Temperature *float64  `json:"temperature,omitempty"`
		MaxTokens   int       `json:"max_tokens,omitempty"`
	}{Model: c.opts.Model, Temperature: c.opts.Temperature, MaxTokens: c.opts.MaxTokens}
	if system != "" {
		request.Messages = append(request.Messages, message{Role: "system", Content: system})
	}
	request.Messages = append(request.Messages, message{Role: "user", Content: prompt})
	var text string
	err := c.ask(ctx, "/chat/completions", request, func(body []byte) error {
		var reply struct {
			Choices []struct {
				Message message `json:"message"`
			} `json:"choices"`
		}
		if err := json.Unmarshal(body, &reply); err != nil {
			return err
		}
		if len(reply.Choices) == 0 || strings.TrimSpace(reply.Choices[0].Message.Content) == "" {
			return errors.New("the answer has no text")
		}
		text = reply.Choices[0].Message.Content
		return nil
	})
	return text, err
}

// askEmbeddings asks for a vector for each text.
func (c *Client) askEmbeddings(ctx context.Context, texts []string) ([][]float32, error) {
	request := struct {
		Model          string   `json:"model"`
		Input          []string `json:"input"`
		EncodingFormat string   `json:"encoding_format"`
	}{c.opts.Model, texts, "float"}
	var vectors [][]float32
	err := c.ask(ctx, "/embeddings", request, func(body []byte) error {
		var reply struct {
			Data []struct {
				Index     int       `json:"index"`
				Embedding []float32 `json:"embedding"`
			} `json:"data"`
		}
		if err := json.Unmarshal(body, &reply); err != nil {
			return err
		}
		vectors = make([][]float32, len(texts))
		for _, d := range reply.Data {
			if d.Index < 0 || d.Index >= len(texts) || vectors[d.Index] != nil {
				return fmt.Errorf("a vector for text %d of %d", d.Index, len(texts))
			}
			vectors[d.Index] = d.Embedding
		}
		for i, v := range vectors {
			if len(v) == 0 || len(v) != len(vectors[0]) || !finite(v) {
				return fmt.Errorf("the vector of text %d cannot be used", i)
			}
		}
		return nil
	})
	return vectors, err
}

// ask posts a request until read accepts the answer, the endpoint refuses it
// for good, or the attempts are used up.
func (c *Client) ask(ctx context.Context, path string, request any, read func([]byte) error) error {
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	wait := c.opts.Backoff
	for attempt := 1; ; attempt++ {
		failed, retryAfter := c.attempt(ctx, path, body, read)
		switch {
		case failed == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case !passing(failed.Status) || attempt >= c.opts.Attempts:
			return failed
		}
		pause := min(max(wait, retryAfter), c.opts.MaxBackoff)
		c.opts.Log.Warn("model endpoint failed, asking again", "attempt", attempt, "wait", pause, "error", failed)
		if err := c.opts.Sleep(ctx, pause); err != nil {
			return err
		}
		wait = min(2*wait, c.opts.MaxBackoff)
	}
}

// passing reports whether a failure may pass: no answer, an answer of status
// 200 that is none, a limit, a server's trouble.
func passing(status int) bool {
	return status == 0 || status == http.StatusOK || status == http.StatusRequestTimeout || status == http.StatusTooManyRequests || status >= 500
}

// attempt posts once.
func (c *Client) attempt(ctx context.Context, path string, body []byte, read func([]byte) error) (failed *Error, retryAfter time.Duration) {
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
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After")) // 0 where there is none
		return c.failure(response.StatusCode, string(data)), time.Duration(min(max(0, seconds), 1<<30)) * time.Second
	}
	if err := read(data); err != nil {
		return c.failure(http.StatusOK, err.Error()), 0
	}
	return nil, 0
}

// failure is an Error with its detail cut short and the key taken out.
func (c *Client) failure(status int, detail string) *Error {
	if c.key != "" {
		detail = strings.ReplaceAll(detail, c.key, "***")
	}
	return &Error{Status: status, Detail: text.Clip(text.OneLine(detail), maxDetail)}
}
