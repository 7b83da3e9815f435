package cli

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/prforge/prforge/internal/demo"
	"github.com/prforge/prforge/internal/fakegithub"
)

// moments counts what a run does, in the order in which it shows outside:
// requests to GitHub and git, and lines of progress. When the count reaches
// limit it kills the run with SIGKILL.
type moments struct {
	seen, limit atomic.Int64
	kill        atomic.Pointer[os.Process]
}

func (m *moments) next() {
	if m.seen.Add(1) == m.limit.Load() {
		if p := m.kill.Load(); p != nil {
			_ = p.Kill() // it may have ended by itself
		}
	}
}

// counted is the fake GitHub behind a proxy that counts its requests.
func counted(t *testing.T, m *moments) string {
	t.Helper()
	world, err := demo.World()
	if err != nil {
		t.Fatal(err)
	}
	server := fakegithub.ForTest(t, world, fakegithub.Options{})
	target, err := url.Parse(server.URL())
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.ErrorHandler = func(http.ResponseWriter, *http.Request, error) {} // the killed run hung up
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.next()
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	return front.URL
}

// runProgram runs the program as a process of its own, which dies at the
// limit-th moment; 0 lets it end. It gives the moments seen and whether it
// ended well.
func runProgram(t *testing.T, m *moments, dir, address string, limit int64) (seen int64, done bool) {
	t.Helper()
	m.seen.Store(0)
	m.limit.Store(limit)
	cmd := exec.CommandContext(t.Context(), "prforge", "build", "-c", "prforge.yaml", "-o", "dataset")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GITHUB_API_URL="+address, "GITHUB_GRAPHQL_URL="+address+"/graphql", "GITHUB_SERVER_URL="+address, "GITHUB_TOKEN=token-of-the-test")
	progress, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	m.kill.Store(cmd.Process)
	lines := bufio.NewScanner(progress)
	last := ""
	for lines.Scan() {
		last = lines.Text()
		m.next()
	}
	_, _ = io.Copy(io.Discard, progress)
	err = cmd.Wait()
	if err != nil && cmd.ProcessState.Exited() {
		t.Fatalf("the program failed by itself: %v: %s", err, last)
	}
	return m.seen.Load(), err == nil
}

// README: interrupted by anything, also by kill -9, the same command goes on
// and gives the same bytes.
func TestKilledRunsGiveTheSameBytes(t *testing.T) {
	m := &moments{}
	address := counted(t, m)
	fresh := func() string {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "prforge.yaml"), demo.Config(), 0o644); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	manifest := func(dir string) string {
		data, err := os.ReadFile(filepath.Join(dir, "dataset", "manifest.json"))
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%x", sha256.Sum256(data))
	}
	clean := fresh()
	total, done := runProgram(t, m, clean, address, 0)
	if !done || total < 100 {
		t.Fatalf("%d moments, done %v: the run is not what it was", total, done)
	}
	want := manifest(clean)

	kills := 4
	if testing.Short() {
		kills = 2
	}
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 9))
			dir := fresh()
			killed := 0
			for range kills {
				if _, done := runProgram(t, m, dir, address, 1+rng.Int64N(total*2/3)); done {
					break // it went on from so far that it ended first
				}
				killed++
			}
			if killed == 0 {
				t.Fatal("no run was killed")
			}
			if _, done := runProgram(t, m, dir, address, 0); !done {
				t.Fatal("the last run did not end")
			}
			if got := manifest(dir); got != want {
				t.Errorf("another dataset after %d kills: %s, want %s", killed, got, want)
			}
		})
	}
}
