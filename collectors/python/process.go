package python

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/prforge/prforge/internal/child"
	"github.com/prforge/prforge/internal/model"
)

// process is a running tracer. It answers one request at a time.
type process struct {
	tracer  *child.Process
	in      io.WriteCloser
	out     *bufio.Reader
	answers *os.File
	errors  tail
	folder  string // where its scripts run
	limits  Limits
	waited  sync.Once
}

// start starts a program of ours in a sandbox of its own.
func (o *Options) start(c choice, program string, seed int) (*process, error) {
	p := &process{folder: workFolder, limits: o.Limits}
	if c.way == None {
		dir, err := hostFolder()
		if err != nil {
			return nil, fmt.Errorf("make a work folder: %w", err)
		}
		p.folder = dir
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", o.Interpreter, err)
	}
	defer writer.Close()
	p.answers, p.out = reader, bufio.NewReader(reader)
	cmd := o.command(c.way, c.asNobody, program, environment(seed, p.folder))
	cmd.ExtraFiles = []*os.File{writer}
	cmd.Stderr = &p.errors
	if p.in, err = cmd.StdinPipe(); err == nil {
		p.tracer, err = child.Start(cmd)
	}
	if err != nil {
		reader.Close()
		p.removeFolder()
		return nil, fmt.Errorf("start %s: %w", o.Interpreter, err)
	}
	return p, nil
}

// errEnded says that a process ended without an answer, as it does when the
// script that it runs ends it.
var errEnded = errors.New("the interpreter ended without an answer")

// limitError says that a process was ended because of what all of the sandbox's
// processes took together.
type limitError struct{ status model.RunStatus }

func (e *limitError) Error() string { return "over the limit: " + string(e.status) }

// ask sends a request and reads its answer. A process that does not answer in
// time is ended: the error is a *limitError, or wraps errEnded where it ended
// by itself.
func (p *process) ask(ctx context.Context, request, answer any) error {
	line, err := json.Marshal(request)
	if err != nil {
		return fmt.Errorf("encode a request: %w", err)
	}
	stop, broken := make(chan struct{}), make(chan model.RunStatus, 1)
	go func() { broken <- p.guard(ctx, stop) }()
	text, err := p.exchange(append(line, '\n'))
	close(stop)
	if status := <-broken; status != "" {
		return &limitError{status}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		p.close()
		return fmt.Errorf("%w: %s", errEnded, p.errors.String())
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return fmt.Errorf("%w: %w", errEnded, err)
	}
	return nil
}

// exchange writes one line and reads one.
func (p *process) exchange(line []byte) ([]byte, error) {
	if _, err := p.in.Write(line); err != nil {
		return nil, err
	}
	var text []byte
	for {
		part, err := p.out.ReadSlice('\n')
		if len(text)+len(part) > 2*maxAnswer {
			return nil, errors.New("the answer is too long")
		}
		text = append(text, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, err
		}
	}
}

// guardEvery is how often the processes of a sandbox are looked at.
const guardEvery = 100 * time.Millisecond

// guard ends the process when the context does, when all its processes together
// take too much, or when it does not answer: the tracer inside ends a run at its
// wall limit, so that this happens only where the script keeps it from doing so.
func (p *process) guard(ctx context.Context, stop <-chan struct{}) model.RunStatus {
	tick := time.NewTicker(guardEvery)
	defer tick.Stop()
	end := time.NewTimer(time.Duration(p.limits.Wall+5) * time.Second)
	defer end.Stop()
	for {
		status := model.RunStatus("")
		select {
		case <-stop:
			return ""
		case <-ctx.Done():
			p.tracer.Kill()
			return ""
		case <-end.C:
			status = model.RunTimeout
		case <-tick.C:
			processes, memory := usage(p.tracer.Pid())
			switch {
			case memory > p.limits.Memory:
				status = model.RunMemory
			case processes > p.limits.Processes+8: // the sandbox's own
				status = model.RunProcesses
			}
		}
		if status != "" {
			p.tracer.Kill()
			return status
		}
	}
}

// close ends the process and waits until it is gone.
func (p *process) close() {
	p.waited.Do(func() {
		p.in.Close()
		p.tracer.Kill()
		_ = p.tracer.Wait() // that it was killed is no news
		p.answers.Close()
		p.removeFolder()
	})
}

func (p *process) removeFolder() {
	if p.folder != workFolder {
		_ = os.RemoveAll(p.folder) // a folder in the system's temporary one
	}
}

// tail keeps the end of what is written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

// maxTail is how much of an interpreter's error output is repeated.
const maxTail = 500

// Write implements io.Writer.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if len(t.buf) > maxTail {
		t.buf = bytes.Clone(t.buf[len(t.buf)-maxTail:])
	}
	return len(b), nil
}

// String is the end as one line.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(strings.Join(strings.Fields(string(t.buf)), " "), "?")
}
