package run

import (
	"slices"

	"github.com/prforge/prforge/artifacts/takedown"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/scoring/fixes"
	"github.com/prforge/prforge/stages/config"
)

// privacy reads the takedown list and the pseudonym key.
func (s *Session) privacy() error {
	c := s.Config
	list, err := takedown.New(takedown.Requests{
		Done:         c.Takedown.Tombstones,
		PullRequests: TakedownRequests(c.Takedown.PullRequests), Repositories: TakedownRequests(c.Takedown.Repositories),
		Accounts: TakedownRequests(c.Takedown.Accounts),
	})
	if err != nil {
		return &config.Error{File: c.File, Key: "takedown", Message: err.Error()}
	}
	s.Takedowns = list
	if !c.Privacy.Pseudonyms || c.Frozen { // the raw records of a dataset have pseudonyms already
		return nil
	}
	s.Pseudonyms, err = takedown.NewPseudonyms([]byte(s.Getenv(c.Privacy.KeyEnv)), func(login string) bool {
		_, automation := s.Registry.Bot(model.Account{Login: login, Type: model.User})
		return automation
	})
	if err != nil {
		return &config.Error{File: c.File, Key: "privacy.key_env", Message: err.Error()}
	}
	return nil
}

// TakedownRequests are the takedown list of a configuration, in the form that its reader expects.
func TakedownRequests(entries []config.TakedownEntry) []takedown.Entry {
	out := make([]takedown.Entry, len(entries))
	for i, e := range entries {
		out[i] = takedown.Entry{Name: e.Name, Date: e.Date.String()}
	}
	return out
}

// redact removes from a pull request what is on the takedown list; nil if none of it may stay.
func (s *Session) redact(p *model.PullRequest) *model.PullRequest {
	redacted, _ := s.Takedowns.Redact(p)
	return redacted
}

// redactLater removes pull requests and accounts that were taken down from a later history and from what GitHub says
// of its commits, and account names if pseudonyms are configured: with these also the trailers that name people.
func (s *Session) redactLater(ref model.RepoRef, h *model.LaterHistory, texts map[string]model.CommitPull) {
	hidden := func(oid string, u model.Unit) bool {
		u.Pull = texts[oid]
		return s.Takedowns.Pull(model.PullRef{Repo: ref, Number: fixes.Number(u)})
	}
	text := s.Takedowns.Text
	if s.Pseudonyms != nil {
		text = func(body string) string { return s.Pseudonyms.Text(s.Takedowns.Text(fixes.WithoutTrailers(body))) }
	}
	h.Commits = slices.DeleteFunc(h.Commits, func(c model.LaterCommit) bool { return hidden(c.Oid, c.Unit) })
	for i := range h.Commits {
		c := &h.Commits[i]
		c.Subject, c.Body = text(c.Subject), text(c.Body)
	}
	for oid, u := range h.Units {
		if hidden(oid, u) {
			h.Units[oid] = model.Unit{At: u.At}
			continue
		}
		u.Subject, u.Body = text(u.Subject), text(u.Body)
		h.Units[oid] = u
	}
	for oid, p := range texts {
		if s.Takedowns.Pull(model.PullRef{Repo: ref, Number: p.Number}) {
			delete(texts, oid)
			continue
		}
		p.Title, p.Body = text(p.Title), text(p.Body)
		p.Issues = slices.Clone(p.Issues)
		for i := range p.Issues {
			p.Issues[i].Title, p.Issues[i].Body = text(p.Issues[i].Title), text(p.Issues[i].Body)
		}
		texts[oid] = p
	}
}

// Published is a pull request as raw records show it; nil if they may show it unchanged.
func (s *Session) Published() func(*model.PullRequest) *model.PullRequest {
	switch {
	case s.Pseudonyms != nil:
		return s.Pseudonyms.Pull
	case !s.Takedowns.Empty():
		return func(p *model.PullRequest) *model.PullRequest { return p }
	}
	return nil
}

// pseudonymise replaces account names in the evidence of a pull request's decisions, if the configuration asks for
// it.
func (s *Session) pseudonymise(t *pipeline.Trail, p *model.PullRequest) {
	if s.Pseudonyms == nil || p == nil {
		return
	}
	for i := range t.Decisions {
		t.Decisions[i].Evidence = s.Pseudonyms.Evidence(t.Decisions[i].Evidence, p)
	}
}
