package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/prforge/prforge/internal/child"
	"github.com/prforge/prforge/internal/text"
)

// Options configure a program's run.
type Options struct {
	// Command is the program and its arguments; no shell reads it.
	Command []string
	// Env are names of variables that the program gets besides PATH, HOME, LANG and TMPDIR. It gets keys of endpoints
	// only if they are named.
	Env []string
	// Getenv reads the environment; the caller gives it.
	Getenv func(string) string
	// Timeout ends a run; MaxOutput bounds what is read of it, in bytes.
	Timeout   time.Duration
	MaxOutput int64
}

// DefaultOptions leaves the command to the caller.
func DefaultOptions() Options {
	return Options{Timeout: 10 * time.Minute, MaxOutput: 16 << 20}
}

// ErrTooMuch says that a program exceeded its limit of output.
var ErrTooMuch = errors.New("it wrote more than its output limit")

// maxStderr is how much of a program's standard error an error quotes.
const maxStderr = 300

// Ask runs the program once. A nonzero exit status, a timeout and too much output are errors; an empty output is not.
// When Ask returns, all processes of the program's group have ended; one that left the group, as a daemon does, may
// still run.
func Ask(ctx context.Context, o Options, input string) (string, error) {
	if len(o.Command) == 0 {
		return "", errors.New("no program is named")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, o.Timeout, fmt.Errorf("it ran longer than %s", o.Timeout))
	defer cancel()
	cmd := child.Command(ctx, o.Command[0], o.Command[1:]...)
	cmd.Stdin, cmd.Env = strings.NewReader(input), []string{}
	for _, name := range append([]string{"PATH", "HOME", "LANG", "TMPDIR"}, o.Env...) {
		if value := o.Getenv(name); value != "" {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	out, complaint := &bounded{left: o.MaxOutput, full: cancel}, &bounded{left: maxStderr}
	cmd.Stdout, cmd.Stderr = out, complaint
	err := child.Run(cmd)
	switch {
	case out.over:
		err = ErrTooMuch
	case err != nil && ctx.Err() != nil:
		err = context.Cause(ctx)
	}
	if err != nil {
		return "", fmt.Errorf("run %s: %w%s", o.Command[0], err, said(o, complaint.String()))
	}
	return text.Valid(out.String()), nil
}

// said is a program's standard error on one line, without the values of the variables that it got by name.
func said(o Options, complaint string) string {
	for _, name := range o.Env {
		if value := o.Getenv(name); value != "" {
			complaint = strings.ReplaceAll(complaint, value, "***")
		}
	}
	if complaint = text.OneLine(complaint); complaint == "" {
		return ""
	}
	return ": " + text.Clip(complaint, maxStderr)
}

// bounded keeps the first bytes written to it, and notes that there were more.
type bounded struct {
	strings.Builder
	left int64
	over bool
	full func() // called when there are more; may be nil
}

func (b *bounded) Write(p []byte) (int, error) {
	n := len(p)
	if int64(n) > b.left {
		p, b.over = p[:b.left], true
		if b.full != nil {
			b.full()
			return 0, io.ErrShortWrite
		}
	}
	b.left -= int64(len(p))
	b.Builder.Write(p)
	return n, nil
}
