package fakegithub

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// small is a world with one pull request that holds an outdated, a deleted-side,
// a context, a far-away, a file and a dropped-file thread.
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
%line[resolved=ana,edited] a.py = three = 3 ... four
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
		"acme/widget/2.txtar":    {Data: []byte("title: Say more\nauthor: helper-app\ncreated: 2026-01-06\nmethod: open\n-- 1 write notes.md --\nhello you\n")},
		"acme/secret/repo.txtar": {Data: []byte("id: 8\ncreated: 2025-01-01\naccess: hidden\n-- a --\na\n")},
		"acme/taken/repo.txtar":  {Data: []byte("id: 9\ncreated: 2025-01-01\naccess: blocked\n-- a --\na\n")},
		"acme/empty/repo.txtar":  {Data: []byte("id: 10\ncreated: 2025-01-01\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// ask sends a query and returns the answer's bytes.
func ask(t *testing.T, s *Server, query string, vars map[string]any) string {
	t.Helper()
	req, err := http.NewRequest("POST", s.GraphQLURL(), bytes.NewReader(encode(map[string]any{"query": query, "variables": vars})))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "bearer x")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// get makes a REST request without following redirects.
func get(t *testing.T, s *Server, path string, header ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest("GET", s.URL()+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

func TestThreadsFollowTheCode(t *testing.T) {
	s := ForTest(t, small(t), Options{})
	got := ask(t, s, `query Q($n: Int!) { repository(owner: "Acme", name: "widget") { pullRequest(number: $n) {
		reviewThreads(first: 20) { nodes { path subjectType diffSide startLine line originalLine isOutdated isResolved comments(first: 1) { nodes { diffHunk } } } } } } }`, map[string]any{"n": 1})
	var answer struct {
		Data struct {
			Repository struct {
				PullRequest struct {
					ReviewThreads struct{ Nodes []json.RawMessage }
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(got), &answer); err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, n := range answer.Data.Repository.PullRequest.ReviewThreads.Nodes {
		have = append(have, string(n))
	}
	thread := func(path, subject, side, start, line, original string, outdated, resolved bool, hunk string) string {
		return fmt.Sprintf(`{"path":%q,"subjectType":%q,"diffSide":%q,"startLine":%s,"line":%s,"originalLine":%s,"isOutdated":%v,"isResolved":%v,"comments":{"nodes":[{"diffHunk":%s}]}}`,
			path, subject, side, start, line, original, outdated, resolved, encode(hunk))
	}
	// The pending review's thread is nobody else's to see.
	want := []string{
		thread("a.py", "LINE", "RIGHT", "null", "null", "2", true, false, "@@ -1,5 +1,5 @@\n one = 1\n-two = 2\n+two = 22"),
		thread("a.py", "LINE", "LEFT", "null", "2", "2", false, false, "@@ -1,5 +1,5 @@\n one = 1\n-two = 2"),
		thread("a.py", "LINE", "RIGHT", "3", "4", "4", false, true, "@@ -1,5 +1,5 @@\n one = 1\n-two = 2\n+two = 22\n three = 3\n four = 4"),
		thread("a.py", "LINE", "RIGHT", "null", "11", "11", false, false, "@@ -8,4 +8,4 @@\n eight = 8\n nine = 9\n ten = 10\n eleven = 11"),
		thread("a.py", "FILE", "RIGHT", "null", "null", "null", false, false, ""),
		thread("extra.py", "LINE", "RIGHT", "null", "null", "1", true, false, "@@ -0,0 +1 @@\n+extra = True"),
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Error(diff)
	}
}

func TestGraphQL(t *testing.T) {
	s := ForTest(t, small(t), Options{})
	pull := func(selection string) string {
		return `{ repository(owner: "acme", name: "widget") { pullRequest(number: 1) { ` + selection + ` } } }`
	}
	for _, tc := range []struct{ name, query, want string }{
		{"alias", pull(`n: number number`), `"pullRequest":{"n":1,"number":1}`},
		{"fragments", `query { ...F } fragment F on Query { repository(owner: "acme", name: "widget") { ... on Repository { __typename } } }`, `{"data":{"repository":{"__typename":"Repository"}}}`},
		{"merged selections", pull(`author { login } author { __typename }`), `"author":{"login":"ana","__typename":"User"}`},
		{"skip and include", pull(`number @skip(if: true) title @include(if: true)`), `"pullRequest":{"title":"Change a few numbers"}`},
		{"inline fragment of another type", pull(`author { ... on Bot { id } }`), `"author":{}`},
		{"bots have no suffix", pull(`reviews(first: 5, states: DISMISSED) { nodes { state author { login __typename } } }`), `{"state":"DISMISSED","author":{"login":"helper-app","__typename":"Bot"}}`},
		{"dismissals", pull(`timelineItems(first: 5, itemTypes: [REVIEW_DISMISSED_EVENT]) { nodes { ... on ReviewDismissedEvent { previousReviewState } } }`), `[{"previousReviewState":"APPROVED"}]`},
		{"ghost", pull(`comments(first: 1) { nodes { author { login } body } }`), `{"author":null,"body":"bye"}`},
		{"former name", `{ repository(owner: "old", name: "widget") { nameWithOwner } }`, `"acme/widget"`},
		{"former name not followed", `{ repository(owner: "old", name: "widget", followRenames: false) { id } }`, `"type":"NOT_FOUND"`},
		{"hidden", `{ repository(owner: "acme", name: "secret") { id } }`, `{"data":{"repository":null},"errors":[{"type":"NOT_FOUND"`},
		{"blocked", `{ repository(owner: "acme", name: "taken") { id } }`, `"type":"FORBIDDEN"`},
		{"empty", `{ repository(owner: "acme", name: "empty") { isEmpty defaultBranchRef { name } } }`, `{"isEmpty":true,"defaultBranchRef":null}`},
		{"unknown field", pull(`side`), `"extensions":{"code":"undefinedField"}`},
		{"unknown type", pull(`... on PullReq { id }`), `"extensions":{"code":"undefinedType"}`},
		{"unknown argument", pull(`files(first: 1, state: OPEN) { totalCount }`), `"extensions":{"code":"argumentNotAccepted"}`},
		{"no boundary", pull(`files { nodes { path } }`), `"type":"MISSING_PAGINATION_BOUNDARIES"`},
		{"too large a page", pull(`files(first: 101) { nodes { path } }`), `"type":"EXCESSIVE_PAGINATION"`},
		{"too many nodes", `{ repository(owner: "acme", name: "widget") { pullRequests(first: 100) { nodes { reviewThreads(first: 100) { nodes { comments(first: 100) { totalCount } } } } } } }`, `"type":"MAX_NODE_LIMIT_EXCEEDED"`},
		{"missing variable", `query($n: Int!) { repository(owner: "acme", name: "widget") { pullRequest(number: $n) { id } } }`, `"message":"Variable $n of type Int! was provided invalid value"`},
		{"no such pull request", `{ repository(owner: "acme", name: "widget") { pullRequest(number: 9) { id } } }`, `"pullRequest":null}},"errors":[{"type":"NOT_FOUND","path":["repository","pullRequest"]`},
		{"nodes keep their places", `{ nodes(ids: ["PR_700001", "PR_1", "R_7"]) { id } }`, `{"data":{"nodes":[{"id":"PR_700001"},null,{"id":"R_7"}]},"errors":[{"type":"NOT_FOUND","path":["nodes",1]`},
		{"a node of a hidden repository", `{ node(id: "R_8") { id } }`, `"type":"NOT_FOUND"`},
		{"a file at a branch", `{ repository(owner: "acme", name: "widget") { object(expression: "main:notes.md") { ... on Blob { text oid } } } }`, `{"text":"hello\n","oid":"ce013625030ba8dba906f756967f9e9ca394464a"}`},
		{"search", `{ search(query: "repo:acme/widget is:pr is:merged merged:2026-01-01..2026-01-09", type: ISSUE, first: 5) { issueCount nodes { ... on PullRequest { number } } } }`, `{"issueCount":1,"nodes":[{"number":1}]}`},
		{"search before", `{ search(query: "repo:acme/widget is:merged merged:<2026-01-09", type: ISSUE, first: 5) { issueCount } }`, `{"issueCount":0}`},
		{"rateLimit", `{ rateLimit { cost limit } viewer { login } }`, `{"rateLimit":{"cost":1,"limit":5000},`},
		{"not a query", `mutation { x }`, `Only queries`},
		{"not GraphQL", `{`, `Parse error`},
	} {
		if got := ask(t, s, tc.query, nil); !strings.Contains(got, tc.want) {
			t.Errorf("%s: %s\nlacks %s", tc.name, got, tc.want)
		}
	}
}

func TestPages(t *testing.T) {
	s := ForTest(t, small(t), Options{})
	const query = `query($first: Int, $last: Int, $after: String, $before: String) { node(id: "PR_700001") { ... on PullRequest {
		reviewThreads(first: $first, last: $last, after: $after, before: $before) { totalCount pageInfo { hasNextPage hasPreviousPage endCursor startCursor } nodes { id } edges { cursor node { id } } } } } }`
	type answer struct {
		Data struct {
			Node struct {
				ReviewThreads struct {
					TotalCount int
					PageInfo   struct {
						HasNextPage, HasPreviousPage bool
						StartCursor, EndCursor       *string
					}
					Nodes []struct{ ID string }
					Edges []struct{ Cursor string }
				}
			}
		}
		Errors []gqlError
	}
	page := func(vars map[string]any) answer {
		var a answer
		if err := json.Unmarshal([]byte(ask(t, s, query, vars)), &a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	all := page(map[string]any{"first": 100}).Data.Node.ReviewThreads
	if all.TotalCount != 6 || len(all.Nodes) != 6 || all.PageInfo.HasNextPage || all.PageInfo.HasPreviousPage {
		t.Fatalf("%+v", all)
	}
	for _, size := range []int{1, 2, 5, 6} {
		var ids []struct{ ID string }
		var after *string
		for {
			p := page(map[string]any{"first": size, "after": after}).Data.Node.ReviewThreads
			ids = append(ids, p.Nodes...)
			if after = p.PageInfo.EndCursor; !p.PageInfo.HasNextPage {
				break
			}
		}
		if diff := cmp.Diff(all.Nodes, ids); diff != "" {
			t.Errorf("pages of %d: %s", size, diff)
		}
	}
	last := page(map[string]any{"last": 2, "before": all.Edges[5].Cursor}).Data.Node.ReviewThreads
	if len(last.Nodes) != 2 || last.Nodes[1] != all.Nodes[4] || !last.PageInfo.HasNextPage || !last.PageInfo.HasPreviousPage {
		t.Errorf("%+v", last)
	}
	beyond := page(map[string]any{"first": 2, "after": all.Edges[5].Cursor}).Data.Node.ReviewThreads
	if len(beyond.Nodes) != 0 || beyond.PageInfo.EndCursor != nil {
		t.Errorf("%+v", beyond)
	}
	if bad := page(map[string]any{"first": 2, "after": "???"}); len(bad.Errors) != 1 || bad.Errors[0].Type != "INVALID_CURSOR_ARGUMENTS" {
		t.Errorf("%+v", bad)
	}
}

func TestREST(t *testing.T) {
	s := ForTest(t, small(t), Options{})
	const pull = "/repos/acme/widget/pulls/1"
	diff := []string{"Accept", "application/vnd.github.v3.diff"}
	for _, tc := range []struct {
		name, path string
		header     []string
		status     int
		want       string
	}{
		{"diff", pull, diff, 200, "diff --git a/a.py b/a.py\n"},
		{"pull request", pull, nil, 200, `"changed_files":1`},
		{"files", pull + "/files", nil, 200, `[{"additions":1,"changes":2,"deletions":1,"filename":"a.py","patch":"@@ -1,5 +1,5 @@\n one = 1`},
		{"bots have a suffix", pull + "/reviews", nil, 200, `"login":"helper-app[bot]"`},
		{"review comments", pull + "/comments?per_page=1&page=2", nil, 200, `[{"author_association":"MEMBER","body":"why was it 2"`},
		{"closed", "/repos/acme/widget/pulls?state=closed", nil, 200, `"number":1`},
		{"missing", "/repos/acme/widget/pulls/5", nil, 404, `"message":"Not Found"`},
		{"hidden", "/repos/acme/secret", nil, 404, `"message":"Not Found"`},
		{"blocked", "/repos/acme/taken/pulls", nil, 451, `"reason":"dmca"`},
		{"empty", "/repos/acme/empty/contents/a", nil, 409, "Git Repository is empty."},
		{"renamed", "/repos/old/widget/pulls/1", nil, 301, "/repositories/7/pulls/1"},
		{"by id", "/repositories/7/pulls/1", nil, 200, `"number":1`},
		{"enterprise prefix", "/api/v3" + pull, nil, 200, `"number":1`},
		{"contents", "/repos/acme/widget/contents/notes.md", nil, 200, `"content":"aGVsbG8K"`},
		{"tree", "/repos/acme/widget/git/trees/main?recursive=1", nil, 200, `"path":"notes.md","sha":"ce013625030ba8dba906f756967f9e9ca394464a"`},
		{"blob", "/repos/acme/widget/git/blobs/ce013625030ba8dba906f756967f9e9ca394464a", []string{"Accept", "application/vnd.github.raw"}, 200, "hello\n"},
		{"limits", "/rate_limit", nil, 200, `"core":{"limit":5000`},
	} {
		if resp, body := get(t, s, tc.path, tc.header...); resp.StatusCode != tc.status || !strings.Contains(body, tc.want) {
			t.Errorf("%s: %d %s\nlacks %s", tc.name, resp.StatusCode, body, tc.want)
		}
	}
}

// The merge base of base tip and head is where the pull request began.
func TestCompareFindsTheForkPoint(t *testing.T) {
	s := ForTest(t, small(t), Options{})
	p := s.site.repo("acme", "widget").byNumber[1]
	_, body := get(t, s, "/repos/acme/widget/compare/main..."+p.head().sha)
	if !strings.Contains(body, `"merge_base_commit":{"commit":`) || !strings.Contains(body, p.fork().sha) {
		t.Error(body)
	}
}

func TestUnknownEndpointsAreListed(t *testing.T) {
	s, err := Start(small(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	get(t, s, "/repos/acme/widget/stargazers")
	get(t, s, "/repos/acme/nothing")
	if diff := cmp.Diff([]string{"GET /repos/acme/widget/stargazers"}, s.Unmatched()); diff != "" {
		t.Error(diff)
	}
}

func TestErrorsOfAWorldNameThePlace(t *testing.T) {
	const repo = "id: 1\ncreated: 2025-01-01\n-- a --\nx\ny\n"
	const head = "title: T\nauthor: ana\ncreated: 2026-01-01\nclosed: 2026-01-02\n"
	for _, tc := range []struct{ name, pull, want string }{
		{"unknown key", "color: red\n" + head + "-- 1 write b --\n", `a/b/1.txtar: unknown key "color"`},
		{"edit that does not fit", head + "-- 1 edit a --\n@@\n-z\n+w\n", `a/b: #1: step 1: edit a: the lines "z" occur 0 times`},
		{"no such file", head + "-- 1 delete c --\n", "step 1: delete c: there is no such file"},
		{"comment on nothing", head + "-- 1 write b --\nq\n-- talk --\n%review ben COMMENTED\n%line b + zz\n", `#1: talk: line b "zz": the text is in 0 lines`},
		{"reply to nothing", head + "-- 1 write b --\nq\n-- talk --\n%reply ben\n", "there is no thread above it"},
		{"too many pushes", head + "-- 1 write b --\nq\n-- talk --\n%push\n", "1 steps and 1 pushes"},
		{"unknown event", head + "-- 1 write b --\nq\n-- talk --\n%shrug ben\n", `talk line "%shrug ben": unknown event`},
		{"closed too early", strings.Replace(head, "01-02", "01-01", 1) + "-- 1 write b --\nq\n", "is not after created"},
	} {
		w, err := ParseWorld(fstest.MapFS{"a/b/repo.txtar": {Data: []byte(repo)}, "a/b/1.txtar": {Data: []byte(tc.pull)}})
		if err == nil {
			var s *Server
			if s, err = Start(w, Options{}); err == nil {
				s.Close()
			}
		}
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v lacks %s", tc.name, err, tc.want)
		}
	}
}
