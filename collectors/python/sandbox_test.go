package python

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/testenv"
)

// hostile are scripts that try to leave the sandbox or to exhaust it. One that
// gets through raises where it must not. The tracer and the sandbox's first
// process are inside with the script and have no more rights than it, so that
// nothing is gained by holding those.
var hostile = []struct {
	name, code string
	want       []model.RunStatus
}{
	{"network", "import socket\ns = socket.socket()\ns.settimeout(5)\ns.connect(('127.0.0.1', PORT))\n", []model.RunStatus{model.RunRaised}},
	{"name lookup", "import socket\nsocket.getaddrinfo('example.org', 80)\n", []model.RunStatus{model.RunRaised}},
	{"writes outside", "import os\ndone = []\nfor d in ('/', '/usr', '/etc', '/usr/lib', '/proc/sys/kernel', '/var', '/home', 'SECRETS'):\n" +
		"    try:\n        open(os.path.join(d, 'escaped'), 'w'); done.append(d)\n    except OSError:\n        pass\nassert not done, done\n", []model.RunStatus{model.RunOK}},
	{"fork bomb", "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass\n", []model.RunStatus{model.RunTimeout, model.RunProcesses, model.RunMemory}},
	{"thread bomb", "import threading, time\nfor i in range(10000):\n    threading.Thread(target=time.sleep, args=(100,)).start()\n", []model.RunStatus{model.RunRaised}},
	{"endless loop", "while True:\n    pass\n", []model.RunStatus{model.RunTimeout}},
	{"endless sleep", "import time\ntime.sleep(1000)\n", []model.RunStatus{model.RunTimeout}},
	{"ignores the limit", "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True:\n    pass\n", []model.RunStatus{model.RunTimeout}},
	{"raises its limits", "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (1000, 1000))\n", []model.RunStatus{model.RunRaised}},
	{"memory", "a = []\nwhile True:\n    a.append(bytearray(1 << 24))\n", []model.RunStatus{model.RunRaised, model.RunMemory}},
	{"memory of many", "import os\nfor i in range(6):\n    if os.fork() == 0:\n        break\nimport time\na = []\nfor i in range(30):\n    a.append(bytearray(b'x' * (1 << 24)))\n    time.sleep(.03)\ntime.sleep(20)\n", []model.RunStatus{model.RunMemory}},
	{"output", "while True:\n    print('x' * 10000)\n", []model.RunStatus{model.RunOutput}},
	{"output below Python", "import os\nb = b'x' * 65536\nwhile True:\n    os.write(1, b)\n", []model.RunStatus{model.RunOutput}},
	{"answer", "import os\nb = b'x' * 65536\nfor fd in range(3, 20):\n    try:\n        while True:\n            os.write(fd, b)\n    except OSError:\n        pass\n", []model.RunStatus{model.RunOutput, model.RunOK, model.RunTimeout}},
	{"large file", "f = open('big', 'wb')\nwhile True:\n    f.write(bytes(1 << 20))\n", []model.RunStatus{model.RunRaised}},
	{"many files", "import itertools\nfor i in itertools.count():\n    open(str(i), 'wb').write(bytes(1 << 20))\n", []model.RunStatus{model.RunRaised}},
	{"os._exit", "import os\nos._exit(0)\n", []model.RunStatus{model.RunVanished}},
	{"abort", "import os\nos.abort()\n", []model.RunStatus{model.RunKilled}},
	{"segmentation fault", "import ctypes\nctypes.string_at(0)\n", []model.RunStatus{model.RunKilled}},
	{"kills the tracer", "import os, signal, time\nos.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(30)\n", []model.RunStatus{model.RunKilled, model.RunTimeout, model.RunRaised}},
	{"kills all", "import os, signal, time\nos.kill(-1, signal.SIGKILL)\ntime.sleep(30)\n", []model.RunStatus{model.RunKilled, model.RunTimeout, model.RunRaised}},
	{"ptrace", "import ctypes, os\nc = ctypes.CDLL(None, use_errno=True)\nheld = [pid for pid in range(2, 400) if pid not in (os.getpid(), os.getppid()) and c.ptrace(16, pid, 0, 0) == 0]\nassert not held, held\n", []model.RunStatus{model.RunOK}},
	{"mounts", "import ctypes\nc = ctypes.CDLL(None)\nassert c.mount(b'none', b'/work', b'tmpfs', 0, None) != 0\nassert c.mount(None, b'/usr', None, 32, None) != 0\nassert c.unshare(0x10000000) != 0 or c.mount(None, b'/usr', None, 32 | 4096, None) != 0 or not __import__('os').access('/usr', 2)\n", []model.RunStatus{model.RunOK}},
	{"environment", "import os\nfor p in ['/proc/%s/environ' % n for n in os.listdir('/proc') if n.isdigit()]:\n    try:\n        print(open(p).read())\n    except OSError:\n        pass\nassert 'MARKER' not in str(os.environ)\nfor n in os.listdir('/proc'):\n    if n.isdigit():\n        try:\n            assert 'MARKER' not in open('/proc/%s/environ' % n).read(), n\n        except OSError:\n            pass\n", []model.RunStatus{model.RunOK}},
	{"state folder", "import os\nfound = []\nfor at, folders, files in os.walk('/'):\n    folders[:] = [f for f in folders if at != '/' or f not in ('proc', 'usr', 'dev')]\n    found += [f for f in files if f == 'secret.txt']\nassert not found\nassert not os.path.exists('SECRETS')\n", []model.RunStatus{model.RunOK}},
	{"stops tracing", "import sys\nsys.settrace(None)\n1 / 0\n", []model.RunStatus{model.RunRaised}},
	{"deep recursion", "def f(): return f()\nf()\n", []model.RunStatus{model.RunRaised}},
	{"deep nesting", "x = '(' * 100000 + ')' * 100000\neval(x)\n", []model.RunStatus{model.RunRaised}},
	{"message", "raise ValueError('x' * 50000000)\n", []model.RunStatus{model.RunRaised}},
	{"message that raises", "class E(Exception):\n    def __str__(self): raise E\nraise E\n", []model.RunStatus{model.RunRaised}},
	{"surrogates", "raise ValueError('\\ud800\\x00\\x1b[31m')\n", []model.RunStatus{model.RunRaised}},
	{"input", "input()\n", []model.RunStatus{model.RunRaised}},
}

