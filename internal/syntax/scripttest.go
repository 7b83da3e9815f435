package syntax

import "strings"

// scriptSuites are the functions of Jest, Mocha, Vitest, node:test, tap, Ava and
// Playwright that enclose tests.
var scriptSuites = map[string]Kind{
	"describe": Suite, "context": Suite, "suite": Suite, "fdescribe": Suite, "xdescribe": Suite,
	"it": Case, "test": Case, "specify": Case, "fit": Case, "xit": Case, "xtest": Case,
	"before": Hook, "after": Hook, "beforeEach": Hook, "afterEach": Hook, "beforeAll": Hook, "afterAll": Hook,
	"setup": Hook, "teardown": Hook, "suiteSetup": Hook, "suiteTeardown": Hook,
}

// suite defines a statement that calls one of scriptSuites with a function.
// False for any other statement.
func (s *scriptWalk) suite(n int32, def int) bool {
	call := s.t.firstNamed(n)
	if s.t.kind(call) != "call_expression" || def >= 0 && s.f.Definitions[def].Test == nil {
		return false
	}
	kind, fnName := s.suiteKind(s.t.child(call, "function"))
	if kind == "" {
		return false
	}
	args := s.t.child(call, "arguments")
	callback, title := none, ""
	s.t.children(args, func(c int32) {
		if f := s.functionValue(c); f != none && s.t.kind(f) != "class" {
			callback = f
		}
	})
	if first := s.t.firstNamed(args); kind != Hook {
		text, ok := s.t.literal(first)
		switch {
		case ok:
			title = text
		case s.t.kind(first) == "template_string":
			title = strings.Trim(strings.Join(strings.Fields(s.t.text(first)), " "), "`")
		case s.t.kind(first) == "identifier" || s.t.kind(first) == "member_expression":
			title = s.t.text(first)
		default:
			return false
		}
	} else {
		title = fnName
	}
	if callback == none || title == "" {
		return false
	}
	body := s.t.child(callback, "body")
	i := s.define(spec{kind: kind, name: title, parent: def, outer: n, body: body})
	s.f.Definitions[i].Signature = strings.Join(strings.Fields(s.t.text(s.t.child(call, "function"))+"("+s.titleText(args, kind)+")"), " ")
	switch kind {
	case Suite:
		s.test(i, RoleSuite)
	case Case:
		s.test(i, RoleCase)
		s.assertions(body, i)
		if s.t.kind(body) != "statement_block" && s.checks(body) {
			s.assertion(i, body)
		}
	case Hook:
		s.test(i, RoleFixture)
	}
	s.walk(s.t.child(call, "function"), def)
	s.binders(callback, s.t.kind(callback), i)
	s.t.children(callback, func(c int32) { s.walk(c, i) })
	return true
}

// handler defines a statement of the file that hands a function to a call with a
// string, as routers and getters are made: defineGetter(req, 'fresh', function () {...}),
// Object.defineProperty(o, 'x', {get() {...}}). The string names it. False for any
// other statement.
func (s *scriptWalk) handler(n int32, def int) bool {
	call := s.t.firstNamed(n)
	if s.t.kind(call) != "call_expression" || def >= 0 {
		return false
	}
	args, title, callback := s.t.child(call, "arguments"), "", none
	s.t.children(args, func(c int32) {
		if text, ok := s.t.literal(c); ok && title == "" {
			title = text
		}
		if f := s.functionValue(c); f != none && s.t.kind(f) != "class" {
			callback = f
		}
		if s.t.kind(c) == "object" && callback == none {
			s.t.children(c, func(m int32) {
				if f := s.functionValue(s.t.child(m, "value")); f != none && callback == none {
					callback = f
				} else if s.t.kind(m) == "method_definition" && callback == none {
					callback = m
				}
			})
		}
	})
	body := s.t.child(callback, "body")
	if title == "" || callback == none || s.t.kind(body) != "statement_block" {
		return false
	}
	i := s.define(spec{kind: Handler, name: title, parent: def, outer: n, body: body})
	s.callExpr(call, def)
	s.binders(callback, s.t.kind(callback), i)
	s.t.children(args, func(c int32) { s.walk(c, i) })
	return true
}

// titleText is the title of a suite or case as written; hooks have none.
func (s *scriptWalk) titleText(args int32, kind Kind) string {
	if kind == Hook {
		return ""
	}
	return s.t.text(s.t.firstNamed(args))
}

// suiteKind reads describe, it.only, test.each([...]), test.describe and so on.
func (s *scriptWalk) suiteKind(fn int32) (Kind, string) {
	if s.t.kind(fn) == "call_expression" { // it.each([...])(...)
		return s.suiteKind(s.t.child(fn, "function"))
	}
	parts := strings.Split(s.t.dotted(fn), ".")
	kind := scriptSuites[parts[0]]
	for _, part := range parts[1:] {
		switch part {
		case "only", "skip", "each", "concurrent", "sequential", "serial", "parallel", "todo", "fails", "runIf", "skipIf", "failing":
		case "describe", "beforeEach", "afterEach", "beforeAll", "afterAll", "before", "after":
			if kind != Case {
				return "", ""
			}
			kind = scriptSuites[part]
		default:
			return "", ""
		}
	}
	return kind, parts[0]
}

// assertions collects the statements below n that check something.
func (s *scriptWalk) assertions(n int32, i int) {
	s.t.children(n, func(c int32) {
		switch s.t.kind(c) {
		case "expression_statement", "return_statement":
			if s.checks(s.t.firstNamed(c)) {
				s.assertion(i, c)
				return
			}
			if kind, _ := s.suiteKind(s.t.child(s.t.firstNamed(c), "function")); kind != "" {
				return
			}
		}
		s.assertions(c, i)
	})
}

// scriptChecks are the names that an assertion's chain of calls begins with.
var scriptChecks = map[string]bool{"expect": true, "assert": true, "should": true, "chai": true, "expectTypeOf": true, "assertType": true, "expectType": true}

// checks reports whether an expression is a chain of calls that asserts.
func (s *scriptWalk) checks(n int32) bool {
	called := false
	for n != none {
		switch s.t.kind(n) {
		case "await_expression", "parenthesized_expression", "unary_expression":
			n = s.t.firstNamed(n)
		case "call_expression":
			called = true
			n = s.t.child(n, "function")
		case "member_expression":
			switch s.t.text(s.t.child(n, "property")) {
			case "should", "expect":
				return true
			}
			n = s.t.child(n, "object")
			if s.t.kind(n) == "identifier" && s.t.text(n) == "t" && called {
				return s.tapAssertion(s.t.text(s.t.child(s.t.nodes[n].parent, "property")))
			}
		case "identifier":
			name := s.t.text(n)
			return called && (scriptChecks[name] || strings.HasPrefix(name, "assert") || strings.HasPrefix(name, "expect"))
		default:
			return false
		}
	}
	return false
}

// tapAssertion: the assertions of Ava, tap and tape on their "t".
func (s *scriptWalk) tapAssertion(name string) bool {
	switch name {
	case "is", "not", "deepEqual", "equal", "equals", "same", "ok", "notOk", "true", "false", "truthy", "falsy", "throws",
		"throwsAsync", "notThrows", "notThrowsAsync", "match", "regex", "snapshot", "like", "rejects", "fail", "pass", "error", "plan":
		return true
	}
	return false
}
