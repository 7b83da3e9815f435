package python

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prforge/prforge/collectors/sandbox"
	"github.com/prforge/prforge/internal/child"
	"github.com/prforge/prforge/internal/text"
)

// host is an interpreter and its sandbox.
type host struct {
	opts    Options
	command []string // the interpreter, up to its program
	binds   []sandbox.Bind
	box     *sandbox.Box
}

// open finds the interpreter's folders and a sandbox in which it runs. The error wraps sandbox.ErrNone if there is
// none.
func (o Options) open(ctx context.Context) (*host, error) {
	h := &host{opts: o}
	if err := h.locate(ctx); err != nil {
		return nil, fmt.Errorf("find the interpreter %s: %w", o.Interpreter, err)
	}
	trial := h.program("pass", 0, sandbox.Work)
	trial.Limits.Wall = time.Minute
	if o.Sandbox == sandbox.None {
		trial.Dir = "/"
	}
	var err error
	if h.box, err = sandbox.Find(ctx, o.Sandbox, trial, o.Log); err != nil && !errors.Is(err, sandbox.ErrNone) {
		return nil, fmt.Errorf("%w; name every folder that it needs in paths", err)
	}
	return h, err
}

// locate asks the interpreter for its folders, because those of a virtual environment or of conda may be anywhere.
func (h *host) locate(ctx context.Context) error {
	cmd := child.Command(ctx, h.opts.Interpreter, "-I", "-B", "-c",
		"import json, sys; print(json.dumps([sys.executable, sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix]))")
	var out, complaint bytes.Buffer
	cmd.Env, cmd.Stdout, cmd.Stderr = []string{"PATH=/usr/local/bin:/usr/bin:/bin"}, &out, &complaint
	if err := child.Run(cmd); err != nil {
		return fmt.Errorf("%w: %s", err, text.OneLine(complaint.String()))
	}
	var at []string
	if err := json.Unmarshal(out.Bytes(), &at); err != nil || len(at) != 5 {
		return fmt.Errorf("it answers %q instead of its folders", out.String())
	}
	for _, folder := range append(at[1:], h.opts.Paths...) {
		if err := h.show(folder); err != nil {
			return err
		}
	}
	executable := at[0]
	if !h.shows(executable) {
		var err error
		if executable, err = filepath.EvalSymlinks(executable); err != nil {
			return err
		}
	}
	h.command = []string{executable, "-s", "-B", "-c"}
	return nil
}

// show binds a folder under its name and, where that goes over a link, under its
// real one.
func (h *host) show(folder string) error {
	folder = filepath.Clean(folder)
	if _, err := os.Stat(folder); err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return err
	}
	for _, path := range []string{folder, real} {
		switch {
		case h.shows(path):
		case path == "/" || path == "/tmp" || within(path, sandbox.Work) || within(path, "/proc") || within(path, "/dev"):
			return fmt.Errorf("%s cannot be shown in a sandbox, which has a folder of its own there: use an interpreter elsewhere", path)
		default:
			h.binds = append(h.binds, sandbox.Bind{From: path, To: path})
		}
	}
	return nil
}

// shows reports whether the sandbox has a path of the machine.
func (h *host) shows(path string) bool {
	return within(path, "/usr") || slices.ContainsFunc(h.binds, func(b sandbox.Bind) bool { return within(path, b.To) })
}

func within(path, folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }

// program is the interpreter with a program of ours.
func (h *host) program(source string, seed int, folder string) sandbox.Program {
	l := h.opts.Limits
	return sandbox.Program{
		Command: append(slices.Clone(h.command), source), Env: environment(seed, folder), Dir: folder, Binds: h.binds,
		First: true,
		Limits: sandbox.Limits{
			// The tracer ends a script at its wall limit; if the script prevents that, the tracer itself is ended. A
			// script that sleeps does not get its full CPU time as wall time.
			Wall: time.Duration(l.Wall+5) * time.Second, Idle: time.Duration(l.CPU) * time.Second,
			Memory: l.Memory, Processes: l.Processes, Scratch: l.Scratch,
		},
	}
}

// environment is everything that a script finds in its environment.
func environment(seed int, folder string) []string {
	home := "/tmp"
	if folder != sandbox.Work {
		home = folder
	}
	return []string{
		"PATH=/usr/bin:/bin", "HOME=" + home, "TMPDIR=" + home, "TZ=UTC", "LC_ALL=C.UTF-8",
		"PYTHONHASHSEED=" + strconv.Itoa(seed), "PYTHONDONTWRITEBYTECODE=1", "PYTHONWARNINGS=ignore",
		"MPLBACKEND=Agg", "MPLCONFIGDIR=" + home + "/.mpl", "SOURCE_DATE_EPOCH=0",
		"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1", "NUMEXPR_NUM_THREADS=1", "BLIS_NUM_THREADS=1",
		"LOKY_MAX_CPU_COUNT=1",
	}
}
