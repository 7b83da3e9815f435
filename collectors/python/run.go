package python

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/prforge/prforge/collectors/sandbox"
	"github.com/prforge/prforge/internal/model"
)

// Sandbox runs scripts for real. It is safe for concurrent use; Close ends its
// warm interpreters.
type Sandbox struct {
	*host

	mu      sync.Mutex
	servers []*server // least recently used first
	stats   Stats
}

// Stats is what the runs took. It never becomes part of a record.
type Stats struct {
	Cold, Warm       int       // runs
	ColdCPU, WarmCPU []float64 // CPU seconds of each, without starting the interpreter
}

// server is a warm interpreter.
type server struct {
	key [sha256.Size]byte
	*process
	busy sync.Mutex
	gone bool // closed; read and written by who holds busy
}

// New finds a working sandbox. The error wraps sandbox.ErrNone if there is none.
func New(ctx context.Context, o Options) (*Sandbox, error) {
	h, err := o.open(ctx)
	if err != nil {
		return nil, err
	}
	return &Sandbox{host: h}, nil
}

// Way is the kind of sandbox.
func (s *Sandbox) Way() sandbox.Way { return s.box.Way() }

// Close ends the warm interpreters.
func (s *Sandbox) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.servers {
		v.close()
	}
	s.servers = nil
}

// Stats is what was run so far.
func (s *Sandbox) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.stats
	out.ColdCPU, out.WarmCPU = slices.Clone(out.ColdCPU), slices.Clone(out.WarmCPU)
	return out
}

// Runtime asks the interpreter.
func (s *Sandbox) Runtime(ctx context.Context) (model.Runtime, error) {
	p, err := s.start(ctx, tracer, 0)
	if err != nil {
		return model.Runtime{}, err
	}
	defer p.close()
	var r model.Runtime
	if err := p.ask(ctx, map[string]any{"versions": s.opts.Libraries}, &r); err != nil {
		return model.Runtime{}, fmt.Errorf("ask %s for its versions: %w", s.opts.Interpreter, err)
	}
	return r, nil
}

// Run implements Runner.
func (s *Sandbox) Run(ctx context.Context, job Job) (Trial, error) {
	if err := job.check(); err != nil {
		return Trial{}, err
	}
	var first *model.ScriptRun
	var printed string
	for i, seed := range job.Seeds {
		record, text, err := s.once(ctx, job, seed)
		if err != nil {
			return Trial{}, fmt.Errorf("run %s: %w", job.Script.Path, err)
		}
		if i == 0 {
			first, printed = record, text
			if first.Status == model.RunTimeout {
				break // every other run would take as long and show nothing new
			}
		} else if !agree(first, record) {
			return Trial{}, nil
		}
	}
	return Trial{Agrees: true, Record: first, Printed: printed}, nil
}

// check rejects paths that would leave the work folder.
func (j *Job) check() error {
	if len(j.Seeds) == 0 {
		return errors.New("a job without seeds")
	}
	paths := []string{j.Script.Path}
	for _, f := range j.Script.Inputs {
		paths = append(paths, f.Path)
	}
	for _, p := range paths {
		if p == "" || p != path.Clean(p) || path.IsAbs(p) || p == "." || p == ".." || strings.HasPrefix(p, "../") ||
			strings.ContainsRune(p, 0) {
			return fmt.Errorf("%q is no path within a work folder", p)
		}
	}
	return nil
}

// agree reports whether two runs ended in the same way, with the same exception in the same frames. It marks in the
// first all other differences: in what was printed, drawn or made.
func agree(a, b *model.ScriptRun) bool {
	if a.Status != b.Status || a.Exit != b.Exit || !reflect.DeepEqual(a.Exception, b.Exception) {
		return false
	}
	if a.Output != b.Output {
		a.Output, a.Bytes = model.Differs, 0
	}
	if !slices.Equal(a.Figures, b.Figures) {
		a.Figures = []string{model.Differs}
	}
	for path, digest := range a.Made {
		switch other, both := b.Made[path]; {
		case !both:
			delete(a.Made, path)
		case other != digest:
			a.Made[path] = model.Differs
		}
	}
	return true
}

// request is the tracer's request for a run.
type request struct {
	Path     string         `json:"path"`
	Code     []byte         `json:"code"`
	Inputs   []requestFile  `json:"inputs"`
	Seed     int            `json:"seed"`
	Folder   string         `json:"folder"`
	Isolated bool           `json:"isolated"`
	Limits   map[string]int `json:"limits"`
	Print    int            `json:"print"` // bytes of the output that are answered
}

type requestFile struct {
	Path    string `json:"path"`
	Content []byte `json:"content"`
}

// answer is the tracer's answer about a run.
type answer struct {
	model.ScriptRun
	CPU     float64 `json:"cpu"`
	Printed string  `json:"printed"`
	Dirty   bool    `json:"dirty"` // it left what could not be removed
}

