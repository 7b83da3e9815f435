// Package openai asks an endpoint with OpenAI's protocol for chat completions and embeddings. Every answer is stored
// by the hash of its question, which is asked only once: a rebuild needs no network and gives the same bytes,
// whatever the model would answer today.
package openai

import (
	"context"
	"sync"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/collectors/models/endpoint"
	"github.com/prforge/prforge/internal/reviewer"
)

// Provider is the provider "openai": any endpoint that speaks OpenAI's protocol.
func Provider() models.Provider {
	p := models.Spoken("openai", func(c reviewer.Call) (models.Protocol, error) { return chat{c}, nil })
	connect := p.Connect
	p.Connect = func(m reviewer.Model, env models.Environment) (models.Source, error) {
		s, err := connect(m, env)
		if m.Tools == "" || err != nil {
			return s, err
		}
		return &reader{model: m, env: env, server: s.(*models.Endpoint).Server}, nil
	}
	p.Client = newClient
	return p
}

// client asks one model. It is safe for concurrent use.
type client struct {
	source *models.Endpoint
	encode sync.Mutex // the same text is asked for once
}

func newClient(server *endpoint.Server, call reviewer.Call, env models.Environment) models.Client {
	return &client{source: &models.Endpoint{Server: server, Protocol: chat{call}, Call: call, Env: env, Insist: true}}
}

// Name identifies the model for the manifest: "openai:" and its name.
func (c *client) Name() string { return "openai:" + c.source.Call.Model }

// Chat returns the model's answer to a prompt. It repeats a question after an empty answer. The error is an
// *endpoint.Error if the endpoint fails.
func (c *client) Chat(ctx context.Context, system, prompt string) (string, error) {
	a, err := c.source.Ask(ctx, models.Question{System: system, Prompt: prompt})
	return a.Text, err
}
