package python

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prforge/prforge/collectors/sandbox"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/testenv"
)

// environmentIn makes a virtual environment whose site-packages also lead to a
// folder elsewhere, and gives its interpreter.
func environmentIn(t *testing.T, dir, elsewhere string) string {
	t.Helper()
	python := testenv.Tool(t, "/usr/bin/python3")
	if out, err := exec.Command(python, "-m", "venv", "--without-pip", dir).CombinedOutput(); err != nil {
		testenv.Missing(t, "no virtual environments: %s", out)
	}
	packages, err := filepath.Glob(filepath.Join(dir, "lib/python3*/site-packages"))
	if err != nil || len(packages) == 0 {
		t.Fatalf("no site-packages: %v", err)
	}
	for path, text := range map[string]string{
		filepath.Join(packages[0], "inside.py"): "", filepath.Join(packages[0], "more.pth"): elsewhere + "\n", filepath.Join(elsewhere, "outside.py"): "",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "bin/python3")
}

// An interpreter anywhere works with all that it is made of; what it leads to
// beside that is named in paths. The temporary folder is one that sandboxes have
// of their own.
func TestNew_InterpreterOutsideUsr(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	venv := environmentIn(t, filepath.Join(root, "venv"), elsewhere)
	link := filepath.Join(root, "link")
	wrapper := filepath.Join(root, "wrapper")
	if err := errors.Join(os.Symlink("/usr/bin/python3", link), os.WriteFile(wrapper, []byte("#!/bin/sh\nexec "+venv+" \"$@\"\n"), 0o755)); err != nil {
		t.Fatal(err)
	}
	for _, way := range []sandbox.Way{sandbox.Bubblewrap, sandbox.Unshare, sandbox.None} {
		if testing.Short() && way != sandbox.Bubblewrap {
			continue
		}
		for _, tc := range []struct {
			name, interpreter string
			paths             []string
			code              string
			status            model.RunStatus
		}{
			{"venv", venv, nil, "import inside\n", model.RunOK},
			{"venv, warm folder kept", venv, nil, "import inside, os\nopen(os.environ['HOME'] + '/x', 'w')\n", model.RunOK},
			{"a module elsewhere", venv, nil, "import outside\n", model.RunRaised},
			{"a module in paths", venv, []string{elsewhere}, "import outside\n", model.RunOK},
			{"link", link, nil, "print(1)\n", model.RunOK},
			{"program that starts it", wrapper, nil, "import inside\n", model.RunOK},
			{"its folder is read-only", venv, nil, "import inside\nopen(inside.__file__, 'a')\n", model.RunRaised},
		} {
			if way == sandbox.None && tc.status == model.RunRaised {
				continue // it sees the machine
			}
			o := smallOptions(way)
			o.Interpreter, o.Paths = tc.interpreter, tc.paths
			s, err := New(t.Context(), o)
			if err != nil {
				t.Errorf("%s, %s: %v", way, tc.name, err)
				continue
			}
			for range 2 {
				trial, err := s.Run(t.Context(), Job{Script: Script{Path: "script.py", Code: []byte(tc.code)}, Seeds: []int{1}, Warm: []byte("import os\n")})
				if err != nil || trial.Record.Status != tc.status {
					t.Errorf("%s, %s: %+v, error %v", way, tc.name, trial.Record, err)
				}
			}
			s.Close()
		}
	}
}

// What keeps an interpreter from working is named, and is not that there is no
// sandbox.
func TestNew_InterpreterThatDoesNotWork(t *testing.T) {
	dir := t.TempDir()
	script := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	box(t, sandbox.Auto) // a sandbox works
	for _, tc := range []struct {
		name, interpreter string
		paths             []string
		want              string
	}{
		{"missing", filepath.Join(dir, "none"), nil, "no such file"},
		{"fails", script("fails", "echo libpython is missing >&2; exit 127"), nil, "libpython is missing"},
		{"none at all", script("other", "echo 3.11"), nil, "instead of its folders"},
		{"shown nowhere", script("hidden", `echo '["`+dir+`/hidden", "/usr", "/usr", "/usr", "/usr"]'`), nil, "hidden: no such program in the sandbox; name every folder that it needs in paths"},
		{"a folder of the sandbox", script("work", `echo '["/usr/bin/python3", "/proc", "/usr", "/usr", "/usr"]'`), nil, "/proc cannot be shown"},
		{"a path that is not there", "/usr/bin/python3", []string{"/no/such"}, "/no/such"},
	} {
		o := smallOptions(sandbox.Auto)
		o.Interpreter, o.Paths = tc.interpreter, tc.paths
		s, err := New(t.Context(), o)
		if err == nil {
			s.Close()
		}
		if err == nil || errors.Is(err, sandbox.ErrNone) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}
