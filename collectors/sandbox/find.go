package sandbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
)

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
