package python

import (
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// xunitHooks are the methods and functions that unittest and pytest call around
// tests by their name alone.
var xunitHooks = map[string]bool{
	"setUp": true, "tearDown": true, "setUpClass": true, "tearDownClass": true, "setUpTestData": true,
	"setUpModule": true, "tearDownModule": true, "asyncSetUp": true, "asyncTearDown": true,
	"setup_method": true, "teardown_method": true, "setup_class": true, "teardown_class": true,
	"setup_function": true, "teardown_function": true, "setup_module": true, "teardown_module": true,
}

// functionTest says what a function is to pytest or unittest.
func (p *walker) functionTest(outer, n syntax.Node, i int) {
	d := &p.Definitions[i]
	inSuite := d.Parent >= 0 && p.Definitions[d.Parent].Test != nil
	switch {
	case p.fixtureDecorator(outer), xunitHooks[d.Name] && (inSuite || d.Parent < 0):
		p.Test(i, syntax.RoleFixture)
	case strings.HasPrefix(d.Name, "test") && inSuite, strings.HasPrefix(d.Name, "test_") && d.Parent < 0:
		p.Test(i, syntax.RoleCase)
		p.assertions(n.Child("body"), i)
	default:
		return
	}
	t := p.Definitions[i].Test
	given := p.parametrized(outer, t)
	n.Child("parameters").Each(func(c syntax.Node) {
		name := ""
		switch c.Kind() {
		case "identifier":
			name = c.Text()
		case "typed_parameter":
			if f := c.FirstNamed(); f.Kind() == "identifier" {
				name = f.Text()
			}
		}
		if name != "" && name != "self" && name != "cls" && !given[name] {
			t.Fixtures = append(t.Fixtures, p.Intern(name))
		}
	})
}

func (p *walker) fixtureDecorator(outer syntax.Node) bool {
	found := false
	outer.Each(func(c syntax.Node) {
		if c.Kind() == "decorator" {
			e := c.FirstNamed()
			if e.Kind() == "call" {
				e = e.Child("function")
			}
			name := e.Dotted()
			last := name[strings.LastIndexByte(name, '.')+1:]
			found = found || last == "fixture" || last == "yield_fixture"
		}
	})
	return found
}

// parametrized reads pytest's marks: the names that parametrize gives, which are
// no fixtures, and the fixtures that usefixtures names.
func (p *walker) parametrized(outer syntax.Node, t *syntax.Test) map[string]bool {
	given := map[string]bool{}
	outer.Each(func(c syntax.Node) {
		e := c.FirstNamed()
		if c.Kind() != "decorator" || e.Kind() != "call" {
			return
		}
		name := e.Child("function").Child("attribute").Text()
		args := e.Child("arguments")
		switch name {
		case "usefixtures":
			args.Each(func(a syntax.Node) {
				if s, ok := a.Literal(); ok {
					t.Fixtures = append(t.Fixtures, p.Intern(s))
				}
			})
		case "parametrize":
			for _, s := range p.strings(args.FirstNamed()) {
				for _, name := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' }) {
					given[name] = true
				}
			}
		}
	})
	return given
}

// strings lists the literals of an expression: itself, or a list's elements.
func (p *walker) strings(n syntax.Node) []string {
	if s, ok := n.Literal(); ok {
		return []string{s}
	}
	var out []string
	if k := n.Kind(); k == "list" || k == "tuple" {
		n.Each(func(c syntax.Node) {
			if s, ok := c.Literal(); ok {
				out = append(out, p.Intern(s))
			}
		})
	}
	return out
}

// assertions collects the statements below n that check something, but not
// those of functions inside.
func (p *walker) assertions(n syntax.Node, i int) {
	n.Each(func(c syntax.Node) {
		switch c.Kind() {
		case "function_definition", "class_definition", "decorated_definition":
			return
		case "assert_statement":
			p.Assertion(i, c)
			return
		case "expression_statement":
			e := c.FirstNamed()
			if e.Kind() == "await" {
				e = e.FirstNamed()
			}
			if p.checks(e) {
				p.Assertion(i, c)
			}
			return
		case "with_statement":
			if p.checkedWith(c) {
				p.Assertion(i, c)
				return
			}
		}
		p.assertions(c, i)
	})
}

// checks reports whether a call's name says that it asserts.
func (p *walker) checks(call syntax.Node) bool {
	fn := call.Child("function")
	name := fn.Text()
	if fn.Kind() == "attribute" {
		name = fn.Child("attribute").Text()
	}
	switch {
	case call.Kind() != "call":
		return false
	case strings.HasPrefix(strings.TrimLeft(name, "_"), "assert"), name == "fail", name == "raises", name == "warns":
		return true
	}
	return strings.HasPrefix(name, "check_") || strings.HasPrefix(name, "verify_") || strings.HasPrefix(name, "expect_")
}

func (p *walker) checkedWith(n syntax.Node) bool {
	found := false
	n.ChildOf("with_clause").Each(func(item syntax.Node) {
		v := item.Child("value")
		if v.Kind() == "as_pattern" {
			v = v.FirstNamed()
		}
		name := v.Child("function").Text()
		last := name[strings.LastIndexByte(name, '.')+1:]
		switch last {
		case "raises", "warns", "deprecated_call":
			found = true
		default:
			found = found || strings.HasPrefix(last, "assert")
		}
	})
	return found
}
