package python

import (
	"context"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/prforge/prforge/collectors/sandbox"
	"github.com/prforge/prforge/internal/model"
)

// smallOptions are those of a sandbox with small limits.
func smallOptions(way sandbox.Way) Options {
	o := DefaultOptions()
	o.Sandbox = way
	o.Limits = Limits{CPU: 2, Wall: 30, Memory: 1 << 30, FileSize: 8 << 20, Scratch: 16 << 20, Output: 1 << 20, Processes: 16, OpenFiles: 64}
	return o
}

// box gives a sandbox with small limits. Without a Python or a way to
// isolate it the test is skipped, or fails where CI=true.
func box(t *testing.T, way sandbox.Way) *Sandbox {
	t.Helper()
	o := smallOptions(way)
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

func runScript(t *testing.T, s Runner, code string, inputs ...File) *model.ScriptRun {
	t.Helper()
	trial, err := s.Run(t.Context(), Job{Script: Script{Path: "script.py", Code: []byte(code), Inputs: inputs}, Seeds: []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	return trial.Record
}

func TestScript_Traced(t *testing.T) {
	s := box(t, sandbox.Auto)
	r := runScript(t, s, "def half(x):\n    return 1 / x\n\nvalues = [1,\n    0]\nfor v in values:\n    half(v)\n")
	if r.Status != model.RunRaised || r.Exception.Type != "ZeroDivisionError" || r.Exception.Message != "division by zero" {
		t.Fatalf("%+v %+v", r, r.Exception)
	}
	frames := []model.ScriptFrame{{Line: 7, First: 7, Last: 7, Function: "<module>"}, {Line: 2, First: 2, Last: 2, Function: "half"}}
	if !reflect.DeepEqual(r.Exception.Frames, frames) {
		t.Errorf("frames %+v", r.Exception.Frames)
	}
	var lines [][2]int
	for _, e := range r.Statements {
		lines = append(lines, [2]int{e.First, e.Last})
	}
	if want := [][2]int{{1, 1}, {2, 2}, {4, 5}, {6, 6}, {7, 7}}; !reflect.DeepEqual(lines, want) {
		t.Errorf("statements %v, want %v", lines, want)
	}
}

// Each row is a trap of facts.md section 7.
func TestScript_Ends(t *testing.T) {
	s := box(t, sandbox.Auto)
	for _, tc := range []struct {
		name, code string
		status     model.RunStatus
		exception  string
		effect     int // first line of the deepest statement
	}{
		{"caught and printed", "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    print(e)\n", model.RunOK, "", 0},
		{"a warning about its caller", "import warnings\nwarnings.warn('a', stacklevel=2)\nwarnings.warn('b', stacklevel=9)\n", model.RunOK, "", 0},
		{"exit in a guard", "import sys\nif True:\n    sys.exit(3)\n", model.RunExit, "", 0},
		{"a thread's exception", "import threading\nt = threading.Thread(target=lambda: 1 / 0)\nt.start()\nt.join()\n", model.RunOK, "", 0},
		{"no input", "input()\n", model.RunRaised, "EOFError", 1},
		{"inside a comprehension over lines", "a = [\n    1 / x\n    for x in (1, 0)\n]\n", model.RunRaised, "ZeroDivisionError", 1},
		{"inside a lambda", "f = lambda x: 1 / x\n\nf(0)\n", model.RunRaised, "ZeroDivisionError", 1},
		{"header of a loop", "for x in range(\n        1 // 0):\n    pass\n", model.RunRaised, "ZeroDivisionError", 1},
		{"inside the library", "import json\njson.loads(\n    '{')\n", model.RunRaised, "JSONDecodeError", 2},
		{"no Python", "a = (\n", model.RunUnparsed, "SyntaxError", 0},
		{"guard of a main program", "if __name__ == '__main__':\n    raise KeyError('a')\n", model.RunRaised, "KeyError", 2},
		{"with", "class A:\n    def __enter__(self): raise ValueError\n    def __exit__(self, *a): pass\nwith A() as a:\n    pass\n", model.RunRaised, "ValueError", 2},
		{"decorated", "def d(f):\n    return f.nothing\n@d\ndef f():\n    pass\n", model.RunRaised, "AttributeError", 2},
	} {
		r := runScript(t, s, tc.code)
		exception, effect := "", 0
		if r.Exception != nil {
			exception = r.Exception.Type
			if f := r.Exception.Deepest(); f != nil {
				effect = f.First
			}
		}
		if r.Status != tc.status || exception != tc.exception || effect != tc.effect {
			t.Errorf("%s: %s %q at %d, want %s %q at %d", tc.name, r.Status, exception, effect, tc.status, tc.exception, tc.effect)
		}
	}
}

func TestScript_OutputCompared(t *testing.T) {
	s := box(t, sandbox.Auto)
	code := "print(open('data.csv').read())\nopen('out.txt', 'w').write('1')\n"
	a := runScript(t, s, code, File{Path: "data.csv", Content: []byte("a,b\n")})
	b := runScript(t, s, code, File{Path: "data.csv", Content: []byte("a,c\n")})
	if a.Status != model.RunOK || len(a.Made) != 1 || a.Made["out.txt"] == "" || a.Output == b.Output || !agree(a, b) || a.Output != model.Differs {
		t.Errorf("%+v and %+v", a, b)
	}
}

func TestWarmAndColdAgree(t *testing.T) {
	s := box(t, sandbox.Auto)
	base := []byte("import json\nimport decimal\nprint(json.dumps([1]))\n")
	for _, code := range []string{string(base), "import json\nimport decimal\nprint(json.dumps(1j))\n", "import os\nos._exit(3)\n", "import json\nopen('left', 'w')\n"} {
		job := Job{Script: Script{Path: "script.py", Code: []byte(code)}, Seeds: []int{1}}
		cold, err := s.Run(t.Context(), job)
		if err != nil {
			t.Fatal(err)
		}
		job.Warm = base
		for range 2 {
			warm, err := s.Run(t.Context(), job)
			if err != nil || !reflect.DeepEqual(cold, warm) {
				t.Errorf("%q: warm %+v, cold %+v, error %v", code, warm.Record, cold.Record, err)
			}
		}
	}
	if got := s.Stats(); got.Warm != 8 || got.Cold != 4 {
		t.Errorf("stats %+v", got)
	}
}

func TestRunsThatDisagreeHaveNoRecord(t *testing.T) {
	s := box(t, sandbox.Auto)
	for code, agrees := range map[string]bool{"raise ValueError(hash('a'))\n": false, "import random\nrandom.random() > 1 / 0\nprint(random.random())\n": true, "print(hash('a'))\n": true} {
		trial, err := s.Run(t.Context(), Job{Script: Script{Path: "a/b.py", Code: []byte(code)}, Seeds: []int{1, 2}})
		if err != nil || trial.Agrees != agrees || (trial.Record != nil) != agrees {
			t.Errorf("%q: %+v, error %v", code, trial, err)
		}
	}
}

// A script finds the same clock and the same randomness in every run of a seed, and
// what it prints is given as far as it is asked for.
// An object's address differs from run to run, and says nothing.
func TestScript_MessagesWithoutAddresses(t *testing.T) {
	r := runScript(t, box(t, sandbox.Auto), "class Graph:\n    pass\ntry:\n    raise KeyError(Graph())\nexcept KeyError as e:\n    raise ValueError(f'{Graph()} of 0x10') from e\n")
	if r.Exception == nil || !strings.HasSuffix(r.Exception.Message, " object at 0x> of 0x10") || r.Exception.Length != len(r.Exception.Message) {
		t.Errorf("%+v", r.Exception)
	}
	if len(r.Chain) != 1 || !strings.HasSuffix(r.Chain[0].Message, " object at 0x>") {
		t.Errorf("%+v", r.Chain)
	}
}

func TestClockAndRandomnessAreFixed(t *testing.T) {
	s := box(t, sandbox.Auto)
	code := "import os, time, uuid\nprint(time.strftime('%Y-%m-%d'), time.localtime().tm_year, int(time.time()) // 3600, os.urandom(4).hex(), uuid.uuid4())\n"
	job := Job{Script: Script{Path: "a.py", Code: []byte(code)}, Seeds: []int{7, 7}, Printed: 10}
	trial, err := s.Run(t.Context(), job)
	if err != nil || !trial.Agrees || trial.Record.Output == model.Differs || trial.Printed != "2026-01-01" {
		t.Errorf("%+v %+v, error %v", trial, trial.Record, err)
	}
}

func TestPathsStayInTheWorkFolder(t *testing.T) {
	for _, p := range []string{"", ".", "..", "../a", "/a", "a/../../b", "a/../b", "a\x00"} {
		job := Job{Script: Script{Path: "a.py", Inputs: []File{{Path: p}}}, Seeds: []int{1}}
		if job.check() == nil {
			t.Errorf("%q was taken", p)
		}
	}
}

// What draws runs without a display: showing a figure does nothing, and a script
// that insists on a window raises.
func TestScript_Draws(t *testing.T) {
	s := box(t, sandbox.Auto)
	s.opts.Limits.CPU = 20
	const draw = "import matplotlib\nmatplotlib.use('agg')\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\n"
	shown := runScript(t, s, draw)
	if x := shown.Exception; x != nil && x.Type == "ModuleNotFoundError" {
		missing(t, "no matplotlib")
	}
	if shown.Status != model.RunOK || len(shown.Figures) != 1 {
		t.Errorf("%+v", shown)
	}
	if insists := runScript(t, s, strings.Replace(draw, "'agg'", "'tkagg'", 1)); insists.Status != model.RunRaised || insists.Exception.Type != "ImportError" {
		t.Errorf("%+v %+v", insists, insists.Exception)
	}
}
