//go:build unix

package gitsource

import (
	"os/exec"
	"syscall"
)

// ownGroup puts git and the helpers that it starts into a group of their own,
// so that a canceled transfer leaves none of them behind.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
