package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"time"

	"github.com/prforge/prforge/internal/cli"
)

func main() {
	go func() {
		var best uint64
		for {
			time.Sleep(200 * time.Millisecond)
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			if m.HeapAlloc > best+20<<20 {
				best = m.HeapAlloc
				f, _ := os.Create("/tmp/heap.prof")
				pprof.Lookup("heap").WriteTo(f, 0)
				f.Close()
				fmt.Fprintln(os.Stderr, "heap", m.HeapAlloc>>20, "sys", m.Sys>>20)
			}
		}
	}()
	f, _ := os.Create("/tmp/cpu.prof")
	pprof.StartCPUProfile(f)
	code := cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	pprof.StopCPUProfile()
	os.Exit(code)
}
