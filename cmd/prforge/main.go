// Command prforge turns merged GitHub pull requests into a frozen benchmark
// for code review.
package main

import (
	"os"
	"runtime"
	"runtime/debug"

	"github.com/prforge/prforge/cmd/prforge/internal/cli"
)

// How much garbage may collect: garbagePercent of what is in use and of as many
// bytes besides that nobody ever touches, so that they are in no memory. What is
// in use comes to less than those for most of a run, and going through it again
// for every few megabytes is what costs; where it is more, half of Go's own
// default would let more lie. GOGC or GOMEMLIMIT in the environment overrule it.
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
