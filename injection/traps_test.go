package injection_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/internal/languages/python"
	"github.com/prforge/prforge/internal/syntax"
)

// Each construct that looks like a fault and is none, or is not certainly one,
// is refused with its reason: the misspelling of the name "target" in it.
func TestTrapsAreRefused(t *testing.T) {
	const before = "import sys\ntarget = 1\n"
	for _, tc := range []struct{ name, src, want string }{
		{"annotation of a parameter", "def f(a: target): pass\n", "annotation"},
		{"annotation of a local variable", "def f():\n    a: target = 1\n", "annotation"},
		{"annotation of a result", "def f() -> target: pass\n", "annotation"},
		{"annotation in the module, which is evaluated before 3.14", "a: target = 1\n", "annotation"},
		{"inside a string of an annotation", "a: list['x', target] = 1\n", "annotation"},
		{"lambda", "f = lambda: target\n", "lazy"},
		{"default of a lambda is evaluated", "f = lambda a=target: a\n", ""},
		{"comprehension", "f = [target for a in sys.path]\n", "lazy"},
		{"first iterable of a comprehension is evaluated", "f = [a for a in target]\n", ""},
		{"second iterable", "f = [a for b in sys.path for a in target]\n", "lazy"},
		{"generator", "f = (target for a in sys.path)\n", "lazy"},
		{"right of and", "f = sys and target\n", "lazy"},
		{"left of and is evaluated", "f = target and sys\n", ""},
		{"arm of a conditional", "f = target if sys else 1\n", "lazy"},
		{"condition of a conditional is evaluated", "f = 1 if target else 2\n", ""},
		{"third of a comparison", "f = 1 < 2 < target\n", "lazy"},
		{"second of a comparison is evaluated", "f = 1 < target\n", ""},
		{"message of an assertion", "assert sys, target\n", "lazy"},
		{"elif", "if sys: pass\nelif target: pass\n", "lazy"},
		{"guard of a case", "match sys:\n    case 1 if target: pass\n", "lazy"},
		{"class pattern", "match sys:\n    case target(): pass\n", "lazy"},
		{"bare handler", "try:\n    f = target\nexcept:\n    pass\n", "swallowed"},
		{"broad handler", "try:\n    f = target\nexcept (ValueError, Exception) as e:\n    pass\n", "swallowed"},
		{"handler of a variable", "try:\n    f = target\nexcept sys.errors:\n    pass\n", "swallowed"},
		{"handler of another class lets it pass", "try:\n    f = target\nexcept (ValueError, sys.KeyError) as e:\n    pass\n", ""},
		{"else of a try is not covered", "try:\n    pass\nexcept:\n    pass\nelse:\n    f = target\n", ""},
		{"return in finally", "def f():\n    try:\n        return target\n    finally:\n        return 1\n", "swallowed"},
		{"suppress", "with sys.suppress(NameError):\n    f = target\n", "swallowed"},
		{"a function defined in a try is called elsewhere", "try:\n    def f():\n        return target\nexcept Exception:\n    pass\n", ""},
		{"destructor", "class A:\n    def __del__(self):\n        target()\n", "swallowed"},
		{"type of a handler", "try:\n    pass\nexcept target:\n    pass\n", "handler_type"},
		{"type checking", "if sys.TYPE_CHECKING:\n    f = target\n", "type_checking"},
		{"else of type checking: rarely read", "if sys.TYPE_CHECKING:\n    pass\nelse:\n    f = target\n", "type_checking"},
		{"if False", "if False:\n    f = target\n", "dead_code"},
		{"behind a return", "def f():\n    return 1\n    target()\n", "dead_code"},
		{"wildcard import", "from os import *\nf = target\n", "unsupported_scope"},
		{"exec", "exec('x')\nf = target\n", "unsupported_scope"},
		{"globals", "globals()['x'] = 1\nf = target\n", "unsupported_scope"},
		{"vars", "vars()['x'] = 1\nf = target\n", "unsupported_scope"},
		{"the module itself", "sys.modules[__name__].x = 1\nf = target\n", "unsupported_scope"},
		{"builtins", "import builtins\nf = target\n", "unsupported_scope"},
		{"a name of builtins", "from builtins import len as size\nf = target\n", "unsupported_scope"},
		{"type parameters", "def f[T](): pass\ng = target\n", "unsupported_scope"},
		{"__getattr__ of the module does not help plain names", "def __getattr__(name): return 1\nf = target\n", ""},
		{"in an f-string", "f = f'{sys!r:>{target}}'\n", ""},
		{"decorator", "@target\ndef f(): pass\n", ""},
		{"base class", "class A(target): pass\n", ""},
		{"default of a parameter", "def f(a=target): pass\n", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := verdict(t, before+tc.src, "target", "tarrget")
			if got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}

// verdict misspells the last use of a name.
func verdict(t *testing.T, src, name, slip string) string {
	t.Helper()
	s, err := injection.Read([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	at := strings.LastIndex(src, name)
	m := injection.Mutation{Kind: "U1", Intended: name, Edits: []injection.Edit{{
		Offset: at, Line: 1 + strings.Count(src[:at], "\n"), Old: name, New: slip,
	}}}
	_, err = s.Prove(m, nil)
	if err == nil {
		return ""
	}
	code, _, _ := strings.Cut(err.Error(), ":")
	return code
}

// Where Python finds a name, by its scopes' rules: each source uses "thing" as
// the slip would.
func TestScopesFindNames(t *testing.T) {
	for name, tc := range map[string]struct {
		src  string
		free bool // nothing binds it where it is used
	}{
		"parameter":                             {"def f(thing): use(thing)", false},
		"keyword only, star, double star":       {"def f(*a, thing=1, **k): use(thing, a, k)", false},
		"loop variable outlives its loop":       {"def f(x):\n    for thing in x: pass\n    use(thing)", false},
		"walrus in a comprehension binds here":  {"def f(x):\n    [a for a in x if (thing := a)]\n    use(thing)", false},
		"comprehension variable does not":       {"def f(x):\n    [thing for thing in x]\n    use(thing)", true},
		"except ... as":                         {"try: pass\nexcept E as thing: use(thing)", false},
		"name of a handler, behind it":          {"try: pass\nexcept E as thing: pass\nuse(thing)", false},
		"gettext installs it unseen":            {"import thing\nthing.install('x')\nuse(_, thing)", true},
		"with ... as":                           {"with E as (thing, b): use(thing)", false},
		"with, in brackets":                     {"with (E as thing, E as b): use(thing)", false},
		"import a.b binds a":                    {"import thing.b\nuse(thing)", false},
		"import a.b does not bind b":            {"import b.thing\nuse(thing)", true},
		"import as":                             {"import b as thing\nuse(thing)", false},
		"global in a function":                  {"def f():\n    global thing\n    thing = 1\nuse(thing)", false},
		"bare annotation makes a name local":    {"def f():\n    thing: int\n    use(thing)", false},
		"class scope is not seen in methods":    {"class A:\n    thing = 1\n    def f(self): use(thing)", true},
		"class scope is seen in its body":       {"class A:\n    thing = 1\n    use(thing)", false},
		"first iterable sees the class":         {"class A:\n    thing = 1\n    b = [c for c in thing]", false},
		"body of a comprehension does not":      {"class A:\n    thing = 1\n    b = [thing for c in E]", true},
		"function around":                       {"def f(thing):\n    def g(): use(thing)", false},
		"a sibling's":                           {"def f(thing): pass\ndef g(): use(thing)", true},
		"nonlocal":                              {"def f(thing):\n    def g():\n        nonlocal thing\n        use(thing)", false},
		"conditional import counts":             {"if E: import thing\nuse(thing)", false},
		"case binds":                            {"match E:\n    case [a, {'k': thing}]: use(thing, a)", false},
		"case as":                               {"match E:\n    case int() as thing: use(thing)", false},
		"case star":                             {"match E:\n    case [*thing]: use(thing)", false},
		"dotted case is a value":                {"match E:\n    case thing.x: pass", true},
		"deleted and bound":                     {"thing = 1\ndel thing\nuse(thing)", false},
		"builtin":                               {"thing = 1\nuse(len)", false},
		"keyword argument is no use":            {"use(thing=1)", false},
		"attribute is no use":                   {"use(E.thing)", false},
		"default is evaluated outside":          {"def f(thing): pass\ndef g(a=thing): pass", true},
		"decorator is evaluated outside":        {"class A:\n    def thing(): pass\n    @thing\n    def g(): pass", false},
		"__class__ is there in methods":         {"class A:\n    def f(self): use(__class__, thing)", true},
		"augmented assignment binds":            {"def f():\n    thing += 1", false},
		"name of a function, inside a function": {"def f():\n    def thing(): pass\n    use(thing)", false},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := injection.Read([]byte("use = E = 1\n" + tc.src + "\n"))
			if err != nil {
				t.Fatal(err)
			}
			if free := s.Clean() != nil; free != tc.free {
				t.Errorf("free %v: %v", free, s.Clean())
			}
		})
	}
}

// The grammar accepts what CPython refuses: it is no judge of indentation.
func TestTreeSitterIsNoJudgeOfIndentation(t *testing.T) {
	c := newConfirmer(t)
	src := []byte("def f(x):\n    y = 1\n      z = 2\n    return y\n")
	if _, err := syntax.ParseTree(python.Language, src, syntax.DefaultOptions()); err != nil {
		t.Fatalf("the grammar refuses it now: %v", err)
	}
	if got := c.ask(t, src); got.Error != "IndentationError" || got.Line != 3 {
		t.Fatalf("CPython: %+v", got)
	}
	s, err := injection.Read(src)
	if err != nil || s.Clean() == nil {
		t.Fatalf("clean by rule: %v", err)
	}
}

// Byte order mark, CRLF and form feeds stay as they are, and positions are those
// of the file.
func TestBytesAreKept(t *testing.T) {
	for name, src := range map[string]string{
		"CRLF":            "import os\r\ndef f(total):\r\n    x = 1\r\n    return total\r\n",
		"byte order mark": "\xEF\xBB\xBFimport os\ndef f(total):\n    x = 1\n    return total\n",
		"form feed":       "import os\n\f\ndef f(total):\n    x = 1\n    return total\n",
		"no line break":   "import os\ndef f(total):\n    x = 1\n    return total",
	} {
		s, err := injection.Read([]byte(src))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, k := range injection.Kinds {
			for _, m := range k.Mutations(s, modules) {
				p, err := s.Prove(m, modules)
				if err != nil {
					continue
				}
				if back, err := injection.Undo(p.Faulty, m.Edits); err != nil || string(back) != src {
					t.Errorf("%s: %s: %q, %v", name, k.Kind, back, err)
				}
			}
		}
		if !slices.ContainsFunc(injection.Kinds, func(k injection.Kind) bool { return len(k.Mutations(s, modules)) > 0 }) {
			t.Errorf("%s: nothing found", name)
		}
	}
}

func TestLogicalLines(t *testing.T) {
	for name, tc := range map[string]struct {
		src  string
		want int
	}{
		"plain":          {"a = 1\nb = 2\n", 2},
		"brackets":       {"a = (1,\n2)\nb = [\n]\n", 2},
		"triple quotes":  {"a = '''\nb = (\n'''\nc = 1\n", 2},
		"backslash":      {"a = 1 + \\\n  2\nb = 1\n", 2},
		"comments":       {"# (\n\na = 1  # (\n\n# x\n", 1},
		"hash in string": {"a = '#('\nb = 1\n", 2},
		"no line break":  {"a = 1\nb = 2", 2},
		"semicolon":      {"a = 1; b = 2\n", 1},
	} {
		s, err := injection.Read([]byte(tc.src))
		if err != nil {
			t.Fatal(err)
		}
		if got := s.LogicalLines(); got != tc.want {
			t.Errorf("%s: %d logical lines, want %d", name, got, tc.want)
		}
	}
}

// The rules taken as a linter see what they prove, in files that the grammar
// refuses too.
func TestLint(t *testing.T) {
	for name, tc := range map[string]struct{ src, want string }{
		"clean":               {"import os\nprint(os)\n", "[]"},
		"a name, twice":       {"def f():\n    x = totl\n    return totl\n", "[{totl  2 [2 3] 2 NameError}]"},
		"early":               {"def f():\n    print(x)\n    x = 1\n", "[{x  2 [2] 2 UnboundLocalError}]"},
		"indentation":         {"def f():\n    x = 1\n      y = 2\n", "[{  3 [3] 3 IndentationError}]"},
		"no tree":             {"def f(x):\n    if x:\n    try:\n        pass\n     finally:\n        pass\n", "[{  3 [3] 3 IndentationError}]"},
		"import":              {"from pkg.shapes import square, sqare\nprint(square, sqare)\n", "[{sqare  1 [1] 1 ImportError}]"},
		"open module":         {"from pkg.open import sqare\nprint(sqare)\n", "[]"},
		"names bound unseen":  {"from os import *\nprint(totl)\n", "[]"},
		"not Python, no tree": {"def (:\n", "[]"},
	} {
		if got := fmt.Sprint(injection.Lint([]byte(tc.src), modules)); got != tc.want {
			t.Errorf("%s: %s, want %s", name, got, tc.want)
		}
	}
	if got := injection.Lint([]byte("from pkg.shapes import sqare\nprint(sqare)\n"), nil); len(got) != 0 {
		t.Errorf("a linter of one file sees %v", got)
	}
}

// A module's name is no name that a from-import takes.
func TestProve_ModuleImported(t *testing.T) {
	const src = "import pkg.shapes\nprint(pkg)\n"
	s, err := injection.Read([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	m := injection.Mutation{Kind: "E5", Intended: "shapes", Edits: []injection.Edit{{Offset: strings.Index(src, "shapes"), Line: 1, Old: "shapes", New: "shape"}}}
	if _, err := s.Prove(m, modules); err == nil || !strings.HasPrefix(err.Error(), injection.RefusedShape) {
		t.Errorf("%v, want %s", err, injection.RefusedShape)
	}
}
