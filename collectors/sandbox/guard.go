package sandbox

import (
	"context"
	"io/fs"
	"path/filepath"
	"syscall"
	"time"
)

// guardEvery is how often a program's processes are looked at, diskEvery how
// often its folders, which takes longer.
const (
	guardEvery = 100 * time.Millisecond
	diskEvery  = 10 // times guardEvery
)

// ownProcesses is more than how many of the sandbox's own processes are among
// those of a program.
const ownProcesses = 8

// Guard ends the program when the context does or when it is over a limit, which
// it gives, and returns when stop closes. A server is guarded for as long as it
// answers a request.
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

// watch looks at a program again and again.
type watch struct {
	process   *Process
	looks     int
	idle      int // looks in a row at which nothing ran and no processor time had been used
	processor int64
}

// look gives the limit that is broken now, or "". Time in which nothing runs is
// counted in looks: on a busy machine there are fewer.
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

// lookAtFiles gives the limit that files break: those of the writable folders,
// and those that have no name any more or never had one.
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

// disk is how many bytes the writable binds hold. What cannot be read counts as
// nothing.
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
