package sandbox

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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
	u := usage(w.process.child.Pid())
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
	case l.Memory > 0 && u.memory > l.Memory:
		return OverMemory
	case l.Processes > 0 && u.processes > l.Processes+ownProcesses:
		return OverProcesses
	case l.Idle > 0 && time.Duration(w.idle)*guardEvery >= l.Idle:
		return OverTime
	case l.Disk > 0 && w.looks%diskEvery == 0 && w.process.disk() > l.Disk:
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

// maxWalked bounds how many processes are looked at.
const maxWalked = 1000

// tree is a process with all that descend from it, as far as the kernel tells.
func tree(pid int) []int {
	all := []int{pid}
	for i := 0; i < len(all) && len(all) < maxWalked; i++ {
		tasks := filepath.Join("/proc", strconv.Itoa(all[i]), "task")
		threads, _ := os.ReadDir(tasks) // none where it ended
		for _, thread := range threads {
			children, _ := os.ReadFile(filepath.Join(tasks, thread.Name(), "children"))
			for _, child := range strings.Fields(string(children)) {
				if n, err := strconv.Atoi(child); err == nil {
					all = append(all, n)
				}
			}
		}
	}
	return all
}

// used is what the processes of a program take together.
type used struct {
	processes int
	memory    int64 // bytes
	processor int64 // ticks of processor time
	asleep    bool  // none runs, or waits for a disk
}

// usage looks at the processes below pid, itself included. Processes that end
// meanwhile count as none.
func usage(pid int) used {
	page := int64(os.Getpagesize())
	pids := tree(pid)
	u := used{asleep: len(pids) > 1} // where the kernel does not tell children, what they do is not known
	for _, pid := range pids {
		proc := filepath.Join("/proc", strconv.Itoa(pid))
		statm, err := os.ReadFile(filepath.Join(proc, "statm"))
		if err != nil {
			continue
		}
		u.processes++
		if fields := strings.Fields(string(statm)); len(fields) > 2 {
			u.memory += (number(fields[1]) - number(fields[2])) * page // resident without shared
		}
		stat, _ := os.ReadFile(filepath.Join(proc, "stat"))
		name := strings.LastIndexByte(string(stat), ')') // a name may hold anything
		if fields := strings.Fields(string(stat[name+1:])); len(fields) > 12 {
			u.processor += number(fields[11]) + number(fields[12])
			u.asleep = u.asleep && fields[0] != "R" && fields[0] != "D"
		}
	}
	return u
}

// number reads one of the kernel's; 0 is what an unreadable one adds.
func number(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}
