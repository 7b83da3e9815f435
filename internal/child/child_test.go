package child_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prforge/prforge/internal/child"
	"github.com/prforge/prforge/internal/testenv"
)

// A child gets none of the descriptors that prforge was started with, whatever
// they are of.
func TestCommand_InheritedDescriptors(t *testing.T) {
	for name, fd := range testenv.Inherited(t) {
		t.Run(name, func(t *testing.T) {
			out := shell(t, "ls -l /proc/self/fd/"+strconv.Itoa(fd)+" 2>/dev/null; echo end")
			if out != "end\n" {
				t.Errorf("descriptor %d: %s", fd, out)
			}
		})
	}
	if got := shell(t, "cd /dev/fd && echo *"); !strings.HasPrefix(got, "0 1 2") || len(strings.Fields(got)) > 4 {
		t.Errorf("open in a child: %s", got)
	}
}

// The descriptors that a child is given are there.
func TestCommand_GivenDescriptors(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := child.Command(t.Context(), "/bin/sh", "-c", "echo given >&3")
	cmd.ExtraFiles = []*os.File{w}
	err = child.Run(cmd)
	w.Close()
	got := make([]byte, 10)
	if n, _ := r.Read(got); err != nil || string(got[:n]) != "given\n" {
		t.Errorf("%q, error %v", got, err)
	}
}

func shell(t *testing.T, script string) string {
	t.Helper()
	var out bytes.Buffer
	cmd := child.Command(t.Context(), "/bin/sh", "-c", script)
	cmd.Stdout = &out
	if err := child.Run(cmd); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// What a child leaves in its group ends with it, and is waited for neither with
// the output in its hands nor with the input. It holds a pipe that closes when it
// has ended.
func TestWait_EndsTheGroup(t *testing.T) {
	for _, script := range []string{"sleep 1000 & :", "sleep 1000 >/dev/null 2>&1 </dev/null & :", "(sleep 1000 &) & wait"} {
		held, end, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd := child.Command(t.Context(), "/bin/sh", "-c", script)
		cmd.Stdout, cmd.Stdin = new(bytes.Buffer), strings.NewReader(strings.Repeat("x", 1<<20))
		cmd.ExtraFiles = []*os.File{end}
		err = child.Run(cmd)
		end.Close()
		_ = held.SetReadDeadline(time.Now().Add(time.Minute))
		if _, eof := held.Read(make([]byte, 1)); err != nil || !errors.Is(eof, io.EOF) {
			t.Errorf("%s: error %v; what it left: %v", script, err, eof)
		}
		held.Close()
	}
}

// What leaves the group and holds the output is no error, and loses none of it.
func TestWait_OutputHeldByAnother(t *testing.T) {
	var out bytes.Buffer
	cmd := child.Command(t.Context(), "/bin/sh", "-c", "setsid sleep 1000 & head -c 60000 /dev/zero; echo; echo $!")
	cmd.Stdout = &out
	err := child.Run(cmd)
	_, last, _ := strings.Cut(out.String(), "\n")
	pid, _ := strconv.Atoi(strings.TrimSpace(last))
	if err != nil || out.Len() < 60000 || pid == 0 {
		t.Errorf("%d bytes, process %d, error %v", out.Len(), pid, err)
	}
	if pid > 0 {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// What leaves the group and writes without end is not listened to for ever.
func TestWait_OutputWithoutEnd(t *testing.T) {
	cmd := child.Command(t.Context(), "/bin/sh", "-c", `setsid yes & until [ "$(cut -d' ' -f6 /proc/$!/stat)" = $! ]; do :; done`)
	out := limited(64 << 20)
	cmd.Stdout = &out
	if err := child.Run(cmd); err != nil {
		t.Error(err)
	}
}

// A child that has ended leaves no pipe open here.
func TestRun_Descriptors(t *testing.T) {
	open := func() int {
		entries, err := os.ReadDir("/dev/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	before := open()
	for range 3 {
		shell(t, "echo x")
	}
	if after := open(); after > before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}

// limited takes so many bytes.
type limited int

func (l *limited) Write(p []byte) (int, error) {
	if *l -= limited(len(p)); *l < 0 {
		return 0, errors.New("too much")
	}
	return len(p), nil
}

// A context that ends takes the whole group with it, also without Start and Wait.
func TestCommand_EndsTheGroup(t *testing.T) {
	held, end, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cmd := child.Command(ctx, "/bin/sh", "-c", "sleep 1000 & echo >&3; sleep 1000")
	cmd.ExtraFiles = []*os.File{end}
	err = cmd.Start()
	end.Close()
	_ = held.SetReadDeadline(time.Now().Add(time.Minute))
	if _, started := held.Read(make([]byte, 1)); err != nil || started != nil {
		t.Fatal(err, started)
	}
	cancel()
	_ = cmd.Wait()
	if _, eof := held.Read(make([]byte, 1)); !errors.Is(eof, io.EOF) {
		t.Errorf("the rest of the group runs on: %v", eof)
	}
}

// failing refuses what is written to it.
type failing struct{ error }

func (f failing) Write([]byte) (int, error) { return 0, f }

func TestRun_Errors(t *testing.T) {
	full := failing{errors.New("full")}
	cmd := child.Command(t.Context(), "/bin/sh", "-c", "yes")
	cmd.Stdout = full
	if err := child.Run(cmd); err == nil {
		t.Error("a writer that fails does not end the child")
	}
	cmd = child.Command(t.Context(), "/bin/sh", "-c", "echo a")
	cmd.Stdout = full
	if err := child.Run(cmd); !errors.Is(err, full) {
		t.Errorf("a writer that fails: %v", err)
	}
	if err := child.Run(child.Command(t.Context(), "/no/such/program")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a program that is not there: %v", err)
	}
	if err := child.Run(child.Command(t.Context(), "prforge-no-such-program")); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("a program that no folder has: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	cmd = child.Command(ctx, "/bin/sh", "-c", "sleep 1000 & sleep 1000")
	cmd.Stdout = new(bytes.Buffer)
	if err := child.Run(cmd); err == nil || ctx.Err() == nil {
		t.Errorf("a context that ends: %v", err)
	}
}
