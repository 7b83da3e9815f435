package models

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/prforge/prforge/collectors/models/endpoint"
	"github.com/prforge/prforge/internal/store"
)

// Ask implements Source.
func (s *Endpoint) Ask(ctx context.Context, q Question) (Answer, error) {
	key, err := s.key(q)
	if err != nil {
		return Answer{}, err
	}
	a, err, _ := s.flight.Do(key, func() (any, error) {
		known, found, err := Known(s.Env.Answers, key)
		switch {
		case found && err == nil:
			s.observe(known.Usage)
			known.Fresh = s.answered(key)
			return known, nil
		case err != nil:
			return Answer{}, err
		case s.Env.Offline:
			return Answer{}, Unanswered(s.Env.Answers, key)
		}
		if s.Call.Batch {
			return Answer{}, s.gather(key, q)
		}
		return s.ask(ctx, key, q)
	})
	if err != nil {
		return Answer{}, fmt.Errorf("ask %s: %w", s.Call.Model, err)
	}
	return a.(Answer), nil
}

// ask asks and stores the answer.
func (s *Endpoint) ask(ctx context.Context, key string, q Question) (Answer, error) {
	body, err := s.body(q)
	if err != nil {
		return Answer{}, err
	}
	booking, err := s.Env.Bill.Book(key, s.worst(len(body)))
	if err != nil {
		return Answer{}, err
	}
	counted := s.count(q.System) + s.count(q.Prompt) + MessageTokens
	r := endpoint.Request{
		Method: http.MethodPost, Path: s.Protocol.Path(), Header: s.Protocol.Header(), KeyHeader: s.Protocol.KeyHeader(),
		Body: body, Model: s.Call.Model,
		Tokens: counted + s.Call.MaxOutput(), Account: booking,
	}
	var answer Answer
	received := 0
	r.Read = func(reply []byte) (err error) {
		received = len(reply)
		answer, err = s.Protocol.Read(reply)
		if err == nil && s.Insist && strings.TrimSpace(answer.Text) == "" {
			err = errors.New("the answer has no text")
		}
		return err
	}
	began := s.Server.Now()
	attempts, err := s.Server.Do(ctx, r)
	if err != nil {
		return Answer{}, err
	}
	answer.Key, answer.Attempts, answer.Fresh, answer.Millis = key, attempts, true,
		s.Server.Now().Sub(began).Milliseconds()
	said := s.believe(&answer, len(body), received, counted)
	err = booking.Answered(s.Env.Answers, s.Call.Price.USD(answer.Usage), said, func(w store.Writer) error {
		return Keep(w, s.Protocol.Kind(), s.Call.Model, answer)
	})
	return answer, err
}
