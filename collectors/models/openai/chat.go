package openai

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/internal/reviewer"
)

// chat is the protocol of chat completions.
type chat struct{ call reviewer.Call }

// Kind implements models.Protocol.
func (chat) Kind() string { return "chat" }

// Path implements models.Protocol.
func (chat) Path() string { return "/chat/completions" }

// Header implements models.Protocol.
func (chat) Header() http.Header { return nil }

// KeyHeader implements models.Protocol.
func (chat) KeyHeader() string { return "" }

// question determines the key of an answer. It omits the endpoint's address, because the same model may move.
type question struct {
	Kind                string          `json:"kind"` // "chat" or "embedding"
	Model               string          `json:"model"`
	Temperature         *float64        `json:"temperature,omitempty"`
	MaxTokens           int             `json:"max_tokens,omitempty"`
	MaxCompletionTokens int             `json:"max_completion_tokens,omitempty"`
	Seed                *int64          `json:"seed,omitempty"`
	ReasoningEffort     string          `json:"reasoning_effort,omitempty"`
	Schema              json.RawMessage `json:"schema,omitempty"`
	Sample              int             `json:"sample,omitempty"`
	Input               []string        `json:"input"`
}

// Depends implements models.Protocol.
func (c chat) Depends(q models.Question) any {
	return question{
		Kind: c.Kind(), Model: c.call.Model, Temperature: c.call.Temperature, MaxTokens: c.call.MaxTokens,
		MaxCompletionTokens: c.call.MaxCompletionTokens,
		Seed:                c.call.Seed, ReasoningEffort: c.call.ReasoningEffort, Schema: q.Schema, Sample: q.Sample,
		Input: []string{q.System, q.Prompt},
	}
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// chatRequest is the body of a request for a chat completion.
type chatRequest struct {
	Model               string    `json:"model"`
	Messages            []message `json:"messages"`
	Temperature         *float64  `json:"temperature,omitempty"`
	MaxTokens           int       `json:"max_tokens,omitempty"`
	MaxCompletionTokens int       `json:"max_completion_tokens,omitempty"`
	Seed                *int64    `json:"seed,omitempty"`
	ReasoningEffort     string    `json:"reasoning_effort,omitempty"`
	ResponseFormat      any       `json:"response_format,omitempty"`
}

// Body implements models.Protocol.
func (c chat) Body(q models.Question) any {
	r := chatRequest{
		Model: c.call.Model, Temperature: c.call.Temperature, MaxTokens: c.call.MaxTokens,
		MaxCompletionTokens: c.call.MaxCompletionTokens,
		Seed:                c.call.Seed, ReasoningEffort: c.call.ReasoningEffort,
	}
	if q.System != "" {
		r.Messages = append(r.Messages, message{Role: "system", Content: q.System})
	}
	r.Messages = append(r.Messages, message{Role: "user", Content: q.Prompt})
	if q.Schema != nil {
		r.ResponseFormat = map[string]any{"type": "json_schema",
			"json_schema": map[string]any{"name": q.SchemaName, "strict": true, "schema": q.Schema}}
	}
	return r
}

// chatReply is the used part of an answer.
type chatReply struct {
	Model   string `json:"model"`
	Choices []struct {
		Message struct {
			Content json.RawMessage `json:"content"`
		} `json:"message"`
		Finish string `json:"finish_reason"`
	} `json:"choices"`
	Usage chatUsage `json:"usage"`
}

// chatUsage is the usage in a reply. Endpoints that imitate OpenAI's may use Anthropic's names.
type chatUsage struct {
	Prompt            int64 `json:"prompt_tokens"`
	Completion        int64 `json:"completion_tokens"`
	Total             int64 `json:"total_tokens"`
	Input             int64 `json:"input_tokens"`
	Output            int64 `json:"output_tokens"`
	CompletionDetails struct {
		Reasoning int64 `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
	PromptDetails struct {
		Cached int64 `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

// usage counts the excess of total_tokens over prompt and completion as reasoning: Gemini's thoughts are only in the
// total.
func (u chatUsage) usage() reviewer.Usage {
	if u.Prompt == 0 && u.Completion == 0 {
		u.Prompt, u.Completion = u.Input, u.Output
	}
	out := reviewer.Usage{Input: u.Prompt, Output: u.Completion, Reasoning: u.CompletionDetails.Reasoning,
		Cached: u.PromptDetails.Cached}
	if hidden := u.Total - u.Prompt - u.Completion; u.Prompt > 0 && u.Completion >= 0 && u.Total > u.Prompt && hidden > 0 {
		out.Output += hidden
		out.Reasoning += hidden
	}
	return out
}

// Read implements models.Protocol.
func (chat) Read(body []byte) (models.Answer, error) {
	var reply chatReply
	if err := json.Unmarshal(body, &reply); err != nil {
		return models.Answer{}, err
	}
	if len(reply.Choices) == 0 {
		return models.Answer{}, errors.New("the answer has no text")
	}
	text, err := content(reply.Choices[0].Message.Content)
	return models.Answer{Text: text, Finish: reply.Choices[0].Finish, Model: reply.Model, Usage: reply.Usage.usage()}, err
}

// content is the text of a message: a string, null, or parts, of which only text counts.
func content(raw json.RawMessage) (string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s, nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return "", errors.New("the answer's content is neither a text nor parts")
	}
	for _, p := range parts {
		if p.Type == "text" {
			s += p.Text
		}
	}
	return s, nil
}
