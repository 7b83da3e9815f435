//go:build !unix

package gitsource

import "os/exec"

// ownGroup leaves it to the operating system to end git's helpers, whose pipes
// break when git is killed.
func ownGroup(*exec.Cmd) {}
