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
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/prforge/prforge/collectors/python"
	"github.com/prforge/prforge/internal/demo"
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
	if _, err := github(); err != nil {
		t.Fatal(err)
	}
	target, err := url.Parse(shared.server.URL())
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

// runProgram runs the program against the address as runProcess does.
func runProgram(t *testing.T, m *moments, dir, address string, limit int64, args ...string) (seen int64, done bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "prforge", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), environment(address)...)
	return runProcess(t, m, cmd, limit)
}

// runProcess runs the program as a process of its own, which dies at the
// limit-th moment; 0 lets it end. It gives the moments seen and whether it
// ended well.
func runProcess(t *testing.T, m *moments, cmd *exec.Cmd, limit int64) (seen int64, done bool) {
	t.Helper()
	m.seen.Store(0)
	m.limit.Store(limit)
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
	killedRuns(t, 2, 100, [][]string{{"build"}})
}

// The same of escaped defects, once more from its own raw records.
func TestKilledEscapedBuildsGiveTheSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program a dozen times")
	}
	mirrors := laterMirrors(t)
	build := []string{"escaped", "build", "--mirror", mirrors, "--until", "2030-01-01"}
	m, address, dir := killedRuns(t, 2, 15, [][]string{append(build, "--workers", "1"), append(build, "--workers", "8")})
	if _, done := runProgram(t, m, dir, address, 0, "escaped", "build", "--from", "dataset", "-o", "again", "--state", "other"); !done || manifestIn(t, dir, "again") != manifestIn(t, dir, "dataset") {
		t.Errorf("another dataset from its own raw records; done %v", done)
	}
}

// laterMirrors is a folder with a clone of a repository of the built-in world, in which a later commit names a pull
// request.
func laterMirrors(t *testing.T) string {
	t.Helper()
	if _, err := github(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mirror := filepath.Join(dir, "lanternworks", "parcelpost.git")
	for _, args := range [][]string{
		{"clone", "-q", "--mirror", shared.server.URL() + "/lanternworks/parcelpost.git", mirror},
		{"clone", "-q", mirror, filepath.Join(dir, "work")},
	} {
		git(t, dir, args...)
	}
	work := filepath.Join(dir, "work")
	queue := filepath.Join(work, "parcelpost", "queue.py")
	text, err := os.ReadFile(queue)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(queue, []byte(strings.Replace(string(text), "if spool is not None:", "if spool:", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	git(t, work, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qam", "Fix loading an empty spool", "-m", "Since #34 the queue is broken with an empty spool.")
	git(t, work, "push", "-q")
	return dir
}

// git runs git in a folder.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_COMMITTER_DATE=2026-03-10T00:00:00Z", "GIT_AUTHOR_DATE=2026-03-10T00:00:00Z")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

// The same of the bugs benchmark, with any number of workers, with CPython and
// without, and once more from its own raw records.
func TestKilledBugsBuildsGiveTheSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program a dozen times")
	}
	checked := []string{"bugs", "build", "--workers", "8"}
	interpreter := python.DefaultOptions().Interpreter
	if _, err := os.Stat(interpreter); err == nil {
		checked = append(checked, "--python", interpreter)
	} else if os.Getenv("CI") == "true" {
		t.Fatal(err)
	}
	m, address, dir := killedRuns(t, 2, 50, [][]string{{"bugs", "build", "--workers", "1"}, checked})
	if _, done := runProgram(t, m, dir, address, 0, "bugs", "build", "--from", "dataset", "-o", "again", "--state", "other", "--workers", "8"); !done || manifestIn(t, dir, "again") != manifestIn(t, dir, "dataset") {
		t.Errorf("another dataset from its own raw records; done %v", done)
	}
}

func manifestIn(t *testing.T, dir, dataset string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, dataset, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(data))
}

// killedRuns runs the commands in turn on one state, each killed at some moment,
// and compares what the last one makes with what the first makes undisturbed. It
// gives a folder in which all went well.
func killedRuns(t *testing.T, seeds uint64, least int64, commands [][]string) (*moments, string, string) {
	t.Helper()
	m := &moments{}
	address := counted(t, m)
	fresh := func() string {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "prforge.yaml"), demo.Config(), 0o644); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	command := func(i int) []string {
		return slices.Concat(commands[i%len(commands)], []string{"-c", "prforge.yaml", "-o", "dataset"})
	}
	clean := fresh()
	total, done := runProgram(t, m, clean, address, 0, command(0)...)
	if !done || total < least {
		t.Fatalf("%d moments, done %v: the run is not what it was", total, done)
	}
	want := manifestIn(t, clean, "dataset")

	kills := 4
	if testing.Short() {
		seeds, kills = 1, 2
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 9))
			dir := fresh()
			killed := 0
			for range kills {
				if _, done := runProgram(t, m, dir, address, 1+rng.Int64N(total*2/3), command(killed)...); done {
					break // it went on from so far that it ended first
				}
				killed++
			}
			if killed == 0 {
				t.Fatal("no run was killed")
			}
			if _, done := runProgram(t, m, dir, address, 0, command(killed)...); !done {
				t.Fatal("the last run did not end")
			}
			if got := manifestIn(t, dir, "dataset"); got != want {
				t.Errorf("another dataset after %d kills: %s, want %s", killed, got, want)
			}
		})
	}
	return m, address, clean
}

