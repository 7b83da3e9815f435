package gitsource_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prforge/prforge/collectors/gitsource"
)

// faults are what a network does to an answer.
var faults = map[string]func(w http.ResponseWriter, r *http.Request, answer *httptest.ResponseRecorder){
	"502 in HTML": func(w http.ResponseWriter, _ *http.Request, _ *httptest.ResponseRecorder) {
		w.WriteHeader(http.StatusBadGateway)
		io.WriteString(w, "<html>Bad Gateway</html>")
	},
	"504 in JSON": func(w http.ResponseWriter, _ *http.Request, _ *httptest.ResponseRecorder) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusGatewayTimeout)
		io.WriteString(w, `{"message":"timeout"}`)
	},
	"429": func(w http.ResponseWriter, _ *http.Request, _ *httptest.ResponseRecorder) {
		w.WriteHeader(http.StatusTooManyRequests)
	},
	"dropped": func(http.ResponseWriter, *http.Request, *httptest.ResponseRecorder) { panic(http.ErrAbortHandler) },
	"cut": func(w http.ResponseWriter, _ *http.Request, answer *httptest.ResponseRecorder) {
		w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		w.Write(answer.Body.Bytes()[:answer.Body.Len()/2])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	},
	"cut without a word": func(w http.ResponseWriter, _ *http.Request, answer *httptest.ResponseRecorder) {
		w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		w.Write(answer.Body.Bytes()[:answer.Body.Len()/2])
	},
	"garbage": func(w http.ResponseWriter, _ *http.Request, answer *httptest.ResponseRecorder) {
		w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		body := answer.Body.Bytes()
		for i := len(body) / 3; i < len(body); i += 7 {
			body[i] ^= 0x55
		}
		w.Write(body)
	},
	"empty": func(http.ResponseWriter, *http.Request, *httptest.ResponseRecorder) {},
	"a page": func(w http.ResponseWriter, _ *http.Request, _ *httptest.ResponseRecorder) {
		io.WriteString(w, "<html>We are busy</html>")
	},
}

// Every request of a collection fails once, in each way in turn, and the result
// is that of a network without faults.
func TestNetworkFaults(t *testing.T) {
	o := newOrigin(t)
	fork := start(o)
	m := merged{o.rev("topic"), "", o.rev("main"), fork}
	diff := o.diff(fork, m.head)
	work := func(t *testing.T) ([]byte, gitsource.Stats) {
		var stats gitsource.Stats
		raw := export(t, func(shard *storeShard) {
			repo := o.open(options())
			got, err := repo.ForkPoint(t.Context(), m.pull(), diff)
			if err != nil || got.ForkPoint != fork {
				t.Error(got, err)
			}
			mustCollect(t, repo, shard, gitsource.Request{Key: "1", Commit: fork, Changed: []string{"a.py"}})
			stats = repo.Stats()
		})
		return raw, stats
	}
	want, _ := work(t)
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			struck := map[string]bool{}
			o.fault = func(_ int64, w http.ResponseWriter, r *http.Request) bool {
				body, _ := io.ReadAll(r.Body)
				r.Body = io.NopCloser(bytes.NewReader(body))
				request := r.URL.String() + string(body)
				if struck[request] {
					return false
				}
				struck[request] = true
				answer := httptest.NewRecorder()
				o.answer(answer, r)
				fault(w, r, answer)
				return true
			}
			defer func() { o.fault = nil }()
			got, stats := work(t)
			if !bytes.Equal(got, want) {
				t.Error("other bytes than without faults")
			}
			if stats.Retries < 1 || len(struck) < 4 { // git tries some again by itself
				t.Errorf("%d retries for %d faults", stats.Retries, len(struck))
			}
		})
	}
}

// The waits grow up to the longest; a limit takes the longest at once.
func TestNetworkIsGivenUp(t *testing.T) {
	const s = time.Second
	for status, want := range map[int][]time.Duration{502: {s, 2 * s, 3 * s, 3 * s}, 429: {3 * s, 3 * s, 3 * s, 3 * s}} {
		testGivenUp(t, status, want)
	}
}

func testGivenUp(t *testing.T, status int, want []time.Duration) {
	o := newOrigin(t)
	head := o.change("a.py", "x = 1\n")
	o.fault = func(_ int64, w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(status)
		return true
	}
	var waits []time.Duration
	opts := options()
	opts.Attempts, opts.Backoff, opts.MaxBackoff = 5, time.Second, 3*time.Second
	opts.Sleep = func(_ context.Context, d time.Duration) error {
		waits = append(waits, d)
		return nil
	}
	_, err := o.open(opts).FetchCommits(t.Context(), []string{head})
	if !errors.Is(err, gitsource.ErrNetwork) {
		t.Errorf("error %v", err)
	}
	if !slices.Equal(waits, want) {
		t.Errorf("%d: waited %v, want %v", status, waits, want)
	}
}

// A repository that is missing, private or blocked is not asked for again.
func TestUnavailable(t *testing.T) {
	for _, status := range []int{401, 403, 404, 410, 451} {
		o := newOrigin(t)
		o.fault = func(_ int64, w http.ResponseWriter, _ *http.Request) bool {
			if status == 401 {
				w.Header().Set("WWW-Authenticate", `Basic realm="GitHub"`)
			}
			w.WriteHeader(status)
			return true
		}
		_, err := o.open(options()).FetchCommits(t.Context(), []string{gone})
		if !errors.Is(err, gitsource.ErrUnavailable) || o.requests.Load() > 2 {
			t.Errorf("%d: %v after %d requests", status, err, o.requests.Load())
		}
	}
}

