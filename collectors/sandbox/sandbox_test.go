package sandbox_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prforge/prforge/collectors/sandbox"
	"github.com/prforge/prforge/internal/testenv"
)

var ways = []sandbox.Way{sandbox.Bubblewrap, sandbox.Unshare}

// box gives a box of a way. Where there is none the test ends as
// testenv.Missing does.
func box(t *testing.T, way sandbox.Way) *sandbox.Box {
	t.Helper()
	b, err := sandbox.Find(t.Context(), way, sandbox.Program{Command: []string{"true"}, Env: env}, slog.New(slog.DiscardHandler))
	if err != nil {
		testenv.Missing(t, "no sandbox: %v", err)
	}
	return b
}

var env = []string{"PATH=/usr/bin:/bin", "HOME=/tmp"}

// shell runs a script of the shell and gives its output and how it ended.
func shell(t *testing.T, b *sandbox.Box, script string, change func(*sandbox.Program)) (string, sandbox.Result) {
	t.Helper()
	var out bytes.Buffer
	p := sandbox.Program{Command: []string{"sh", "-c", script}, Env: env, Stdout: &out, Limits: sandbox.Limits{Scratch: 8 << 20}}
	if change != nil {
		change(&p)
	}
	process, err := b.Start(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	r, err := process.Wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r.Code != 0 {
		t.Logf("%s: %s", script, process.Complaint())
	}
	return out.String(), r
}

// Both ways give the same view.
func TestView(t *testing.T) {
	const look = "ls -A / /work /tmp /dev/shm; pwd; env | sort; ls /proc >/tmp/all; grep -c '^[0-9]' /tmp/all; grep -c 127.0.0.1 /proc/net/fib_trie; " +
		"cd /dev && ls -d null zero full random urandom fd stdin stdout stderr; ls /proc/self/fd | wc -l; cat /proc/net/dev | tail -n +3 | wc -l; " +
		"touch /a /usr/a /etc/a /dev/a /proc/a 2>/dev/null; echo x >/dev/null; ulimit -c; grep Cap /proc/self/status"
	var views []string
	for _, way := range ways {
		out, r := shell(t, box(t, way), look, nil)
		if r != (sandbox.Result{Status: sandbox.Exited}) {
			t.Errorf("%s: %+v", way, r)
		}
		views = append(views, out)
	}
	if t.Logf("%s", views[0]); views[0] != views[1] {
		t.Errorf("%s\ndiffers from\n%s", views[0], views[1])
	}
}

// Each way to end has a status.
func TestWait_Statuses(t *testing.T) {
	second := func(l *sandbox.Limits) { l.Wall = time.Second }
	for _, tc := range []struct {
		name, script string
		limits       func(*sandbox.Limits)
		want         sandbox.Result
	}{
		{"end", "exit 0", nil, sandbox.Result{Status: sandbox.Exited}},
		{"failure", "exit 3", nil, sandbox.Result{Status: sandbox.Exited, Code: 3}},
		{"signal", "kill -KILL $$", nil, sandbox.Result{Status: sandbox.Exited, Code: 137}},
		{"its own signal", "kill -TERM $$", nil, sandbox.Result{Status: sandbox.Exited, Code: 143}},
		{"sleep", "sleep 1000", second, sandbox.Result{Status: sandbox.OverTime}},
		{"busy", "while :; do :; done", second, sandbox.Result{Status: sandbox.OverTime}},
		{"idle", "sleep 1000", func(l *sandbox.Limits) { l.Idle = time.Second }, sandbox.Result{Status: sandbox.OverTime}},
		{"stopped", "kill -STOP $$", func(l *sandbox.Limits) { l.Idle = time.Second }, sandbox.Result{Status: sandbox.OverTime}},
		{"output", "yes", func(l *sandbox.Limits) { l.Output = 1 << 20 }, sandbox.Result{Status: sandbox.OverOutput}},
		{"output to errors", "yes >&2", func(l *sandbox.Limits) { l.Output = 1 << 20 }, sandbox.Result{Status: sandbox.OverOutput}},
		{"output at its limit", "head -c 1000 /dev/zero", func(l *sandbox.Limits) { l.Output = 1000 }, sandbox.Result{Status: sandbox.Exited}},
		{"memory", "tail /dev/zero", func(l *sandbox.Limits) { l.Memory = 64 << 20 }, sandbox.Result{Status: sandbox.OverMemory}},
		{"memory that processes share", python("import mmap, os, time\nm = mmap.mmap(-1, 96 << 20)\nm.write(b'x' * (96 << 20))\nos.fork()\nos.fork()\nm[0]\ntime.sleep(100000)"),
			func(l *sandbox.Limits) { l.Memory = 64 << 20 }, sandbox.Result{Status: sandbox.OverMemory}},
		{"memory that is counted once", python("import mmap, os\nm = mmap.mmap(-1, 32 << 20)\nm.write(b'x' * (32 << 20))\nfor i in range(5):\n    if not os.fork():\n        sum(m[:])\n        os._exit(0)\nfor i in range(5):\n    os.wait()"),
			func(l *sandbox.Limits) { l.Memory = 300 << 20 }, sandbox.Result{Status: sandbox.Exited}},
		{"memory of both kinds", python("import mmap, time\nb = b'x' * (40 << 20)\nm = mmap.mmap(-1, 40 << 20)\nm.write(b)\ntime.sleep(100000)"),
			func(l *sandbox.Limits) { l.Memory, l.Wall = 64<<20, 20*time.Second }, sandbox.Result{Status: sandbox.OverMemory}},
		{"memory without a map", python("import os, time\nfor i in range(20):\n    os.write(os.memfd_create('m'), bytes(4 << 20))\ntime.sleep(100000)"),
			func(l *sandbox.Limits) { l.Memory = 64 << 20 }, sandbox.Result{Status: sandbox.OverMemory}},
		{"processes", "while :; do sleep 1000 & done", func(l *sandbox.Limits) { l.Processes = 20 }, sandbox.Result{Status: sandbox.Exited, Code: 2}},
		{"a full folder", "head -c 100000000 /dev/zero >/tmp/a; [ $(stat -c %s /tmp/a) -le 8388608 ] && head -c 1000 /dev/zero >/work/a", nil, sandbox.Result{Status: sandbox.Exited}},
		{"many files", "i=0; while [ $i -lt 5000 ]; do i=$((i+1)); echo x >$i || exit 9; done", nil, sandbox.Result{Status: sandbox.Exited, Code: 9}},
		{"left behind", "sleep 1000 & setsid sleep 1000 & exit 0", nil, sandbox.Result{Status: sandbox.Exited}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			for _, way := range ways {
				b := box(t, way)
				_, got := shell(t, b, tc.script, func(p *sandbox.Program) {
					if p.Stdout = nil; tc.limits != nil {
						tc.limits(&p.Limits)
					}
				})
				if got != tc.want {
					t.Errorf("%s: %+v, want %+v", way, got, tc.want)
				}
			}
		})
	}
}

