package python

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/prforge/prforge/collectors/sandbox"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/testenv"
)

// hostileScript is a file of testdata/hostile.txtar.
type hostileScript struct {
	name, code string
	ends       []string // statuses
	cpu, wall  int      // seconds
}

// longWall is so much that a busy machine changes nothing: it ends no script
// but those that say so. So is longCPU for those that do not end by a limit of time.
const (
	longWall = 600
	longCPU  = 10
)

func hostileScripts(t *testing.T, with map[string]string) []hostileScript {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/hostile.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var put []string
	for name, text := range with {
		put = append(put, name, text)
	}
	var all []hostileScript
	for _, f := range archive.Files {
		head, _, _ := strings.Cut(string(f.Data), "\n")
		ends, wall, limited := strings.Cut(strings.TrimPrefix(head, "# "), ", ")
		h := hostileScript{name: f.Name, code: strings.NewReplacer(put...).Replace(string(f.Data)), ends: strings.Fields(ends), cpu: longCPU, wall: longWall}
		if slices.Contains(h.ends, string(model.RunTimeout)) {
			h.cpu = smallOptions(sandbox.None).Limits.CPU
		}
		if limited {
			if h.wall, err = strconv.Atoi(wall); err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
		}
		all = append(all, h)
	}
	return all
}

// machine is what hostile scripts must not find, with descriptors of it that
// prforge was started with.
type machine struct {
	secrets  string // a folder
	listener net.Listener
	held     map[string]int
}

const marker = "MARKER-7731"

func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{secrets: t.TempDir(), held: testenv.Inherited(t)}
	if err := os.WriteFile(filepath.Join(m.secrets, "secret.txt"), []byte(marker), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PRFORGE_SECRET", marker)
	var err error
	if m.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.listener.Close() })
	return m
}

// replacements are what scripts are told of the machine.
func (m *machine) replacements() map[string]string {
	_, port, _ := net.SplitHostPort(m.listener.Addr().String())
	var fds []string
	for _, fd := range m.held {
		fds = append(fds, strconv.Itoa(fd))
	}
	return map[string]string{"PORT": port, "SECRETS": m.secrets, "MARKER": marker, "FDS": "[" + strings.Join(fds, ", ") + "]"}
}

// check says what hostile scripts changed.
func (m *machine) check(t *testing.T) {
	t.Helper()
	if left, _ := os.ReadDir(m.secrets); len(left) != 1 {
		t.Errorf("something was written outside: %v", left)
	}
	text := make([]byte, 100)
	if n, _ := syscall.Pread(m.held["file"], text, 0); string(text[:max(n, 0)]) != marker {
		t.Errorf("the held file is %q", text[:n])
	}
}

// Each hostile script ends with a status that says so, and finds, changes and
// leaves nothing; in short tests those that forge, and in one way.
func TestHostileScripts(t *testing.T) {
	for _, tc := range []struct {
		way  sandbox.Way
		warm []byte
	}{{sandbox.Bubblewrap, nil}, {sandbox.Unshare, nil}, {sandbox.Bubblewrap, []byte("import os\n")}, {sandbox.Unshare, []byte("import os\n")}} {
		name := fmt.Sprintf("%s, warm %t", tc.way, tc.warm != nil)
		if testing.Short() && (tc.way != sandbox.Bubblewrap || tc.warm == nil) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			s, m := box(t, tc.way), newMachine(t)
			for _, h := range hostileScripts(t, m.replacements()) {
				if !testing.Short() || strings.HasPrefix(h.name, "forge-") || strings.HasPrefix(h.name, "inherited-") {
					t.Run(h.name, func(t *testing.T) { runHostile(t, s, h, tc.warm) })
				}
			}
			m.check(t)
			if r := runScript(t, s, "print(1)\n"); r.Status != model.RunOK {
				t.Errorf("afterwards: %+v", r)
			}
		})
	}
}

func runHostile(t *testing.T, s *Sandbox, h hostileScript, warm []byte) {
	t.Helper()
	s.opts.Limits.CPU, s.opts.Limits.Wall = h.cpu, h.wall
	run := func(code string) *model.ScriptRun {
		trial, err := s.Run(t.Context(), Job{Script: Script{Path: "script.py", Code: []byte(code)}, Seeds: []int{1}, Warm: warm})
		if err != nil {
			t.Fatal(err)
		}
		return trial.Record
	}
	r := run(h.code)
	text := fmt.Sprintf("%s %+v", r.Status, r.Exception)
	if !slices.Contains(h.ends, string(r.Status)) || strings.Contains(text, "FakeError") || strings.Contains(text, "FoundWayOut") {
		t.Errorf("%.400s %d, want %s", text, r.Exit, h.ends)
	}
	if warm == nil {
		return
	}
	if after := run("import os\nassert os.listdir() == ['script.py']\nopen('x', 'w').write('x')\n"); after.Status != model.RunOK {
		t.Errorf("the next script in its interpreter: %+v %+v", after, after.Exception)
	}
}

// Without a sandbox, too, a script gets no descriptor that prforge was started
// with.
func TestInheritedDescriptors_NoSandbox(t *testing.T) {
	s, m := box(t, sandbox.None), newMachine(t)
	for _, h := range hostileScripts(t, m.replacements()) {
		if h.name == "inherited-descriptors" {
			runHostile(t, s, h, nil)
		}
	}
}
