package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// guardEvery is the interval of checks of a program's processes, diskEvery of its folders, which take longer.
const (
	guardEvery = 100 * time.Millisecond
	diskEvery  = 10 // times guardEvery
)

// ownProcesses is an upper bound of the sandbox's own processes among those of a program.
const ownProcesses = 8

// Guard ends the program at the end of the context or at a broken limit, which it returns, and returns when stop
// closes. A server is guarded while it answers a request.
func (p *Process) Guard(ctx context.Context, stop <-chan struct{}) Status {
	tick := time.NewTicker(guardEvery)
	defer tick.Stop()
	var end <-chan time.Time
	if p.limits.Wall > 0 {
		timer := time.NewTimer(p.limits.Wall)
		defer timer.Stop()
		end = timer.C
	}
	watch := watch{process: p}
	for {
		status := Status("")
		select {
		case <-stop:
			return ""
		case <-ctx.Done():
			p.kill()
			return ""
		case <-end:
			status = OverTime
		case <-tick.C:
			status = watch.look()
		}
		if status != "" {
			p.kill()
			return status
		}
	}
}

// Wait waits for the end of a program, within its limits, and ends all its processes. An error is the context's.
func (p *Process) Wait(ctx context.Context) (Result, error) {
	ended := make(chan struct{})
	go func() {
		p.wait()
		close(ended)
	}()
	status := p.Guard(ctx, ended)
	<-ended
	switch exit := (*exec.ExitError)(nil); {
	case status != "":
		return Result{Status: status}, nil
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	case p.overOutput():
		return Result{Status: OverOutput}, nil
	case errors.As(p.waited, &exit):
		return Result{Status: Exited, Code: code(exit)}, nil
	default:
		return Result{Status: Exited}, p.waited
	}
}

// watch checks a program repeatedly.
type watch struct {
	process   *Process
	looks     int
	idle      int // checks in a row at which nothing ran and no processor time had been used
	processor int64
}

// look returns the limit that is broken now, or "". It measures idle time in checks, because a busy machine makes
// fewer of them.
func (w *watch) look() Status {
	l := w.process.limits
	pids := tree(w.process.child.Pid())
	u := usage(pids)
	w.looks++
	if u.asleep && u.processor == w.processor {
		w.idle++
	} else {
		w.idle = 0
	}
	w.processor = u.processor
	switch {
	case w.process.overOutput():
		return OverOutput
	case l.Memory > 0 && u.private+u.shared > l.Memory && u.private+portions(pids) > l.Memory:
		return OverMemory
	case l.Processes > 0 && u.processes > l.Processes+ownProcesses:
		return OverProcesses
	case l.Idle > 0 && time.Duration(w.idle)*guardEvery >= l.Idle:
		return OverTime
	case w.looks%diskEvery == 0:
		return w.lookAtFiles(pids, u)
	}
	return ""
}

// lookAtFiles returns the limit that files break: those in the writable folders, and those without a name.
func (w *watch) lookAtFiles(pids []int, u used) Status {
	l := w.process.limits
	memory, disk := nameless(pids)
	switch {
	case l.Memory > 0 && u.private+memory > l.Memory:
		return OverMemory
	case l.Disk > 0 && disk+w.process.disk() > l.Disk:
		return OverDisk
	}
	return ""
}

// disk is the size of the writable binds in bytes. Unreadable files count as empty.
func (p *Process) disk() (total int64) {
	for _, root := range p.writable {
		_ = filepath.WalkDir(root, func(_ string, entry fs.DirEntry, err error) error {
			if err != nil {
				return nil //nolint:nilerr // it may have gone
			}
			if info, err := entry.Info(); err == nil {
				if stat, ok := info.Sys().(*syscall.Stat_t); ok {
					total += stat.Blocks * 512
				}
			}
			return nil
		})
	}
	return total
}
