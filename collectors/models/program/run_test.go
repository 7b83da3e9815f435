package program_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prforge/prforge/collectors/models/program"
	"github.com/prforge/prforge/internal/testenv"
)

func run(t *testing.T, script string, change func(*program.Options)) (string, error) {
	t.Helper()
	o := program.DefaultOptions()
	o.Command = []string{"/bin/sh", "-c", script}
	o.Getenv = func(name string) string {
		switch name {
		case "AGENT_KEY", "OPENAI_API_KEY":
			return "sk-secret-" + name
		}
		return os.Getenv(name)
	}
	if change != nil {
		change(&o)
	}
	return program.Ask(t.Context(), o, strings.Repeat("context\n", 10_000))
}

func TestAsk(t *testing.T) {
	if out, err := run(t, "wc -l", nil); err != nil || strings.TrimSpace(out) != "10000" {
		t.Errorf("%q, %v", out, err)
	}
	if out, err := run(t, "head -c 7", nil); err != nil || out != "context" {
		t.Errorf("a program that reads a part: %q, %v", out, err)
	}
	if out, err := run(t, "exit 0", nil); err != nil || out != "" {
		t.Errorf("a silent program: %q, %v", out, err)
	}
	if out, err := run(t, `printf 'a\377b'`, nil); err != nil || out != "a\uFFFDb" {
		t.Errorf("bytes that are not UTF-8: %q, %v", out, err)
	}
}

// A program gets the variables that are named, and no other key.
func TestEnvironment(t *testing.T) {
	named := func(o *program.Options) { o.Env = []string{"AGENT_KEY"} }
	if out, err := run(t, `echo "$AGENT_KEY/$OPENAI_API_KEY"`, named); err != nil || out != "sk-secret-AGENT_KEY/\n" {
		t.Errorf("%q, %v", out, err)
	}
	if _, err := run(t, `echo "bad key $AGENT_KEY" >&2; exit 3`, named); err == nil || strings.Contains(err.Error(), "sk-secret") || !strings.Contains(err.Error(), "bad key ***") {
		t.Error(err)
	}
}

// A program finds none of what prforge has open, and an environment without a
// variable is not prforge's own.
func TestAsk_NothingInherited(t *testing.T) {
	held := testenv.Inherited(t)
	out, err := run(t, "cd /proc/self/fd && echo *; env", func(o *program.Options) { o.Getenv = func(string) string { return "" } })
	open, env, _ := strings.Cut(out, "\n")
	for name, fd := range held {
		if slices.Contains(strings.Fields(open), strconv.Itoa(fd)) {
			t.Errorf("%s is open in a program: %s", name, open)
		}
	}
	for line := range strings.Lines(env) {
		if name, _, _ := strings.Cut(line, "="); !slices.Contains([]string{"PWD", "OLDPWD", "SHLVL", "_"}, name) {
			t.Errorf("in its environment: %s", line)
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// What a program leaves behind ends with it: it holds a pipe that closes then.
func TestAsk_NothingLeftRunning(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	held, err := os.OpenFile(fifo, os.O_RDWR, 0) // opens at once, and then ends as the only writer
	if err != nil {
		t.Fatal(err)
	}
	reader, err := os.Open(fifo)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if out, err := run(t, "exec 9>"+fifo+"; sleep 1000 & echo answer", nil); err != nil || out != "answer\n" {
		t.Errorf("%q, %v", out, err)
	}
	held.Close()
	_ = reader.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := reader.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("what it left still runs: %v", err)
	}
}

func TestLimits(t *testing.T) {
	if _, err := run(t, "yes", func(o *program.Options) { o.MaxOutput = 1000 }); !errors.Is(err, program.ErrTooMuch) {
		t.Errorf("endless output: %v", err)
	}
	if out, err := run(t, "head -c 1000 /dev/zero | tr '\\0' x", func(o *program.Options) { o.MaxOutput = 1000 }); err != nil || len(out) != 1000 {
		t.Errorf("output at its limit: %d bytes, %v", len(out), err)
	}
	if _, err := run(t, "sleep 1000 & sleep 1000", func(o *program.Options) { o.Timeout = 50 * time.Millisecond }); err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Errorf("a program that does not end: %v", err)
	}
	if _, err := run(t, "exit 4", nil); err == nil || !strings.Contains(err.Error(), "exit status 4") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := program.Ask(ctx, program.Options{Command: []string{"sh"}, Getenv: os.Getenv, Timeout: time.Minute}, ""); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := run(t, "", func(o *program.Options) { o.Command = []string{"/no/such/program"} }); err == nil {
		t.Error("a program that is not there")
	}
}
