package python

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"
)

// sandbox gives a sandbox with small limits. Without a Python or a way to
// isolate it the test is skipped, or fails where CI=true.
func sandbox(t *testing.T, way Way) *Sandbox {
	t.Helper()
	o := DefaultOptions()
	o.Sandbox = way
	o.Limits = Limits{CPU: 2, Wall: 30, Memory: 1 << 30, FileSize: 8 << 20, Scratch: 16 << 20, Output: 1 << 20, Processes: 16, OpenFiles: 64}
	if _, err := exec.LookPath(o.Interpreter); err != nil {
		missing(t, "no %s", o.Interpreter)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s, err := New(ctx, o)
	if err != nil {
		missing(t, "no sandbox: %v", err)
	}
	t.Cleanup(s.Close)
	return s
}

func missing(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

func runScript(t *testing.T, s Runner, code string, inputs ...File) *Record {
	t.Helper()
	trial, err := s.Run(t.Context(), Job{Script: Script{Path: "script.py", Code: []byte(code), Inputs: inputs}, Seeds: []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	return trial.Record
}

func TestAScriptIsTraced(t *testing.T) {
	s := sandbox(t, Auto)
	r := runScript(t, s, "def half(x):\n    return 1 / x\n\nvalues = [1,\n    0]\nfor v in values:\n    half(v)\n")
	if r.Status != Raised || r.Exception.Type != "ZeroDivisionError" || r.Exception.Message != "division by zero" {
		t.Fatalf("%+v %+v", r, r.Exception)
	}
	t.Logf("%+v %+v", r, r.Exception)
}