// endsByWall are the scripts that only the wall limit ends, with their seconds;
// the others get so much that a busy machine changes nothing.
var endsByWall = map[string]int{"endless sleep": 3, "kills the tracer": 5, "kills all": 5, "fork bomb": 5}

// What prforge was started with is not open in a script: nothing of the machine
// is read, written or sent through it.
func TestRun_InheritedDescriptors(t *testing.T) {
	held := testenv.Inherited(t)
	script := "import os\n" +
		"for fd in range(3, 1000):\n    try:\n        at = os.readlink('/proc/self/fd/%d' % fd)\n    except OSError:\n        continue\n" +
		"    assert at.startswith('pipe:') and fd < 10, (fd, at)\n" +
		"for name in FDS:\n" +
		"    for use in (lambda: os.read(name, 1), lambda: os.write(name, b'x'), lambda: os.open('etc/passwd', os.O_RDONLY, dir_fd=name), lambda: os.listdir(name)):\n" +
		"        try:\n            use()\n        except OSError as e:\n            assert e.errno == 9, e\n        else:\n            raise SystemExit('through')\n"
	var fds []string
	for _, fd := range held {
		fds = append(fds, strconv.Itoa(fd))
	}
	script = strings.NewReplacer("FDS", "["+strings.Join(fds, ", ")+"]").Replace(script)
	for _, way := range []Way{Bubblewrap, Unshare, None} {
		if r := runScript(t, sandbox(t, way), script); r.Status != model.RunOK {
			t.Errorf("%s: %+v %+v", way, r, r.Exception)
		}
	}
}

func TestHostileScriptsEndWithinTheirLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("runs for a minute")
	}
	for _, way := range []Way{Bubblewrap, Unshare} {
		t.Run(string(way), func(t *testing.T) {
			s := sandbox(t, way)
			secrets := t.TempDir()
			if err := os.WriteFile(filepath.Join(secrets, "secret.txt"), []byte("MARKER-7731"), 0o644); err != nil {
				t.Fatal(err)
			}
			t.Setenv("PRFORGE_SECRET", "MARKER-7731")
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			_, port, _ := net.SplitHostPort(listener.Addr().String())
			for _, h := range hostile {
				s.opts.Limits.Wall = 120
				if seconds, ok := endsByWall[h.name]; ok {
					s.opts.Limits.Wall = seconds
				}
				code := strings.NewReplacer("PORT", port, "SECRETS", secrets, "MARKER", "MARKER-7731").Replace(h.code)
				r := runScript(t, s, code)
				ok := false
				for _, w := range h.want {
					ok = ok || r.Status == w
				}
				if text := fmt.Sprintf("%+v %+v", r, r.Exception); !ok {
					t.Errorf("%s: %.400s, want %v", h.name, text, h.want)
				}
			}
			if left, _ := os.ReadDir(secrets); len(left) != 1 {
				t.Errorf("something was written outside: %v", left)
			}
			if r := runScript(t, s, "print(1)\n"); r.Status != model.RunOK {
				t.Errorf("afterwards: %+v", r)
			}
		})
	}
}
