// Package sandbox is the only way to run a stranger's program: a script of a benchmark, a reviewer. The program sees
// the system's programs and libraries, read-only, the caller's binds, and three empty folders in memory (/work, where
// it starts, /tmp and /dev/shm). It has no network except its own loopback, no environment except the given one, no
// other process and no way to gain rights. It ends within limits, with a status for each, and leaves nothing running.
//
// Bubblewrap makes the view or, if it is missing, the tools of util-linux.
package sandbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
)

// Way is how programs are isolated from the machine.
type Way string

// The ways.
const (
	Auto       Way = "auto" // the first that works
	Bubblewrap Way = "bubblewrap"
	Unshare    Way = "unshare"
	// None runs programs with the rights of prforge itself and without isolation: only for trusted ones.
	None Way = "none"
)

// ErrNone says that no way works here.
var ErrNone = errors.New("no sandbox works here: install bubblewrap, or use --no-sandbox for what you trust")

// Work is where a program starts: an empty folder in memory, bounded by
// Limits.Scratch as the other two are.
const Work = "/work"

// nobody runs the programs if prforge runs as root: the kernel exempts root from the limit of processes.
const nobody = 65534

// Box is a working sandbox.
type Box struct {
	way      Way
	asNobody bool
	// nested leaves the program the right to make user namespaces, which expose much of the kernel: bubblewrap before
	// 0.8 cannot remove it.
	nested bool
}

// Find returns the first way in which a program runs and exits with 0. The error wraps ErrNone if no program does; it
// gives the reason if only this one fails. Find also removes the folders of TempDir that a killed prforge left.
func Find(ctx context.Context, want Way, trial Program, log *slog.Logger) (*Box, error) {
	boxes, err := candidates(want)
	if err != nil {
		return nil, err
	}
	sweep(log)
	var problems []error
	var refused error
	plain := Program{Command: []string{"true"}}
	for _, b := range boxes {
		err := b.try(ctx, trial)
		if err == nil {
			log.Info("sandbox chosen", "way", b.way, "as_nobody", b.asNobody, "user_namespaces", b.nested)
			return b, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if b.try(ctx, plain) == nil {
			refused = fmt.Errorf("%s does not run in the sandbox: %w", trial.Command[0], err)
		}
		problems = append(problems, fmt.Errorf("%s: %w", b.way, err))
	}
	if refused != nil {
		return nil, refused
	}
	return nil, fmt.Errorf("%w: %w", ErrNone, errors.Join(problems...))
}

// candidates are the boxes to try, best first. If possible they drop root's rights.
func candidates(want Way) ([]*Box, error) {
	users := []bool{false}
	if os.Geteuid() == 0 {
		users = []bool{true, false}
	}
	var boxes []*Box
	for _, asNobody := range users {
		if want == Auto || want == Bubblewrap {
			boxes = append(boxes, &Box{Bubblewrap, asNobody, false}, &Box{Bubblewrap, asNobody, true})
		}
	}
	for _, asNobody := range users {
		if want == Auto || want == Unshare {
			boxes = append(boxes, &Box{Unshare, asNobody, false})
		}
	}
	if want == None {
		boxes = append(boxes, &Box{None, false, true})
	}
	if boxes == nil {
		return nil, fmt.Errorf("unknown sandbox %q: want auto, bubblewrap, unshare or none", want)
	}
	return boxes, nil
}

func (b *Box) try(ctx context.Context, trial Program) error {
	p, err := b.Start(ctx, trial)
	if err != nil {
		return err
	}
	r, err := p.Wait(ctx)
	if err == nil && (r.Status != Exited || r.Code != 0) {
		err = fmt.Errorf("%s %d: %s", r.Status, r.Code, p.Complaint())
	}
	return err
}

// Way is the way of the box.
func (b *Box) Way() Way { return b.way }

// own gives files to the user of programs.
func (b *Box) own(root string) error {
	if !b.asNobody {
		return nil
	}
	return filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, nobody, nobody)
	})
}
