// Package reference answers questions with a benchmark's built-in reviewers.
package reference

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/internal/reviewer"
)

// Provider is the provider "reference".
func Provider() models.Provider {
	return models.Provider{
		Name: reviewer.Reference,
		Check: func(m reviewer.Model) error {
			if m.Reference == "" {
				return errors.New("reference names no built-in reviewer")
			}
			return nil
		},
		Connect: func(m reviewer.Model, env models.Environment) (models.Source, error) {
			if !slices.Contains(env.References, m.Reference) {
				return nil, fmt.Errorf("reference is %q, want one of %s", m.Reference, strings.Join(env.References, ", "))
			}
			return source{m.Reference, env.Refer}, nil
		},
	}
}

type source struct {
	name  string
	refer func(name string, t models.Task) (string, error)
}

// Ask implements models.Source.
func (s source) Ask(_ context.Context, q models.Question) (models.Answer, error) {
	text, err := s.refer(s.name, q.Task)
	return models.Answer{Text: text}, err
}
