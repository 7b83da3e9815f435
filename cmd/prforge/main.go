// Command prforge turns merged GitHub pull requests into a frozen benchmark
// for code review.
package main

import (
	"os"
	"runtime"
	"runtime/debug"

	"github.com/prforge/prforge/cmd/prforge/internal/cli"
)

// Garbage may grow to garbagePercent of the live heap plus a ballast that is never touched and so takes no memory.
// The live heap is small for most of a run, and collecting after every few megabytes is slow; when it is large, half
// of Go's default is enough. GOGC or GOMEMLIMIT in the environment override this.
const (
	garbagePercent = 30
	besides        = 128 << 20
)

func main() {
	var untouched []byte
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(garbagePercent)
		untouched = make([]byte, besides)
	}
	code := cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	runtime.KeepAlive(untouched)
	os.Exit(code)
}