// The same of a build that runs scripts: kept runs are whole, and the processes
// of a killed sandbox end with it.
func TestKilledDebuggingBuildsGiveTheSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Python many times")
	}
	script := "\"\"\"Sums of squares.\"\"\"\nimport math\nimport statistics\n\nvalues = [float(n) for n in range(1, 9)]\nparts = {'low': values[:4], 'high': values[4:]}\n" +
		"squares = [v ** 2 for v in values]\nmean = statistics.mean(squares)\nspread = math.sqrt(statistics.pvariance(squares))\n" +
		"first, last = min(squares), max(squares)\nfor name, part in sorted(parts.items()):\n    print(name, sum(part) / len(part))\nprint(round(mean, 3), round(spread, 3), first, last)\n"
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "scripts"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"scripts/one.py": script, "scripts/two.py": strings.ReplaceAll(script, "9", "13"), "scripts/three.py": strings.ReplaceAll(script, "'low'", "'small'"),
		"debugging.yaml": "version: 1\ndataset: {name: killed, freeze_date: 2026-11-01}\nscripts: [{folder: scripts, license: MIT}]\n" +
			"plan: {per_script: 6}\nquotas: {type: 0, operator: 0, names: 0, single_hop: 0, per_script: 2}\ncompose: {two: 1, three: 0, four: 0}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	command := func(name string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), "prforge", "debugging", "build", "-c", "debugging.yaml", "-o", name, "--state", name+"-state", "--workers", "2")
		cmd.Dir = dir
		return cmd
	}
	manifest := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name, "manifest.json"))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if out, err := command("whole").CombinedOutput(); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%v: %s", err, out)
		}
		t.Skipf("no Python in a sandbox: %s", out)
	}
	m := &moments{}
	total, done := runProcess(t, m, command("counted"), 0)
	if !done || total < 6 {
		t.Fatalf("%d moments, done %v: the run is not what it was", total, done)
	}
	killed := 0
	for limit := int64(1); limit <= total; limit += 2 { // the runs before are kept, so each gets farther
		if _, done := runProcess(t, m, command("killed"), limit); done {
			break
		}
		killed++
	}
	if killed < 2 {
		t.Fatalf("%d runs were killed", killed)
	}
	if _, done := runProcess(t, m, command("killed"), 0); !done {
		t.Fatal("the last run did not end")
	}
	if manifest("killed") != manifest("whole") || manifest("counted") != manifest("whole") {
		t.Error("another dataset")
	}
}
