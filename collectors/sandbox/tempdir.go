package sandbox

import (
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
)

// tempPrefix begins the names of the folders that TempDir makes.
const tempPrefix = "prforge-box-"

// TempDir makes a folder that programs of the box can reach, for Bind and for the
// work of None. It is locked until it is removed, or prforge ends: Find removes what
// a prforge that was killed left.
func (b *Box) TempDir() (dir string, remove func(), err error) {
	dir, lock, err := lockedFolder()
	if err != nil {
		return "", nil, fmt.Errorf("make a folder for a program: %w", err)
	}
	remove = func() {
		removeAll(dir)
		lock.Close()
	}
	if err := b.own(dir); err != nil {
		remove()
		return "", nil, err
	}
	return dir, remove, nil
}

// lockedFolder makes a folder and locks it. In between another prforge may remove it:
// then another one is made.
func lockedFolder() (dir string, lock *os.File, err error) {
	for range 10 {
		if dir, err = os.MkdirTemp("", tempPrefix); err != nil {
			return "", nil, err
		}
		if lock, err = lockFolder(dir); err != nil {
			continue
		}
		if dir, err = filepath.EvalSymlinks(dir); err == nil {
			return dir, lock, nil
		}
		lock.Close()
	}
	return "", nil, err
}

// lockFolder locks a folder that nobody has locked, until the file is closed. The file
// is nil where there is an error.
func lockFolder(dir string) (*os.File, error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// sweep removes the folders that TempDir made for this user and that nobody has locked.
func sweep(log *slog.Logger) {
	dirs, err := filepath.Glob(filepath.Join(os.TempDir(), tempPrefix+"*"))
	if err != nil {
		return // a folder for temporary files with a strange name
	}
	for _, dir := range dirs {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || !ours(info) {
			continue
		}
		if lock, err := lockFolder(dir); err == nil {
			removeAll(dir)
			lock.Close()
			log.Info("removed a folder of a prforge that was killed", "folder", dir)
		}
	}
}

// ours reports whether a file belongs to this user, or to the one that root runs
// programs as.
func ours(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	user := uint32(os.Geteuid())
	return ok && (stat.Uid == user || user == 0 && stat.Uid == nobody)
}

// removeAll removes a folder that a stranger's program wrote to: one may have taken
// away its own right to list a folder.
func removeAll(dir string) {
	if os.RemoveAll(dir) == nil {
		return
	}
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			err = os.Chmod(path, 0o700)
		}
		return err
	})
	_ = os.RemoveAll(dir) // what is left lies in the folder for temporary files
}
