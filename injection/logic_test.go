package injection_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/internal/model"
)

// What the operators of logic make of a line; only a run says whether it is a fault.
func TestLogicOperators(t *testing.T) {
	for name, tc := range map[string]struct{ kind, src, want string }{
		"one of two parameters":          {"W1", "def f(low_end, high_end):\n    a = low_end + high_end\n    return low_end\n", "a = high_end + high_end"},
		"parameters of two names":        {"W1", "def f(low, high):\n    a = low\n    return low, high, high\n", ""},
		"parameters of two types":        {"W1", "def f(low: int, high: str):\n    a = low\n    return low, high, high\n", ""},
		"two arguments":                  {"W2", "def f(a, b, g):\n    return g(a, b)\n", "return g(b, a)"},
		"a builtin's arguments":          {"W2", "def f(a, b):\n    return isinstance(a, b)\n", ""},
		"not":                            {"W3", "def f(a):\n    if not a:\n        return 1\n", "if a:"},
		"a version":                      {"W4", "import sys\ndef f():\n    return sys.version_info >= (3, 12)\n", ""},
		"is not":                         {"W3", "def f(a):\n    return a is not None\n", "return a is None"},
		"a chain is left alone":          {"W3", "def f(a):\n    return 0 == a == 1\n", ""},
		"outside of functions":           {"W3", "import os\nA = not os\n", ""},
		"a boundary":                     {"W4", "def f(a):\n    return a < 1\n", "return a <= 1"},
		"one added":                      {"W4", "def f(a):\n    return a + 1\n", "return a"},
		"await":                          {"W5", "async def f(a):\n    return await a()\n", "return a()"},
		"a return of several":            {"W6", "def f(a):\n    if a:\n        return a()\n    return 1\n", "        a()"},
		"the only return":                {"W6", "def f(a):\n    return a()\n", ""},
		"a default":                      {"W7", "def f(a, b=None):\n    if b is None:\n        b = []\n    return b\n", "def f(a, b=[]):\n    return b\n"},
		"closing":                        {"W8", "def f(a):\n    a.open()\n    a.close()\n", "a.open()"},
		"raised again":                   {"W9", "def f(a):\n    try:\n        a()\n    except ValueError:\n        raise\n", "pass"},
		"raised behind something":        {"W9", "def f(a):\n    try:\n        a()\n    except ValueError:\n        a.stop()\n        raise\n", "a.stop()"},
		"raised where nothing is caught": {"W9", "def f(a):\n    raise a\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			k, _ := injection.KindOf(tc.kind)
			s, err := injection.Read([]byte(tc.src))
			if err != nil {
				t.Fatal(err)
			}
			slips := k.Mutations(s, nil)
			if tc.want == "" {
				if len(slips) > 0 {
					t.Errorf("slips: %+v", slips)
				}
				return
			}
			if len(slips) == 0 {
				t.Fatal("no slip")
			}
			faulty, err := injection.Apply([]byte(tc.src), slips[0].Edits)
			if err != nil || !strings.Contains(string(faulty), tc.want) {
				t.Errorf("%v: %s", err, faulty)
			}
			back, err := injection.Undo(faulty, slips[0].Edits)
			if err != nil || string(back) != tc.src {
				t.Errorf("undone: %v: %s", err, back)
			}
		})
	}
}

// A fault of logic is one that a call shows, and nothing else is.
func TestProveLogic(t *testing.T) {
	s, err := injection.Read([]byte("def f(a):\n    if not a:\n        return 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	k, _ := injection.KindOf("W3")
	m := k.Mutations(s, nil)[0]
	for code, b := range map[string]injection.Behaviors{
		"not_run":       nil,
		"same_behavior": func(injection.Mutation) *model.Behavior { return &model.Behavior{Code: "same_behavior"} },
	} {
		var r *injection.Refusal
		if _, err := s.WithBehaviors(b).Prove(m, nil); !errors.As(err, &r) || r.Code != code {
			t.Errorf("%s: %v", code, err)
		}
	}
	shown := func(injection.Mutation) *model.Behavior { return &model.Behavior{Call: "f(0)"} }
	p, err := s.WithBehaviors(shown).Prove(m, nil)
	if err != nil || p.Rule != injection.RuleBehavior || p.Fault.CauseLine != 2 || p.Behavior.Call != "f(0)" || p.Fault.Name != "" {
		t.Errorf("%+v, %v", p, err)
	}
	if s, err = injection.Read([]byte("def f(low_end, high_end):\n    a = low_end + high_end\n    return low_end\n")); err != nil {
		t.Fatal(err)
	}
	k, _ = injection.KindOf("W1")
	if p, err := s.WithBehaviors(shown).Prove(k.Mutations(s, nil)[0], nil); err != nil || p.Fault.Name != "high_end" {
		t.Errorf("%+v, %v; want the name of the wrong variable", p, err)
	}
}
