// Package testenv says what a test does where a tool that it needs is missing:
// it skips on a developer's machine and fails in continuous integration, where
// .ci/run installs everything. Only tests import it.
package testenv

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Missing skips the test and says why, or fails it under CI=true.
func Missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("continuous integration must not skip: "+format, args...)
	}
	t.Skipf(format, args...)
}

// Tool is the path of a program, or ends the test as Missing does.
func Tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(t, "%s is not installed", name)
	}
	return path
}

// Root is the folder of the module's go.mod. Tests run in the folder of their
// package, so it lies above.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the folder of the test")
		}
	}
}
