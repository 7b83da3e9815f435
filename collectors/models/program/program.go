// Package program has questions answered by a program: the context on its
// standard input, the review on its standard output. Any agent can take part
// that way. It runs as whoever runs prforge, with few variables, within a time
// and an output limit.
package program

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/internal/store"
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
	if kept, found, err := models.Known(s.env.Answers, key); err != nil || found {
		return kept, err
	}
	if s.env.Offline {
		return models.Answer{}, models.Unanswered(s.env.Answers, key)
	}
	booking, err := s.env.Bill.Book(key, 0)
	if err != nil {
		return models.Answer{}, err
	}
	o := DefaultOptions()
	o.Command, o.Env, o.Getenv, o.Timeout = s.model.Command, s.model.Env, s.env.Getenv, time.Duration(s.model.TimeoutSeconds)*time.Second
	began := time.Now()
	text, err := Ask(ctx, o, q.Prompt)
	if err != nil {
		return models.Answer{}, errors.Join(err, booking.Refused(err.Error()))
	}
	a := models.Answer{Key: key, Text: text, Millis: time.Since(began).Milliseconds(), Fresh: true}
	return a, booking.Answered(s.env.Answers, 0, true, func(w store.Writer) error { return models.Keep(w, "program", "", a) })
}
