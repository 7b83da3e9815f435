package gitsource_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/prforge/prforge/collectors/gitsource"
)

func TestUnwritableState(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 { // root may write anywhere, a thread that looks at files as nobody may not
		runtime.LockOSThread()
		if err := syscall.Setfsuid(65534); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := syscall.Setfsuid(0); err != nil {
				t.Error(err)
			}
			runtime.UnlockOSThread()
		})
	}
	if _, err := gitsource.Open(t.Context(), filepath.Join(dir, "git"), "https://example.org/x", options()); !errors.Is(err, gitsource.ErrDisk) {
		t.Errorf("error %v", err)
	}
}
