// Package openai asks an endpoint that speaks OpenAI's protocol for chat
// completions and embeddings. Every answer is kept in the store by the hash of
// what was asked, and asked for only once: a rebuild needs no network and gives
// the same bytes, whatever the model would say today.
package openai

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/store"
)

// Options are what is asked and within which limits.
type Options struct {
	// Endpoint is the base address, such as "https://api.openai.com/v1".
	Endpoint string
	// Model is the model's name at the endpoint.
	Model string
	// KeyEnv names the environment variable that holds the key; where it is
	// unset, no key is sent.
	KeyEnv string
	// Getenv reads the environment.
	Getenv func(string) string
	// Temperature and MaxTokens go along with a chat; nil and 0 are left out,
	// for models that refuse them. They are part of what an answer is kept by.
	Temperature *float64
	MaxTokens   int
	// BatchSize is how many texts go into one request for embeddings.
	BatchSize int
	// Timeout ends one attempt; Attempts is how often one is made.
	Timeout  time.Duration
	Attempts int
	// Backoff is the wait after the first failure; it doubles up to
	// MaxBackoff, which also bounds what a server may ask for.
	Backoff, MaxBackoff time.Duration
	// MaxBody bounds an answer in bytes.
	MaxBody int64
	// Sleep waits, or ends early with the context's error.
	Sleep func(context.Context, time.Duration) error
	// Log receives waits.
	Log *slog.Logger
}

// DefaultOptions leaves the endpoint and the model to the caller.
func DefaultOptions() Options {
	zero := 0.0
	return Options{
		KeyEnv:      "OPENAI_API_KEY",
		Getenv:      os.Getenv,
		Temperature: &zero,
		BatchSize:   64,
		Timeout:     2 * time.Minute,
		Attempts:    5,
		Backoff:     time.Second,
		MaxBackoff:  time.Minute,
		MaxBody:     32 << 20,
		Sleep:       ghapi.Sleep,
		Log:         slog.New(slog.DiscardHandler),
	}
}

// Client asks one model. It is safe for concurrent use.
type Client struct {
	opts    Options
	base    string
	key     string
	http    *http.Client
	answers *store.Shard

	chats  singleflight.Group // the same question is asked once
	encode sync.Mutex         // and so is the same text
}

// New makes a client that keeps its answers in the shard: Store.Answers. It
// sends nothing.
func New(answers *store.Shard, o Options) (*Client, error) {
	u, err := url.Parse(o.Endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return nil, fmt.Errorf("model endpoint: want an http or https address without a user")
	}
	if o.Model == "" {
		return nil, fmt.Errorf("model endpoint %s: no model is named", u.Redacted())
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &Client{opts: o, base: strings.TrimSuffix(o.Endpoint, "/"), key: o.Getenv(o.KeyEnv), http: client, answers: answers}, nil
}

// Name identifies the model for the manifest: "openai:" and its name.
func (c *Client) Name() string { return "openai:" + c.opts.Model }

// question is what an answer is kept by. The endpoint's address is no part of
// it: the same model may move.
type question struct {
	Kind        string   `json:"kind"` // "chat" or "embedding"
	Model       string   `json:"model"`
	Temperature *float64 `json:"temperature,omitempty"`
	MaxTokens   int      `json:"max_tokens,omitempty"`
	Input       []string `json:"input"`
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

// answer is an Answer record.
type answer struct {
	Kind   string    `json:"kind"`
	Model  string    `json:"model"`
	Text   string    `json:"text,omitempty"`
	Vector []float32 `json:"vector,omitempty"`
}

// Chat gives the model's answer to a prompt, from the store where it was asked
// before. The error is an *Error where the endpoint fails.
func (c *Client) Chat(ctx context.Context, system, prompt string) (string, error) {
	q := question{Kind: "chat", Model: c.opts.Model, Temperature: c.opts.Temperature, MaxTokens: c.opts.MaxTokens, Input: []string{system, prompt}}
	key, err := q.hash()
	if err != nil {
		return "", err
	}
	text, err, _ := c.chats.Do(key, func() (any, error) {
		known, found, err := store.Get[answer](c.answers, store.Answer, key)
		if err != nil || found {
			return known.Text, err
		}
		text, err := c.askChat(ctx, system, prompt)
		if err != nil {
			return "", err
		}
		return text, store.Put(c.answers, store.Answer, key, answer{Kind: q.Kind, Model: q.Model, Text: text})
	})
	if err != nil {
		return "", fmt.Errorf("ask %s: %w", c.Name(), err)
	}
	return text.(string), nil
}

// Encode gives a vector for each text, in their order. Texts that were encoded
// before come from the store; the others are asked for in batches, and what a
// batch gave is kept even if a later one fails.
func (c *Client) Encode(ctx context.Context, texts []string) ([][]float32, error) {
	c.encode.Lock()
	defer c.encode.Unlock()
	keys := make([]string, len(texts))
	vectors := map[string][]float32{}
	waiting := map[string]bool{}
	var batch, batchKeys []string
	flush := func() error {
		err := c.encodeBatch(ctx, batch, batchKeys, vectors)
		batch, batchKeys = nil, nil
		return err
	}
	for i, text := range texts {
		key, err := question{Kind: "embedding", Model: c.opts.Model, Input: []string{text}}.hash()
		if err != nil {
			return nil, err
		}
		keys[i] = key
		if waiting[key] {
			continue
		}
		waiting[key] = true
		known, found, err := store.Get[answer](c.answers, store.Answer, key)
		if err != nil {
			return nil, err
		}
		if found {
			vectors[key] = known.Vector
			continue
		}
		batch, batchKeys = append(batch, text), append(batchKeys, key)
		if len(batch) >= max(1, c.opts.BatchSize) {
			if err := flush(); err != nil {
				return nil, fmt.Errorf("encode by %s: %w", c.Name(), err)
			}
		}
	}
	if err := flush(); err != nil {
		return nil, fmt.Errorf("encode by %s: %w", c.Name(), err)
	}
	out := make([][]float32, len(texts))
	for i, key := range keys {
		out[i] = vectors[key]
		if len(out[i]) != len(out[0]) {
			return nil, fmt.Errorf("encode by %s: vectors of %d and %d numbers", c.Name(), len(out[0]), len(out[i]))
		}
	}
	return out, nil
}

// encodeBatch asks for some vectors and keeps them.
func (c *Client) encodeBatch(ctx context.Context, texts, keys []string, vectors map[string][]float32) error {
	if len(texts) == 0 {
		return nil
	}
	got, err := c.askEmbeddings(ctx, texts)
	if err != nil {
		return err
	}
	return c.answers.Batch(func(b *store.Batch) error {
		for i, key := range keys {
			vectors[key] = got[i]
			if err := store.Put(b, store.Answer, key, answer{Kind: "embedding", Model: c.opts.Model, Vector: got[i]}); err != nil {
				return err
			}
		}
		return nil
	})
}

// finite reports whether every number of a vector is one.
func finite(v []float32) bool {
	for _, x := range v {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return false
		}
	}
	return true
}
