package github

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/prforge/prforge/internal/model"
)

func TestFault31And32Accounts(t *testing.T) {
	id := int64(42)
	for _, c := range []struct {
		in   *actor
		want model.Account
	}{
		{nil, model.Account{Login: "ghost", Type: model.Ghost}},
		{&actor{}, model.Account{Login: "ghost", Type: model.Ghost}},
		{&actor{Typename: "User", Login: "ana", User: accountID{&id}}, model.Account{Login: "ana", Type: model.User, ID: 42}},
		{&actor{Typename: "User", Login: "ghost", User: accountID{&id}}, model.Account{Login: "ghost", Type: model.User, ID: 42}},
		// githubv4 gives every fragment the same field: the type must not follow from it.
		{&actor{Typename: "Bot", Login: "dependabot", User: accountID{&id}, Bot: accountID{&id}}, model.Account{Login: "dependabot", Type: model.Bot, ID: 42}},
		{&actor{Typename: "Bot", Login: "dependabot[bot]", Bot: accountID{&id}}, model.Account{Login: "dependabot", Type: model.Bot, ID: 42}},
		{&actor{Typename: "Bot", Login: "app/dependabot"}, model.Account{Login: "dependabot", Type: model.Bot}},
		{&actor{Typename: "Mannequin", Login: "imported"}, model.Account{Login: "imported", Type: model.Mannequin}},
		{&actor{Typename: "Organization", Login: "acme"}, model.Account{Login: "acme", Type: model.Organization}},
		{&actor{Typename: "EnterpriseUserAccount", Login: "e"}, model.Account{Login: "e", Type: model.EnterpriseAccount}},
	} {
		if got := account(c.in); got != c.want {
			t.Errorf("account(%+v) = %+v, want %+v", c.in, got, c.want)
		}
	}
	if userAccount(nil) != nil {
		t.Error("nobody resolved it, and somebody is named")
	}
}

func TestFault31GhostInTheWild(t *testing.T) {
	comments := fromJSON(t, truth(t)[1]).Comments
	if last := comments[len(comments)-1]; !last.Author.IsGhost() || last.Author.Login != model.GhostLogin || last.Body != "bye" {
		t.Errorf("the deleted account's comment is %+v", last)
	}
}

func TestFault34And35And36And37TextIsKept(t *testing.T) {
	long := strings.Repeat("x", 262144)
	h := newHub(t, DefaultOptions(), tamper{answer: func(query string, _ map[string]any) change {
		return func(answer map[string]any) {
			each(answer, func(m map[string]any) {
				if m["title"] != nil {
					m["title"] = "a\u202eb\u200b\U0001F980\x00"
					m["body"] = "one\r\ntwo\r\n\u2028" + long
				}
			})
		}
	}})
	facts, _ := h.collect(t)
	p := fromJSON(t, facts[5])
	if p.Title != "a\u202eb\u200b\U0001F980\x00" || p.Body != "one\r\ntwo\r\n\u2028"+long {
		t.Errorf("title %q, %d bytes of body", p.Title, len(p.Body))
	}
	var lone struct{ Body string }
	if err := json.Unmarshal([]byte(`{"body":"\ud800x"}`), &lone); err != nil || lone.Body != "\ufffdx" {
		t.Errorf("a lone surrogate is %q, %v", lone.Body, err)
	}
}

func TestMomentsAreReadAsWellAsCanBe(t *testing.T) {
	for in, want := range map[string]string{
		`"2026-01-09T10:00:00Z"`:      "2026-01-09T10:00:00Z",
		`"2026-01-09T10:00:00.123Z"`:  "2026-01-09T10:00:00Z",
		`"2026-01-09T12:00:00+02:00"`: "2026-01-09T10:00:00Z",
		`"2026-01-010T10:00:00Z"`:     "2026-01-10T10:00:00Z",
		`"yesterday"`:                 "0001-01-01T00:00:00Z",
		`null`:                        "0001-01-01T00:00:00Z",
	} {
		var m timestamp
		if err := json.Unmarshal([]byte(in), &m); err != nil || m.Format(time.RFC3339) != want {
			t.Errorf("%s is %s, %v; want %s", in, m.Format(time.RFC3339), err, want)
		}
	}
}

func TestBigInts(t *testing.T) {
	for in, want := range map[string]int64{`"12"`: 12, `12`: 12, `null`: 0, `"9007199254740993"`: 9007199254740993} {
		var b bigInt
		if err := b.UnmarshalJSON([]byte(in)); err != nil || int64(b) != want {
			t.Errorf("%s is %d, %v", in, b, err)
		}
	}
	for _, bad := range []string{`"x"`, `"-1"`, `"99999999999999999999"`, `{}`} {
		var b bigInt
		if err := b.UnmarshalJSON([]byte(bad)); err == nil {
			t.Errorf("%s is %d", bad, b)
		}
	}
}

func TestListsAreInOrder(t *testing.T) {
	p := fromJSON(t, truth(t)[1])
	shuffled := *p
	for i := range shuffled.Threads {
		j := (i*7 + 3) % len(shuffled.Threads)
		shuffled.Threads[i], shuffled.Threads[j] = shuffled.Threads[j], shuffled.Threads[i]
	}
	for i := range shuffled.Reviews {
		j := (i*5 + 1) % len(shuffled.Reviews)
		shuffled.Reviews[i], shuffled.Reviews[j] = shuffled.Reviews[j], shuffled.Reviews[i]
	}
	order(&shuffled)
	if a, b := toJSON(t, &shuffled), truth(t)[1]; a != b {
		t.Errorf("the order depends on how they came:\n%s\nwant\n%s", a, b)
	}
}
