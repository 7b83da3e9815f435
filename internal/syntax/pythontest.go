package syntax

import "strings"

// xunitHooks are the methods and functions that unittest and pytest call around
// tests by their name alone.
var xunitHooks = map[string]bool{
	"setUp": true, "tearDown": true, "setUpClass": true, "tearDownClass": true, "setUpTestData": true,
	"setUpModule": true, "tearDownModule": true, "asyncSetUp": true, "asyncTearDown": true,
	"setup_method": true, "teardown_method": true, "setup_class": true, "teardown_class": true,
	"setup_function": true, "teardown_function": true, "setup_module": true, "teardown_module": true,
}

// functionTest says what a function is to pytest or unittest.
func (p *pythonWalk) functionTest(outer, n int32, i int) {
	d := &p.f.Definitions[i]
	inSuite := d.Parent >= 0 && p.f.Definitions[d.Parent].Test != nil
	switch {
	case p.fixtureDecorator(outer), xunitHooks[d.Name] && (inSuite || d.Parent < 0):
		p.test(i, RoleFixture)
	case strings.HasPrefix(d.Name, "test") && inSuite, strings.HasPrefix(d.Name, "test_") && d.Parent < 0:
		p.test(i, RoleCase)
		p.assertions(p.t.child(n, "body"), i)
	default:
		return
	}
	t := p.f.Definitions[i].Test
	given := p.parametrized(outer, t)
	p.t.children(p.t.child(n, "parameters"), func(c int32) {
		name := ""
		switch p.t.kind(c) {
		case "identifier":
			name = p.t.text(c)
		case "typed_parameter":
			if f := p.t.firstNamed(c); p.t.kind(f) == "identifier" {
				name = p.t.text(f)
			}
		}
		if name != "" && name != "self" && name != "cls" && !given[name] {
			t.Fixtures = append(t.Fixtures, p.intern(name))
		}
	})
}

func (p *pythonWalk) fixtureDecorator(outer int32) bool {
	found := false
	p.t.children(outer, func(c int32) {
		if p.t.kind(c) == "decorator" {
			e := p.t.firstNamed(c)
			if p.t.kind(e) == "call" {
				e = p.t.child(e, "function")
			}
			name := p.t.dotted(e)
			last := name[strings.LastIndexByte(name, '.')+1:]
			found = found || last == "fixture" || last == "yield_fixture"
		}
	})
	return found
}

// parametrized reads pytest's marks: the names that parametrize gives, which are
// no fixtures, the ids of the cases, and the fixtures that usefixtures names.
func (p *pythonWalk) parametrized(outer int32, t *Test) map[string]bool {
	given := map[string]bool{}
	p.t.children(outer, func(c int32) {
		e := p.t.firstNamed(c)
		if p.t.kind(c) != "decorator" || p.t.kind(e) != "call" {
			return
		}
		name := p.t.text(p.t.child(p.t.child(e, "function"), "attribute"))
		args := p.t.child(e, "arguments")
		switch name {
		case "usefixtures":
			p.t.children(args, func(a int32) {
				if s, ok := p.t.literal(a); ok {
					t.Fixtures = append(t.Fixtures, p.intern(s))
				}
			})
		case "parametrize":
			for _, s := range p.strings(p.t.firstNamed(args)) {
				for _, name := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' }) {
					given[name] = true
				}
			}
			p.ids(args, t)
		}
	})
	return given
}

// strings lists the literals of an expression: itself, or a list's elements.
func (p *pythonWalk) strings(n int32) []string {
	if s, ok := p.t.literal(n); ok {
		return []string{s}
	}
	var out []string
	if k := p.t.kind(n); k == "list" || k == "tuple" {
		p.t.children(n, func(c int32) {
			if s, ok := p.t.literal(c); ok {
				out = append(out, p.intern(s))
			}
		})
	}
	return out
}

// ids collects the literal ids of parametrised cases: ids=[...] and
// pytest.param(..., id="...").
func (p *pythonWalk) ids(n int32, t *Test) {
	p.t.children(n, func(c int32) {
		if p.t.kind(c) == "keyword_argument" {
			if name := p.t.text(p.t.child(c, "name")); name == "ids" || name == "id" {
				t.Subtests = append(t.Subtests, p.strings(p.t.child(c, "value"))...)
			}
			return
		}
		p.ids(c, t)
	})
}

// assertions collects the statements below n that check something, but not
// those of functions inside.
func (p *pythonWalk) assertions(n int32, i int) {
	p.t.children(n, func(c int32) {
		switch p.t.kind(c) {
		case "function_definition", "class_definition", "decorated_definition":
			return
		case "assert_statement":
			p.assertion(i, c)
			return
		case "expression_statement":
			e := p.t.firstNamed(c)
			if p.t.kind(e) == "await" {
				e = p.t.firstNamed(e)
			}
			if p.checks(e) {
				p.assertion(i, c)
			}
			return
		case "with_statement":
			if p.checkedWith(c) {
				p.assertion(i, c)
				return
			}
		}
		p.assertions(c, i)
	})
}

// checks reports whether a call's name says that it asserts.
func (p *pythonWalk) checks(call int32) bool {
	fn := p.t.child(call, "function")
	name := p.t.text(fn)
	if p.t.kind(fn) == "attribute" {
		name = p.t.text(p.t.child(fn, "attribute"))
	}
	switch {
	case p.t.kind(call) != "call":
		return false
	case strings.HasPrefix(strings.TrimLeft(name, "_"), "assert"), name == "fail", name == "raises", name == "warns":
		return true
	}
	return strings.HasPrefix(name, "check_") || strings.HasPrefix(name, "verify_") || strings.HasPrefix(name, "expect_")
}

func (p *pythonWalk) checkedWith(n int32) bool {
	found := false
	p.t.children(p.t.childOf(n, "with_clause"), func(item int32) {
		v := p.t.child(item, "value")
		if p.t.kind(v) == "as_pattern" {
			v = p.t.firstNamed(v)
		}
		name := p.t.text(p.t.child(v, "function"))
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
