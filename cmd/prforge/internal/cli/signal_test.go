package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A run that does not come to an end after one signal is ended at once by the
// next. It waits here for a configuration that nobody writes: reading a pipe
// does not look at the context. SIGTERM, since shells start what runs in the
// background with SIGINT ignored.
func TestSecondSignal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe := filepath.Join(dir, "prforge.yaml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // killed, where no signal ends it
	defer cancel()
	cmd := exec.CommandContext(ctx, "prforge", "build", "-c", pipe, "-o", filepath.Join(dir, "dataset"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // its state is looked at below
	}()
	// Opening answers when the program has opened the other end: signals are handled by then.
	opened := make(chan *os.File, 1)
	go func() {
		f, err := os.OpenFile(pipe, os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
		}
		opened <- f
	}()
	select {
	case f := <-opened:
		defer f.Close()
	case <-ended:
		t.Fatalf("ended before it read its configuration: %v", cmd.ProcessState)
	}
	// One signal after another, until the process is gone: each when the one before was
	// taken. In a flood of them the runtime of Go, which unblocks the signal in its handler to
	// die of it, takes ever more of them on the handler's stack until that is full, and the
	// kernel then ends the process by SIGSEGV: 22 of 400 runs did.
	for cmd.Process.Signal(syscall.SIGTERM) == nil {
		for pendingTerm(cmd.Process.Pid) {
		}
	}
	<-ended
	if s := cmd.ProcessState.Sys().(syscall.WaitStatus); !s.Signaled() || s.Signal() != syscall.SIGTERM {
		t.Errorf("ended by %v, want the second signal", cmd.ProcessState)
	}
}

// pendingTerm reports whether SIGTERM waits to be taken by a process, where /proc says so.
func pendingTerm(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(text)) {
		if mask, ok := strings.CutPrefix(line, "ShdPnd:"); ok {
			set, err := strconv.ParseUint(strings.TrimSpace(mask), 16, 64)
			return err == nil && set&(1<<(syscall.SIGTERM-1)) != 0 && !strings.Contains(string(text), "State:\tZ")
		}
	}
	return false
}
