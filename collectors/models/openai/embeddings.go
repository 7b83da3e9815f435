package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/collectors/models/endpoint"
	"github.com/prforge/prforge/internal/store"
)

// textsAtOnce is how many texts go into one request.
const textsAtOnce = 64

// keptVector is a text's vector in the store.
type keptVector struct {
	Kind   string    `json:"kind"`
	Model  string    `json:"model"`
	Vector []float32 `json:"vector,omitempty"`
}

// Encode returns a vector for each text, in their order. It takes known vectors from the store, requests the others
// in batches, and stores each batch even if a later one fails.
func (c *client) Encode(ctx context.Context, texts []string) ([][]float32, error) {
	c.encode.Lock()
	defer c.encode.Unlock()
	model := c.source.Call.Model
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
		key, err := models.Key(question{Kind: "embedding", Model: model, Input: []string{text}})
		if err != nil {
			return nil, err
		}
		keys[i] = key
		if waiting[key] {
			continue
		}
		waiting[key] = true
		known, found, err := store.Get[keptVector](c.source.Env.Answers, store.Answer, key)
		if err != nil {
			return nil, err
		}
		if found {
			vectors[key] = known.Vector
			continue
		}
		batch, batchKeys = append(batch, text), append(batchKeys, key)
		if len(batch) >= textsAtOnce {
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
func (c *client) encodeBatch(ctx context.Context, texts, keys []string, vectors map[string][]float32) error {
	if len(texts) == 0 {
		return nil
	}
	if c.source.Env.Offline {
		return models.ErrNotKept
	}
	got, err := c.askEmbeddings(ctx, texts)
	if err != nil {
		return err
	}
	return c.source.Env.Answers.Batch(func(b *store.Batch) error {
		for i, key := range keys {
			vectors[key] = got[i]
			if err := store.Put(b, store.Answer, key,
				keptVector{Kind: "embedding", Model: c.source.Call.Model, Vector: got[i]}); err != nil {
				return err
			}
		}
		return nil
	})
}

// finite reports whether every number of a vector is finite.
func finite(v []float32) bool {
	for _, x := range v {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return false
		}
	}
	return true
}

// askEmbeddings asks for a vector for each text.
func (c *client) askEmbeddings(ctx context.Context, texts []string) ([][]float32, error) {
	request := struct {
		Model          string   `json:"model"`
		Input          []string `json:"input"`
		EncodingFormat string   `json:"encoding_format"`
	}{c.source.Call.Model, texts, "float"}
	var vectors [][]float32
	body, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	read := func(body []byte) error {
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
	}
	_, err = c.source.Server.Do(ctx, endpoint.Request{Method: http.MethodPost, Path: "/embeddings", Body: body,
		Model: c.source.Call.Model, Read: read})
	return vectors, err
}
