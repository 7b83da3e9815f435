package anthropic

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/collectors/models/endpoint"
)

// batch is the part of a batch that is read.
type batch struct {
	ID     string    `json:"id"`
	Status string    `json:"processing_status"`
	At     time.Time `json:"created_at"`
	Counts struct {
		Processing int `json:"processing"`
		Succeeded  int `json:"succeeded"`
		Errored    int `json:"errored"`
		Canceled   int `json:"canceled"`
		Expired    int `json:"expired"`
	} `json:"request_counts"`
}

func (b batch) requests() int {
	c := b.Counts
	return c.Processing + c.Succeeded + c.Errored + c.Canceled + c.Expired
}

// do sends a request about batches.
func (m messages) do(ctx context.Context, s *endpoint.Server, r endpoint.Request) error {
	r.Header, r.KeyHeader = m.Header(), m.KeyHeader()
	_, err := s.Do(ctx, r)
	return err
}

// Submit implements models.BatchProtocol. A batch carries no mark.
func (m messages) Submit(ctx context.Context, s *endpoint.Server, _ string, requests []models.BatchRequest) (string,
	error) {
	type item struct {
		ID     string          `json:"custom_id"`
		Params json.RawMessage `json:"params"`
	}
	var items []item
	for _, r := range requests {
		items = append(items, item{r.Key, r.Body})
	}
	body, err := json.Marshal(map[string]any{"requests": items})
	if err != nil {
		return "", err
	}
	var b batch
	err = m.do(ctx, s, endpoint.Request{Method: http.MethodPost, Path: "/messages/batches", Model: m.call.Model,
		Body: body, Once: true, Read: endpoint.Identified(&b, &b.ID)})
	return b.ID, err
}

// clockSkew is how far the vendor's clock may be behind ours.
const clockSkew = 5 * time.Minute

// Find implements models.BatchProtocol: the first batch with as many requests since that time. Requests that it does
// not answer are asked again.
func (m messages) Find(ctx context.Context, s *endpoint.Server, _ string, requests int, at time.Time) (string, error) {
	var list struct {
		Data []batch `json:"data"` // the newest first
	}
	err := m.do(ctx, s, endpoint.Request{Method: http.MethodGet, Path: "/messages/batches?limit=100",
		Read: func(body []byte) error { return json.Unmarshal(body, &list) }})
	id := ""
	for _, b := range list.Data {
		if b.requests() == requests && !b.At.Before(at.Add(-clockSkew)) {
			id = b.ID
		}
	}
	return id, err
}

// Results implements models.BatchProtocol.
func (m messages) Results(ctx context.Context, s *endpoint.Server, id string) (map[string]models.BatchReply, bool,
	error) {
	var b batch
	if err := m.do(ctx, s, endpoint.Request{Method: http.MethodGet, Path: "/messages/batches/" + id, Model: id,
		Read: endpoint.Identified(&b, &b.ID)}); err != nil || b.Status != "ended" {
		return nil, false, err
	}
	replies := map[string]models.BatchReply{}
	read := func(body []byte) error { return results(body, replies) }
	err := m.do(ctx, s, endpoint.Request{Method: http.MethodGet, Path: "/messages/batches/" + id + "/results", Model: id,
		MaxBody: endpoint.MaxFile, Read: read})
	return replies, err == nil, err
}

// results reads the results of a batch, a line each.
func results(body []byte, into map[string]models.BatchReply) error {
	for line := range bytes.Lines(body) {
		var r struct {
			ID     string `json:"custom_id"`
			Result struct {
				Type    string          `json:"type"` // succeeded, errored, canceled, expired
				Message json.RawMessage `json:"message"`
				Error   json.RawMessage `json:"error"`
			} `json:"result"`
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		if r.Result.Type == "succeeded" {
			into[r.ID] = models.BatchReply{Body: r.Result.Message}
		} else {
			into[r.ID] = models.BatchReply{Failure: fmt.Sprintf("%s %.200s", r.Result.Type, r.Result.Error)}
		}
	}
	return nil
}
