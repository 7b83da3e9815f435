package python

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// maxWalked bounds how many processes are looked at.
const maxWalked = 1000

// usage counts the processes below pid, itself included, and the bytes of
// memory that they have resident. Processes that end meanwhile count as none.
func usage(pid int) (processes int, memory int64) {
	page := int64(os.Getpagesize())
	waiting := []int{pid}
	for len(waiting) > 0 && processes < maxWalked {
		pid := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		proc := filepath.Join("/proc", strconv.Itoa(pid))
		statm, err := os.ReadFile(filepath.Join(proc, "statm"))
		if err != nil {
			continue
		}
		processes++
		if fields := strings.Fields(string(statm)); len(fields) > 2 {
			resident, _ := strconv.ParseInt(fields[1], 10, 64) // 0 is what an unreadable number adds
			shared, _ := strconv.ParseInt(fields[2], 10, 64)
			memory += (resident - shared) * page
		}
		threads, err := os.ReadDir(filepath.Join(proc, "task"))
		if err != nil {
			continue
		}
		for _, thread := range threads {
			children, err := os.ReadFile(filepath.Join(proc, "task", thread.Name(), "children"))
			if err != nil {
				continue
			}
			for _, child := range strings.Fields(string(children)) {
				if n, err := strconv.Atoi(child); err == nil {
					waiting = append(waiting, n)
				}
			}
		}
	}
	return processes, memory
}