// once runs a script once and returns its output.
func (s *Sandbox) once(ctx context.Context, job Job, seed int) (*model.ScriptRun, string, error) {
	if job.Warm != nil && s.Way() != sandbox.None {
		v, err := s.server(ctx, job.Warm)
		if err != nil {
			return nil, "", err
		}
		defer v.busy.Unlock()
		a, clean, err := s.ask(ctx, v.process, job, seed, true)
		if !clean {
			s.drop(v)
		}
		return &a.ScriptRun, a.Printed, err
	}
	p, err := s.start(ctx, tracer, seed)
	if err != nil {
		return nil, "", err
	}
	defer p.close()
	a, _, err := s.ask(ctx, p, job, seed, false)
	return &a.ScriptRun, a.Printed, err
}

// ask makes a process run a script. clean is false if the process must not be used again.
func (s *Sandbox) ask(ctx context.Context, p *process, job Job, seed int, warm bool) (a answer, clean bool, err error) {
	l := s.opts.Limits
	r := request{Print: job.Printed, Path: job.Script.Path, Code: job.Script.Code, Seed: seed, Folder: p.folder,
		Isolated: s.Way() != sandbox.None, Limits: map[string]int{
			"cpu": l.CPU, "wall": l.Wall, "memory": int(l.Memory), "file": int(l.FileSize), "output": int(l.Output),
			"answer":    maxAnswer,
			"processes": l.Processes, "files": l.OpenFiles,
		}}
	for _, f := range job.Script.Inputs {
		r.Inputs = append(r.Inputs, requestFile(f))
	}
	err = p.ask(ctx, r, &a)
	if limit := (*limitError)(nil); errors.As(err, &limit) {
		return answer{ScriptRun: model.ScriptRun{Status: limit.status}}, false, nil
	}
	if errors.Is(err, errEnded) {
		return answer{ScriptRun: model.ScriptRun{Status: model.RunKilled}}, false, nil
	}
	if err != nil {
		return a, false, err
	}
	s.note(a.CPU, warm)
	removeAddresses(&a.ScriptRun)
	return a, !a.Dirty, nil
}

// address is an object's address in memory, as Python's own texts of objects have it.
var address = regexp.MustCompile(`\b0x[0-9a-fA-F]{6,16}\b`)

// removeAddresses leaves the addresses out of messages, because they differ from run to run.
func removeAddresses(r *model.ScriptRun) {
	without := func(message string) string { return address.ReplaceAllString(message, "0x") }
	if e := r.Exception; e != nil {
		message := without(e.Message)
		e.Length -= len(e.Message) - len(message) // addresses are ASCII
		e.Message = message
	}
	for i := range r.Chain {
		r.Chain[i].Message = without(r.Chain[i].Message)
	}
}

// note counts a run.
func (s *Sandbox) note(cpu float64, warm bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if warm {
		s.stats.Warm++
		s.stats.WarmCPU = append(s.stats.WarmCPU, cpu)
		return
	}
	s.stats.Cold++
	s.stats.ColdCPU = append(s.stats.ColdCPU, cpu)
}

// server gives the warm interpreter for a source, locked.
func (s *Sandbox) server(ctx context.Context, source []byte) (*server, error) {
	key := sha256.Sum256(source)
	s.mu.Lock()
	i := slices.IndexFunc(s.servers, func(v *server) bool { return v.key == key })
	if i >= 0 {
		v := s.servers[i]
		s.servers = append(slices.Delete(s.servers, i, i+1), v)
		s.mu.Unlock()
		v.busy.Lock()
		if !v.gone {
			return v, nil
		}
		v.busy.Unlock()
	} else {
		s.mu.Unlock()
	}
	p, err := s.start(ctx, tracer, 0)
	if err != nil {
		return nil, err
	}
	if err := p.ask(ctx, map[string]any{"preload": source}, &struct{}{}); err != nil {
		p.close()
		return nil, fmt.Errorf("import the libraries: %w", err)
	}
	v := &server{key: key, process: p}
	v.busy.Lock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.servers = append(s.servers, v)
	for len(s.servers) > max(1, s.opts.Servers) {
		oldest := s.servers[0]
		if !oldest.busy.TryLock() {
			break // it is removed when the next one comes
		}
		oldest.close()
		oldest.gone = true
		oldest.busy.Unlock()
		s.servers = s.servers[1:]
	}
	return v, nil
}

// drop ends a server that the caller holds.
func (s *Sandbox) drop(v *server) {
	v.close()
	v.gone = true
	s.mu.Lock()
	defer s.mu.Unlock()
	s.servers = slices.DeleteFunc(s.servers, func(o *server) bool { return o == v })
}
