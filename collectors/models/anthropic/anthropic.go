// Package anthropic asks models by Anthropic's Messages API, with prompt caching.
package anthropic

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/internal/reviewer"
)

// version is the API's version; another meaning has another version.
const version = "2023-06-01"

// Provider is the provider "anthropic". Its endpoint's address ends in /v1.
func Provider() models.Provider {
	return models.Spoken("anthropic", func(c reviewer.Call) (models.Protocol, error) {
		switch {
		case c.MaxTokens < 1 || c.MaxCompletionTokens > 0:
			return nil, errors.New("max_tokens: Anthropic's API wants it, and no max_completion_tokens")
		case c.Seed != nil:
			return nil, errors.New("seed: Anthropic's API has none")
		}
		return messages{c}, nil
	})
}

// messages is the protocol of the Messages API.
type messages struct{ call reviewer.Call }

// Kind implements models.Protocol.
func (messages) Kind() string { return "messages" }

// Path implements models.Protocol.
func (messages) Path() string { return "/messages" }

// Header implements models.Protocol.
func (messages) Header() http.Header { return http.Header{"Anthropic-Version": {version}} }

// KeyHeader implements models.Protocol.
func (messages) KeyHeader() string { return "X-Api-Key" }

// Depends implements models.Protocol, without the position of the cache mark.
func (m messages) Depends(q models.Question) any {
	return struct {
		Kind            string          `json:"kind"`
		Model           string          `json:"model"`
		Temperature     *float64        `json:"temperature,omitempty"`
		MaxTokens       int             `json:"max_tokens"`
		ReasoningEffort string          `json:"reasoning_effort,omitempty"`
		Schema          json.RawMessage `json:"schema,omitempty"`
		Sample          int             `json:"sample,omitempty"`
		Input           []string        `json:"input"`
	}{m.Kind(), m.call.Model, m.call.Temperature, m.call.MaxTokens, m.call.ReasoningEffort, q.Schema, q.Sample,
		[]string{q.System, q.Prompt}}
}

// block is a part of a message.
type block struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Cache any    `json:"cache_control,omitempty"`
}

// cached marks the end of the cached part, for five minutes.
var cached = map[string]string{"type": "ephemeral"}

// request is the body of a request.
type request struct {
	Model       string   `json:"model"`
	MaxTokens   int      `json:"max_tokens"`
	Temperature *float64 `json:"temperature,omitempty"`
	System      []block  `json:"system,omitempty"`
	Messages    []turn   `json:"messages"`
	Output      *output  `json:"output_config,omitempty"`
}

type turn struct {
	Role    string  `json:"role"`
	Content []block `json:"content"`
}

type output struct {
	Effort string `json:"effort,omitempty"`
	Format any    `json:"format,omitempty"`
}

// Body implements models.Protocol. The part that other questions share goes to the cache.
func (m messages) Body(q models.Question) any {
	r := request{Model: m.call.Model, MaxTokens: m.call.MaxTokens, Temperature: m.call.Temperature}
	if q.System != "" {
		r.System = []block{{Type: "text", Text: q.System}}
	}
	content := []block{{Type: "text", Text: q.Prompt}}
	if n := q.Shared; n > 0 && n < len(q.Prompt) {
		content = []block{{Type: "text", Text: q.Prompt[:n], Cache: cached}, {Type: "text", Text: q.Prompt[n:]}}
	}
	r.Messages = []turn{{Role: "user", Content: content}}
	if m.call.ReasoningEffort != "" || q.Schema != nil {
		r.Output = &output{Effort: m.call.ReasoningEffort}
	}
	if q.Schema != nil {
		r.Output.Format = map[string]any{"type": "json_schema", "schema": q.Schema}
	}
	return r
}

// Read implements models.Protocol. input_tokens leaves out what was read from the
// cache or written to it.
func (messages) Read(body []byte) (models.Answer, error) {
	var reply struct {
		Type    string   `json:"type"`
		Model   string   `json:"model"`
		Content *[]block `json:"content"`
		Stop    string   `json:"stop_reason"`
		Usage   struct {
			Input      int64 `json:"input_tokens"`
			CacheWrite int64 `json:"cache_creation_input_tokens"`
			CacheRead  int64 `json:"cache_read_input_tokens"`
			Output     int64 `json:"output_tokens"`
		} `json:"usage"`
	}
	if err := json.Unmarshal(body, &reply); err != nil {
		return models.Answer{}, err
	}
	if reply.Content == nil {
		return models.Answer{}, errors.New("the answer has no content")
	}
	u := reply.Usage
	a := models.Answer{Finish: reply.Stop, Model: reply.Model}
	a.Usage = reviewer.Usage{Input: u.Input + u.CacheWrite + u.CacheRead, Output: u.Output, Cached: u.CacheRead,
		CacheWrite: u.CacheWrite}
	for _, b := range *reply.Content {
		if b.Type == "text" {
			a.Text += b.Text
		}
	}
	return a, nil
}
