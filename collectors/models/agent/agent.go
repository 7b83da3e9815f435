// Package agent gets reviews from a program that reads the repository. The program follows ReviewBench's contract: it
// finds the checkout at /work/repo, the change at /work/pr/diff.patch, the pull request at /work/pr/pr.json and RB_*
// variables, and writes its findings to /work/out/findings.json.
//
// It runs in the sandbox for strangers' scripts, in a fresh checkout each time. It reaches only the allowed hosts,
// through our proxy.
package agent

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/collectors/sandbox"
	"github.com/prforge/prforge/internal/reviewer"
)

// contract is the version of a program's input and output. It is part of the key of an answer.
const contract = "agent/1"

// Provider is the provider "agent".
func Provider() models.Provider {
	return models.Provider{
		Name: reviewer.Agent, Asks: true, Check: check,
		Connect: func(m reviewer.Model, env models.Environment) (models.Source, error) {
			return &source{model: m, env: env}, nil
		},
	}
}

// host matches the name of a host that may be allowed: no address, no pattern.
var host = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*$`)

func check(m reviewer.Model) error {
	if len(m.Command) == 0 && m.Container == "" {
		return errors.New("command: an agent needs one")
	}
	if m.Container != "" && !image.MatchString(m.Container) {
		return fmt.Errorf("container: %q is not NAME@sha256:DIGEST", m.Container)
	}
	if len(m.Command) == 0 && (len(m.Allow) > 0 || m.ModelBaseURL != "") {
		return errors.New("command: an agent with a network needs one, also in a container")
	}
	l := m.Limits
	if min(m.TimeoutSeconds, m.Attempts, l.MemoryMB, l.DiskMB, l.Processes, l.OutputMB) < 0 {
		return errors.New("timeout_seconds, attempts and limits are not below 0")
	}
	for _, name := range m.Allow {
		if !host.MatchString(name) {
			return fmt.Errorf("allow: %q is no name of a host in lower case, such as api.example.org", name)
		}
	}
	u, err := url.Parse(m.ModelBaseURL)
	if m.ModelBaseURL != "" && (err != nil || u.Scheme != "https" || !host.MatchString(u.Host)) {
		return fmt.Errorf("model_base_url: %q is no https address without a port", m.ModelBaseURL)
	}
	names := map[string]bool{}
	for name := range m.Settings {
		if v := variable(name); names[v] {
			return fmt.Errorf("settings: %q and another one are both %s", name, v)
		}
		names[variable(name)] = true
	}
	return nil
}

// Ask implements models.Source.
func (s *source) Ask(ctx context.Context, q models.Question) (models.Answer, error) {
	pull, err := reviewer.ReadPull(q.Prompt)
	if err != nil {
		return models.Answer{}, err
	}
	key, err := s.key(pull, q.Sample)
	if err != nil {
		return models.Answer{}, err
	}
	return s.env.Once(key, reviewer.Agent, s.model, func() (models.Answer, error) {
		r, attempts, err := s.review(ctx, q.Task.ID, pull)
		if err != nil {
			return models.Answer{}, err
		}
		return models.Answer{Text: r.text, Usage: r.usage, Attempts: attempts, Log: r.log, Refused: r.refused}, nil
	})
}

// key is the key of a review: all inputs of the program, with the contents of its own folder.
func (s *source) key(pull reviewer.Pull, sample int) (string, error) {
	m := s.model
	return models.Key([]any{
		contract, pull, sample, m.ID, m.Command, m.FolderSHA256, m.Settings, m.Allow, m.ModelBaseURL, m.Env, m.TimeoutSeconds,
		m.Limits, m.Container,
	})
}

// defaultAttempts is how often a program without a review is run.
const defaultAttempts = 2

// review runs the program until it gives a review.
func (s *source) review(ctx context.Context, task string, pull reviewer.Pull) (r *review, attempts int, err error) {
	box, err := s.sandbox(ctx)
	if err != nil {
		return nil, 0, err
	}
	most := s.model.Attempts
	if most == 0 {
		most = defaultAttempts
	}
	for attempts = 1; ; attempts++ {
		r, err = s.attempt(ctx, box, task, pull, attempts)
		var failed *failure
		if attempts == most || !errors.As(err, &failed) {
			return r, attempts, err
		}
		s.env.Log.Info("agent gave no review", "agent", s.model.ID, "task", task, "attempt", attempts, "error", err)
	}
}

// sandbox is the sandbox, found once.
func (s *source) sandbox(ctx context.Context) (*sandbox.Box, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.box != nil {
		return s.box, nil
	}
	way := sandbox.Auto
	if s.model.Container != "" {
		way = sandbox.None // of the engine's client
		if err := s.findEngine(); err != nil {
			return nil, err
		}
	}
	box, err := sandbox.Find(ctx, way, sandbox.Program{Command: []string{"true"}}, s.env.Log)
	if err == nil {
		s.box = box
	}
	return box, err
}