// python is the shell's line for a program of Python.
func python(program string) string { return "exec /usr/bin/python3 -c \"" + program + "\"" }

// A bound folder is filled no further than its limit, and only one that is bound
// writable is written.
func TestBind(t *testing.T) {
	for _, way := range ways {
		b := box(t, way)
		dir, remove, err := b.TempDir()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(remove)
		out := filepath.Join(dir, "out dir")
		if err := errors.Join(os.Mkdir(out, 0o755), os.WriteFile(filepath.Join(dir, "in"), []byte("in\n"), 0o644)); err != nil {
			t.Fatal(err)
		}
		address := filepath.Join(dir, "socket")
		listener, err := net.Listen("unix", address)
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		if err := os.Chmod(address, 0o777); err != nil {
			t.Fatal(err)
		}
		go func() {
			if c, err := listener.Accept(); err == nil {
				_, _ = c.Write([]byte("through\n"))
				c.Close()
			}
		}()
		binds := []sandbox.Bind{
			{From: dir, To: "/work/all"}, {From: out, To: "/work/out", Writable: true}, {From: filepath.Join(dir, "in"), To: "/work/pr/in.txt"}, {From: address, To: "/tmp/proxy"},
		}
		script := "cat pr/in.txt; touch all/a pr/in.txt 'all/out dir/a' 2>/dev/null; echo x >out/b; " +
			"python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect(\"/tmp/proxy\"); print(s.recv(10).decode(), end=\"\")'"
		got, r := shell(t, b, script, func(p *sandbox.Program) { p.Binds = binds })
		left, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
		if got != "in\nthrough\n" || r.Code != 0 || len(left) != 1 || filepath.Base(left[0]) != "b" {
			t.Errorf("%s: %q, %+v, files %v", way, got, r, left)
		}
		if _, err := os.Stat(filepath.Join(dir, "a")); err == nil {
			t.Errorf("%s: a folder bound read-only was written", way)
		}
		_, r = shell(t, b, "while :; do head -c 1000000 /dev/zero >>out/$(date +%N); done", func(p *sandbox.Program) { p.Binds, p.Limits.Disk = binds, 16<<20 })
		if r.Status != sandbox.OverDisk {
			t.Errorf("%s: a folder without end: %+v", way, r)
		}
		removed := python("import os, time\nfor i in range(9):\n    f = open('out/removed', 'wb', 0)\n    f.write(bytes(4 << 20))\n    os.dup(f.fileno())\n    os.remove('out/removed')\ntime.sleep(100000)")
		_, r = shell(t, b, removed, func(p *sandbox.Program) { p.Binds, p.Limits.Disk = binds, 32<<20 })
		if r.Status != sandbox.OverDisk {
			t.Errorf("%s: files that were removed: %+v", way, r)
		}
	}
}

