package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/singleflight"

	"github.com/prforge/prforge/collectors/models/endpoint"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/internal/store"
)

// Protocol converts a question to a vendor's request, and a reply to an answer. Its methods are pure.
type Protocol interface {
	// Kind names the form in the store.
	Kind() string
	// Path is the path of the request below the endpoint's address.
	Path() string
	// Header are the headers of every request. KeyHeader is the header that carries the key; "" is Authorization with
	// Bearer.
	Header() http.Header
	KeyHeader() string
	// Depends is everything that the answer's key depends on.
	Depends(q Question) any
	// Body is the request.
	Body(q Question) any
	// Read reads a reply. Its usage is the endpoint's.
	Read(reply []byte) (Answer, error)
}

// Endpoint is the source of one model at an endpoint.
type Endpoint struct {
	Server   *endpoint.Server
	Protocol Protocol
	Call     reviewer.Call
	Env      Environment
	// Insist repeats a question after an empty answer.
	Insist bool

	flight  singleflight.Group // the same question is asked once
	overrun atomic.Int64       // the most output of an answer that was over its limit

	gathering sync.Mutex
	waiting   map[string]batched // for the next batch
	settled   map[string]error   // the outcome of a question in a batch of this run; nil is an answer
}

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

// key is the key of the answer.
func (s *Endpoint) key(q Question) (string, error) {
	depends := s.Protocol.Depends(q)
	if len(s.Call.Body) == 0 {
		return Key(depends)
	}
	return Key([]any{depends, s.Call.Body})
}

// body is the request, with the further fields of the call.
func (s *Endpoint) body(q Question) ([]byte, error) {
	body, err := json.Marshal(s.Protocol.Body(q))
	if err != nil || len(s.Call.Body) == 0 {
		return body, err
	}
	fields := maps.Clone(s.Call.Body)
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, err
	}
	return json.Marshal(fields)
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
		Method: http.MethodPost, Path: s.Protocol.Path(), Header: s.Protocol.Header(), KeyHeader: s.Protocol.KeyHeader(), Body: body, Model: s.Call.Model,
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
	answer.Key, answer.Attempts, answer.Fresh, answer.Millis = key, attempts, true, s.Server.Now().Sub(began).Milliseconds()
	said := s.believe(&answer, len(body), received, counted)
	err = booking.Answered(s.Env.Answers, s.Call.Price.USD(answer.Usage), said, func(w store.Writer) error {
		return Keep(w, s.Protocol.Kind(), s.Call.Model, answer)
	})
	return answer, err
}

func (s *Endpoint) count(text string) int {
	if s.Env.Count == nil {
		return 0
	}
	return s.Env.Count(text)
}
