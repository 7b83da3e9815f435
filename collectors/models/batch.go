package models

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prforge/prforge/collectors/models/endpoint"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/internal/store"
)

// ErrGathered says that a question waits for the next batch.
var ErrGathered = errors.New("the question waits for its batch")

// Batched is a Source that gathers questions, and sends them together on Flush.
type Batched interface {
	Source
	// Flush sends the gathered questions and waits for all batches, also those of an earlier run. It reports how many
	// questions it settled: asking them again gives their answer or failure.
	Flush(ctx context.Context) (settled int, err error)
}

// BatchProtocol is a Protocol whose vendor accepts batches.
type BatchProtocol interface {
	Protocol
	// Submit sends requests by a mark of ours, and gives the batch's id.
	Submit(ctx context.Context, s *endpoint.Server, mark string, requests []BatchRequest) (id string, err error)
	// Find returns the id of a batch that was submitted with a mark at some time, with a number of requests; "" if
	// there is none.
	Find(ctx context.Context, s *endpoint.Server, mark string, requests int, at time.Time) (id string, err error)
	// Results gives the replies by key; done is false while the batch is worked on. The reply with the key "" applies
	// to all without one.
	Results(ctx context.Context, s *endpoint.Server, id string) (replies map[string]BatchReply, done bool, err error)
}

// BatchRequest is one request of a batch, by the key of its answer.
type BatchRequest struct {
	Key  string
	Body json.RawMessage
}

// BatchReply is a reply, or the reason for none. A request without a reply is not billed.
type BatchReply struct {
	Body    json.RawMessage
	Failure string
}

// maxBatch is how many requests go into one batch, so that its results stay within the read limit.
const maxBatch = 1000

// openBatch is a batch in the store, from before it is sent until it is settled.
type openBatch struct {
	Mark  string    `json:"mark"`
	ID    string    `json:"id"` // "" until the vendor gave one
	Kind  string    `json:"kind"`
	Model string    `json:"model"`
	At    time.Time `json:"at"`
	Items []batched `json:"items"`
}

const batchKey = "batch/"

// gather notes a question for the next batch.
func (s *Endpoint) gather(key string, q Question) error {
	body, err := s.body(q)
	if err != nil {
		return err
	}
	s.gathering.Lock()
	defer s.gathering.Unlock()
	if err := s.settled[key]; err != nil {
		return err
	}
	if s.waiting == nil {
		s.waiting = map[string]batched{}
	}
	s.waiting[key] = batched{Key: key, Bytes: len(body), Counted: s.count(q.System) + s.count(q.Prompt) + MessageTokens,
		Worst: s.Call.Price.Batched(s.worst(len(body))), body: body}
	return ErrGathered
}

// Flush implements Batched.
func (s *Endpoint) Flush(ctx context.Context) (settled int, err error) {
	protocol, ok := s.Protocol.(BatchProtocol)
	if !ok || !s.Call.Batch {
		return 0, nil
	}
	open, err := s.openBatches()
	if err != nil {
		return 0, err
	}
	s.gathering.Lock()
	waiting := s.waiting
	s.waiting = nil
	s.gathering.Unlock()
	for i := range open {
		for _, item := range open[i].Items {
			delete(waiting, item.Key)
		}
		if err := s.find(ctx, protocol, &open[i]); err != nil {
			if err := s.later(ctx, open[i], err); err != nil {
				return 0, err
			}
			open[i].Items = nil
		}
	}
	for chunk := range slices.Chunk(sorted(waiting), maxBatch) {
		b, err := s.submit(ctx, protocol, chunk)
		if err != nil {
			return 0, err
		}
		settled += len(chunk) - len(b.Items)
		if len(b.Items) > 0 {
			open = append(open, b)
		}
	}
	for _, b := range open {
		if err := s.settle(ctx, protocol, b); err != nil {
			return 0, err
		}
		settled += len(b.Items)
	}
	return settled, nil
}

func sorted(waiting map[string]batched) []batched {
	var out []batched
	for _, item := range waiting {
		out = append(out, item)
	}
	slices.SortFunc(out, func(a, b batched) int { return cmp.Compare(a.Key, b.Key) })
	return out
}

// openBatches are the batches of this model that an earlier run did not settle.
func (s *Endpoint) openBatches() ([]openBatch, error) {
	keys, err := s.Env.Answers.Keys(store.Meta)
	if err != nil {
		return nil, err
	}
	var out []openBatch
	for _, key := range keys {
		if !strings.HasPrefix(key, batchKey) {
			continue
		}
		b, _, err := store.Get[openBatch](s.Env.Answers, store.Meta, key)
		if err != nil {
			return nil, err
		}
		if b.Kind == s.Protocol.Kind() && b.Model == s.Call.Model {
			out = append(out, b)
		}
	}
	return out, nil
}

// find returns the id of a batch whose submission was interrupted. It drops one that never arrived.
func (s *Endpoint) find(ctx context.Context, p BatchProtocol, b *openBatch) error {
	if b.ID != "" {
		return nil
	}
	id, err := p.Find(ctx, s.Server, b.Mark, len(b.Items), b.At)
	if err != nil {
		return err
	}
	if id == "" {
		for _, item := range b.Items {
			if err := s.unanswered(item, "its batch did not arrive", false); err != nil {
				return err
			}
		}
		b.Items = nil
		return store.Delete(s.Env.Answers, store.Meta, batchKey+b.Mark)
	}
	b.ID = id
	return store.Put(s.Env.Answers, store.Meta, batchKey+b.Mark, *b)
}