func TestEmptyRepository(t *testing.T) {
	o := newOrigin(t)
	missing, err := o.open(options()).FetchCommits(t.Context(), []string{gone})
	if err != nil || !errors.Is(missing[gone], gitsource.ErrAbsent) {
		t.Errorf("missing %v, error %v", missing, err)
	}
}

// One commit that the server lacks does not lose the others.
func TestMissingCommits(t *testing.T) {
	o := newOrigin(t)
	first := o.change("a.py", "x = 1\n")
	second := o.change("a.py", "x = 2\n")
	other := strings.Replace(gone, "1", "f", 1)
	repo := o.open(options())
	missing, err := repo.FetchCommits(t.Context(), []string{gone, second, other, "no id", first, ""})
	if err != nil || len(missing) != 4 || missing[gone] == nil || missing[other] == nil {
		t.Errorf("missing %v, error %v", missing, err)
	}
	before := o.requests.Load()
	if missing, err := repo.FetchCommits(t.Context(), []string{second}); err != nil || len(missing) != 0 || o.requests.Load() != before {
		t.Errorf("asked again for a commit that is here: %v %v", missing, err)
	}
}

func TestRedirectIsFollowed(t *testing.T) {
	o := newOrigin(t)
	head := o.change("a.py", "x = 1\n")
	o.fault = func(_ int64, w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasPrefix(r.URL.Path, "/former/") {
			return false
		}
		http.Redirect(w, r, "/o/"+strings.TrimPrefix(r.URL.String(), "/former/"), http.StatusMovedPermanently)
		return true
	}
	o.url = strings.Replace(o.url, "/o/r.git", "/former/r.git", 1)
	if missing, err := o.open(options()).FetchCommits(t.Context(), []string{head}); err != nil || len(missing) != 0 {
		t.Errorf("missing %v, error %v", missing, err)
	}
}

// The token reaches the server, and nothing else.
func TestToken(t *testing.T) {
	const token = "ghs_secret"
	o := newOrigin(t)
	seen := ""
	o.fault = func(_ int64, w http.ResponseWriter, r *http.Request) bool {
		seen = r.Header.Get("Authorization")
		http.Error(w, "token "+token+" is refused", http.StatusForbidden)
		return true
	}
	opts := options()
	opts.Token = func(context.Context) (string, error) { return token, nil }
	dir := filepath.Join(t.TempDir(), "git")
	_, err := o.openIn(dir, opts).FetchCommits(t.Context(), []string{gone})
	if want := "Basic " + base64.StdEncoding.EncodeToString([]byte("x-access-token:"+token)); seen != want {
		t.Errorf("the server saw %q", seen)
	}
	if err == nil || strings.Contains(err.Error(), token) {
		t.Errorf("error %v", err)
	}
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(token)) || strings.Contains(string(data), "Basic ") {
			t.Errorf("the token is in %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A canceled transfer ends at once, however long the server thinks.
func TestCancel(t *testing.T) {
	o := newOrigin(t)
	asked := make(chan struct{})
	o.fault = func(_ int64, _ http.ResponseWriter, r *http.Request) bool {
		close(asked)
		<-r.Context().Done()
		return true
	}
	ctx, cancel := context.WithCancel(t.Context())
	repo := o.open(options())
	done := make(chan error)
	go func() {
		_, err := repo.FetchCommits(ctx, []string{gone})
		done <- err
	}()
	<-asked
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// Nothing in the user's configuration or environment changes what is fetched.
func TestUserConfigurationIsNotRead(t *testing.T) {
	o := newOrigin(t)
	head := o.change("a.py", "x = 1\n")
	config := filepath.Join(t.TempDir(), "config")
	evil := "[url \"http://127.0.0.1:1/\"]\n\tinsteadOf = http://\n[diff]\n\tnoprefix = true\n\tmnemonicPrefix = true\n"
	if err := os.WriteFile(config, []byte(evil), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", config)
	t.Setenv("GIT_DIR", "/nonexistent")
	t.Setenv("GIT_OBJECT_DIRECTORY", "/nonexistent")
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "protocol.allow")
	t.Setenv("GIT_CONFIG_VALUE_0", "never")
	missing, err := o.open(options()).FetchCommits(t.Context(), []string{head})
	if err != nil || len(missing) != 0 {
		t.Errorf("missing %v, error %v", missing, err)
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, url := range []string{"ext::sh -c id", "file:///etc", "/etc", "ssh://host/x", "-upload-pack=x", "https://user:pass@host/x", "://"} {
		if _, err := gitsource.Open(t.Context(), t.TempDir(), url, options()); err == nil {
			t.Errorf("%q was taken for a server", url)
		} else if strings.Contains(err.Error(), "pass@") {
			t.Errorf("the error repeats the password: %v", err)
		}
	}
}

func TestCheckGit(t *testing.T) {
	if _, err := gitsource.CheckGit(t.Context(), "git"); err != nil {
		t.Error(err)
	}
	dir := t.TempDir()
	for says, want := range map[string]bool{"git version 2.30.9": false, "git version 2.31.0": true, "git version 3.0.0.windows.1": true, "hello": false} {
		program := filepath.Join(dir, strings.ReplaceAll(says, " ", "-"))
		if err := os.WriteFile(program, []byte("#!/bin/sh\necho '"+says+"'\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		_, err := gitsource.CheckGit(t.Context(), program)
		if (err == nil) != want || err != nil && !errors.Is(err, gitsource.ErrNoGit) {
			t.Errorf("%q: %v", says, err)
		}
	}
	if _, err := gitsource.CheckGit(t.Context(), filepath.Join(dir, "none")); !errors.Is(err, gitsource.ErrNoGit) || !strings.Contains(err.Error(), "install git 2.31") {
		t.Errorf("no git: %v", err)
	}
}
