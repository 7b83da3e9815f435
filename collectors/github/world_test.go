package github

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/prforge/prforge/internal/fakegithub"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
)

// widget is a repository with nine pull requests: the first has more of
// everything than the pages of these tests hold. The gadget has one, with one of
// each.
func widget() (*fakegithub.World, error) {
	var base, edits, talk strings.Builder
	for i := range 12 {
		fmt.Fprintf(&base, "-- file%02d.py --\nvalue = %d\n", i, i)
		fmt.Fprintf(&edits, "-- 1 write file%02d.py --\nvalue = %d\nmore = True\n", i, 100+i)
		options := [4]string{"", "[edited]", "[liked=ana,liked=dora]", "[edited,liked=carol]"}[i%4]
		fmt.Fprintf(&talk, "%%review ben COMMENTED\nround %d\n%%line%s file%02d.py + value\nwhy %d?\n", i, options, i, i)
		for k := range i % 4 {
			fmt.Fprintf(&talk, "%%reply ana\nanswer %d\n", k)
		}
		fmt.Fprintf(&talk, "%%comment carol\nremark %d\n", i)
	}
	talk.WriteString("%push\n%review dora CHANGES_REQUESTED\nno\n%dismiss ana\nstale\n%review helper-app APPROVED\nfine\n%comment ghost\nbye\n")
	files := fstest.MapFS{
		"world.txtar":            {Data: []byte("bots: helper-app\nmannequins: imported\n")},
		"acme/widget/repo.txtar": {Data: []byte("id: 7\nstars: 12\nlicense: MIT\nlanguage: Python\ncreated: 2025-01-01\nformer-names: old/widget\n" + base.String())},
		"acme/widget/1.txtar": {Data: []byte("title: Change everything\nauthor: ana\ncreated: 2026-01-05\nclosed: 2026-01-09\nby: ben\nlabels: bug, docs, api, ci\nedited: 2026-01-07\n" +
			"-- body --\nEverything, twice.\n-- first body --\nEverything.\n" + edits.String() + "-- 2 force --\n" + strings.ReplaceAll(edits.String(), "-- 1 ", "-- 2 ") + "-- talk --\n" + talk.String())},
		"acme/shelf/repo.txtar":  {Data: []byte("id: 8\ncreated: 2025-01-01\narchived: true\n-- a.txt --\na\n")},
		"acme/void/repo.txtar":   {Data: []byte("id: 9\ncreated: 2025-01-01\n")},
		"acme/secret/repo.txtar": {Data: []byte("id: 10\ncreated: 2025-01-01\naccess: hidden\n-- a.txt --\na\n")},
		"acme/dmca/repo.txtar":   {Data: []byte("id: 11\ncreated: 2025-01-01\naccess: blocked\n-- a.txt --\na\n")},
	}
	for n := 2; n <= 9; n++ {
		files[fmt.Sprintf("acme/widget/%d.txtar", n)] = &fstest.MapFile{Data: fmt.Appendf(nil,
			"title: Add file %d\nauthor: ana\ncreated: 2026-01-%02d\nclosed: 2026-02-%02d\nby: ben\n-- 1 write new%d.py --\nx = %d\n-- talk --\n%%review ben COMMENTED\n%%line new%d.py + x =\nis %d right?\n",
			n, n+10, n+10, n, n, n, n)}
	}
	for _, name := range []string{"acme/gadget/repo.txtar", "acme/gadget/1.txtar"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			return nil, err
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	return fakegithub.ParseWorld(files)
}

// fake is the fake GitHub that all tests ask; each has its own way to it.
var fake *fakegithub.Server

func TestMain(m *testing.M) {
	world, err := widget()
	if err == nil {
		fake, err = fakegithub.Start(world, fakegithub.Options{})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	for _, request := range fake.Unmatched() {
		fmt.Fprintln(os.Stderr, "the fake GitHub does not know", request)
		code = 1
	}
	if err := fake.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// small are sizes that make the widget take many pages.
func small() Options {
	o := DefaultOptions()
	o.Repositories, o.Census, o.Pulls, o.Threads, o.Items, o.Lists, o.Histories = 3, 4, 4, 5, 3, 2, 3
	return o
}

// tamper sees every GraphQL request on its way to the fake GitHub and may answer
// in its place (with a status) or change the answer.
type tamper struct {
	request func(query string, vars map[string]any) int    // a status that fails the request, or 0
	answer  func(query string, vars map[string]any) change // nil lets the answer be
}

// change changes a decoded answer.
type change func(answer map[string]any)

// hub is a fake GitHub with what may go wrong before it.
type hub struct {
	client *Client
	api    *ghapi.Client
}

func newHub(t testing.TB, o Options, tm tamper) *hub {
	t.Helper()
	target, err := url.Parse(fake.URL())
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	var mu sync.Mutex
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/graphql" {
			proxy.ServeHTTP(w, r)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		body, _ := io.ReadAll(r.Body)
		var asked struct {
			Query     string
			Variables map[string]any
		}
		_ = json.Unmarshal(body, &asked)
		if tm.request != nil {
			if status := tm.request(asked.Query, asked.Variables); status != 0 {
				w.WriteHeader(status)
				return
			}
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		if tm.answer == nil {
			proxy.ServeHTTP(w, r)
			return
		}
		rec := httptest.NewRecorder()
		proxy.ServeHTTP(rec, r)
		out := rec.Body.Bytes()
		if f := tm.answer(asked.Query, asked.Variables); f != nil {
			var decoded map[string]any
			_ = json.Unmarshal(out, &decoded)
			f(decoded)
			out, _ = json.Marshal(decoded)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(out)
	}))
	t.Cleanup(front.Close)
	ao := ghapi.DefaultOptions()
	ao.APIURL, ao.GraphQLURL, ao.Tokens = front.URL, front.URL+"/graphql", ghapi.StaticToken("x")
	ao.Attempts = 2
	ao.Sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	now := time.Now()
	ao.Now = func() time.Time { now = now.Add(time.Hour); return now } // every pause is over at once
	api, err := ghapi.New(ao)
	if err != nil {
		t.Fatal(err)
	}
	return &hub{client: New(api, o, nil), api: api}
}

var widgetRef = model.RepoRef{Owner: "acme", Name: "widget"}

// longAgo is before everything in the world.
var longAgo = time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC)

// survey asks for one repository with its census.
func (h *hub) survey(t testing.TB, w Want) Surveyed {
	t.Helper()
	for got, err := range h.client.Survey(context.Background(), []Want{w}) {
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	t.Fatal("no answer")
	return Surveyed{}
}

// asks are the pull requests of a census.
func asks(c *model.Census) []PullAsk {
	var out []PullAsk
	for _, s := range c.Pulls {
		out = append(out, PullAsk{Ref: model.PullRef{Repo: widgetRef, Number: s.Number}, NodeID: s.NodeID})
	}
	return out
}

// collect gets every pull request of the widget: what came, as JSON by number,
// and what failed.
func (h *hub) collect(t testing.TB) (facts map[int]string, failed map[int]error) {
	t.Helper()
	got := h.survey(t, Want{Ref: widgetRef, Since: longAgo})
	if got.Err != nil || !got.Census.Complete {
		t.Fatalf("survey: %v, %+v", got.Err, got.Census)
	}
	facts, failed = map[int]string{}, map[int]error{}
	for p, err := range h.client.Pulls(context.Background(), asks(got.Census)) {
		var one *PullError
		switch {
		case errors.As(err, &one):
			failed[one.Ref.Number] = one.Err
		case err != nil:
			t.Fatal(err)
		default:
			facts[p.Ref.Number] = toJSON(t, p)
		}
	}
	return facts, failed
}

// truth is the widget as collected when nothing goes wrong.
func truth(t testing.TB) map[int]string {
	t.Helper()
	facts, failed := newHub(t, DefaultOptions(), tamper{}).collect(t)
	if len(facts) != 9 || len(failed) != 0 {
		t.Fatalf("%d pull requests, %v failed", len(facts), failed)
	}
	return facts
}

// same fails the test where facts differ from the truth, but for the numbers
// left out.
func same(t testing.TB, facts, want map[int]string, without ...int) {
	t.Helper()
	for n, w := range want {
		if slices.Contains(without, n) {
			continue
		}
		if facts[n] != w {
			t.Errorf("pull request %d differs:\n%s\nwant\n%s", n, facts[n], w)
		}
	}
}

func toJSON(t testing.TB, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func fromJSON(t testing.TB, s string) *model.PullRequest {
	t.Helper()
	var p model.PullRequest
	if err := json.Unmarshal([]byte(s), &p); err != nil {
		t.Fatal(err)
	}
	return &p
}

// isDetails distinguishes the query for pull requests in full from the others.
func isDetails(query string) bool { return strings.Contains(query, "reviewThreads(first:$items)") }

// isThreads recognizes the query for the comments of threads.
func isThreads(query string) bool {
	return strings.Contains(query, "nodes(ids:$ids){... on PullRequestReviewThread")
}

// isMore recognizes the query for the rest of lists.
func isMore(query string) bool { return strings.Contains(query, "n0: node(") }

// ids are the node ids asked for.
func ids(vars map[string]any) []string {
	var out []string
	list, _ := vars["ids"].([]any)
	for _, id := range list {
		out = append(out, id.(string))
	}
	return out
}

// at walks down a decoded answer.
func at(v any, path ...any) any {
	for _, step := range path {
		switch k := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[k]
		case int:
			l, _ := v.([]any)
			if k >= len(l) {
				return nil
			}
			v = l[k]
		}
	}
	return v
}

// each calls f for every object in a decoded answer.
func each(v any, f func(map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		f(v)
		for _, child := range v {
			each(child, f)
		}
	case []any:
		for _, child := range v {
			each(child, f)
		}
	}
}

// once is true the first time only.
func once() func() bool {
	done := false
	return func() bool { defer func() { done = true }(); return !done }
}
