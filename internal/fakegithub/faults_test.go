package fakegithub

import (
	"errors"
	"io"
	"net/http"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const anyQuery = `{ viewer { login } }`

// try makes a request that may fail, and says how it ended.
func try(s *Server, method, path, body string) string {
	req, err := http.NewRequest(method, s.URL()+path, strings.NewReader(body))
	if err != nil {
		return err.Error()
	}
	req.Header.Set("Authorization", "token x")
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		return "broken"
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "cut"
	case err != nil:
		return err.Error()
	case resp.StatusCode != http.StatusOK:
		return resp.Status[:3] + " " + string(data)
	case len(data) == 0:
		return "empty"
	case strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html"):
		return "html"
	}
	return "good"
}

func TestFaultsHappenWhereAndWhenTheySay(t *testing.T) {
	const pull = "/repos/acme/widget/pulls/1"
	for _, tc := range []struct {
		name  string
		fault Fault
		want  []string // of four requests
	}{
		{"nth", Fault{Nth: []int{2, 4}, Status: 502, Body: "x"}, []string{"good", "502 x", "good", "502 x"}},
		{"every", Fault{Every: 2, Drop: true}, []string{"good", "broken", "good", "broken"}},
		{"times", Fault{Times: 1, Garbage: true}, []string{"html", "good", "good", "good"}},
		{"other target", Fault{Target: "git", Status: 500}, []string{"good", "good", "good", "good"}},
		{"other path", Fault{Match: regexp.MustCompile("/files$"), Status: 500}, []string{"good", "good", "good", "good"}},
		{"cut", Fault{Nth: []int{1}, Cut: 0.5}, []string{"cut", "good", "good", "good"}},
		{"empty", Fault{Nth: []int{3}, Empty: true}, []string{"good", "good", "empty", "good"}},
	} {
		s := ForTest(t, small(t), Options{Faults: []Fault{tc.fault}})
		var got []string
		for range tc.want {
			got = append(got, try(s, "GET", pull, ""))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

func TestFaultsOfGraphQLMatchTheQuery(t *testing.T) {
	s := ForTest(t, small(t), Options{Faults: []Fault{{Target: "graphql", Match: regexp.MustCompile("viewer"), Status: 200, Body: `{"data":null}`}}})
	if got := ask(t, s, anyQuery, nil); got != `{"data":null}` {
		t.Error(got)
	}
	if got := ask(t, s, `{ rateLimit { cost } }`, nil); got != `{"data":{"rateLimit":{"cost":1}}}` {
		t.Error(got)
	}
	if n := s.Stats().Faults; n != 1 {
		t.Errorf("%d faults", n)
	}
}

// A stalled request ends with the server, so no test hangs on it.
func TestStallEndsWithTheServer(t *testing.T) {
	s, err := Start(small(t), Options{Faults: []Fault{{Stall: true}}})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan string)
	go func() { done <- try(s, "GET", "/rate_limit", "") }()
	for s.Stats().Faults == 0 { // until the request has arrived
		runtime.Gosched()
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := <-done; got == "good" {
		t.Error(got)
	}
}

func TestLimits(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	s := ForTest(t, small(t), Options{Limits: Limits{GraphQL: 2, Core: 1, Window: time.Minute}, Now: func() time.Time { return now }})
	for range 2 {
		if got := ask(t, s, anyQuery, nil); !strings.HasPrefix(got, `{"data"`) {
			t.Fatal(got)
		}
	}
	for range 2 {
		if got := ask(t, s, anyQuery, nil); !strings.Contains(got, `"type":"RATE_LIMITED"`) {
			t.Fatal(got)
		}
	}
	resp, _ := get(t, s, "/repos/acme/widget")
	if resp.StatusCode != 200 || resp.Header.Get("X-RateLimit-Remaining") != "0" || resp.Header.Get("X-RateLimit-Reset") != "1800000060" {
		t.Errorf("%d %v", resp.StatusCode, resp.Header)
	}
	resp, body := get(t, s, "/repos/acme/widget")
	if resp.StatusCode != 403 || !strings.Contains(body, "API rate limit exceeded") {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
	if st := s.Stats(); st.RateLimited != 3 || st.AfterExhaustion != 1 || st.Points != 2 || st.Billed != 1 {
		t.Errorf("%+v", st)
	}
	now = now.Add(time.Minute)
	if got := ask(t, s, anyQuery, nil); !strings.HasPrefix(got, `{"data"`) {
		t.Error(got)
	}
}

func TestPoints(t *testing.T) {
	s := ForTest(t, small(t), Options{})
	// 1 + 100 + 100 pages: 201 requests are 2 points.
	ask(t, s, `{ repository(owner: "acme", name: "widget") { pullRequests(first: 100) { nodes { files(first: 5) { totalCount } reviews(first: 5) { totalCount } } } } }`, nil)
	if st := s.Stats(); st.Points != 2 {
		t.Errorf("%d points", st.Points)
	}
}

func TestRetryAfterIsRemembered(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	s := ForTest(t, small(t), Options{
		Faults: []Fault{{Nth: []int{1}, Status: 429, Headers: map[string]string{"Retry-After": "5", "X-Ratelimit-Reset": "{{now+90}}"}}},
		Now:    func() time.Time { return now },
	})
	resp, _ := get(t, s, "/repos/acme/widget", "Authorization", "token x")
	if resp.StatusCode != 429 || resp.Header.Get("X-Ratelimit-Reset") != "1800000090" {
		t.Errorf("%d %v", resp.StatusCode, resp.Header)
	}
	get(t, s, "/repos/acme/widget", "Authorization", "token x")
	if n := s.Stats().IgnoredRetryAfter; n != 1 {
		t.Errorf("%d, not 1", n)
	}
	now = now.Add(5 * time.Second)
	get(t, s, "/repos/acme/widget", "Authorization", "token x")
	if n := s.Stats().IgnoredRetryAfter; n != 1 {
		t.Errorf("%d, not 1", n)
	}
}

func TestTokens(t *testing.T) {
	s := ForTest(t, small(t), Options{Token: "good"})
	for _, tc := range []struct {
		path, token string
		status      int
	}{
		{"/repos/acme/widget", "", 200}, {"/repos/acme/widget", "good", 200}, {"/repos/acme/widget", "bad", 401},
		{"/graphql", "", 401}, {"/graphql", "bad", 401},
	} {
		var header []string
		if tc.token != "" {
			header = []string{"Authorization", "Bearer " + tc.token}
		}
		if resp, _ := get(t, s, tc.path, header...); resp.StatusCode != tc.status {
			t.Errorf("%s with %q: %d", tc.path, tc.token, resp.StatusCode)
		}
	}
}

func TestLargeDiffsAreRefused(t *testing.T) {
	s := ForTest(t, small(t), Options{MaxDiffLines: 3})
	resp, body := get(t, s, "/repos/acme/widget/pulls/1", "Accept", "application/vnd.github.v3.diff")
	if resp.StatusCode != 406 || !strings.Contains(body, `"code":"too_large"`) {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
}

func TestTakenDownAfterTheFirstDiff(t *testing.T) {
	w := small(t)
	for _, r := range w.Repos {
		if r.Name == "widget" {
			r.Access = TakenDown
		}
	}
	s := ForTest(t, w, Options{})
	for _, want := range []int{200, 451} {
		if resp, _ := get(t, s, "/repos/acme/widget/pulls/1", "Accept", "application/vnd.github.v3.diff"); resp.StatusCode != want {
			t.Errorf("%d, not %d", resp.StatusCode, want)
		}
	}
	if got := ask(t, s, `{ repository(owner: "acme", name: "widget") { id } }`, nil); !strings.Contains(got, "FORBIDDEN") {
		t.Error(got)
	}
}
