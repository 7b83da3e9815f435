package stages

import (
	"fmt"

	"github.com/prforge/prforge/collectors/openai"
)

// connectModels makes the clients of the models that the configuration names.
// Their answers are kept in the raw store, so that a rebuild asks nobody.
func (s *Session) connectModels() error {
	client := func(endpoint, model, keyEnv string) (*openai.Client, error) {
		o := openai.DefaultOptions()
		o.Endpoint, o.Model, o.KeyEnv, o.Getenv, o.Log = endpoint, model, keyEnv, s.Getenv, s.Log
		return openai.New(s.collector.Store().Answers(), o)
	}
	if e := s.config.Encoder; e.Provider == "openai" {
		encoder, err := client(e.Endpoint, e.Model, e.APIKeyEnv)
		if err != nil {
			return fmt.Errorf("encoder: %w", err)
		}
		s.encoder = encoder
	}
	if m := s.config.Summary; m.Provider == "openai" {
		writer, err := client(m.Endpoint, m.Model, m.APIKeyEnv)
		if err != nil {
			return fmt.Errorf("summary: %w", err)
		}
		s.summary = writer
	}
	return nil
}

// asksModels reports whether the configuration names a model.
func (s *Session) asksModels() bool {
	return s.config.Summary.Provider == "openai" || s.config.Encoder.Provider == "openai"
}
