package takedown_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/artifactstest"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/takedown"
	"github.com/prforge/prforge/internal/model"
)

func list(t *testing.T, r takedown.Requests) *takedown.List {
	t.Helper()
	l, err := takedown.New(r)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func pull(n int) model.PullRef {
	return model.PullRef{Repo: model.RepoRef{Owner: "acme", Name: "widget"}, Number: n}
}

func TestList(t *testing.T) {
	l := list(t, takedown.Requests{
		PullRequests: []takedown.Entry{{Name: "Acme/Widget#7", Date: "2026-02-01"}},
		Repositories: []takedown.Entry{{Name: "acme/gadget", Date: "2026-01-01"}},
		Accounts:     []takedown.Entry{{Name: "@Bob", Date: "2026-03-01"}},
	})
	gadget := model.RepoRef{Owner: "ACME", Name: "Gadget"}
	if !l.Pull(pull(7)) || l.Pull(pull(8)) || !l.Repository(gadget) || !l.Pull(model.PullRef{Repo: gadget, Number: 1}) || !l.Account("bob") || l.Account("bobby") {
		t.Error("the list does not answer what it was given")
	}
	want := []model.Tombstone{{Date: "2026-01-01", Kind: "repository"}, {Date: "2026-02-01", Kind: "pull_request"}, {Date: "2026-03-01", Kind: "account"}}
	if diff := cmp.Diff(want, l.Tombstones()); diff != "" {
		t.Error(diff)
	}
	for _, r := range []takedown.Requests{
		{PullRequests: []takedown.Entry{{Name: "acme/widget"}}}, {Repositories: []takedown.Entry{{Name: "widget"}}}, {Accounts: []takedown.Entry{{Name: "a b"}}},
	} {
		if _, err := takedown.New(r); err == nil {
			t.Errorf("%+v was accepted", r)
		}
	}
}

// TestRedact proves that nothing of a listed account stays, and that what is
// given is not changed.
func TestRedact(t *testing.T) {
	l := list(t, takedown.Requests{Accounts: []takedown.Entry{{Name: "bob"}, {Name: "zoe"}}})
	in := artifactstest.Candidates()[0].Pull
	in.Threads[2].Comments[0].Body = "as @bob and @Zoe said, not bob@example.org or `x@bob`"
	in.MergedBy = &model.Account{Login: "bob", Type: model.User}
	in.Reviews = []model.Review{{Author: model.Account{Login: "bob"}}, {Author: model.Account{Login: "eve"}, Body: "thanks @bob"}}
	in.Comments = []model.IssueComment{{Author: model.Account{Login: "ZOE"}}, {Author: model.Account{Login: "eve"}, Body: "(@zoe)"}}
	before := text(t, in)
	out, keep := l.Redact(in)
	if !keep {
		t.Fatal("the pull request was taken out")
	}
	if text(t, in) != before {
		t.Error("what was given changed")
	}
	after := text(t, out)
	for _, left := range []string{`"bob"`, `"ZOE"`, "@bob ", "@Zoe", "(@zoe)"} {
		if strings.Contains(after, left) {
			t.Errorf("%s stays in %s", left, after)
		}
	}
	if !strings.Contains(after, "bob@example.org or `x@bob`") || !strings.Contains(after, "@removed and @removed said") {
		t.Errorf("mentions: %s", after)
	}
	if len(out.Reviews) != 1 || len(out.Comments) != 1 || out.MergedBy != nil {
		t.Errorf("%d reviews, %d comments, merged by %v", len(out.Reviews), len(out.Comments), out.MergedBy)
	}
	managed := list(t, takedown.Requests{Accounts: []takedown.Entry{{Name: "bob_acme"}, {Name: "zoe"}}})
	in.Comments[1].Body = "@bob_acme, @zoe_acme and _@zoe_"
	if out, _ := managed.Redact(in); out.Comments[0].Body != "@removed, @zoe_acme and _@zoe_" {
		t.Errorf("accounts that an enterprise manages: %s", out.Comments[0].Body)
	}
	if n := managed.Named("@bob_acme and github.com/bob_acme/x, not @zoe_acme", nil, in); n != 1 {
		t.Errorf("%d accounts named", n)
	}
	own := list(t, takedown.Requests{Accounts: []takedown.Entry{{Name: "ANN"}}})
	if _, keep := own.Redact(in); keep {
		t.Error("a pull request by a listed account stays")
	}
	if same, keep := (&takedown.List{}).Redact(in); same != in || !keep {
		t.Error("the empty list changed something")
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestPseudonyms freezes the sample with pseudonyms and looks for a name in any
// file.
func TestPseudonyms(t *testing.T) {
	key := []byte("0123456789abcdef")
	p, err := takedown.NewPseudonyms(key, nobody)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := takedown.NewPseudonyms(key[:15], nobody); err == nil {
		t.Error("a short key was accepted")
	}
	if p.Name("Bob") != p.Name("bob") || p.Name("bob") == p.Name("eve") || p.Name("ghost") != "ghost" || len(p.Name("bob")) != 18 {
		t.Errorf("names: %s %s %s", p.Name("Bob"), p.Name("bob"), p.Name("eve"))
	}
	other, err := takedown.NewPseudonyms([]byte("another key of 16"), nobody)
	if err != nil {
		t.Fatal(err)
	}
	if other.Name("bob") == p.Name("bob") {
		t.Error("another key gives the same name")
	}
	tasks := artifactstest.TasksOf(func(c *model.Candidate) *model.Candidate {
		before := text(t, c.Pull)
		out := p.Candidate(c)
		if len(out.Labels.Reviewers) != len(c.Labels.Reviewers) || slices.Contains(out.Labels.Reviewers, c.Labels.Reviewers[0]) {
			t.Errorf("reviewers %v", out.Labels.Reviewers)
		}
		if text(t, c.Pull) != before {
			t.Error("what was given changed")
		}
		return out
	})
	dir := filepath.Join(t.TempDir(), "out")
	if err := freeze.Freeze(t.Context(), dir, artifactstest.Dataset(tasks)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{artifacts.FileRecords, artifacts.FileAnnotation("widget__1"), artifacts.FileEvidence("widget__1"), artifacts.FileContext("config_C", "widget__1")} {
		b, err := load.ReadBytes(dir, path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"bob", `"eve"`, "coderabbitai", `"ann"`, "@ann", "by ann"} {
			if bytes.Contains(b, []byte(name)) {
				t.Errorf("%s holds %s", path, name)
			}
		}
		if path == artifacts.FileRecords && !bytes.Contains(b, []byte("Thanks @"+p.Name("bob"))) {
			t.Error("the mention has no pseudonym")
		}
	}
}

// TestSecrets is made of parts, so that no scanner takes this file for a leak.
func TestSecrets(t *testing.T) {
	letters := strings.Repeat("aB3x", 30)
	for kind, sample := range map[string]string{
		"github-token":              "gh" + "p_" + letters[:36],
		"github-fine-grained-token": "github" + "_pat_" + letters[:82],
		"gitlab-token":              "gl" + "pat-" + letters[:20],
		"aws-access-key":            "AK" + "IA" + "ABCDEFGHIJKLMNOP",
		"google-api-key":            "AI" + "za" + letters[:35],
		"slack-token":               "xo" + "xb-" + "123456789012-" + letters[:24],
		"stripe-key":                "sk_" + "live_" + letters[:24],
		"npm-token":                 "np" + "m_" + letters[:36],
		"pypi-token":                "pypi-" + "AgEI" + letters[:60],
		"hugging-face-token":        "h" + "f_" + strings.Repeat("aBcD", 9)[:34],
		"openai-key":                "s" + "k-proj-" + letters[:30] + "T3Blbk" + "FJ" + letters[:30],
		"anthropic-key":             "s" + "k-ant-api03-" + letters[:90],
		"private-key":               "-----BEGIN RSA PRIVATE " + "KEY-----\\n" + letters[:64],
		"json-web-token":            "ey" + "J" + letters[:20] + ".ey" + "J" + letters[:20] + "." + letters[:40],
	} {
		if got := takedown.Secrets("+ token = \"" + sample + "\"\n"); !slices.Equal(got, []string{kind}) {
			t.Errorf("%s: found %v", kind, got)
		}
	}
	for _, text := range []string{"", "ghp_short", "-----BEGIN PRIVATE KEY----- (see docs)", strings.Repeat("0123456789abcdef", 4), "github_pat_", "AKIA", "eyJ.eyJ."} {
		if got := takedown.Secrets(text); len(got) > 0 {
			t.Errorf("%q: found %v", text, got)
		}
	}
	token := "gh" + "p_" + letters[:36]
	for _, noise := range []int{0, 1, 2000, 2047, 2048, 2049, 4095, 4096, 4097, 9000} { // wherever it stands after a false start
		if text := "ghp_ " + strings.Repeat("x", noise) + " " + token; len(takedown.Secrets(text)) != 1 {
			t.Errorf("not found after %d bytes", noise)
		}
	}
	if got := takedown.Secrets(strings.Repeat("sk-", 1<<17) + strings.Repeat("eyJ", 1<<17)); len(got) > 0 {
		t.Errorf("found %v in noise", got)
	}
}

func nobody(string) bool { return false }

// TestNamed finds the hidden accounts that code names: those taken down, and with
// pseudonyms those of the pull request; never automation, never what only looks alike.
func TestNamed(t *testing.T) {
	names, err := takedown.NewPseudonyms([]byte("0123456789abcdef"), func(login string) bool { return login == "robot" })
	if err != nil {
		t.Fatal(err)
	}
	p := &model.PullRequest{
		Author:  model.Account{Login: "YuryShkoda"},
		Reviews: []model.Review{{Author: model.Account{Login: "ann"}}, {Author: model.Account{Login: "robot"}}},
	}
	l := list(t, takedown.Requests{Accounts: []takedown.Entry{{Name: "bob", Date: "2026-03-01"}}})
	for text, want := range map[string]struct{ hidden, down int }{
		"+by [@YuryShkoda](https://github.com/YuryShkoda)":   {1, 0},
		"+thanks to @ann and @YuryShkoda":                    {2, 0},
		"+see https://GitHub.com/Ann/repo":                   {1, 0},
		"+# @bob wrote this":                                 {1, 1},
		"+@annotation\n+@robot\n+ann = 1\n+ann@example.org ": {0, 0},
	} {
		if hidden, down := l.Named(text, names, p), l.Named(text, nil, p); hidden != want.hidden || down != want.down {
			t.Errorf("%q: %d with pseudonyms, %d without, want %v", text, hidden, down, want)
		}
	}
}
