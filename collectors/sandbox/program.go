package sandbox

import (
	"io"
	"os"
	"time"
)

// Program is a command and its view of the machine.
type Program struct {
	// Command is the program's path in the sandbox, and its arguments.
	Command []string
	// Env is its whole environment besides PWD, as NAME=value.
	Env []string
	// Dir is its working directory; "" is Work.
	Dir   string
	Binds []Bind
	// A nil Stdin is empty; nil Stdout and Stderr are dropped. Files are its descriptors from 3 on, six at most.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Files          []*os.File
	Limits         Limits
	// First makes it the first process of its namespace, which nothing inside can signal and which must reap orphans.
	First bool
}

// Bind shows a file, folder or socket of the machine inside, read-only unless it is Writable: then its files belong
// to the user of programs and count for Limits.Disk. To is an absolute path. A path below a folder in memory is fine.
type Bind struct {
	From, To string
	Writable bool
}

// Limits bound a program and all its processes. 0 is no limit, for Scratch 64 MiB.
type Limits struct {
	Wall time.Duration
	// Idle is how long all of it may be idle, asleep or stopped.
	Idle      time.Duration
	Memory    int64 // bytes resident, without what is shared
	Processes int   // and threads
	Scratch   int64 // bytes of each folder in memory
	Disk      int64 // bytes of what is bound writable; neither Scratch nor Disk holds a larger file
	Output    int64 // bytes of standard output and error together
}

// Status is how a program ended.
type Status string

// The statuses.
const (
	Exited        Status = "exited"    // by itself; Result.Code says how
	OverTime      Status = "timeout"   // over Wall or Idle
	OverMemory    Status = "memory"    // over Memory
	OverProcesses Status = "processes" // over Processes
	OverDisk      Status = "disk"      // over Disk
	OverOutput    Status = "output"    // over Output
)

// Result is how a program ended. Code is its exit status, or 128 and the number
// of the signal that ended it.
type Result struct {
	Status Status
	Code   int
}
