package gitsource

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/prforge/prforge/internal/child"
)

// catFile is a `git cat-file` process that answers one question after another. One process serves the open
// repository, because thousands of pull requests ask. It starts at the first question, finds new packs itself, and
// ends with its input.
type catFile struct {
	dir   string // of the repository
	opts  Options
	batch string // its option: what git prints for each object

	mu     sync.Mutex     // one question at a time
	git    *child.Process // nil while none runs
	cancel context.CancelFunc
	in     io.WriteCloser
	out    *bufio.Reader
	said   *tail
}

// saysMissing is what git says of an object that is not here.
const saysMissing = "missing"

// parseSays reads what git says of an object: its type and its size.
func parseSays(says string) (kind string, size int64, err error) {
	kind, length, _ := strings.Cut(says, " ")
	size, err = strconv.ParseInt(length, 10, 64)
	if err != nil || size < 0 {
		return "", 0, fmt.Errorf("git says %q of an object", says)
	}
	return kind, size, nil
}

// ask queries some objects. Its callback receives what git says after each object's name and reads from out up to the
// next object's line. An error of git or of the callback ends the process.
func (c *catFile) ask(ctx context.Context, oids []string,
	answer func(oid, says string, out *bufio.Reader) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.start(ctx); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, c.cancel)()
	err := c.exchange(oids, answer)
	if err == nil {
		return nil
	}
	ended := c.end()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	detail := strings.TrimSpace(c.said.String())
	return &Error{Op: "cat-file", Kind: classifyLocal(detail), Detail: detail, Err: errors.Join(err, ended)}
}

// start runs the process unless it runs. It outlives the question's context.
func (c *catFile) start(ctx context.Context) error {
	if c.git != nil {
		return nil
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	cmd, said := child.Command(ctx, c.opts.Git, "cat-file", c.batch), &tail{limit: maxDetail}
	cmd.Env = environ(c.dir, c.opts.Protocols,
		[]setting{{key: "core.deltaBaseCacheLimit", value: strconv.Itoa(c.opts.Cache)}})
	cmd.Stderr = said
	in, err := cmd.StdinPipe()
	if err == nil {
		var out io.Reader
		if out, err = cmd.StdoutPipe(); err == nil {
			c.out = bufio.NewReaderSize(out, 1<<16)
			c.git, err = child.Start(cmd)
		}
	}
	if err != nil {
		cancel()
		return fmt.Errorf("%w: %w", ErrNoGit, err)
	}
	c.cancel, c.in, c.said = cancel, in, said
	return nil
}

// exchange writes and reads at the same time: a pipe holds only so much.
func (c *catFile) exchange(oids []string, answer func(oid, says string, out *bufio.Reader) error) error {
	in, written := c.in, make(chan error, 1)
	go func() {
		_, err := io.WriteString(in, strings.Join(oids, "\n")+"\n")
		written <- err
	}()
	for _, oid := range oids {
		line, err := c.out.ReadSlice('\n')
		if err != nil {
			return err
		}
		name, says, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		if name != oid {
			return fmt.Errorf("asked for %s, got %q", oid, name)
		}
		if err := answer(oid, says, c.out); err != nil {
			return err
		}
	}
	return <-written
}

// end stops the process, if there is one, and returns its error.
func (c *catFile) end() error {
	if c.git == nil {
		return nil
	}
	c.in.Close()
	c.cancel()
	err := c.git.Wait()
	c.git = nil
	return err
}

// close ends a process that did its work.
func (c *catFile) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.end() // it was killed
}
