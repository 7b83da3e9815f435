package stages

import (
	"slices"

	"github.com/prforge/prforge/artifacts/takedown"
	"github.com/prforge/prforge/internal/config"
	"github.com/prforge/prforge/internal/model"
)

// privacy reads the takedown list and the pseudonym key.
func (b *Build) privacy(s *settings) error {
	c := b.Config
	list, err := takedown.New(takedown.Requests{
		PullRequests: requests(c.Takedown.PullRequests), Repositories: requests(c.Takedown.Repositories), Accounts: requests(c.Takedown.Accounts),
	})
	if err != nil {
		return &config.Error{File: c.File, Key: "takedown", Message: err.Error()}
	}
	s.takedowns = list
	if !c.Privacy.Pseudonyms {
		return nil
	}
	s.pseudonyms, err = takedown.NewPseudonyms([]byte(b.Getenv(c.Privacy.KeyEnv)))
	if err != nil {
		return &config.Error{File: c.File, Key: "privacy.key_env", Message: err.Error()}
	}
	return nil
}

func requests(entries []config.TakedownEntry) []takedown.Entry {
	out := make([]takedown.Entry, len(entries))
	for i, e := range entries {
		out[i] = takedown.Entry{Name: e.Name, Date: e.Date.String()}
	}
	return out
}

// redact takes out of a pull request what is on the takedown list: nil where
// nothing of it may stay.
func (s *settings) redact(p *model.PullRequest) *model.PullRequest {
	redacted, _ := s.takedowns.Redact(p)
	return redacted
}

// published is a pull request as raw records show it, or nil where they may
// show it as it is.
func (s *settings) published() func(*model.PullRequest) *model.PullRequest {
	switch {
	case s.pseudonyms != nil:
		return s.pseudonyms.Pull
	case !s.takedowns.Empty():
		return func(p *model.PullRequest) *model.PullRequest { return p }
	}
	return nil
}

// repositories are the configured ones that are not taken down.
func (s *settings) repositories() []model.RepoRef {
	return slices.DeleteFunc(s.config.Refs(), s.takedowns.Repository)
}
