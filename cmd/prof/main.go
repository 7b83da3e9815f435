package main

import (
	"os"
	"runtime/pprof"

	"github.com/prforge/prforge/internal/cli"
)

func main() {
	f, _ := os.Create("/tmp/cpu.prof")
	pprof.StartCPUProfile(f)
	code := cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	pprof.StopCPUProfile()
	m, _ := os.Create("/tmp/mem.prof")
	pprof.Lookup("allocs").WriteTo(m, 0)
	m.Close()
	os.Exit(code)
}
