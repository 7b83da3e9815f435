package gitsource

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
)

// present is a `git cat-file` that answers which objects are here: one process
// for as long as the repository is open, because thousands of pull requests
// ask. It starts when first asked, looks for new packs itself, and ends with
// its input. The zero value is ready.
type present struct {
	mu     sync.Mutex // one question at a time
	cmd    *exec.Cmd  // nil while none runs
	cancel context.CancelFunc
	in     io.WriteCloser
	out    *bufio.Reader
	said   *tail
}

// lacking lists the objects that are not here, in the order given.
func (r *Repo) lacking(ctx context.Context, oids []string) ([]string, error) {
	if len(oids) == 0 {
		return nil, ctx.Err()
	}
	p := &r.present
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.start(ctx, r); err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, p.cancel)()
	lacking, err := p.ask(oids)
	if err == nil {
		return lacking, nil
	}
	ended := p.end()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	detail := strings.TrimSpace(p.said.String())
	return nil, &Error{Op: "cat-file", Kind: classifyLocal(detail), Detail: detail, Err: errors.Join(err, ended)}
}

// start runs the process unless it runs. It outlives the question's context.
func (p *present) start(ctx context.Context, r *Repo) error {
	if p.cmd != nil {
		return nil
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	cmd, said := exec.CommandContext(ctx, r.opts.Git, "cat-file", "--batch-check=%(objectname)"), &tail{limit: maxDetail}
	cmd.Env, cmd.Stderr, cmd.WaitDelay = r.environ(r.dir, nil), said, killDelay
	ownGroup(cmd)
	in, err := cmd.StdinPipe()
	if err == nil {
		var out io.Reader
		if out, err = cmd.StdoutPipe(); err == nil {
			p.out = bufio.NewReader(out)
			err = cmd.Start()
		}
	}
	if err != nil {
		cancel()
		return fmt.Errorf("%w: %w", ErrNoGit, err)
	}
	p.cmd, p.cancel, p.in, p.said = cmd, cancel, in, said
	return nil
}

// ask writes and reads at the same time: a pipe holds only so much.
func (p *present) ask(oids []string) ([]string, error) {
	in, written := p.in, make(chan error, 1)
	go func() {
		_, err := io.WriteString(in, strings.Join(oids, "\n")+"\n")
		written <- err
	}()
	var lacking []string
	for _, oid := range oids {
		line, err := p.out.ReadSlice('\n')
		if err != nil {
			return nil, err
		}
		name, what, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		if name != oid {
			return nil, fmt.Errorf("asked for %s, told of %q", oid, name)
		}
		if what == "missing" {
			lacking = append(lacking, oid)
		}
	}
	return lacking, <-written
}

// end stops the process, if there is one, and gives how it ended.
func (p *present) end() error {
	if p.cmd == nil {
		return nil
	}
	p.in.Close()
	p.cancel()
	err := p.cmd.Wait()
	p.cmd = nil
	return err
}

// close is end for a process that did its work.
func (p *present) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.end() // it was killed
}
