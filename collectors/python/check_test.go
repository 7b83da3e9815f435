package python

import (
	"maps"
	"slices"
	"testing"

	"github.com/prforge/prforge/collectors/sandbox"
)

func TestCheckCompilesAndReadsScopes(t *testing.T) {
	s := box(t, sandbox.Auto)
	c := &Checker{host: s.host}
	t.Cleanup(c.Close)
	builtins := []string{"__name__", "len", "print"}
	for _, tc := range []struct {
		name, code string
		fault      string
		undeclared []string
	}{
		{"whole", "import os\ndef f(x):\n    return len(os.listdir(x))\n", "", nil},
		{"undeclared in a function", "def f(x):\n    return y + x\n", "", []string{"y"}},
		{"undeclared at the top", "print(a)\n", "", []string{"a"}},
		{"global in a function", "def f():\n    global g\n    g = 1\nf()\nprint(g)\n", "", nil},
		{"closure", "def f():\n    z = 1\n    return lambda: z\n", "", nil},
		{"class", "class A:\n    b = 1\n    c = b\n    d = e\n", "", []string{"e"}},
		{"indentation", "def f():\nreturn 1\n", "IndentationError", nil},
		{"dedent", "if 1:\n        a = 1\n    b = 2\n", "IndentationError", nil},
		{"syntax", "a = (\n", "SyntaxError", nil},
		{"zero byte", "a = 1\x00\n", "ValueError", nil},
	} {
		got, err := c.Check(t.Context(), "m.py", []byte(tc.code))
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		fault := ""
		if got.Error != nil {
			fault = got.Error.Type
		}
		undeclared := slices.Sorted(maps.Keys(got.Undeclared(builtins)))
		if fault != tc.fault && !(tc.fault == "ValueError" && fault == "SyntaxError") || !slices.Equal(undeclared, tc.undeclared) {
			t.Errorf("%s: fault %q, undeclared %v; want %q, %v", tc.name, fault, undeclared, tc.fault, tc.undeclared)
		}
	}
}

// One interpreter checks all sources, until it fails: then the next source has another one.
func TestCheck_InterpreterThatEnds(t *testing.T) {
	s := box(t, sandbox.Auto)
	c := &Checker{host: s.host}
	t.Cleanup(c.Close)
	var first *process
	for range 2 {
		if _, err := c.Check(t.Context(), "m.py", []byte("a = 1\n")); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = c.p
		} else if c.p != first {
			t.Error("the second source has an interpreter of its own")
		}
	}
	first.close()
	if _, err := c.Check(t.Context(), "m.py", []byte("a = 1\n")); err == nil {
		t.Error("an interpreter that has ended answers")
	}
	if _, err := c.Check(t.Context(), "m.py", []byte("a = 1\n")); err != nil {
		t.Errorf("after one that ended: %v", err)
	}
}

// Bytecode and pyflakes say which names are read too early or are not there.
func TestCheckHasFurtherReaders(t *testing.T) {
	s := box(t, sandbox.Auto)
	c := &Checker{host: s.host}
	t.Cleanup(c.Close)
	got, err := c.Check(t.Context(), "m.py", []byte("def f(x):\n    print(total, nobody)\n    total = x\n    for i in x:\n        print(last)\n        last = i\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got.Early != nil && !maps.EqualFunc(got.Early, map[string][]int{"total": {2}}, slices.Equal) {
		t.Errorf("too early by bytecode: %v", got.Early)
	}
	if got.Pyflakes == nil {
		missing(t, "no pyflakes beside %s", s.opts.Interpreter)
	} else if !slices.Equal(got.Pyflakes["nobody"], []int{2}) || !slices.Equal(got.Pyflakes["total"], []int{2}) {
		t.Errorf("missed by pyflakes: %v", got.Pyflakes)
	}
}
