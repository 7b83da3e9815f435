// Package sandbox is the only way to run a stranger's program: a script of a benchmark, a reviewer. The program sees
// the system's programs and libraries, read-only, the caller's binds, and three empty folders in memory (/work, where
// it starts, /tmp and /dev/shm). It has no network except its own loopback, no environment except the given one, no
// other process and no way to gain rights. It ends within limits, with a status for each, and leaves nothing running.
//
// Bubblewrap makes the view or, if it is missing, the tools of util-linux.
package sandbox

import (
	"errors"
	"os"
	"path/filepath"
)

// Way is how programs are isolated from the machine.
type Way string

// The ways.
const (
	Auto       Way = "auto" // the first that works
	Bubblewrap Way = "bubblewrap"
	Unshare    Way = "unshare"
	// None runs programs with the rights of prforge itself and without isolation: only for trusted ones.
	None Way = "none"
)

// ErrNone says that no way works here.
var ErrNone = errors.New("no sandbox works here: install bubblewrap, or use --no-sandbox for what you trust")

// Work is where a program starts: an empty folder in memory, bounded by
// Limits.Scratch as the other two are.
const Work = "/work"

// nobody runs the programs if prforge runs as root: the kernel exempts root from the limit of processes.
const nobody = 65534

// Box is a working sandbox.
type Box struct {
	way      Way
	asNobody bool
	// nested leaves the program the right to make user namespaces, which expose much of the kernel: bubblewrap before
	// 0.8 cannot remove it.
	nested bool
}

// Way is the way of the box.
func (b *Box) Way() Way { return b.way }

// own gives files to the user of programs.
func (b *Box) own(root string) error {
	if !b.asNobody {
		return nil
	}
	return filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, nobody, nobody)
	})
}
