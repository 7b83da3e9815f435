package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"time"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/collectors/models/endpoint"
)

// batch is the part of a batch that is read.
type batch struct {
	ID       string            `json:"id"`
	Status   string            `json:"status"`
	Output   string            `json:"output_file_id"`
	Failed   string            `json:"error_file_id"`
	Metadata map[string]string `json:"metadata"`
	Errors   struct {
		Data []struct {
			Message string `json:"message"`
		} `json:"data"`
	} `json:"errors"`
}

// markKey is the key of our mark in a batch's metadata.
const markKey = "prforge"

// Submit implements models.BatchProtocol: the requests go up as a file, and a
// batch of that file is made.
func (c chat) Submit(ctx context.Context, s *endpoint.Server, mark string, requests []models.BatchRequest) (string,
	error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if err := form.WriteField("purpose", "batch"); err != nil {
		return "", err
	}
	file, err := form.CreateFormFile("file", "requests.jsonl")
	if err != nil {
		return "", err
	}
	lines := json.NewEncoder(file)
	for _, r := range requests {
		line := struct {
			ID     string          `json:"custom_id"`
			Method string          `json:"method"`
			URL    string          `json:"url"`
			Body   json.RawMessage `json:"body"`
		}{r.Key, http.MethodPost, "/v1" + c.Path(), r.Body}
		if err := lines.Encode(line); err != nil {
			return "", err
		}
	}
	if err := form.Close(); err != nil {
		return "", err
	}
	var uploaded batch
	upload := endpoint.Request{Method: http.MethodPost, Path: "/files", Model: c.call.Model, Body: body.Bytes(),
		Header: http.Header{"Content-Type": {form.FormDataContentType()}}, Read: endpoint.Identified(&uploaded, &uploaded.ID)}
	if _, err := s.Do(ctx, upload); err != nil {
		return "", fmt.Errorf("send the file of requests: %w", err)
	}
	made, err := json.Marshal(map[string]any{
		"input_file_id": uploaded.ID, "endpoint": "/v1" + c.Path(), "completion_window": "24h",
		"metadata": map[string]string{markKey: mark},
	})
	if err != nil {
		return "", err
	}
	var b batch
	_, err = s.Do(ctx, endpoint.Request{Method: http.MethodPost, Path: "/batches", Model: c.call.Model, Body: made,
		Once: true, Read: endpoint.Identified(&b, &b.ID)})
	return b.ID, err
}

// Find implements models.BatchProtocol.
func (chat) Find(ctx context.Context, s *endpoint.Server, mark string, _ int, _ time.Time) (string, error) {
	var list struct {
		Data []batch `json:"data"`
	}
	_, err := s.Do(ctx, endpoint.Request{Method: http.MethodGet, Path: "/batches?limit=100",
		Read: func(body []byte) error { return json.Unmarshal(body, &list) }})
	for _, b := range list.Data {
		if b.Metadata[markKey] == mark {
			return b.ID, err
		}
	}
	return "", err
}

// Results implements models.BatchProtocol.
func (chat) Results(ctx context.Context, s *endpoint.Server, id string) (map[string]models.BatchReply, bool, error) {
	var b batch
	if _,
		err := s.Do(ctx, endpoint.Request{Method: http.MethodGet, Path: "/batches/" + id, Model: id,
		Read: endpoint.Identified(&b, &b.ID)}); err != nil {
		return nil, false, err
	}
	switch b.Status {
	case "failed":
		why := "the batch failed"
		if len(b.Errors.Data) > 0 {
			why += ": " + b.Errors.Data[0].Message
		}
		return map[string]models.BatchReply{"": {Failure: why}}, true, nil
	case "completed", "expired", "cancelled": //nolint:misspell // OpenAI's word
	default:
		return nil, false, nil
	}
	replies := map[string]models.BatchReply{}
	for _, file := range []string{b.Output, b.Failed} {
		if file == "" {
			continue
		}
		read := func(body []byte) error { return results(body, replies) }
		if _,
			err := s.Do(ctx, endpoint.Request{Method: http.MethodGet, Path: "/files/" + file + "/content", Model: id,
			MaxBody: endpoint.MaxFile, Read: read}); err != nil {
			return nil, false, fmt.Errorf("read the results: %w", err)
		}
	}
	return replies, true, nil
}

// results reads a file of results.
func results(body []byte, into map[string]models.BatchReply) error {
	for line := range bytes.Lines(body) {
		var r struct {
			ID       string `json:"custom_id"`
			Response *struct {
				Status int             `json:"status_code"`
				Body   json.RawMessage `json:"body"`
			} `json:"response"`
			Error *struct {
				Code    string `json:"code"`
				Message string `json:"message"`
			} `json:"error"`
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		switch {
		case r.Error != nil:
			into[r.ID] = models.BatchReply{Failure: r.Error.Code + ": " + r.Error.Message}
		case r.Response == nil:
			into[r.ID] = models.BatchReply{Failure: "no response"}
		case r.Response.Status != http.StatusOK:
			into[r.ID] = models.BatchReply{Failure: fmt.Sprintf("status %d: %.200s", r.Response.Status, r.Response.Body)}
		default:
			into[r.ID] = models.BatchReply{Body: r.Response.Body}
		}
	}
	return nil
}
