package models

import (
	"encoding/json"
	"maps"
	"net/http"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/singleflight"

	"github.com/prforge/prforge/collectors/models/endpoint"
	"github.com/prforge/prforge/internal/reviewer"
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

// batched is a question in a batch.
type batched struct {
	Key     string  `json:"key"`
	Bytes   int     `json:"bytes"` // of the request
	Counted int     `json:"counted"`
	Worst   float64 `json:"worst"`
	body    json.RawMessage
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

func (s *Endpoint) count(text string) int {
	if s.Env.Count == nil {
		return 0
	}
	return s.Env.Count(text)
}
