package sandbox

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// maxWalked bounds how many processes are read.
const maxWalked = 1000

// tree is a process with all its descendants, as far as the kernel reports them.
func tree(pid int) []int {
	all := []int{pid}
	for i := 0; i < len(all) && len(all) < maxWalked; i++ {
		tasks := proc(all[i], "task")
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

func proc(pid int, name string) string { return filepath.Join("/proc", strconv.Itoa(pid), name) }

// used is the total usage of a program's processes.
type used struct {
	processes int
	private   int64 // bytes of memory
	shared    int64 // bytes of memory that others may count as well
	processor int64 // ticks of processor time
	asleep    bool  // none runs, or waits for a disk
}

// usage reads processes. One that has ended counts as none.
func usage(pids []int) used {
	u := used{asleep: len(pids) > 1} // where the kernel does not tell children, what they do is not known
	for _, pid := range pids {
		stat, err := os.ReadFile(proc(pid, "stat"))
		if err != nil {
			continue
		}
		u.processes++
		name := strings.LastIndexByte(string(stat), ')') // a name may hold anything
		if fields := strings.Fields(string(stat[name+1:])); len(fields) > 12 {
			u.processor += number(fields[11]) + number(fields[12])
			u.asleep = u.asleep && fields[0] != "R" && fields[0] != "D"
		}
		status, _ := os.ReadFile(proc(pid, "status"))
		u.private += kilobytes(status, "RssAnon:")
		u.shared += kilobytes(status, "RssShmem:")
	}
	return u
}

// portions are the bytes of shared memory, each divided among its users; if the kernel does not say, each counts it
// whole.
func portions(pids []int) (total int64) {
	for _, pid := range pids {
		status, _ := os.ReadFile(proc(pid, "status"))
		maps, _ := os.ReadFile(proc(pid, "smaps_rollup"))
		if portion := kilobytes(maps, "Pss_Shmem:"); portion > 0 {
			total += portion
		} else {
			total += kilobytes(status, "RssShmem:")
		}
	}
	return total
}

// nameless are the bytes of open files without a name: of memory that is not
// mapped (memfd_create), and of files that were removed.
func nameless(pids []int) (memory, disk int64) {
	seen := map[[2]uint64]bool{}
	for _, pid := range pids {
		open, _ := os.ReadDir(proc(pid, "fd"))
		for _, fd := range open {
			path := filepath.Join(proc(pid, "fd"), fd.Name())
			var stat syscall.Stat_t
			if syscall.Stat(path, &stat) != nil || stat.Mode&syscall.S_IFMT != syscall.S_IFREG || stat.Nlink > 0 {
				continue
			}
			file := [2]uint64{uint64(stat.Dev), stat.Ino}
			if seen[file] {
				continue
			}
			seen[file] = true
			if target, _ := os.Readlink(path); strings.HasPrefix(target, "/memfd:") {
				memory += stat.Blocks * 512
			} else {
				disk += stat.Blocks * 512
			}
		}
	}
	return memory, disk
}

// kilobytes reads a line of the kernel's, in bytes; 0 where there is none.
func kilobytes(text []byte, name string) int64 {
	_, after, _ := strings.Cut(string(text), "\n"+name)
	fields := strings.Fields(after)
	if len(fields) == 0 {
		return 0
	}
	return number(fields[0]) << 10
}

// number reads one of the kernel's; 0 is what an unreadable one adds.
func number(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}
