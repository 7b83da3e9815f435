package openai

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/prforge/prforge/internal/store"
)

// ErrNotKept says that an offline client was asked what nobody asked before.
var ErrNotKept = errors.New("the answer is not kept, and this client is offline")

// Question is one chat. Everything in it but Tokens decides by which key its
// answer is kept, with the client's model and parameters.
type Question struct {
	System, Prompt string
	// Sample numbers the repeats of one question, from 0.
	Sample int
	// SchemaName and Schema ask for an answer by a JSON schema; "" and nil for
	// none.
	SchemaName string
	Schema     json.RawMessage
	// Tokens is how much the question counts against a limit of tokens a minute.
	Tokens int
}

// Answer is what a model said, and what it took. It may be empty: that is an
// answer too.
type Answer struct {
	Key    string // what it is kept by
	Text   string
	Usage  Usage
	Finish string // why the model stopped: stop, length, content_filter, ...
	Model  string // the model's name as it reported it
	// Millis is how long the attempt that was answered took, with the waits
	// before it; Attempts how many there were.
	Millis   int64
	Attempts int
}

// Usage are tokens, as the endpoint counted them; 0 where it did not.
type Usage struct {
	Input     int64 `json:"input,omitempty"`
	Output    int64 `json:"output,omitempty"`    // with those of reasoning
	Reasoning int64 `json:"reasoning,omitempty"` // part of Output
	Cached    int64 `json:"cached,omitempty"`    // part of Input
}

// question is what an answer is kept by. The endpoint's address is no part of
// it: the same model may move.
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

// hash is the key of the question's answer.
func (q question) hash() (string, error) {
	data, err := json.Marshal(q)
	if err != nil {
		return "", fmt.Errorf("hash a question: %w", err)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// kept is an Answer record of the store.
type kept struct {
	Kind     string    `json:"kind"`
	Model    string    `json:"model"`
	Text     string    `json:"text,omitempty"`
	Vector   []float32 `json:"vector,omitempty"`
	Usage    *Usage    `json:"usage,omitempty"`
	Finish   string    `json:"finish_reason,omitempty"`
	Reported string    `json:"reported_model,omitempty"`
	Millis   int64     `json:"ms,omitempty"`
	Attempts int       `json:"attempts,omitempty"`
}

func (k kept) answer(key string) Answer {
	a := Answer{Key: key, Text: k.Text, Finish: k.Finish, Model: k.Reported, Millis: k.Millis, Attempts: k.Attempts}
	if k.Usage != nil {
		a.Usage = *k.Usage
	}
	return a
}

// Chat gives the model's answer to a prompt, from the store where it was asked
// before. An empty answer is none, and asked for again. The error is an *Error
// where the endpoint fails.
func (c *Client) Chat(ctx context.Context, system, prompt string) (string, error) {
	a, err := c.chat(ctx, Question{System: system, Prompt: prompt}, false)
	return a.Text, err
}

// Ask gives the model's answer to a question, from the store where it was asked
// before. An empty answer is kept like any other. The error is an *Error where
// the endpoint fails, and ErrNotKept where an offline client would have to ask.
func (c *Client) Ask(ctx context.Context, q Question) (Answer, error) { return c.chat(ctx, q, true) }

// Kept gives the answer to a question that was asked before; found is false
// where it was not.
func (c *Client) Kept(q Question) (a Answer, found bool, err error) {
	_, key, err := c.question(q)
	if err != nil {
		return Answer{}, false, err
	}
	return c.known(key)
}

func (c *Client) known(key string) (Answer, bool, error) {
	k, found, err := store.Get[kept](c.answers, store.Answer, key)
	if err != nil || !found {
		return Answer{}, found, err
	}
	return k.answer(key), true, nil
}

func (c *Client) question(q Question) (question, string, error) {
	full := question{
		Kind: "chat", Model: c.opts.Model, Temperature: c.opts.Temperature, MaxTokens: c.opts.MaxTokens, MaxCompletionTokens: c.opts.MaxCompletionTokens,
		Seed: c.opts.Seed, ReasoningEffort: c.opts.ReasoningEffort, Schema: q.Schema, Sample: q.Sample, Input: []string{q.System, q.Prompt},
	}
	key, err := full.hash()
	return full, key, err
}

func (c *Client) chat(ctx context.Context, q Question, empty bool) (Answer, error) {
	full, key, err := c.question(q)
	if err != nil {
		return Answer{}, err
	}
	a, err, _ := c.chats.Do(key, func() (any, error) {
		known, found, err := c.known(key)
		if err != nil || found {
			return known, err
		}
		if c.opts.Offline {
			return Answer{}, ErrNotKept
		}
		k, err := c.askChat(ctx, full, q, empty)
		if err != nil {
			return Answer{}, err
		}
		return k.answer(key), store.Put(c.answers, store.Answer, key, k)
	})
	if err != nil {
		return Answer{}, fmt.Errorf("ask %s: %w", c.Name(), err)
	}
	return a.(Answer), nil
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

// chatReply is the part of an answer that is read.
type chatReply struct {
	Model   string `json:"model"`
	Choices []struct {
		Message struct {
			Content json.RawMessage `json:"content"`
		} `json:"message"`
		Finish string `json:"finish_reason"`
	} `json:"choices"`
	Usage struct {
		Prompt            int64 `json:"prompt_tokens"`
		Completion        int64 `json:"completion_tokens"`
		CompletionDetails struct {
			Reasoning int64 `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
		PromptDetails struct {
			Cached int64 `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	} `json:"usage"`
}

// askChat asks for a chat completion.
func (c *Client) askChat(ctx context.Context, full question, q Question, empty bool) (kept, error) {
	request := chatRequest{
		Model: full.Model, Temperature: full.Temperature, MaxTokens: full.MaxTokens, MaxCompletionTokens: full.MaxCompletionTokens,
		Seed: full.Seed, ReasoningEffort: full.ReasoningEffort,
	}
	if q.System != "" {
		request.Messages = append(request.Messages, message{Role: "system", Content: q.System})
	}
	request.Messages = append(request.Messages, message{Role: "user", Content: q.Prompt})
	if q.Schema != nil {
		request.ResponseFormat = map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": q.SchemaName, "strict": true, "schema": q.Schema}}
	}
	k := kept{Kind: full.Kind, Model: full.Model}
	began := c.opts.Now()
	attempts, err := c.ask(ctx, "/chat/completions", request, q.Tokens+max(full.MaxTokens, full.MaxCompletionTokens), func(body []byte) error {
		var reply chatReply
		if err := json.Unmarshal(body, &reply); err != nil {
			return err
		}
		if len(reply.Choices) == 0 {
			return errors.New("the answer has no text")
		}
		said, err := content(reply.Choices[0].Message.Content)
		if err != nil {
			return err
		}
		if !empty && strings.TrimSpace(said) == "" {
			return errors.New("the answer has no text")
		}
		u := reply.Usage
		k.Text, k.Finish, k.Reported = said, reply.Choices[0].Finish, reply.Model
		k.Usage = &Usage{Input: u.Prompt, Output: u.Completion, Reasoning: u.CompletionDetails.Reasoning, Cached: u.PromptDetails.Cached}
		return nil
	})
	k.Attempts, k.Millis = attempts, c.opts.Now().Sub(began).Milliseconds()
	return k, err
}

// content is the text of a message: a string, null, or parts of which those
// that are text count.
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
