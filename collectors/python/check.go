package python

import (
	"context"
	_ "embed"
	"fmt"
	"sync"
)

//go:embed check.py
var checker string

// Checked is the compiler's result for one file.
type Checked struct {
	// Error is why it does not compile; nil if it does.
	Error *CompileError `json:"error"`
	// Scopes are symtable's, the module first, each before those inside it.
	Scopes []Scope `json:"scopes"`
	// Early are the local names that bytecode reads before any store could reach them, with the lines; nil if this
	// interpreter's bytecode is unknown.
	Early map[string][]int `json:"early"`
	// Pyflakes are the names that pyflakes reports as undefined, with the lines; nil if it is not installed beside
	// the interpreter.
	Pyflakes map[string][]int `json:"pyflakes"`
	// Remarks are all messages of pyflakes, by line; nil if Pyflakes is.
	Remarks []Remark `json:"remarks"`
}

// Remark is a message of pyflakes.
type Remark struct {
	Line int    `json:"line"`
	Type string `json:"type"` // "UndefinedName"
	Name string `json:"name"` // what it is about; "" for nothing
}

// CompileError is a SyntaxError, or another reason why a file does not compile.
type CompileError struct {
	Type    string `json:"type"` // "IndentationError"
	Message string `json:"message"`
	Line    int    `json:"line"` // 1-based; 0 where there is none
	Column  int    `json:"column"`
}

// Scope is a module's, class's or function's names.
type Scope struct {
	Kind string `json:"kind"` // "module", "class", "function"
	Name string `json:"name"`
	Line int    `json:"line"`
	// Globals are the names that it reads from or, declared global, binds in the
	// module; Bound are those that it binds, wherever. Both are sorted.
	Globals []string `json:"globals"`
	Bound   []string `json:"bound"`
}

// Undeclared are the scopes' global names that neither the module binds, nor a
// scope that declares them global, nor the interpreter's builtins.
func (c *Checked) Undeclared(builtins []string) map[string]bool {
	known := map[string]bool{}
	for _, b := range builtins {
		known[b] = true
	}
	for i, s := range c.Scopes {
		for _, name := range s.Bound {
			known[name] = known[name] || i == 0
		}
	}
	for _, s := range c.Scopes {
		global := map[string]bool{}
		for _, name := range s.Globals {
			global[name] = true
		}
		for _, name := range s.Bound {
			known[name] = known[name] || global[name]
		}
	}
	out := map[string]bool{}
	for _, s := range c.Scopes {
		for _, name := range s.Globals {
			if !known[name] {
				out[name] = true
			}
		}
	}
	return out
}

// Checker compiles sources without running them. It is safe for concurrent
// use; Close ends its interpreter.
type Checker struct {
	*host

	mu sync.Mutex
	p  *process
}

// NewChecker finds a working sandbox. No source is executed, but the compiler reads strangers' text, so it is
// isolated too.
func NewChecker(ctx context.Context, o Options) (*Checker, error) {
	h, err := o.open(ctx)
	if err != nil {
		return nil, err
	}
	return &Checker{host: h}, nil
}

// Check compiles one source. The error is about the interpreter: one that ended or took too long is restarted for the
// next source.
func (c *Checker) Check(ctx context.Context, path string, code []byte) (*Checked, error) {
	out := new(Checked)
	err := c.ask(ctx, map[string]any{"path": path, "code": code, "memory": c.opts.Limits.Memory}, out)
	if err != nil {
		return nil, fmt.Errorf("compile %s: %w", path, err)
	}
	return out, nil
}

func (c *Checker) ask(ctx context.Context, request, answer any) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.p == nil {
		p, err := c.start(ctx, checker, 0)
		if err != nil {
			return err
		}
		c.p = p
	}
	err := c.p.ask(ctx, request, answer)
	if err != nil {
		c.p.close()
		c.p = nil
	}
	return err
}

// Close ends the interpreter.
func (c *Checker) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.p != nil {
		c.p.close()
		c.p = nil
	}
}
