// Command prforge turns merged GitHub pull requests into a frozen benchmark
// for code review.
package main

import (
	"os"
	"runtime/debug"

	"github.com/prforge/prforge/cmd/prforge/internal/cli"
)

// garbagePercent is how much garbage may collect, in per cent of what is in use:
// half of Go's own default. A run lasts for hours on somebody's laptop, and a
// tenth less memory is worth a few per cent of processor time there. GOGC in the
// environment overrules it.
const garbagePercent = 50

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
