package takedown_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/artifacts/takedown"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// naming is a pull request that has an account in every field that can hold one, and bystander beside it where a
// field holds several. id is the accounts' number.
func naming(login, bystander string, id int64) *model.PullRequest {
	account := func(login string) model.Account { return model.Account{Login: login, Type: model.User, ID: id} }
	who, other := account(login), account(bystander)
	says := func(what string) string { return what + " by @" + login + ", then (@" + bystander + ")" }
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	comment := func(id int64, by model.Account) model.Comment {
		return model.Comment{
			ID: id, Author: by, Body: says("comment"), DiffHunk: "@@ -1 +1 @@",
			Edits:     []model.Edit{{At: at, Body: says("first")}, {At: at, Body: says("second")}},
			Reactions: []model.Reaction{{Content: "HEART", Count: 2, By: []model.Account{who, other}}, {Content: "EYES", Count: 1, By: []model.Account{who}}},
		}
	}
	return &model.PullRequest{
		Ref: pull(7), Title: says("title"), Body: says("body"), Author: other, MergedBy: &who,
		Edits:    []model.Edit{{At: at, Body: says("old body")}, {At: at, Body: says("older body")}},
		Renames:  []model.Rename{{At: at, From: says("from"), To: says("to")}, {At: at, From: says("to"), To: says("title")}},
		Reviews:  []model.Review{{ID: 1, Author: who, Body: says("review")}, {ID: 2, Author: other, Body: says("review")}},
		Comments: []model.IssueComment{{ID: 3, Author: who, Body: says("talk")}, {ID: 4, Author: other, Body: says("talk")}},
		Threads: []model.Thread{
			{Path: "a.go", ResolvedBy: &who, Comments: []model.Comment{comment(5, who), comment(6, other)}},
			{Path: "b.go", ResolvedBy: &who, Comments: []model.Comment{comment(7, other), comment(8, who), comment(9, other)}},
			{Path: "c.go", ResolvedBy: &other, Comments: []model.Comment{comment(10, other)}},
		},
	}
}

// keyed gives pseudonyms that keep the name of "robot".
func keyed(t *testing.T) *takedown.Pseudonyms {
	t.Helper()
	p, err := takedown.NewPseudonyms([]byte("0123456789abcdef"), func(login string) bool { return login == "robot" })
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPseudonyms_EveryField(t *testing.T) {
	p := keyed(t)
	in := naming("Mallory", "eve", 99)
	before := text(t, in)
	if diff := cmp.Diff(naming(p.Name("mallory"), p.Name("eve"), 0), p.Pull(in)); diff != "" {
		t.Errorf("not the same with pseudonyms and without numbers:\n%s", diff)
	}
	if text(t, in) != before {
		t.Error("what was given changed")
	}
	if got := p.Pull(&model.PullRequest{Author: model.Account{Login: "eve"}}); got.MergedBy != nil {
		t.Errorf("nobody merged it, not %v", got.MergedBy)
	}
}

// TestPseudonyms_KeepAutomation: rules match the names of automation, and nobody is called ghost or "".
func TestPseudonyms_KeepAutomation(t *testing.T) {
	p := keyed(t)
	for _, login := range []string{"robot", model.GhostLogin, ""} {
		if got := p.Name(login); got != login {
			t.Errorf("%q became %q", login, got)
		}
	}
	if got := p.Text("@robot and @ghost"); got != "@robot and @ghost" {
		t.Errorf("the text became %q", got)
	}
}

// labeled is a candidate whose labels and decisions name an account.
func labeled(pull *model.PullRequest, login string) *model.Candidate {
	found := login + " (registry), " + login + "s, not_" + login + ": by " + login
	return &model.Candidate{
		Pull: pull,
		Labels: &model.Labels{
			Reviewers: []string{login, "robot"},
			Comments: []model.CommentLabel{
				{CommentID: 5, BotBecause: "registry: " + login, Rules: []model.Rule{{ID: "human", Evidence: found}, {ID: "ten_words", Passed: true, Evidence: login}}},
				{CommentID: 6, BotBecause: login, Rules: []model.Rule{{ID: "human", Evidence: "7 words"}}},
			},
		},
		Decisions: []verdict.Decision{
			{Stage: "filter", Verdict: verdict.Verdict{Outcome: verdict.OutcomeReject, Detail: "opened by " + login, Evidence: []verdict.Evidence{{What: "author", Found: found}, {What: "merged by", Found: login}}}},
			{Stage: "label", Verdict: verdict.Verdict{Outcome: verdict.OutcomePass, Detail: login}},
		},
	}
}

// TestPseudonyms_Evidence: each word that is a login becomes a pseudonym; longer words that hold one stay.
func TestPseudonyms_Evidence(t *testing.T) {
	p := keyed(t)
	for _, login := range []string{"Mallory", "a-z", "Z9", "0a", "A_0", "zA", "9z"} { // the ends of the letters and digits
		in := labeled(naming(login, "robot", 99), login)
		before := text(t, in)
		got := p.Candidate(in)
		name := p.Name(login)
		want := labeled(naming(name, "robot", 0), name)
		longer := strings.NewReplacer(name+"s", login+"s", "not_"+name, "not_"+login)
		want.Labels.Comments[0].Rules[0].Evidence = longer.Replace(want.Labels.Comments[0].Rules[0].Evidence)
		want.Decisions[0].Evidence[0].Found = longer.Replace(want.Decisions[0].Evidence[0].Found)
		for i := range want.Decisions { // evidence is never nil afterwards
			want.Decisions[i].Evidence = append([]verdict.Evidence{}, want.Decisions[i].Evidence...)
		}
		want.Pull = p.Pull(in.Pull) // TestPseudonyms_EveryField
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", login, diff)
		}
		if text(t, in) != before {
			t.Errorf("%s: what was given changed", login)
		}
	}
	if got := p.Candidate(&model.Candidate{Pull: naming("a", "b", 1)}); got.Labels != nil {
		t.Error("a candidate without labels has some")
	}
}

