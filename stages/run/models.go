package run

import (
	"fmt"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/collectors/models/providers"
	"github.com/prforge/prforge/stages/config"
)

// connectModels makes the clients of the configured models. The raw store holds their answers, so that a rebuild asks
// no model.
func (s *Session) connectModels() error {
	client := func(m config.Model) (models.Client, error) {
		return providers.ForBuild(m.Provider, m.Endpoint, m.Model, m.APIKeyEnv, s.Collector.Store().Answers(), s.Getenv,
			s.Log)
	}
	if e := s.Config.Encoder; e.Provider == "openai" {
		encoder, err := client(e)
		if err != nil {
			return fmt.Errorf("encoder: %w", err)
		}
		s.encoder = encoder
	}
	if m := s.Config.Summary; m.Provider == "openai" {
		writer, err := client(m)
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
