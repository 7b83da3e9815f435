// Package takedown keeps out of a dataset what must not appear in it: pull requests, repositories and accounts that
// were taken down, account names if pseudonyms are configured, and secrets (reported by kind and position).
//
// A takedown leaves a tombstone with its date and its kind, and nothing else.
package takedown

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/model"
)

// The kinds of tombstones.
const (
	kindPull       = "pull_request"
	kindRepository = "repository"
	kindAccount    = "account"
	kindScript     = "script"
)

// Entry is one request. Date is its day, 2026-04-15.
type Entry struct{ Name, Date string }

// Requests are what must not appear: pull requests as OWNER/NAME#N,
// repositories as OWNER/NAME, accounts by login (with or without "@"), scripts as
// OWNER/NAME:PATH, or by their path where they are of no repository.
type Requests struct {
	PullRequests []Entry
	Repositories []Entry
	Accounts     []Entry
	Scripts      []Entry
	// Done are the tombstones of earlier takedowns, in the raw records of a dataset that is rebuilt.
	Done []model.Tombstone
}

// List answers what is taken down. The zero List takes nothing down. Names are
// compared without case, as GitHub does.
type List struct {
	pulls      map[string]bool
	repos      map[string]bool
	accounts   map[string]bool
	scripts    map[string]bool
	tombstones []model.Tombstone
}

// New checks the requests. An error names the malformed entry.
func New(r Requests) (*List, error) {
	l := &List{pulls: map[string]bool{}, repos: map[string]bool{}, accounts: map[string]bool{}, scripts: map[string]bool{}}
	for _, e := range r.PullRequests {
		ref, err := model.ParsePullRef(e.Name)
		if err != nil {
			return nil, fmt.Errorf("takedown: %w", err)
		}
		l.pulls[fold(ref.String())] = true
		l.bury(kindPull, e)
	}
	for _, e := range r.Repositories {
		ref, err := model.ParseRepoRef(e.Name)
		if err != nil {
			return nil, fmt.Errorf("takedown: %w", err)
		}
		l.repos[fold(ref.String())] = true
		l.bury(kindRepository, e)
	}
	for _, e := range r.Accounts {
		login := strings.TrimPrefix(e.Name, "@")
		if !loginPattern.MatchString(login) {
			return nil, fmt.Errorf("takedown: %q is not an account's login", e.Name)
		}
		l.accounts[fold(login)] = true
		l.bury(kindAccount, e)
	}
	for _, e := range r.Scripts {
		l.scripts[fold(e.Name)] = true
		l.bury(kindScript, e)
	}
	l.tombstones = append(l.tombstones, r.Done...)
	slices.SortFunc(l.tombstones, func(a, b model.Tombstone) int {
		return cmp.Or(cmp.Compare(a.Date, b.Date), cmp.Compare(a.Kind, b.Kind))
	})
	return l, nil
}

var loginPattern = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,99})$`)

func (l *List) bury(kind string, e Entry) {
	l.tombstones = append(l.tombstones, model.Tombstone{Date: e.Date, Kind: kind})
}

func fold(s string) string { return strings.ToLower(s) }

// Tombstones are the lines of audit/tombstones.jsonl, by date and kind.
func (l *List) Tombstones() []model.Tombstone { return slices.Clone(l.tombstones) }

// Empty reports whether nothing is taken down.
func (l *List) Empty() bool { return len(l.tombstones) == 0 }

// Repository reports whether a repository is taken down. Ask for its canonical and its configured name.
func (l *List) Repository(r model.RepoRef) bool { return l.repos[fold(r.String())] }

// Pull reports whether a pull request is taken down, by itself or with its
// repository.
func (l *List) Pull(p model.PullRef) bool {
	return l.pulls[fold(p.String())] || l.Repository(p.Repo)
}

// Account reports whether an account is taken down.
func (l *List) Account(login string) bool { return l.accounts[fold(login)] }

// Script reports whether a script is taken down: by itself, with its repository
// or with the pull request that it came from. A repository that is no OWNER/NAME
// can only be taken down with its path.
func (l *List) Script(s model.ScriptSource) bool {
	name := s.Path
	if s.Repo != "" {
		name = s.Repo + ":" + s.Path
	}
	if l.scripts[fold(name)] || l.repos[fold(s.Repo)] {
		return true
	}
	return s.PRNumber != nil && l.pulls[fold(fmt.Sprintf("%s#%d", s.Repo, *s.PRNumber))]
}

// Redact returns the pull request without what is taken down, and false if none of it may stay: the list has the pull
// request, its repository or its author. It removes threads that a listed account started, and every comment and
// review by one; mentions of one in other texts become "@removed". It does not change its argument, and returns it as
// is if there is nothing to remove.
func (l *List) Redact(p *model.PullRequest) (*model.PullRequest, bool) {
	if l.Pull(p.Ref) || l.Account(p.Author.Login) {
		return nil, false
	}
	if len(l.accounts) == 0 {
		return p, true
	}
	out := *p
	out.Title, out.Body = l.Text(p.Title), l.Text(p.Body)
	out.MergedBy = l.account(p.MergedBy)
	out.Edits, out.Renames = mapEdits(p.Edits, l.Text), mapRenames(p.Renames, l.Text)
	out.Reviews = nil
	for _, r := range p.Reviews {
		if !l.Account(r.Author.Login) {
			r.Body = l.Text(r.Body)
			out.Reviews = append(out.Reviews, r)
		}
	}
	out.Comments = nil
	for _, c := range p.Comments {
		if !l.Account(c.Author.Login) {
			c.Body = l.Text(c.Body)
			out.Comments = append(out.Comments, c)
		}
	}
	out.Threads = nil
	for _, t := range p.Threads {
		if len(t.Comments) > 0 && l.Account(t.Comments[0].Author.Login) {
			continue // replies quote and answer removed text
		}
		out.Threads = append(out.Threads, l.thread(t))
	}
	return &out, true
}

func (l *List) thread(t model.Thread) model.Thread {
	kept := make([]model.Comment, 0, len(t.Comments))
	for _, c := range t.Comments {
		if !l.Account(c.Author.Login) {
			c.Body, c.Edits = l.Text(c.Body), mapEdits(c.Edits, l.Text)
			c.Reactions = l.reactions(c.Reactions)
			kept = append(kept, c)
		}
	}
	t.Comments = kept
	t.ResolvedBy = l.account(t.ResolvedBy)
	return t
}

func (l *List) account(a *model.Account) *model.Account {
	if a == nil || !l.Account(a.Login) {
		return a
	}
	return nil
}

// Text replaces mentions of accounts that are taken down by "@removed".
func (l *List) Text(s string) string {
	return mentions(s, func(login string) string {
		if l.Account(login) {
			return "removed"
		}
		return login
	})
}

// mention matches an @login as GitHub does: not within a word or an address.
var mention = regexp.MustCompile(`(^|[^A-Za-z0-9_/.@+-])@(` + model.Login + `)`)

// mentions replaces the login of every mention.
func mentions(s string, rename func(login string) string) string {
	if !strings.Contains(s, "@") {
		return s
	}
	return mention.ReplaceAllStringFunc(s, func(m string) string {
		at := strings.IndexByte(m, '@')
		return m[:at+1] + rename(m[at+1:])
	})
}

// reactions removes the accounts that are taken down; the count stays.
func (l *List) reactions(in []model.Reaction) []model.Reaction {
	var out []model.Reaction
	for _, r := range in {
		by := []model.Account{}
		for _, a := range r.By {
			if !l.Account(a.Login) {
				by = append(by, a)
			}
		}
		r.By = by
		out = append(out, r)
	}
	return out
}