// What keeps a program from running is the error of its start.
func TestStart_Errors(t *testing.T) {
	for _, way := range ways {
		b := box(t, way)
		for _, tc := range []struct {
			name, want string
			program    sandbox.Program
		}{
			{"no program", "no such program", sandbox.Program{Command: []string{"/no/such"}}},
			{"no bind", "/no/such", sandbox.Program{Command: []string{"true"}, Binds: []sandbox.Bind{{From: "/no/such", To: "/work/a"}}}},
			{"no folder", "/no/such", sandbox.Program{Command: []string{"true"}, Dir: "/no/such"}},
		} {
			tc.program.Env = env
			if _, err := b.Start(t.Context(), tc.program); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s, %s: %v", way, tc.name, err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		p, err := b.Start(ctx, sandbox.Program{Command: []string{"sleep", "1000"}, Env: env})
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		if _, err := p.Wait(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: a context that ends: %v", way, err)
		}
	}
	if _, err := sandbox.Find(t.Context(), "jail", sandbox.Program{}, nil); err == nil {
		t.Error("a way that is none")
	}
}

// Nothing that prforge has open, knows or is told reaches a program.
func TestStart_NothingInherited(t *testing.T) {
	held := testenv.Inherited(t)
	t.Setenv("PRFORGE_SECRET", "MARKER-7731")
	for _, way := range ways {
		open, _ := shell(t, box(t, way), "for f in /proc/[0-9]*/fd/*; do echo ${f##*/}; done; cat /proc/[0-9]*/environ | tr '\\0' '\\n'", nil)
		if !strings.Contains(open, "PATH=") {
			t.Fatalf("%s: nothing was read: %s", way, open)
		}
		for name, fd := range held {
			if slices.Contains(strings.Fields(open), strconv.Itoa(fd)) {
				t.Errorf("%s: %s is open", way, name)
			}
		}
		if strings.Contains(open, "MARKER") {
			t.Errorf("%s: the environment is prforge's", way)
		}
	}
}

// No process makes a namespace in which it has rights again.
func TestStart_NoNamespaces(t *testing.T) {
	for _, way := range ways {
		out, _ := shell(t, box(t, way), "unshare -U true && echo user; unshare -Ur mount -t tmpfs none /tmp && echo mount; mount -o remount,rw / && echo root; "+
			"mount -o remount,rw,bind /usr && echo usr; umount /usr && echo shown; chroot / true && echo chroot", nil)
		if out != "" {
			t.Errorf("%s: it could: %s", way, out)
		}
	}
}

// TestMain also is the program that TestPrograms_EndWithPrforge kills.
func TestMain(m *testing.M) {
	way, held := os.Getenv("SANDBOX_TEST_WAY"), os.Getenv("SANDBOX_TEST_HELD")
	if way == "" {
		os.Exit(m.Run())
	}
	log := slog.New(slog.DiscardHandler)
	b, err := sandbox.Find(context.Background(), sandbox.Way(way), sandbox.Program{Command: []string{"true"}, Env: env}, log)
	if err != nil {
		panic(err)
	}
	end, err := os.OpenFile(held, os.O_WRONLY, 0)
	if err != nil {
		panic(err)
	}
	if _, _, err := b.TempDir(); err != nil {
		panic(err)
	}
	script := "sleep 1000 & setsid sleep 1000 & echo runs >&3; sleep 1000"
	p, err := b.Start(context.Background(), sandbox.Program{Command: []string{"sh", "-c", script}, Env: env, Files: []*os.File{end}})
	if err != nil {
		panic(err)
	}
	end.Close()
	_, _ = p.Wait(context.Background())
}

// What runs in a sandbox ends with prforge, however that ends: it holds a pipe
// that closes then. Its folder is removed when prforge starts the next time, and not
// while it is in use.
func TestPrograms_EndWithPrforge(t *testing.T) {
	for _, way := range ways {
		temp := t.TempDir()
		t.Setenv("TMPDIR", temp)
		folders := func(want int) {
			box(t, way)
			if left, err := filepath.Glob(filepath.Join(temp, "prforge-box-*")); err != nil || len(left) != want {
				t.Errorf("%s: %v, %v; want %d folders", way, left, err, want)
			}
		}
		folders(0)
		fifo := filepath.Join(t.TempDir(), "held")
		if err := syscall.Mkfifo(fifo, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env, cmd.Stderr = append(os.Environ(), "SANDBOX_TEST_WAY="+string(way), "SANDBOX_TEST_HELD="+fifo), os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		held, err := os.Open(fifo) // waits for the other end
		if err != nil {
			t.Fatal(err)
		}
		_ = held.SetReadDeadline(time.Now().Add(time.Minute))
		said := make([]byte, 10)
		if n, err := held.Read(said); err != nil || string(said[:n]) != "runs\n" {
			t.Errorf("%s: %q, %v", way, said[:n], err)
		}
		folders(1)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if _, err := held.Read(said); !errors.Is(err, io.EOF) {
			t.Errorf("%s: what it ran goes on: %v", way, err)
		}
		held.Close()
		folders(0)
	}
}

// TestFind_Sweeps: only folders are removed that nobody uses and that are ours.
func TestFind_Sweeps(t *testing.T) {
	temp, elsewhere := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	write := func(path string) {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, nil, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(elsewhere, "file"))
	write(filepath.Join(temp, "prforge-box-dead", "closed", "file"))
	write(filepath.Join(temp, "prforge-box-file"))
	write(filepath.Join(temp, "other", "file"))
	err := errors.Join(os.Symlink(elsewhere, filepath.Join(temp, "prforge-box-dead", "link")), os.Symlink(elsewhere, filepath.Join(temp, "prforge-box-link")),
		os.Chmod(filepath.Join(temp, "prforge-box-dead", "closed"), 0))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"other", "prforge-box-file", "prforge-box-link"}
	if os.Geteuid() == 0 {
		write(filepath.Join(temp, "prforge-box-of-another", "file"))
		if err := os.Chown(filepath.Join(temp, "prforge-box-of-another"), 12345, 12345); err != nil {
			t.Fatal(err)
		}
		want = append(want, "prforge-box-of-another")
	}
	box(t, sandbox.None)
	entries, err := os.ReadDir(temp)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("left %v, want %v", got, want)
	}
	if _, err := os.Stat(filepath.Join(elsewhere, "file")); err != nil {
		t.Error(err)
	}
}
