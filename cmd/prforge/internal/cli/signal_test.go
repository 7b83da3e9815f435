package cli

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
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
	for cmd.Process.Signal(syscall.SIGTERM) == nil { // until the process is gone
	}
	<-ended
	if s := cmd.ProcessState.Sys().(syscall.WaitStatus); !s.Signaled() || s.Signal() != syscall.SIGTERM {
		t.Errorf("ended by %v, want the second signal", cmd.ProcessState)
	}
}
