package stages

import (
	"fmt"

	"github.com/prforge/prforge/collectors/models/openai"
)

// connectModels makes the clients of the models that the configuration names.
// Their answers are kept in the raw store, so that a rebuild asks nobody.
func (s *Session) connectModels() error {
	client := func(endpoint, model, keyEnv string) (*openai.Client, error) {
		return openai.ForBuild(endpoint, model, keyEnv, s.collector.Store().Answers(), s.Getenv, s.Log)
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