// TestPseudonyms_EveryoneInEvidence: an account of the pull request is known from each list alone.
func TestPseudonyms_EveryoneInEvidence(t *testing.T) {
	p := keyed(t)
	mallory := model.Account{Login: "Mallory", Type: model.User}
	for from, in := range map[string]*model.PullRequest{
		"author":  {Author: mallory},
		"review":  {Reviews: []model.Review{{}, {Author: mallory}}},
		"comment": {Comments: []model.IssueComment{{}, {Author: mallory}}},
		"thread":  {Threads: []model.Thread{{}, {Comments: []model.Comment{{}, {Author: mallory}}}}},
	} {
		found := p.Evidence([]verdict.Evidence{{What: "who", Found: "mallory, alone", Limit: "1"}}, in)
		if want := []verdict.Evidence{{What: "who", Found: p.Name("mallory") + ", alone", Limit: "1"}}; !slices.Equal(found, want) {
			t.Errorf("%s: %v", from, found)
		}
	}
	gone := &model.PullRequest{Author: model.Account{Login: "left", Type: model.Ghost}}
	if found := p.Evidence([]verdict.Evidence{{Found: "left"}}, gone); found[0].Found != "left" {
		t.Errorf("the word of a deleted account became %q", found[0].Found)
	}
}

func TestRedact_EveryField(t *testing.T) {
	l := list(t, takedown.Requests{Accounts: []takedown.Entry{{Name: "mallory"}}})
	in := naming("Mallory", "eve", 99)
	before := text(t, in)
	out, keep := l.Redact(in)
	if !keep {
		t.Fatal("the pull request was taken out")
	}
	want := naming("removed", "eve", 99) // the texts; next, the accounts
	want.MergedBy = nil
	want.Reviews, want.Comments, want.Threads = want.Reviews[1:], want.Comments[1:], want.Threads[1:]
	want.Threads[0].ResolvedBy = nil
	want.Threads[0].Comments = slices.Delete(want.Threads[0].Comments, 1, 2)
	for _, thread := range want.Threads {
		for _, c := range thread.Comments {
			c.Reactions[0].By, c.Reactions[1].By = c.Reactions[0].By[1:], []model.Account{}
		}
	}
	if diff := cmp.Diff(want, out); diff != "" {
		t.Errorf("not the same without the account:\n%s", diff)
	}
	if text(t, in) != before {
		t.Error("what was given changed")
	}
}

// TestRedact_PullAndRepository takes a pull request out whole, whatever else is listed.
func TestRedact_PullAndRepository(t *testing.T) {
	in := naming("mallory", "eve", 99)
	for name, r := range map[string]takedown.Requests{
		"pull request": {PullRequests: []takedown.Entry{{Name: "ACME/widget#7"}}},
		"repository":   {Repositories: []takedown.Entry{{Name: "acme/Widget"}}},
		"author":       {Accounts: []takedown.Entry{{Name: "@Eve"}}},
	} {
		if out, keep := list(t, r).Redact(in); keep || out != nil {
			t.Errorf("%s: it stays", name)
		}
	}
	other := list(t, takedown.Requests{PullRequests: []takedown.Entry{{Name: "acme/widget#8"}}})
	if out, keep := other.Redact(in); !keep || out != in {
		t.Error("the takedown of another pull request changed it")
	}
}

func TestScript_TakenDown(t *testing.T) {
	seven := 7
	l := list(t, takedown.Requests{
		PullRequests: []takedown.Entry{{Name: "acme/widget#7"}},
		Repositories: []takedown.Entry{{Name: "acme/gadget"}},
		Scripts:      []takedown.Entry{{Name: "Acme/Lab:run.py"}, {Name: "loose.py"}},
	})
	for want, sources := range map[bool][]model.ScriptSource{
		true: {
			{Repo: "acme/lab", Path: "Run.py"}, {Path: "loose.py"}, {Repo: "Acme/Gadget", Path: "x.py"},
			{Repo: "Acme/Widget", Path: "x.py", PRNumber: &seven},
		},
		false: {
			{Repo: "acme/lab", Path: "walk.py"}, {Path: "run.py"}, {Repo: "acme/lab", Path: "loose.py"},
			{Repo: "acme/widget", Path: "x.py"}, {Repo: "acme/lab", Path: "x.py", PRNumber: &seven},
		},
	} {
		for _, s := range sources {
			if got := l.Script(s); got != want {
				t.Errorf("%+v is taken down: %v, want %v", s, got, want)
			}
		}
	}
	if len(l.Tombstones()) != 4 || l.Empty() || !(&takedown.List{}).Empty() {
		t.Errorf("tombstones %v", l.Tombstones())
	}
}

// TestTombstones_Earlier stay when a dataset is rebuilt, in the order of date and kind; the caller cannot change them.
func TestTombstones_Earlier(t *testing.T) {
	l := list(t, takedown.Requests{
		PullRequests: []takedown.Entry{{Name: "acme/widget#7", Date: "2026-02-01"}},
		Done:         []model.Tombstone{{Date: "2026-02-01", Kind: "account"}, {Date: "2026-01-01", Kind: "script"}},
	})
	want := []model.Tombstone{{Date: "2026-01-01", Kind: "script"}, {Date: "2026-02-01", Kind: "account"}, {Date: "2026-02-01", Kind: "pull_request"}}
	l.Tombstones()[0].Kind = "changed"
	if diff := cmp.Diff(want, l.Tombstones()); diff != "" {
		t.Error(diff)
	}
}
