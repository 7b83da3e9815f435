package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/prforge/prforge/internal/child"
)

// Process is a running program.
type Process struct {
	child     *child.Process
	box       *Box
	limits    Limits
	writable  []string // folders
	complaint tail
	written   atomic.Int64
	closed    sync.Once
	waited    error
}

// Start starts a program and returns when it runs. An error says why it does not run, such as a missing bind or
// program.
func (b *Box) Start(ctx context.Context, prog Program) (*Process, error) {
	p := &Process{box: b, limits: prog.Limits}
	for _, bind := range prog.Binds {
		if !bind.Writable {
			continue
		}
		if err := b.own(bind.From); err != nil {
			return nil, fmt.Errorf("bind %s: %w", bind.From, err)
		}
		p.writable = append(p.writable, bind.From)
	}
	cmd := b.command(prog)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = prog.Stdin, p.counted(prog.Stdout), p.counted(prog.Stderr, &p.complaint)
	cmd.ExtraFiles = prog.Files
	if b.way != None {
		return p, p.launch(ctx, cmd)
	}
	var err error
	p.child, err = child.Start(cmd)
	return p, err
}

// launch starts a command whose last descriptor gets a byte when the program is
// about to begin (see launcher).
func (p *Process) launch(ctx context.Context, cmd *exec.Cmd) error {
	started, start, err := os.Pipe()
	if err != nil {
		return err
	}
	defer started.Close()
	cmd.ExtraFiles = append(slices.Clone(cmd.ExtraFiles), start)
	p.child, err = child.Start(cmd)
	start.Close()
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, p.kill)
	_, err = io.ReadFull(started, make([]byte, 1))
	if stop(); err == nil {
		return nil
	}
	p.Close()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return errors.New(p.Complaint())
}

// command is the process that sets up the view and becomes the program.
func (b *Box) command(prog Program) *exec.Cmd {
	var args []string
	dir := "/"
	switch b.way {
	case Bubblewrap:
		args = b.bubblewrap(prog)
	case Unshare:
		args = unshare(prog)
	default:
		args, dir = prog.Command, prog.Dir
	}
	cmd := child.Command(context.Background(), args[0], args[1:]...) // it outlives the call; Close ends it
	// never on a command line, which all can read
	cmd.Dir, cmd.Env = dir, append([]string{"PWD=" + prog.dir()}, prog.Env...)
	if b.asNobody {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	return cmd
}

// counted writes to all that are not nil, and counts.
func (p *Process) counted(to ...io.Writer) io.Writer {
	var all []io.Writer
	for _, w := range to {
		if w != nil {
			all = append(all, w)
		}
	}
	if all == nil && p.limits.Output == 0 {
		return nil
	}
	return &counter{p, io.MultiWriter(all...)}
}

func (p *Process) overOutput() bool { return p.limits.Output > 0 && p.written.Load() > p.limits.Output }

// counter forwards output up to the limit.
type counter struct {
	of *Process
	to io.Writer
}

func (c *counter) Write(b []byte) (int, error) {
	c.of.written.Add(int64(len(b)))
	if c.of.overOutput() {
		return 0, errors.New("over the limit of output")
	}
	return c.to.Write(b)
}

// code is an exit status as a shell gives it.
func code(exit *exec.ExitError) int {
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return exit.ExitCode()
}

// Close ends the program and waits for its exit.
func (p *Process) Close() {
	p.kill()
	p.wait()
}

func (p *Process) wait() { p.closed.Do(func() { p.waited = p.child.Wait() }) }

// kill ends the process and its group; a sandbox's processes end with the namespace. Without one it searches for
// processes that left the group.
func (p *Process) kill() {
	if p.box.way == None {
		for _, pid := range tree(p.child.Pid()) {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
		}
	}
	p.child.Kill()
}

// Complaint is the end of the program's standard error, as one line.
func (p *Process) Complaint() string { return p.complaint.String() }

// tail keeps the end of what is written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

// maxTail is how much of a program's error output is quoted.
const maxTail = 500

// Write implements io.Writer.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	t.buf = append([]byte{}, t.buf[max(0, len(t.buf)-maxTail):]...)
	return len(b), nil
}

// String is the end as one line.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(strings.Join(strings.Fields(string(t.buf)), " "), "?")
}
