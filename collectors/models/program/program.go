// Package program gets answers from a program: the context on its standard input, the review on its standard output.
// So any agent can take part. It runs as prforge's own user, with few variables, within a time and an output limit.
package program

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/internal/reviewer"
)

// Provider is the provider "program".
func Provider() models.Provider {
	return models.Provider{
		Name: "program", Asks: true,
		Check: func(m reviewer.Model) error {
			if len(m.Command) == 0 || m.TimeoutSeconds < 1 {
				return errors.New("a program needs command and timeout_seconds")
			}
			return nil
		},
		Connect: func(m reviewer.Model, env models.Environment) (models.Source, error) { return source{m, env}, nil },
	}
}

// source runs the program for each question, once.
type source struct {
	model reviewer.Model
	env   models.Environment
}

// Ask implements models.Source.
func (s source) Ask(ctx context.Context, q models.Question) (models.Answer, error) {
	key, err := models.Key(append([]string{"program", q.Prompt, fmt.Sprint(q.Sample)}, s.model.Command...))
	if err != nil {
		return models.Answer{}, err
	}
	o := DefaultOptions()
	o.Command, o.Env, o.Getenv, o.Timeout = s.model.Command, s.model.Env, s.env.Getenv,
		time.Duration(s.model.TimeoutSeconds)*time.Second
	return s.env.Once(key, "program", s.model, func() (models.Answer, error) {
		text, err := Ask(ctx, o, q.Prompt)
		return models.Answer{Text: text}, err
	})
}
