package endpoint

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"

	"github.com/prforge/prforge/internal/retry"
	"github.com/prforge/prforge/internal/text"
)

// Request is one request and what depends on its outcome.
type Request struct {
	Method, Path string
	Header       http.Header // beside the server's own
	KeyHeader    string      // that carries the key where the server's configuration names none; "" for Authorization
	Body         []byte
	// Model is the endpoint's name of the model.
	Model string
	// Tokens is what the request counts against a limit of tokens a minute.
	Tokens int
	// Account books each attempt; nil books nothing.
	Account Account
	// Once forbids another attempt: the request must not be executed twice.
	Once bool
	// MaxBody bounds a reply in bytes; 0 for the usual bound.
	MaxBody int
	// Read accepts a reply of status 200, or says why it is unusable.
	Read func(body []byte) error
}

// Identified returns a Request.Read that decodes a reply into into, and rejects one that leaves id, a field of into,
// empty.
func Identified(into any, id *string) func(body []byte) error {
	return func(body []byte) error {
		if err := json.Unmarshal(body, into); err != nil {
			return err
		}
		if *id == "" {
			return errors.New("the reply has no id")
		}
		return nil
	}
}

// Do sends a request until Read accepts the reply, the endpoint refuses for good, or the attempts are used up. This
// is the one layer of retries. It reports how many attempts were made. The error is an *Error if the endpoint fails,
// ErrEnded if it is no longer used, or the error of Account.Begin.
func (s *Server) Do(ctx context.Context, r Request) (attempts int, err error) {
	tries := orDefault(s.config.Attempts, defaultAttempts)
	if r.Once {
		tries = 1
	}
	p := retry.Policy{Attempts: tries, Wait: backoff, MaxWait: maxBackoff, Sleep: s.host.Sleep, Log: s.host.Log}
	return p.Do(ctx, "request to "+s.name, func(ctx context.Context) error {
		o := s.attempt(ctx, r)
		if o.wait <= maxWait {
			s.limiter.pause(o.wait) // the limit is everybody's
		}
		var failed *Error
		switch {
		case o.err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case !errors.As(o.err, &failed) || !passing(failed.Status) || o.wait > maxWait || s.why(r.Model) != "":
			return o.err
		}
		return &retry.Again{Err: o.err, Wait: o.wait}
	})
}

// passing reports whether a failure may be temporary: no reply, an unusable reply of status 200, a limit, a server
// error.
func passing(status int) bool {
	return status == 0 || status == http.StatusOK || status == http.StatusRequestTimeout ||
		status == http.StatusTooManyRequests || status >= 500
}

// refused reports whether an endpoint says that it did nothing.
func refused(status int) bool {
	return status >= 300 && status < 500 && status != http.StatusRequestTimeout
}

// outcome is how an attempt ended.
type outcome struct {
	err  error         // nil where the reply was read
	wait time.Duration // that the server asks for
	sent bool          // it may have reached the endpoint
}

// attempt sends once, within the limits, and books it.
func (s *Server) attempt(ctx context.Context, r Request) outcome {
	if err := s.limiter.acquire(ctx, r.Tokens); err != nil {
		return outcome{err: err}
	}
	defer s.limiter.release()
	if why := s.why(r.Model); why != "" {
		return outcome{err: fmt.Errorf("%w: %s", ErrEnded, why)}
	}
	if r.Account == nil {
		return s.send(ctx, r)
	}
	if err := r.Account.Begin(ctx); err != nil {
		return outcome{err: err}
	}
	o := s.send(ctx, r)
	var failed *Error
	switch errors.As(o.err, &failed); {
	case o.err == nil: // the question settles it, with its answer
	case !o.sent || failed != nil && refused(failed.Status):
		o.err = errors.Join(o.err, r.Account.Refused(o.err.Error()))
	default:
		o.err = errors.Join(o.err, r.Account.Lost(o.err.Error()))
	}
	return o
}

// send makes one request and reads its reply.
func (s *Server) send(ctx context.Context, r Request) (o outcome) {
	ctx, cancel := context.WithTimeout(ctx,
		time.Duration(orDefault(s.config.TimeoutSeconds, defaultTimeoutSeconds))*time.Second)
	defer cancel()
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { o.sent = true }})
	request, err := s.request(ctx, r)
	if err != nil {
		o.err = s.failure(0, err.Error())
		return o
	}
	response, err := s.http.Do(request)
	if err != nil {
		o.err = s.failure(0, err.Error())
		s.noReply(o.err)
		return o
	}
	defer response.Body.Close()
	most := orDefault(r.MaxBody, maxBody)
	data, err := io.ReadAll(io.LimitReader(response.Body, int64(most)+1))
	for _, secret := range s.secrets {
		data = bytes.ReplaceAll(data, []byte(secret), []byte("***")) // an endpoint may send back what it was sent
	}
	switch {
	case err != nil:
		o.err = s.failure(0, err.Error())
		s.noReply(o.err)
		return o
	case len(data) > most:
		o.err = s.failure(http.StatusRequestEntityTooLarge, fmt.Sprintf("the answer is over %d bytes", most))
	case response.StatusCode != http.StatusOK:
		o.err, o.wait = s.failure(response.StatusCode, string(data)), retryAfter(response.Header, s.host.Now())
	default:
		if err := r.Read(data); err != nil {
			o.err = s.failure(http.StatusOK, err.Error())
		}
	}
	s.replied(r.Model, response.StatusCode, data, o.err)
	return o
}

func (s *Server) request(ctx context.Context, r Request) (*http.Request, error) {
	address, err := url.Parse(strings.TrimSuffix(s.config.URL, "/") + r.Path)
	if err != nil {
		return nil, err
	}
	query := address.Query()
	maps.Copy(query, s.query)
	address.RawQuery = query.Encode()
	request, err := http.NewRequestWithContext(ctx, r.Method, address.String(), bytes.NewReader(r.Body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	maps.Copy(request.Header, r.Header)
	for name, value := range s.headers {
		request.Header.Set(name, value)
	}
	switch header := cmp.Or(s.config.KeyHeader, r.KeyHeader); {
	case s.key == "":
	case header == "":
		request.Header.Set("Authorization", "Bearer "+s.key)
	default:
		request.Header.Set(header, s.key)
	}
	return request, nil
}

// failure is an Error with its detail cut short and the key taken out.
func (s *Server) failure(status int, detail string) *Error {
	return &Error{Status: status, Detail: text.Clip(text.OneLine(s.masked(detail)), maxDetail)}
}
