package github

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
)

const goodDiff = "diff --git a/a.txt b/a.txt\nindex 7898192..6178079 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n" +
	"diff --git a/c.txt b/c.txt\nnew file mode 100644\nindex 0000000..f2ad6c7\n--- /dev/null\n+++ b/c.txt\n@@ -0,0 +1 @@\n+c\n"

// diffPull is the pull request of goodDiff.
func diffPull() *model.PullRequest {
	return &model.PullRequest{Ref: model.PullRef{Repo: widgetRef, Number: 3}, HeadOid: "abc", ChangedFiles: 2, Additions: 2, Deletions: 1}
}

// restOnly answers REST requests in order with status, body and type, and counts
// them.
func restOnly(t *testing.T, replies ...func(w http.ResponseWriter, r *http.Request)) (*Client, *int) {
	t.Helper()
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if asked > len(replies) {
			t.Errorf("asked once too often: %s", r.URL)
			return
		}
		replies[asked-1](w, r)
	}))
	t.Cleanup(server.Close)
	o := ghapi.DefaultOptions()
	o.APIURL, o.GraphQLURL = server.URL, server.URL+"/graphql"
	o.Attempts, o.CheckAttempts = 3, 2
	o.Sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	now := time.Now()
	o.Now = func() time.Time { now = now.Add(time.Hour); return now }
	api, err := ghapi.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return New(api, DefaultOptions(), nil), &asked
}

func rest(status int, kind, body string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

const (
	diffType = "application/vnd.github.v3.diff; charset=utf-8"
	jsonType = "application/json; charset=utf-8"
)

func TestFault02And05DiffsThatAreNone(t *testing.T) {
	for name, bad := range map[string]func(http.ResponseWriter, *http.Request){
		"empty":              rest(200, diffType, ""),
		"HTML":               rest(200, "text/html", "<html>rate limited</html>"),
		"HTML called a diff": rest(200, diffType, "<html>rate limited</html>"),
		"JSON":               rest(200, jsonType, `{"message":"You have been limited"}`),
		"cut within a hunk":  rest(200, diffType, goodDiff[:len(goodDiff)-3]),
		"cut after a file":   rest(200, diffType, goodDiff[:strings.LastIndex(goodDiff, "diff --git")]),
		"cut for HTTP": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", diffType)
			w.Header().Set("Content-Length", fmt.Sprint(len(goodDiff)))
			_, _ = io.WriteString(w, goodDiff[:40])
		},
		"of another state": rest(200, diffType, goodDiff+"diff --git a/x b/x\nnew file mode 100644\nindex 0000000..e69de29\n"),
	} {
		t.Run(name+" once", func(t *testing.T) {
			c, asked := restOnly(t, bad, rest(200, diffType, goodDiff))
			got, err := c.Diff(context.Background(), diffPull())
			if err != nil || got.Text != goodDiff || got.Source != model.DiffFromREST || got.HeadOid != "abc" || *asked != 2 {
				t.Errorf("%+v, %v after %d requests", got, err, *asked)
			}
		})
	}
	t.Run("every time", func(t *testing.T) {
		bad := rest(200, diffType, "<html>")
		c, _ := restOnly(t, bad, bad)
		if _, err := c.Diff(context.Background(), diffPull()); !errors.Is(err, ghapi.ErrBadBody) || !strings.Contains(err.Error(), "acme/widget#3") {
			t.Errorf("error is %v", err)
		}
	})
	t.Run("of another state every time", func(t *testing.T) {
		other := rest(200, diffType, goodDiff+"diff --git a/x b/x\nnew file mode 100644\nindex 0000000..e69de29\n")
		c, _ := restOnly(t, other, other)
		if _, err := c.Diff(context.Background(), diffPull()); !errors.Is(err, ghapi.ErrMismatch) {
			t.Errorf("error is %v", err)
		}
	})
}

func TestFault41And42RefusedDiffsGoToGit(t *testing.T) {
	for body, kind := range map[string]error{
		`406 {"message":"Sorry, the diff exceeded the maximum number of files (300).","errors":[{"resource":"PullRequest","field":"diff","code":"too_large"}]}`: ghapi.ErrTooLarge,
		`422 {"message":"Sorry, this diff is taking too long to generate.","errors":[{"resource":"PullRequest","field":"diff","code":"not_available"}]}`:        ghapi.ErrNotAvailable,
		`500 {"message":"Sorry, this diff is taking too long to generate.","errors":[{"resource":"PullRequest","field":"diff","code":"not_available"}]}`:        ghapi.ErrNotAvailable,
		`503 {"message":"Sorry, this diff is temporarily unavailable due to heavy server load.","errors":[{"field":"diff","code":"not_available"}]}`:            ghapi.ErrNotAvailable,
		`451 {"message":"Repository access blocked","block":{"reason":"dmca"}}`:                                                                                 ghapi.ErrBlocked,
		`404 {"message":"Not Found"}`: ghapi.ErrNotFound,
	} {
		var status int
		var text string
		_, _ = fmt.Sscanf(body, "%d", &status)
		text = body[4:]
		c, asked := restOnly(t, rest(status, jsonType, text))
		if _, err := c.Diff(context.Background(), diffPull()); !errors.Is(err, kind) || *asked != 1 {
			t.Errorf("%d: error is %v after %d requests, want %v", status, err, *asked, kind)
		}
	}
}

func TestFault44AnEmptyDiffIsRightOnlyWithoutFiles(t *testing.T) {
	c, _ := restOnly(t, rest(200, diffType, ""))
	p := diffPull()
	p.ChangedFiles, p.Additions, p.Deletions = 0, 0, 0
	if got, err := c.Diff(context.Background(), p); err != nil || got.Text != "" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestDiffsOverTheLimitGoToGit(t *testing.T) {
	c, asked := restOnly(t, rest(200, diffType, goodDiff))
	c.o.MaxDiffBytes = 100
	if _, err := c.Diff(context.Background(), diffPull()); !errors.Is(err, ghapi.ErrTooLarge) || *asked != 1 {
		t.Errorf("error is %v after %d requests", err, *asked)
	}
}

func TestMergeBase(t *testing.T) {
	c, _ := restOnly(t, rest(200, jsonType, `{"merge_base_commit":{"sha":"feed"}}`), rest(404, jsonType, `{"message":"Not Found"}`), rest(200, jsonType, `{"status":"ahead"}`))
	if sha, err := c.MergeBase(context.Background(), widgetRef, "a", "b"); sha != "feed" || err != nil {
		t.Errorf("%q, %v", sha, err)
	}
	if _, err := c.MergeBase(context.Background(), widgetRef, "a", "b"); !errors.Is(err, ghapi.ErrNotFound) {
		t.Errorf("error is %v", err)
	}
	if _, err := c.MergeBase(context.Background(), widgetRef, "a", "b"); !errors.Is(err, ghapi.ErrBadBody) {
		t.Errorf("error is %v", err)
	}
}

// TestDiffsOfTheWidget gets real diffs, made by git behind the fake GitHub.
func TestDiffsOfTheWidget(t *testing.T) {
	want := truth(t)
	h := newHub(t, DefaultOptions(), tamper{})
	for n := range want {
		p := fromJSON(t, want[n])
		if _, err := h.client.Diff(context.Background(), p); err != nil {
			t.Error(err)
		}
	}
}
