package python

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/prforge/prforge/collectors/sandbox"
	"github.com/prforge/prforge/internal/model"
)

// process is a running tracer. It answers one request at a time.
type process struct {
	*sandbox.Process
	in      io.WriteCloser
	out     *bufio.Reader
	answers *os.File
	folder  string // where its scripts run
	remove  func() // the folder
	closed  sync.Once
}

// start starts our program in a new sandbox.
func (h *host) start(ctx context.Context, source string, seed int) (*process, error) {
	p := &process{folder: sandbox.Work, remove: func() {}}
	var err error
	if h.box.Way() == sandbox.None {
		if p.folder, p.remove, err = h.box.TempDir(); err != nil {
			return nil, err
		}
	}
	if err := p.connect(ctx, h, h.program(source, seed, p.folder)); err != nil {
		p.remove()
		return nil, fmt.Errorf("start %s: %w", h.opts.Interpreter, err)
	}
	return p, nil
}

// connect starts the program between two pipes: requests are its input, answers
// come on descriptor 3.
func (p *process) connect(ctx context.Context, h *host, prog sandbox.Program) error {
	requests, in, err := os.Pipe()
	if err != nil {
		return err
	}
	defer requests.Close()
	answers, writer, err := os.Pipe()
	if err != nil {
		in.Close()
		return err
	}
	defer writer.Close()
	p.in, p.answers, p.out = in, answers, bufio.NewReader(answers)
	prog.Stdin, prog.Files = requests, []*os.File{writer}
	if p.Process, err = h.box.Start(ctx, prog); err != nil {
		in.Close()
		answers.Close()
	}
	return err
}

// errEnded says that a process ended without an answer, for example because its script ended it.
var errEnded = errors.New("the interpreter ended without an answer")

// limitError says that a process was ended because all of the sandbox's processes together exceeded a limit.
type limitError struct{ status model.RunStatus }

func (e *limitError) Error() string { return "over the limit: " + string(e.status) }

// ask sends a request and reads its answer. It ends a process that does not answer in time: the error is a
// *limitError, or wraps errEnded if the process ended by itself.
func (p *process) ask(ctx context.Context, request, answer any) error {
	line, err := json.Marshal(request)
	if err != nil {
		return fmt.Errorf("encode a request: %w", err)
	}
	stop, broken := make(chan struct{}), make(chan sandbox.Status, 1)
	go func() { broken <- p.Guard(ctx, stop) }()
	text, err := p.exchange(append(line, '\n'))
	close(stop)
	if status := <-broken; status != "" {
		return &limitError{model.RunStatus(status)}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		p.close()
		return fmt.Errorf("%w: %s", errEnded, p.Complaint())
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

// close ends the process and waits until it is gone.
func (p *process) close() {
	p.closed.Do(func() {
		p.in.Close()
		p.Close()
		p.answers.Close()
		p.remove()
	})
}
