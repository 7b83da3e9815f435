package testenv

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Inherited opens descriptors the way a shell leaves them to prforge, so that
// children get them unless something prevents it: a file to read and one to
// write, a folder, the root of the machine, a listening socket, one of a pair,
// both ends of a pipe. It gives their numbers by what they are; a program that
// opens a few files of its own never gets to these.
func Inherited(t testing.TB) map[string]int {
	t.Helper()
	dir := t.TempDir()
	held := map[string]int{}
	hold := func(name string, fd int, err error) {
		if err != nil {
			t.Fatalf("open %s: %v", name, err)
		}
		high, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_DUPFD, 100)
		if errno != 0 {
			t.Fatalf("open %s: %v", name, errno)
		}
		_ = syscall.Close(fd)
		held[name] = int(high)
		t.Cleanup(func() { _ = syscall.Close(int(high)) })
	}
	for name, path := range map[string]string{"file": filepath.Join(dir, "held.txt"), "folder": dir, "root": "/"} {
		flags := syscall.O_RDONLY
		if name == "file" {
			if err := os.WriteFile(path, []byte("MARKER-7731"), 0o666); err != nil {
				t.Fatal(err)
			}
			flags = syscall.O_RDWR
		}
		fd, err := syscall.Open(path, flags, 0)
		hold(name, fd, err)
	}
	var pipe [2]int
	err := syscall.Pipe(pipe[:])
	hold("pipe to read", pipe[0], err)
	hold("pipe to write", pipe[1], err)
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	hold("socket", pair[0], err)
	hold("other socket", pair[1], err)
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err == nil {
		err = syscall.Listen(fd, 1)
	}
	hold("network", fd, err)
	return held
}
