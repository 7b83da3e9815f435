package takedown

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// minKey is the minimum length of a pseudonym key, in bytes: a shorter one could be guessed, and with it every name.
const minKey = 16

// Pseudonyms replaces account names. An account has the same pseudonym wherever it appears and in every dataset made
// with the same key. Nobody without the key can reverse a pseudonym or test names.
//
// Automation keeps its name: it is not a person, and rules that match its name must work on a dataset's records as on
// GitHub's.
type Pseudonyms struct {
	key  []byte
	keep func(login string) bool
}

// NewPseudonyms rejects a key shorter than minKey bytes. keep says which accounts are automation.
func NewPseudonyms(key []byte, keep func(login string) bool) (*Pseudonyms, error) {
	if len(key) < minKey {
		return nil, errors.New("the key for pseudonyms must have at least 16 bytes")
	}
	return &Pseudonyms{key: append([]byte(nil), key...), keep: keep}, nil
}

// Name is an account's pseudonym: "u-" and 16 hexadecimal digits of an HMAC-SHA256 of the login in lower case. The
// ghost account keeps its name, because it is nobody's.
func (p *Pseudonyms) Name(login string) string {
	if login == "" || login == model.GhostLogin || p.keep(login) {
		return login
	}
	mac := hmac.New(sha256.New, p.key)
	mac.Write([]byte(strings.ToLower(login)))
	return "u-" + hex.EncodeToString(mac.Sum(nil))[:16]
}

// Text replaces the login in every @mention by its pseudonym.
func (p *Pseudonyms) Text(s string) string { return mentions(s, p.Name) }

// Pull returns a copy of a pull request without account names: in authors and in mentions, the only fields with
// logins. Code (diffs, hunks) stays unchanged, so that it still applies. Numeric account ids are dropped.
//
// Labeling needs the real names; later stages do not.
func (p *Pseudonyms) Pull(in *model.PullRequest) *model.PullRequest {
	out := *in
	out.Title, out.Body = p.Text(in.Title), p.Text(in.Body)
	out.Author = p.account(in.Author)
	out.MergedBy = p.maybe(in.MergedBy)
	out.Edits, out.Renames = mapEdits(in.Edits, p.Text), mapRenames(in.Renames, p.Text)
	out.Reviews = nil
	for _, r := range in.Reviews {
		r.Author, r.Body = p.account(r.Author), p.Text(r.Body)
		out.Reviews = append(out.Reviews, r)
	}
	out.Comments = nil
	for _, c := range in.Comments {
		c.Author, c.Body = p.account(c.Author), p.Text(c.Body)
		out.Comments = append(out.Comments, c)
	}
	out.Threads = nil
	for _, t := range in.Threads {
		kept := make([]model.Comment, 0, len(t.Comments))
		for _, c := range t.Comments {
			c.Author, c.Body = p.account(c.Author), p.Text(c.Body)
			c.Edits, c.Reactions = mapEdits(c.Edits, p.Text), p.reactions(c.Reactions)
			kept = append(kept, c)
		}
		t.Comments, t.ResolvedBy = kept, p.maybe(t.ResolvedBy)
		out.Threads = append(out.Threads, t)
	}
	return &out
}

// Candidate returns a copy of a labeled candidate without account names, for rendering and writing. A login in the
// evidence becomes its pseudonym.
func (p *Pseudonyms) Candidate(in *model.Candidate) *model.Candidate {
	out := *in
	out.Pull = p.Pull(in.Pull)
	known := logins(in.Pull)
	if in.Labels != nil {
		labels := *in.Labels
		labels.Reviewers = nil
		for _, r := range in.Labels.Reviewers {
			labels.Reviewers = append(labels.Reviewers, p.Name(r))
		}
		labels.Comments = nil
		for _, c := range in.Labels.Comments {
			c.BotBecause = p.replace(c.BotBecause, known)
			rules := make([]model.Rule, len(c.Rules))
			for i, r := range c.Rules {
				r.Evidence = p.replace(r.Evidence, known)
				rules[i] = r
			}
			c.Rules = rules
			labels.Comments = append(labels.Comments, c)
		}
		out.Labels = &labels
	}
	out.Decisions = nil
	for _, d := range in.Decisions {
		d.Detail = p.replace(d.Detail, known)
		d.Evidence = p.Evidence(d.Evidence, in.Pull)
		out.Decisions = append(out.Decisions, d)
	}
	return &out
}

// Evidence returns a copy whose findings repeat no login of the pull request.
func (p *Pseudonyms) Evidence(in []verdict.Evidence, pull *model.PullRequest) []verdict.Evidence {
	known := logins(pull)
	out := make([]verdict.Evidence, len(in))
	for i, e := range in {
		e.Found = p.replace(e.Found, known)
		out[i] = e
	}
	return out
}

// replace replaces the words of a short text that are known logins by pseudonyms.
func (p *Pseudonyms) replace(s string, known map[string]bool) string {
	var b strings.Builder
	for len(s) > 0 {
		n := 0
		for n < len(s) && wordByte(s[n]) {
			n++
		}
		if word := s[:n]; known[fold(word)] {
			b.WriteString(p.Name(word))
		} else {
			b.WriteString(word)
		}
		if n < len(s) {
			b.WriteByte(s[n])
			n++
		}
		s = s[n:]
	}
	return b.String()
}

func wordByte(c byte) bool {
	return c == '-' || c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// logins are all accounts of a pull request, in lower case.
func logins(p *model.PullRequest) map[string]bool {
	out := map[string]bool{}
	add := func(a model.Account) {
		if a.Login != "" && !a.IsGhost() {
			out[fold(a.Login)] = true
		}
	}
	add(p.Author)
	for _, r := range p.Reviews {
		add(r.Author)
	}
	for _, c := range p.Comments {
		add(c.Author)
	}
	for _, t := range p.Threads {
		for _, c := range t.Comments {
			add(c.Author)
		}
	}
	return out
}

func (p *Pseudonyms) account(a model.Account) model.Account {
	return model.Account{Login: p.Name(a.Login), Type: a.Type}
}

func (p *Pseudonyms) maybe(a *model.Account) *model.Account {
	if a == nil {
		return nil
	}
	b := p.account(*a)
	return &b
}

// reactions gives the accounts their pseudonyms.
func (p *Pseudonyms) reactions(in []model.Reaction) []model.Reaction {
	var out []model.Reaction
	for _, r := range in {
		by := []model.Account{}
		for _, a := range r.By {
			by = append(by, p.account(a))
		}
		r.By = by
		out = append(out, r)
	}
	return out
}