// submit books the requests within the limit of cost, and sends them.
func (s *Endpoint) submit(ctx context.Context, p BatchProtocol, chunk []batched) (openBatch, error) {
	b := openBatch{Kind: s.Protocol.Kind(), Model: s.Call.Model, At: s.Server.Now().UTC()}
	var requests []BatchRequest
	for _, item := range chunk {
		booking, err := s.Env.Bill.Book(item.Key, item.Worst)
		if err == nil {
			err = booking.try()
		}
		if errors.Is(err, ErrLimit) {
			s.note(item.Key, err)
			continue
		}
		if err != nil {
			return b, err
		}
		b.Items = append(b.Items, item)
		requests = append(requests, BatchRequest{Key: item.Key, Body: item.body})
	}
	if len(b.Items) == 0 {
		return b, nil
	}
	var err error
	if b.Mark, err = Key([]any{b.At, b.Items[0].Key, len(b.Items)}); err != nil {
		return b, err
	}
	if err := store.Put(s.Env.Answers, store.Meta, batchKey+b.Mark, b); err != nil {
		return b, err
	}
	if b.ID, err = p.Submit(ctx, s.Server, b.Mark, requests); err != nil {
		return openBatch{}, s.later(ctx, b, fmt.Errorf("send a batch to %s: %w", s.Call.Model, err))
	}
	return b, store.Put(s.Env.Answers, store.Meta, batchKey+b.Mark, b)
}

// settle waits for a batch and stores its answers.
func (s *Endpoint) settle(ctx context.Context, p BatchProtocol, b openBatch) error {
	if len(b.Items) == 0 {
		return nil
	}
	var replies map[string]BatchReply
	for done := false; !done; {
		var err error
		if replies, done, err = p.Results(ctx, s.Server, b.ID); err != nil {
			return s.later(ctx, b, fmt.Errorf("read batch %s of %s: %w", b.ID, s.Call.Model, err))
		}
		if !done {
			if err := s.Server.Pause(ctx); err != nil {
				return err
			}
		}
	}
	for _, item := range b.Items {
		reply, ok := replies[item.Key]
		if !ok {
			reply.Failure = cmp.Or(replies[""].Failure, "the batch has no reply to it")
		}
		if err := s.keep(item, reply); err != nil {
			return err
		}
	}
	return store.Delete(s.Env.Answers, store.Meta, batchKey+b.Mark)
}

// later leaves a batch in the store for the next run: its questions fail in this one.
func (s *Endpoint) later(ctx context.Context, b openBatch, err error) error {
	for _, item := range b.Items {
		s.note(item.Key, err)
	}
	return ctx.Err()
}

// keep stores the answer to a question of a batch, or notes that it failed.
func (s *Endpoint) keep(item batched, reply BatchReply) error {
	if reply.Failure != "" {
		return s.unanswered(item, reply.Failure, false)
	}
	answer, err := s.Protocol.Read(reply.Body)
	if err != nil {
		return s.unanswered(item, err.Error(), true)
	}
	answer.Key, answer.Attempts = item.Key, 1
	answer.Usage.Batch = true
	said := s.believe(&answer, item.Bytes, len(reply.Body), item.Counted)
	booking, err := s.booked(item)
	if err != nil {
		return err
	}
	s.note(item.Key, nil)
	return booking.Answered(s.Env.Answers, s.Call.Price.USD(answer.Usage), said, func(w store.Writer) error {
		return Keep(w, s.Protocol.Kind(), s.Call.Model, answer)
	})
}

func (s *Endpoint) unanswered(item batched, why string, billed bool) error {
	s.note(item.Key, fmt.Errorf("ask %s in a batch: %s", s.Call.Model, why))
	booking, err := s.booked(item)
	if err != nil {
		return err
	}
	if billed {
		return booking.Lost(why)
	}
	return booking.Refused(why)
}

// booked is the account of a question in a batch, with its attempt under way.
func (s *Endpoint) booked(item batched) (*Booking, error) {
	booking, err := s.Env.Bill.Book(item.Key, item.Worst)
	if err == nil {
		booking.resume()
	}
	return booking, err
}

// note notes the outcome of a question in this run: a failed question fails until the run ends.
func (s *Endpoint) note(key string, err error) {
	s.gathering.Lock()
	defer s.gathering.Unlock()
	if s.settled == nil {
		s.settled = map[string]error{}
	}
	s.settled[key] = err
}

// answered reports whether a batch of this run answered a question.
func (s *Endpoint) answered(key string) bool {
	s.gathering.Lock()
	defer s.gathering.Unlock()
	err, ok := s.settled[key]
	return ok && err == nil
}

// checkBatch rejects a batch if the vendor accepts none.
func checkBatch(p Protocol, c reviewer.Call) error {
	if _, ok := p.(BatchProtocol); c.Batch && !ok {
		return errors.New("batch: this provider takes none")
	}
	return nil
}
