package gitsource_test

import (
	"context"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// origin is a real repository with a work tree, served over smart HTTP.
type origin struct {
	t        *testing.T
	dir      string
	url      string
	requests atomic.Int64
	answer   http.HandlerFunc
	// fault may answer a request itself; n counts from 1.
	fault func(n int64, w http.ResponseWriter, r *http.Request) bool
}

func newOrigin(t *testing.T) *origin {
	t.Helper()
	o := &origin{t: t, dir: filepath.Join(t.TempDir(), "o", "r.git")}
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	o.git("init", "-q", "--initial-branch=main")
	backend := filepath.Join(strings.TrimSpace(o.git("--exec-path")), "git-http-backend")
	root := filepath.Dir(filepath.Dir(o.dir))
	o.answer = func(w http.ResponseWriter, r *http.Request) { o.serve(w, r, backend, root) }
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := o.requests.Add(1)
		if o.fault != nil && o.fault(n, w, r) {
			return
		}
		o.answer(w, r)
	}))
	t.Cleanup(server.Close)
	o.url = server.URL + "/o/r.git"
	return o
}

// serve runs git's own server program, as GitHub would be asked: any object by
// its id, with filters.
func (o *origin) serve(w http.ResponseWriter, r *http.Request, backend, root string) {
	handler := cgi.Handler{Path: backend, Env: []string{
		"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1", "GIT_PROTOCOL=" + r.Header.Get("Git-Protocol"),
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_COUNT=3",
		"GIT_CONFIG_KEY_0=uploadpack.allowAnySHA1InWant", "GIT_CONFIG_VALUE_0=true",
		"GIT_CONFIG_KEY_1=uploadpack.allowFilter", "GIT_CONFIG_VALUE_1=true",
		"GIT_CONFIG_KEY_2=safe.directory", "GIT_CONFIG_VALUE_2=*",
	}}
	handler.ServeHTTP(w, r)
}

// git runs git in the origin with a clock that moves a minute a commit.
func (o *origin) git(args ...string) string { return o.gitIn("", args...) }

func (o *origin) gitIn(stdin string, args ...string) string {
	o.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = o.dir, strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=c", "GIT_COMMITTER_EMAIL=c@example.org",
		"GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
	out, err := cmd.CombinedOutput()
	if err != nil {
		o.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// write puts a file into the work tree; a nil body removes it.
func (o *origin) write(name, body string) {
	o.t.Helper()
	full := filepath.Join(o.dir, name)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		o.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(body), 0o644); err != nil {
		o.t.Fatal(err)
	}
}

// commit commits the work tree and gives the commit.
func (o *origin) commit(message string) string {
	o.t.Helper()
	o.git("add", "-A")
	o.git("commit", "-q", "--allow-empty", "-m", message)
	return o.rev("HEAD")
}

// change writes one file and commits it.
func (o *origin) change(name, body string) string {
	o.t.Helper()
	o.write(name, body)
	return o.commit("change " + name)
}

func (o *origin) rev(name string) string { return strings.TrimSpace(o.git("rev-parse", name)) }

// diff is git's diff in the form that GitHub gives.
func (o *origin) diff(base, head string) string {
	return o.git("diff", "--find-renames", "--abbrev=11", base, head)
}

// options are the default ones without real waiting.
func options() gitsource.Options {
	opts := gitsource.DefaultOptions()
	opts.Sleep = func(context.Context, time.Duration) error { return nil }
	return opts
}

func (o *origin) open(opts gitsource.Options) *gitsource.Repo {
	o.t.Helper()
	return o.openIn(filepath.Join(o.t.TempDir(), "o+r.git"), opts)
}

func (o *origin) openIn(dir string, opts gitsource.Options) *gitsource.Repo {
	o.t.Helper()
	repo, err := gitsource.Open(o.t.Context(), dir, o.url, opts)
	if err != nil {
		o.t.Fatal(err)
	}
	o.t.Cleanup(repo.Close)
	return repo
}

func newShard(t *testing.T) *store.Shard {
	t.Helper()
	s, err := store.Open(t.TempDir(), store.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	shard, err := s.Shard(model.RepoRef{Owner: "o", Name: "r"})
	if err != nil {
		t.Fatal(err)
	}
	return shard
}

// numbered is a text of n lines that differ.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("x", i%7) + " line " + string(rune('a'+i%26)) + strings.Repeat("y", i/26) + "\n")
	}
	return b.String()
}

// storeShard keeps the tests' signatures short.
type storeShard = store.Shard
