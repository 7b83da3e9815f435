package stages

import (
	"github.com/prforge/prforge/artifacts/takedown"
	"github.com/prforge/prforge/internal/config"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/pipeline"
)

// privacy reads the takedown list and the pseudonym key.
func (s *Session) privacy() error {
	c := s.config
	list, err := takedown.New(takedown.Requests{
		Done:         c.Takedown.Tombstones,
		PullRequests: requests(c.Takedown.PullRequests), Repositories: requests(c.Takedown.Repositories), Accounts: requests(c.Takedown.Accounts),
	})
	if err != nil {
		return &config.Error{File: c.File, Key: "takedown", Message: err.Error()}
	}
	s.takedowns = list
	if !c.Privacy.Pseudonyms || c.Frozen { // the raw records of a dataset have pseudonyms already
		return nil
	}
	s.pseudonyms, err = takedown.NewPseudonyms([]byte(s.Getenv(c.Privacy.KeyEnv)), func(login string) bool {
		_, automation := s.registry.Bot(model.Account{Login: login, Type: model.User})
		return automation
	})
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
func (s *Session) redact(p *model.PullRequest) *model.PullRequest {
	redacted, _ := s.takedowns.Redact(p)
	return redacted
}

// published is a pull request as raw records show it, or nil where they may
// show it as it is.
func (s *Session) published() func(*model.PullRequest) *model.PullRequest {
	switch {
	case s.pseudonyms != nil:
		return s.pseudonyms.Pull
	case !s.takedowns.Empty():
		return func(p *model.PullRequest) *model.PullRequest { return p }
	}
	return nil
}

// pseudonymise replaces account names in the evidence of what was decided about
// a pull request, where the configuration asks for it.
func (s *Session) pseudonymise(t *pipeline.Trail, p *model.PullRequest) {
	if s.pseudonyms == nil || p == nil {
		return
	}
	for i := range t.Decisions {
		t.Decisions[i].Evidence = s.pseudonyms.Evidence(t.Decisions[i].Evidence, p)
	}
}
