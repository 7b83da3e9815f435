package agent

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/prforge/prforge/collectors/sandbox"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/internal/text"
)

// The default limits of a program.
const (
	defaultTimeout   = 15 * time.Minute
	defaultMemoryMB  = 4096
	defaultDiskMB    = 4096
	defaultProcesses = 512
	defaultOutputMB  = 64
	scratchMB        = 256
	maxLog           = 64 << 10 // of standard error, its end
)

// attempt runs the program once, in a fresh checkout. The error is a *failure if the program caused it.
func (s *source) attempt(ctx context.Context, box *sandbox.Box, task string, pull reviewer.Pull, number int) (*review,
	error) {
	dir, remove, err := box.TempDir()
	if err != nil {
		return nil, err
	}
	defer remove()
	binds, err := s.show(ctx, dir, task, pull)
	if err != nil {
		return nil, fmt.Errorf("prepare %s: %w", task, err)
	}
	hosts := s.allowed()
	prog := sandbox.Program{Command: s.model.Command, Env: s.environment(pull, number, len(hosts) > 0), Binds: binds,
		Limits: s.limits()}
	if s.model.Folder != "" {
		prog.Dir = agentDir
	}
	refused := func() []string { return nil }
	if len(hosts) > 0 {
		p, err := openProxy(filepath.Join(dir, "proxy"), hosts, s.dial)
		if err != nil {
			return nil, fmt.Errorf("open the proxy: %w", err)
		}
		defer p.close()
		refused = p.names
		if prog, err = relayed(prog, dir); err != nil {
			return nil, err
		}
	}
	if s.model.Container != "" {
		name := filepath.Base(dir)
		prog = s.contained(prog, name)
		defer s.discard(ctx, name)
	}
	log := &tail{most: maxLog}
	prog.Stderr = log
	result, err := run(ctx, box, prog)
	if err != nil {
		return nil, err
	}
	if s.model.Container != "" && result.Code == engineFailed {
		return nil, fmt.Errorf("run the container: %s", text.OneLine(masked(log.String(), s.secrets())))
	}
	r := &review{log: masked(text.Plain(log.String()), s.secrets()), refused: refused()}
	err = r.read(result, filepath.Join(dir, "out"), pull, s.secrets())
	if err == nil {
		return r, nil
	}
	if len(r.refused) > 0 {
		err = failuref("%s; refused: %s", err, strings.Join(r.refused, ", "))
	}
	if said := text.OneLine(r.log); said != "" {
		err = failuref("%s: %s", err, text.Clip(said[max(0, len(said)-300):], 300))
	}
	return nil, err
}

func run(ctx context.Context, box *sandbox.Box, prog sandbox.Program) (sandbox.Result, error) {
	p, err := box.Start(ctx, prog)
	if err != nil {
		return sandbox.Result{}, fmt.Errorf("start %s: %w", prog.Command[0], err)
	}
	defer p.Close()
	return p.Wait(ctx)
}

// show makes the folders that the program sees.
func (s *source) show(ctx context.Context, dir, task string, pull reviewer.Pull) ([]sandbox.Bind, error) {
	diff, err := s.env.Checkout(ctx, task, filepath.Join(dir, "repo"))
	if err != nil {
		return nil, err
	}
	about, err := pullJSON(pull)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"pr", "out"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			return nil, err
		}
	}
	for name, data := range map[string][]byte{"diff.patch": []byte(diff), "pr.json": about} {
		if err := os.WriteFile(filepath.Join(dir, "pr", name), data, 0o644); err != nil {
			return nil, err
		}
	}
	binds := []sandbox.Bind{
		{From: filepath.Join(dir, "repo"), To: repoDir, Writable: true}, {From: filepath.Join(dir, "pr"), To: pullDir},
		{From: filepath.Join(dir, "out"), To: outDir, Writable: true},
	}
	if s.model.Folder == "" {
		return binds, nil
	}
	folder, err := filepath.Abs(s.model.Folder)
	if err == nil {
		_, err = os.Stat(folder)
	}
	return append(binds, sandbox.Bind{From: folder, To: agentDir}), err
}

func (s *source) limits() sandbox.Limits {
	l := s.model.Limits
	wall := time.Duration(s.model.TimeoutSeconds) * time.Second
	return sandbox.Limits{
		Wall: cmp.Or(wall, defaultTimeout), Memory: megabytes(cmp.Or(l.MemoryMB, defaultMemoryMB)),
		Disk: megabytes(cmp.Or(l.DiskMB, defaultDiskMB)), Processes: cmp.Or(l.Processes, defaultProcesses),
		Output: megabytes(cmp.Or(l.OutputMB, defaultOutputMB)), Scratch: megabytes(scratchMB),
	}
}

func megabytes(n int) int64 { return int64(n) << 20 }

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	most int
	buf  []byte
}

// Write implements io.Writer.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.buf = append(t.buf, b...); len(t.buf) > 2*t.most {
		t.buf = append([]byte{}, t.buf[len(t.buf)-t.most:]...)
	}
	return len(b), nil
}

// String is the end.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf[max(0, len(t.buf)-t.most):])
}
