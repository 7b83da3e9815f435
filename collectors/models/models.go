// Package models gets answers to questions: from a model at an endpoint, a program, a built-in reviewer, or an
// imported review. Each of these is a provider in a folder below; providers lists them.
//
// Every answer is stored by the hash of its question, which is asked only once.
package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/prforge/prforge/collectors/models/endpoint"
	"github.com/prforge/prforge/internal/digest"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/internal/store"
)

// Task is what a question is about.
type Task struct {
	ID     string
	Config string // the configuration of its context
	Repeat int    // from 1
}

// Question is one question. System, Prompt, Sample and Schema, with the model and its parameters, determine the key
// of the answer.
type Question struct {
	Task           Task
	System, Prompt string
	// Shared is how many leading bytes of Prompt other questions share.
	Shared int
	// Sample numbers the repeats of one question, from 0.
	Sample int
	// SchemaName and Schema ask for an answer by a JSON schema; "" and nil for
	// none.
	SchemaName string
	Schema     json.RawMessage
}

// Answer is an answer and its usage. It may be empty.
type Answer struct {
	Key    string // what it is kept by; "" where no call was needed
	Text   string
	Usage  reviewer.Usage
	Finish string // why the model stopped: stop, length, content_filter, ...
	Model  string // the model's name as it reported it
	// Millis is the duration of the answered attempt with the waits before it; Attempts is the number of attempts.
	Millis   int64
	Attempts int
	// Free says that no call was needed for it.
	Free bool
	// Log is the end of a program's standard error, Refused the hosts that it could not reach.
	Log     string
	Refused []string
	// Fresh says that it is new, not stored by an earlier run.
	Fresh bool
}

// Source answers questions. It is safe for concurrent use. Its errors are the
// ones above, or what made the call fail.
type Source interface {
	Ask(ctx context.Context, q Question) (Answer, error)
}

// Provider is one source of answers.
type Provider struct {
	Name string
	// Asks says that a question needs a call, Priced that the call is paid by the token, at an endpoint.
	Asks, Priced bool
	// Check rejects a model that cannot be asked; the message begins with the key.
	Check func(reviewer.Model) error
	// Connect makes the source of a model. It sends nothing.
	Connect func(reviewer.Model, Environment) (Source, error)
	// Client makes a client of a model. It sends nothing. It is nil if there are no vectors.
	Client func(*endpoint.Server, reviewer.Call, Environment) Client
}

// Client asks one model for texts and for vectors of texts. It is safe for concurrent use.
type Client interface {
	Name() string // identifies provider and model
	Chat(ctx context.Context, system, prompt string) (string, error)
	Encode(ctx context.Context, texts []string) ([][]float32, error)
}

// Environment has what the sources of a run share.
type Environment struct {
	Answers *store.Shard // where answers are kept
	Offline bool         // answer from what is kept alone
	Getenv  func(string) string
	Log     *slog.Logger
	// Servers are the endpoints by name; an offline source needs none.
	Servers map[string]*endpoint.Server
	Bill    *Bill // what may be spent
	// Count counts the tokens of a text.
	Count func(string) int
	// Checkout writes a task's work tree to a new folder, and returns the change.
	Checkout func(ctx context.Context, task, dir string) (diff string, err error)
	// References are the names of the benchmark's built-in reviewers, Refer the
	// answer of one.
	References []string
	Refer      func(name string, t Task) (string, error)
}

// kept is an answer in the store, of any provider.
type kept struct {
	Kind     string          `json:"kind"` // chat, program, imported, ...
	Model    string          `json:"model,omitempty"`
	Text     string          `json:"text,omitempty"`
	Usage    *reviewer.Usage `json:"usage,omitempty"`
	Finish   string          `json:"finish_reason,omitempty"`
	Reported string          `json:"reported_model,omitempty"`
	Millis   int64           `json:"ms,omitempty"`
	Attempts int             `json:"attempts,omitempty"`
	Log      string          `json:"log,omitempty"`
	Refused  []string        `json:"refused,omitempty"`
}

// Keep stores an answer by its key. kind names the provider, model the model.
func Keep(w store.Writer, kind, model string, a Answer) error {
	k := kept{Kind: kind, Model: model, Text: a.Text, Finish: a.Finish, Reported: a.Model, Millis: a.Millis,
		Attempts: a.Attempts, Log: a.Log, Refused: a.Refused}
	if a.Usage != (reviewer.Usage{}) {
		k.Usage = &a.Usage
	}
	return store.Put(w, store.Answer, a.Key, k)
}

// Known is the answer stored under a key; found is false if there is none.
func Known(answers *store.Shard, key string) (a Answer, found bool, err error) {
	k, found, err := store.Get[kept](answers, store.Answer, key)
	if err != nil || !found {
		return Answer{}, found, err
	}
	a = Answer{Key: key, Text: k.Text, Finish: k.Finish, Model: k.Reported, Millis: k.Millis, Attempts: k.Attempts,
		Log: k.Log, Refused: k.Refused}
	if k.Usage != nil {
		a.Usage = *k.Usage
	}
	return a, true, nil
}

// Once returns the answer stored under a key, or calls run and stores its answer as kind, priced by the model. An
// offline source never calls run. An error of run is returned and noted.
func (env Environment) Once(key, kind string, m reviewer.Model, run func() (Answer, error)) (Answer, error) {
	if kept, found, err := Known(env.Answers, key); err != nil || found {
		return kept, err
	}
	if env.Offline {
		return Answer{}, Unanswered(env.Answers, key)
	}
	booking, err := env.Bill.Book(key, 0)
	if err != nil {
		return Answer{}, err
	}
	began := time.Now()
	a, err := run()
	if err != nil {
		return Answer{}, errors.Join(err, booking.Refused(err.Error()))
	}
	a.Key, a.Fresh, a.Millis = key, true, time.Since(began).Milliseconds()
	return a,
		booking.Answered(env.Answers, m.Price.USD(a.Usage), true,
			func(w store.Writer) error { return Keep(w, kind, m.ID, a) })
}

// Key is the key of an answer: the hash of everything that it depends on.
func Key(depends any) (string, error) {
	data, err := json.Marshal(depends)
	if err != nil {
		return "", fmt.Errorf("hash a question: %w", err)
	}
	return digest.Bytes(data), nil
}
