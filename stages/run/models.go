package run

import (
	"fmt"

	"github.com/prforge/prforge/collectors/models/openai"
)

// connectModels makes the clients of the configured models. The raw store holds their answers, so that a rebuild asks
// no model.
func (s *Session) connectModels() error {
	client := func(endpoint, model, keyEnv string) (*openai.Client, error) {
		return openai.ForBuild(endpoint, model, keyEnv, s.Collector.Store().Answers(), s.Getenv, s.Log)
	}
	if e := s.Config.Encoder; e.Provider == "openai" {
		encoder, err := client(e.Endpoint, e.Model, e.APIKeyEnv)
		if err != nil {
			return fmt.Errorf("encoder: %w", err)
		}
		s.encoder = encoder
	}
	if m := s.Config.Summary; m.Provider == "openai" {
		writer, err := client(m.Endpoint, m.Model, m.APIKeyEnv)
		if err != nil {
			return fmt.Errorf("summary: %w", err)
		}
		s.Summary = writer
	}
	return nil
}

// asksModels reports whether the configuration names a model.
func (s *Session) asksModels() bool {
	return s.Config.Summary.Provider == "openai" || s.Config.Encoder.Provider == "openai"
}
