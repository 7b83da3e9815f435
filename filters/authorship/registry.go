package authorship

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/prforge/prforge/internal/model"
)

//go:embed data/accounts.yaml
var accountsYAML []byte

// New reads the curated data files and adds the options. An extra login that is
// empty or holds white space is an error.
func New(o Options) (*Registry, error) {
	curated, err := readAccounts(accountsYAML)
	if err != nil {
		return nil, err
	}
	phrases, err := readPhrases(phrasesYAML)
	if err != nil {
		return nil, err
	}
	r := &Registry{entries: map[string]Entry{}, phrases: phrases, text: o.Text}
	if r.text == (TextOptions{}) {
		r.text = defaultTextOptions()
	}
	for _, e := range curated {
		e.Curated = true
		for _, login := range append([]string{e.Login}, e.Aliases...) {
			r.entries[normalize(login)] = e
		}
	}
	for kind, logins := range map[Kind][]string{Automation: o.ExtraAutomation, AIReview: o.ExtraAIReview} {
		for _, login := range logins {
			key := normalize(login)
			if key == "" || strings.ContainsAny(key, " \t\r\n") {
				return nil, fmt.Errorf("extra %s account %q is not a login", kind, login)
			}
			if _, listed := r.entries[key]; !listed {
				r.entries[key] = Entry{Login: login, Kind: kind, Source: "configuration"}
			}
		}
	}
	return r, nil
}

func readAccounts(data []byte) ([]Entry, error) {
	var file struct {
		Accounts []Entry `yaml:"accounts"`
	}
	if err := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(&file); err != nil {
		return nil, fmt.Errorf("read the registry of accounts: %w", err)
	}
	seen := map[string]bool{}
	for _, e := range file.Accounts {
		for _, login := range append([]string{e.Login}, e.Aliases...) {
			if err := checkEntry(login, e.Source, e.Date, seen); err != nil {
				return nil, fmt.Errorf("read the registry of accounts: %w", err)
			}
		}
		if !slices.Contains([]Kind{Automation, Dependency, AIReview}, e.Kind) {
			return nil, fmt.Errorf("read the registry of accounts: %s has the unknown kind %q", e.Login, e.Kind)
		}
	}
	return file.Accounts, nil
}

// Bot reports whether an account is a bot: GitHub says so, its login ends in
// "[bot]" or has "bot" as a word, or the registry lists it. A deleted account
// and a mannequin (an identity imported from elsewhere) never are. The
// registry comes first, because only it knows the kind.
func (r *Registry) Bot(a model.Account) (Bot, bool) {
	if a.Type == model.Ghost || a.Type == model.Mannequin {
		return Bot{}, false
	}
	login := normalize(a.Login)
	if e, ok := r.entries[login]; ok && !(e.Generic && a.Type == model.User) {
		return Bot{Kind: e.Kind, Because: "registry: " + e.Login}, true
	}
	switch {
	case a.Type == model.Bot:
		return Bot{Kind: Unlisted, Because: "type"}, true
	case strings.HasSuffix(strings.ToLower(a.Login), "[bot]"):
		return Bot{Kind: Unlisted, Because: "suffix"}, true
	case slices.Contains(strings.FieldsFunc(login, isSeparator), "bot"):
		return Bot{Kind: Unlisted, Because: "word"}, true
	}
	return Bot{}, false
}

// isSeparator splits a login into words.
func isSeparator(r rune) bool { return r == '-' || r == '_' || r == '.' }

// list lists the registry by login, each account once.
func (r *Registry) list() []Entry {
	var list []Entry
	seen := map[string]bool{}
	for _, e := range r.entries {
		if key := normalize(e.Login); !seen[key] {
			seen[key] = true
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b Entry) int { return strings.Compare(normalize(a.Login), normalize(b.Login)) })
	return list
}

// Unmatched returns the entries that no login of a run matched, by login: in a
// large run a sign of a misspelled or retired account. Give it every login seen.
func (r *Registry) Unmatched(seen []string) []Entry {
	matched := map[string]bool{}
	for _, login := range seen {
		if e, ok := r.entries[normalize(login)]; ok {
			matched[normalize(e.Login)] = true
		}
	}
	return slices.DeleteFunc(r.list(), func(e Entry) bool { return matched[normalize(e.Login)] })
}
