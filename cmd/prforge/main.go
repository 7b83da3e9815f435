// Command prforge turns merged GitHub pull requests into a frozen benchmark
// for code review.
package main

import (
	"os"

	"github.com/prforge/prforge/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
