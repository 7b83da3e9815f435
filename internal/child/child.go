// Package child starts all child programs of prforge: git, interpreters, reviewers (archtest checks this), so that
// their common rules are in one package: a child gets only the given descriptors, it has its own session, and its
// process group ends with it.
package child

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"
)

// Command is exec.CommandContext for a child: when the context ends, its whole
// group is killed. The caller sets Env, which must not be left nil for a
// stranger's program.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return killGroup(cmd.Process.Pid) }
	if err := Seal(); err != nil && cmd.Err == nil {
		cmd.Err = err
	}
	return cmd
}

// Seal keeps every open descriptor but standard input, output and error from
// programs that are started from now on. What Go opens is closed for them anyway;
// what prforge itself was started with is not: flock, make and continuous
// integration leave such descriptors open, and a script reads and writes through
// them whatever its sandbox is.
func Seal() error {
	open, err := os.ReadDir("/dev/fd")
	if err != nil {
		return fmt.Errorf("list the open descriptors: %w", err)
	}
	for _, entry := range open {
		if fd, err := strconv.Atoi(entry.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
	return nil
}

// killGroup ends a child and what it started, unless that left its group.
func killGroup(pid int) error {
	err := syscall.Kill(-pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

// Process is a child that was started.
type Process struct {
	cmd   *exec.Cmd
	pumps []*pump
	fed   chan struct{} // closed when the input is written; nil without one
	ended atomic.Bool   // its number may be another's
}

// Run is Start and Wait.
func Run(cmd *exec.Cmd) error {
	p, err := Start(cmd)
	if err != nil {
		return err
	}
	return p.Wait()
}

// Start starts what Command made. Unlike exec.Cmd it also bounds how long a
// descriptor that somebody else holds is waited for (see Wait).
func Start(cmd *exec.Cmd) (*Process, error) {
	p := &Process{cmd: cmd}
	input := cmd.Stdin
	given, err := p.connect()
	var in io.WriteCloser
	if _, isFile := input.(*os.File); err == nil && input != nil && !isFile {
		cmd.Stdin = nil
		in, err = cmd.StdinPipe()
	}
	if err == nil {
		err = cmd.Start()
	}
	for _, f := range given {
		f.Close()
	}
	if err != nil {
		for _, pump := range p.pumps {
			pump.from.Close()
		}
		return nil, err
	}
	for _, pump := range p.pumps {
		go pump.run()
	}
	if in != nil {
		p.fed = make(chan struct{})
		go func() {
			defer close(p.fed)
			_, _ = io.Copy(in, input) // it need not read all of its input
			in.Close()
		}()
	}
	return p, nil
}

// connect makes the pipes of standard output and error and gives the child's
// ends of them.
func (p *Process) connect() (given []*os.File, err error) {
	for _, to := range []*io.Writer{&p.cmd.Stdout, &p.cmd.Stderr} {
		if _, isFile := (*to).(*os.File); isFile || *to == nil {
			continue
		}
		from, end, err := os.Pipe()
		if err != nil {
			return given, err
		}
		p.pumps = append(p.pumps, &pump{from: from, to: *to, done: make(chan struct{})})
		given = append(given, end)
		*to = end
	}
	return given, nil
}

// Pid is the process's number, and that of its group.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Kill ends the process and its group, unless Wait has.
func (p *Process) Kill() {
	if !p.ended.Load() {
		_ = killGroup(p.Pid()) // it may have ended
	}
}

// Wait waits until the process has ended, kills what is left of its group, and
// reads the rest of its output. The error is exec.Cmd's, or that of a writer.
// What left the group and holds the output open does not: its output is no part
// of the process's.
func (p *Process) Wait() error {
	err := p.cmd.Wait()
	p.Kill()
	p.ended.Store(true)
	for _, pump := range p.pumps {
		if e := pump.end(); err == nil {
			err = e
		}
	}
	if p.fed != nil {
		<-p.fed // cmd.Wait closed the pipe
	}
	return err
}

// pump copies what a child writes.
type pump struct {
	from *os.File
	to   io.Writer
	done chan struct{}
	err  error
}

func (p *pump) run() {
	defer close(p.done)
	_, p.err = io.Copy(p.to, p.from)
	if errors.Is(p.err, os.ErrDeadlineExceeded) {
		p.err = p.rest()
	}
	p.from.Close() // who still writes gets SIGPIPE
}

// end ends a pump whose child has ended.
func (p *pump) end() error {
	_ = p.from.SetReadDeadline(time.Now()) // it may be closed
	<-p.done
	return p.err
}

// grace is how long a pipe is listened to that is neither empty nor closed after
// its writer ended, capacity how much such a pipe can hold.
const (
	grace    = time.Second
	capacity = 1 << 20
)

// rest reads what an ended child left in its pipe.
func (p *pump) rest() error {
	part := make([]byte, 1<<16)
	for left := capacity; left > 0; {
		if err := p.from.SetReadDeadline(time.Now().Add(grace)); err != nil {
			return err
		}
		n, err := p.from.Read(part)
		left -= n
		if _, err := p.to.Write(part[:n]); err != nil {
			return err
		}
		if errors.Is(err, io.EOF) || errors.Is(err, os.ErrDeadlineExceeded) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}
