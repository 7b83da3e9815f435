// Package testenv says what a test does where a tool that it needs is missing:
// it skips on a developer's machine and fails in continuous integration, where
// .ci/run installs everything. Only tests import it.
package testenv

import (
	"os"
	"os/exec"
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
