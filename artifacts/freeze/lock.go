package freeze

import (
	"os"
	"syscall"
)

// lockFolder locks a folder for this process until unlock is called or the process ends. The error says that another
// process has it.
func lockFolder(dir string) (unlock func() error, err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	return f.Close, nil
}
