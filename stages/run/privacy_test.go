package run

import (
	"strings"
	"testing"

	"github.com/prforge/prforge/artifacts/takedown"
	"github.com/prforge/prforge/internal/model"
)

// history is a fix of #7 whose message names people, and what GitHub says of it.
func history() (*model.LaterHistory, map[string]model.CommitPull) {
	h := &model.LaterHistory{
		Units: map[string]model.Unit{"a": {Subject: "Count (#7)", Body: "For @ann."}},
		Commits: []model.LaterCommit{
			{Oid: "f", Unit: model.Unit{Subject: "Fix the count (#9)", Body: "#7 broke it, says @ann.\n\nSigned-off-by: Ann Other <ann@example.org>"}},
			{Oid: "e", Unit: model.Unit{Subject: "Fix the sum", Body: "#7 broke it."}},
		},
	}
	return h, map[string]model.CommitPull{
		"f": {Number: 9, Body: "Thanks to @ann", Issues: []model.LinkedIssue{{Number: 8, Title: "It fails", Body: "@ann saw it"}}},
		"e": {Number: 10, Title: "Fix the sum"},
	}
}

func TestRedactLater(t *testing.T) {
	ref := model.RepoRef{Owner: "o", Name: "r"}
	session := func(r takedown.Requests) *Session {
		t.Helper()
		list, err := takedown.New(r)
		if err != nil {
			t.Fatal(err)
		}
		return &Session{Takedowns: list}
	}

	t.Run("a fix's pull request, by its number in git or GitHub's", func(t *testing.T) {
		h, texts := history()
		session(takedown.Requests{PullRequests: []takedown.Entry{{Name: "o/r#9", Date: "2026-01-31"}}}).redactLater(ref, h, texts)
		if len(h.Commits) != 1 || h.Commits[0].Oid != "e" || len(texts) != 1 || h.Units["a"].Subject == "" {
			t.Errorf("%+v, %+v", h, texts)
		}
		session(takedown.Requests{PullRequests: []takedown.Entry{{Name: "o/r#10", Date: "2026-01-31"}}}).redactLater(ref, h, texts)
		if len(h.Commits) != 0 || len(texts) != 0 {
			t.Errorf("%+v, %+v", h, texts)
		}
	})
	t.Run("the introducing pull request", func(t *testing.T) {
		h, texts := history()
		session(takedown.Requests{PullRequests: []takedown.Entry{{Name: "o/r#7", Date: "2026-01-31"}}}).redactLater(ref, h, texts)
		if u := h.Units["a"]; u.Subject != "" || u.Body != "" || len(h.Commits) != 2 {
			t.Errorf("%+v", h)
		}
	})
	t.Run("an account", func(t *testing.T) {
		h, texts := history()
		session(takedown.Requests{Accounts: []takedown.Entry{{Name: "ann", Date: "2026-01-31"}}}).redactLater(ref, h, texts)
		for _, text := range []string{h.Units["a"].Body, h.Commits[0].Body, texts["f"].Body, texts["f"].Issues[0].Body} {
			if strings.Contains(text, "@ann") || !strings.Contains(text, "@removed") {
				t.Errorf("%q", text)
			}
		}
	})
	t.Run("pseudonyms, which change nothing when they are made again", func(t *testing.T) {
		s := session(takedown.Requests{})
		var err error
		if s.Pseudonyms, err = takedown.NewPseudonyms([]byte("a key that is long enough"), func(string) bool { return false }); err != nil {
			t.Fatal(err)
		}
		h, texts := history()
		before, _ := history()
		s.redactLater(ref, h, texts)
		name := "@" + s.Pseudonyms.Name("ann")
		if h.Commits[0].Body != "#7 broke it, says "+name+"." || texts["f"].Body != "Thanks to "+name || texts["f"].Issues[0].Body != name+" saw it" {
			t.Errorf("%+v, %+v", h.Commits[0], texts["f"])
		}
		if h.Commits[0].Subject != before.Commits[0].Subject {
			t.Errorf("%q", h.Commits[0].Subject)
		}
	})
}
