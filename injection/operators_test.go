package injection_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/prforge/prforge/injection"
)

// example is a source with what an operator makes of it: the faulty line for
// each proven fault, or the code for each refusal, in order.
type example struct {
	name, src string
	want      []string
}

// try lists what becomes of a kind's mutations of a source.
func try(t *testing.T, kind, src string) []string {
	t.Helper()
	s, err := injection.Read([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Clean(); err != nil {
		t.Fatal(err)
	}
	k, _ := injection.KindOf(kind)
	var out []string
	for _, m := range k.Mutations(s, modules) {
		p, err := s.Prove(m, modules)
		var r *injection.Refusal
		switch {
		case errors.As(err, &r):
			out = append(out, r.Code)
		case err != nil:
			t.Fatal(err)
		default:
			lines := strings.Split(string(p.Faulty), "\n")
			f := p.Fault
			out = append(out, fmt.Sprintf("%q %s %s on %d, shows on %v", lines[f.CauseLine-1], f.Error, f.Name, f.ReportLine, f.EffectLines))
		}
	}
	return out
}

// modules is a repository with a package "pkg".
func modules(name string, level int) *injection.Module {
	m := &injection.Module{Path: "pkg/shapes.py", Source: []byte("square = circle = 1\n"), Names: map[string]bool{"square": true, "circle": true}, Beside: []string{"lines", "open", "squares"}}
	m.Own = map[string]string{"square": "expression_statement", "circle": "expression_statement"}
	switch name {
	case "pkg.shapes":
		return m
	case "pkg.squares":
		return &injection.Module{Path: "pkg/squares.py", Source: []byte("big_square = 1\n"), Names: map[string]bool{"big_square": true}, Own: map[string]string{"big_square": "expression_statement"}}
	case "pkg.lines":
		lines, err := injection.ReadModule("pkg/lines.py", []byte("@cache\ndef draw_square():\n    pass\nclass UnitSquare:\n    pass\n"), nil)
		if err != nil {
			panic(err)
		}
		return lines
	case "pkg.open":
		m.Open = "it has __getattr__"
		return m
	}
	return nil
}

func TestOperators(t *testing.T) {
	for kind, examples := range map[string][]example{
		"U1": {
			{"one use", "def f(task_names):\n    return task_names\n", []string{`"    return task" NameError task on 2, shows on [2]`}},
			{"of capitals", "MAX_WIDTH = 1\nprint(MAX_WIDTH)\n", []string{`"print(WIDTH)" NameError WIDTH on 2, shows on [2]`}},
			{"of humps", "class TaskSize:\n    pass\nprint(TaskSize)\n", []string{`"print(Size)" NameError Size on 3, shows on [3]`}},
			{"a name of one part is left alone", "import shutil\ndef f():\n    return shutil\n", nil},
			{"short names are left alone", "def f(abc):\n    return abc\n", nil},
			{"augmented assignment is a use", "sub_total = 1\nsub_total += 1\n", []string{"bound_elsewhere"}},
			{"builtins are left alone", "def f():\n    return sorted\n", nil},
			{"in an f-string", "base_name = 1\nprint(f'{base_name}')\n", []string{`"print(f'{base}')" NameError base on 2, shows on [2]`}},
		},
		"U2": {
			{"a local variable", "def f(x):\n    sub_total = x\n    x()\n    return sub_total\n", []string{`"    total = x" NameError sub_total on 4, shows on [4]`}},
			{"bound twice", "def f(x):\n    total = x\n    total = 2\n    return total\n", nil},
			{"global of the same name", "sub_total = 1\nprint(sub_total)\ndef f():\n    sub_total = 2\n    return sub_total\n", []string{`"total = 1" NameError sub_total on 2, shows on [2]`, "bound_elsewhere"}},
			{"a definition is left alone", "def area():\n    pass\nprint(area)\n", nil},
		},
		"U3": {
			{"the statement", "import shutil\nimport os\nprint(os, shutil)\n", []string{
				`"import os" NameError shutil on 2, shows on [2]`, `"print(os, shutil)" NameError os on 2, shows on [2]`,
			}},
			{"of several", "from os import path, sep\nprint(path, sep)\n", []string{
				`"from os import sep" NameError path on 2, shows on [2]`, `"from os import path" NameError sep on 2, shows on [2]`,
			}},
			{"alone on its line", "from os import (\n    path,\n    sep,\n)\nprint(path)\nprint(sep)\n", []string{
				`"    sep," NameError path on 4, shows on [4]`, `")" NameError sep on 5, shows on [5]`,
			}},
			{"alone in its block", "def f():\n    import os\n", nil},
			{"not used", "import os\nx = 1\n", []string{"bound_elsewhere"}},
			{"caught", "import os\ntry:\n    print(os)\nexcept NameError:\n    pass\n", []string{"swallowed"}},
		},
		"U4": {
			{"a statement", "def f(x):\n    total = x\n    return total\n", []string{`"    return total" NameError total on 2, shows on [2]`}},
			{"over lines", "def f(x):\n    total = (x,\n        1)\n    return total\n", []string{`"    return total" NameError total on 2, shows on [2]`}},
			{"two on a line", "def f(x):\n    total = x; x = 1\n    return total\n", nil},
			{"annotated", "def f(x):\n    total: int = x\n    return total\n", nil},
			{"what a generator is sent", "def f():\n    total = yield\n    return total\n", nil},
		},
		"U5": {
			{"a name that only fields have", "class A:\n    def f(self):\n        return self.size\n", nil},
			{"a field", "class A:\n    def f(self):\n        return self.size\ndef g(size):\n    pass\n", []string{`"        return size" NameError size on 3, shows on [3]`}},
			{"assigned", "class A:\n    def f(self):\n        self.size = 1\n        self.a, self.b = 1, 2\n", nil},
			{"the name is there too", "class A:\n    def f(self, size):\n        return self.size\n    def g(self):\n        return self.len() + self.__class__\n", []string{"bound_elsewhere"}},
			{"a class's name is not seen in methods", "class A:\n    size = 1\n    def f(self):\n        return self.size\ndef g(size):\n    pass\n", []string{`"        return size" NameError size on 4, shows on [4]`}},
			{"private", "class A:\n    def f(self):\n        return self.__size\ndef g(__size):\n    pass\n", []string{"other_error"}},
		},
		"U6": {
			{"a sibling's", "def f(min_width):\n    return min_width\ndef g(max_width):\n    pass\n", []string{`"    return max_width" NameError max_width on 2, shows on [2]`}},
			{"of another subject", "def f(width):\n    return width\ndef g(height):\n    pass\n", nil},
			{"of the function around", "def f(width):\n    def g(max_width):\n        return max_width\n    return width\n", []string{`"    return max_width" NameError max_width on 4, shows on [4]`}},
		},
		"U7": {
			{"exchanged", "def f(x):\n    total = x\n    print(total)\n    return 1\n", []string{`"    print(total)" UnboundLocalError total on 2, shows on [2]`}},
			{"in a loop", "def f(x):\n    for i in x:\n        total = x\n        print(total)\n", []string{"bound_elsewhere"}},
			{"at the top", "total = 1\nprint(total)\n", []string{"bound_elsewhere"}},
			{"nobody assigns behind a return", "def f(x):\n    total = x\n    return total\n", nil},
		},
		"I1": {
			{"in a block", "def f(x):\n    x = 1\n    return x\n", []string{
				`"    def f(x):" IndentationError  on 1, shows on [1]`, `"        x = 1" IndentationError  on 3, shows on [3]`, `"        return x" IndentationError  on 3, shows on [3]`,
			}},
			{"alone in a block: another width, no fault", "def f(x):\n    return x\n", []string{`"    def f(x):" IndentationError  on 1, shows on [1]`, "no_error"}},
			{"brackets, backslash, quotes and semicolon: lines whose space means nothing are left alone", "a = (1,\n2)\na = 1 + \\\n2\na = '''\n2'''\n", nil},
			{"a decorator", "import os\n@os\ndef f():\n    pass\n", []string{
				`"    import os" IndentationError  on 1, shows on [1]`, `"    @os" IndentationError  on 2, shows on [2]`, `"    def f():" IndentationError  on 3, shows on [3]`, "no_error",
			}},
			{"before else", "import os\nif os:\n    a = 1\nelse:\n    a = 2\n", []string{
				`"    import os" IndentationError  on 1, shows on [1]`, `"    if os:" IndentationError  on 2, shows on [2]`, "no_error", "other_error", "no_error",
			}},
			{"into the block above: another meaning", "a = 1\nif a:\n    b = 1\nc = 1\n", []string{
				`"    a = 1" IndentationError  on 1, shows on [1]`, `"    if a:" IndentationError  on 2, shows on [2]`, "no_error", "no_error",
			}},
		},
		"I2": {
			{"first line of a block", "def f(x):\n    x = 1\n    return x\n", []string{`"x = 1" IndentationError  on 2, shows on [2]`}},
			{"over lines", "def f(x):\n    x = (1,\n       2)\n    return x\n", nil},
			{"a docstring", "def f(x):\n    'About x.'\n    return x\n", nil},
		},
		"I3": {
			{"first line", "def f(x):\n    x = 1\n    return x\n", []string{`"  x = 1" IndentationError  on 3, shows on [3]`}},
			{"behind a block", "def f(x):\n    if x:\n        x = 1\n    return x\n", []string{`"  if x:" IndentationError  on 4, shows on [4]`, "no_error", `"  return x" IndentationError  on 4, shows on [4]`}},
			{"alone in a block", "def f(x):\n    return x\n", []string{"no_error"}},
			{"units of one space", "def f(x):\n return x\n", nil},
		},
		"I4": {
			{"four and eight", "def f(x):\n    if x:\n        x = 1\n    return x\n", []string{
				`"\tif x:" TabError  on 3, shows on [3]`, `"\tx = 1" TabError  on 3, shows on [3]`, `"\treturn x" TabError  on 4, shows on [4]`,
			}},
			{"tabs with equal columns change nothing", "def f(x):\n        return x\n", []string{"no_error"}},
			{"tabs already", "def f(x):\n\treturn x\n", nil},
		},
		"E5": {
			{"from a module with a name like it", "from pkg.shapes import square\nprint(square)\n", []string{`"from pkg.squares import square" ImportError square on 1, shows on [1]`}},
			{"no module has a name like it", "from pkg.shapes import circle\nprint(circle)\n", nil},
			{"renamed", "from pkg.shapes import square as c\nprint(c)\n", []string{`"from pkg.squares import square as c" ImportError square on 1, shows on [1]`}},
			{"one of two names", "from pkg.shapes import circle, square\nprint(circle, square)\n", nil},
			{"imported from in any case", "from pkg.shapes import square\nfrom pkg.squares import draw\nprint(draw, square)\n", nil},
			{"sorted", "from os import sep\nfrom pkg.shapes import square\nfrom pkg.show import path\nprint(sep, path, square)\n", nil},
			{"a name that the module is not seen to have", "from pkg.shapes import triangle\nprint(triangle)\n", nil},
			{"not of the repository", "from math import floor\nprint(floor)\n", nil},
			{"not at the top", "try:\n    from pkg.shapes import square\nexcept ImportError:\n    square = None\n", nil},
		},
	} {
		for _, e := range examples {
			t.Run(kind+"/"+e.name, func(t *testing.T) {
				if got := try(t, kind, e.src); strings.Join(got, "\n") != strings.Join(e.want, "\n") {
					t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(e.want, "\n\t"))
				}
			})
		}
	}
}
