package script

import (
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// scriptSuites are the functions of Jest, Mocha, Vitest, node:test, tap, Ava and
// Playwright that enclose tests.
var scriptSuites = map[string]syntax.Kind{
	"describe": syntax.Suite, "context": syntax.Suite, "suite": syntax.Suite, "fdescribe": syntax.Suite,
	"xdescribe": syntax.Suite,
	"it":        syntax.Case, "test": syntax.Case, "specify": syntax.Case, "fit": syntax.Case, "xit": syntax.Case,
	"xtest":  syntax.Case,
	"before": syntax.Hook, "after": syntax.Hook, "beforeEach": syntax.Hook, "afterEach": syntax.Hook,
	"beforeAll": syntax.Hook, "afterAll": syntax.Hook,
	"setup": syntax.Hook, "teardown": syntax.Hook, "suiteSetup": syntax.Hook, "suiteTeardown": syntax.Hook,
}

// suite defines a statement that calls one of scriptSuites with a function.
// False for any other statement.
func (s *walker) suite(n syntax.Node, def int) bool {
	call := n.FirstNamed()
	if call.Kind() != "call_expression" || def >= 0 && s.Definitions[def].Test == nil {
		return false
	}
	kind, fnName := s.suiteKind(call.Child("function"))
	if kind == "" {
		return false
	}
	args := call.Child("arguments")
	callback, title := syntax.Node{}, ""
	args.Each(func(c syntax.Node) {
		if f := s.functionValue(c); f.Exists() && f.Kind() != "class" {
			callback = f
		}
	})
	if first := args.FirstNamed(); kind != syntax.Hook {
		text, ok := first.Literal()
		switch {
		case ok:
			title = text
		case first.Kind() == "template_string":
			title = strings.Trim(strings.Join(strings.Fields(first.Text()), " "), "`")
		case first.Kind() == "identifier" || first.Kind() == "member_expression":
			title = first.Text()
		default:
			return false
		}
	} else {
		title = fnName
	}
	if !callback.Exists() || title == "" {
		return false
	}
	body := callback.Child("body")
	i := s.Define(syntax.Spec{Kind: kind, Name: title, Parent: def, Outer: n, Body: body})
	s.Definitions[i].Signature = strings.Join(strings.Fields(call.Child("function").Text()+"("+s.titleText(args, kind)+
		")"), " ")
	switch kind {
	case syntax.Suite:
		s.Test(i, syntax.RoleSuite)
	case syntax.Case:
		s.Test(i, syntax.RoleCase)
		s.assertions(body, i)
		if body.Kind() != "statement_block" && s.checks(body) {
			s.Assertion(i, body)
		}
	case syntax.Hook:
		s.Test(i, syntax.RoleFixture)
	}
	s.walk(call.Child("function"), def)
	s.binders(callback, callback.Kind(), i)
	callback.Each(func(c syntax.Node) { s.walk(c, i) })
	return true
}

// handler defines a statement of the file that hands a function to a call with a
// string, as routers and getters are made: defineGetter(req, 'fresh', function () {...}),
// Object.defineProperty(o, 'x', {get() {...}}). The string names it. False for any
// other statement.
func (s *walker) handler(n syntax.Node, def int) bool {
	call := n.FirstNamed()
	if call.Kind() != "call_expression" || def >= 0 {
		return false
	}
	args, title, callback := call.Child("arguments"), "", syntax.Node{}
	args.Each(func(c syntax.Node) {
		if text, ok := c.Literal(); ok && title == "" {
			title = text
		}
		if f := s.functionValue(c); f.Exists() && f.Kind() != "class" {
			callback = f
		}
		if c.Kind() == "object" {
			c.Each(func(m syntax.Node) {
				if f := s.functionValue(m.Child("value")); f.Exists() && !callback.Exists() {
					callback = f
				} else if m.Kind() == "method_definition" && !callback.Exists() {
					callback = m
				}
			})
		}
	})
	body := callback.Child("body")
	if title == "" || body.Kind() != "statement_block" {
		return false
	}
	i := s.Define(syntax.Spec{Kind: syntax.Handler, Name: title, Parent: def, Outer: n, Body: body})
	s.callExpr(call, def)
	s.binders(callback, callback.Kind(), i)
	args.Each(func(c syntax.Node) { s.walk(c, i) })
	return true
}

// titleText is the title of a suite or case as written; hooks have none.
func (s *walker) titleText(args syntax.Node, kind syntax.Kind) string {
	if kind == syntax.Hook {
		return ""
	}
	return args.FirstNamed().Text()
}

// suiteKind reads describe, it.only, test.each([...]), test.describe and so on.
func (s *walker) suiteKind(fn syntax.Node) (syntax.Kind, string) {
	if fn.Kind() == "call_expression" { // it.each([...])(...)
		return s.suiteKind(fn.Child("function"))
	}
	parts := strings.Split(fn.Dotted(), ".")
	kind := scriptSuites[parts[0]]
	for _, part := range parts[1:] {
		switch part {
		case "only", "skip", "each", "concurrent", "sequential", "serial", "parallel", "todo", "fails", "runIf", "skipIf",
			"failing":
		case "describe", "beforeEach", "afterEach", "beforeAll", "afterAll", "before", "after":
			if kind != syntax.Case {
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
func (s *walker) assertions(n syntax.Node, i int) {
	n.Each(func(c syntax.Node) {
		switch c.Kind() {
		case "expression_statement", "return_statement":
			if s.checks(c.FirstNamed()) {
				s.Assertion(i, c)
				return
			}
			if kind, _ := s.suiteKind(c.FirstNamed().Child("function")); kind != "" {
				return
			}
		}
		s.assertions(c, i)
	})
}

// scriptChecks are the names that an assertion's chain of calls begins with.
var scriptChecks = map[string]bool{"expect": true, "assert": true, "should": true, "chai": true, "expectTypeOf": true,
	"assertType": true, "expectType": true}

// checks reports whether an expression is a chain of calls that asserts.
func (s *walker) checks(n syntax.Node) bool {
	called := false
	for n.Exists() {
		switch n.Kind() {
		case "await_expression", "parenthesized_expression", "unary_expression":
			n = n.FirstNamed()
		case "call_expression":
			called = true
			n = n.Child("function")
		case "member_expression":
			switch n.Child("property").Text() {
			case "should", "expect":
				return true
			}
			n = n.Child("object")
			if n.Kind() == "identifier" && n.Text() == "t" && called {
				return s.tapAssertion(n.Parent().Child("property").Text())
			}
		case "identifier":
			name := n.Text()
			return called && (scriptChecks[name] || strings.HasPrefix(name, "assert") || strings.HasPrefix(name, "expect"))
		default:
			return false
		}
	}
	return false
}

// tapAssertion: the assertions of Ava, tap and tape on their "t".
func (s *walker) tapAssertion(name string) bool {
	switch name {
	case "is", "not", "deepEqual", "equal", "equals", "same", "ok", "notOk", "true", "false", "truthy", "falsy", "throws",
		"throwsAsync", "notThrows", "notThrowsAsync", "match", "regex", "snapshot", "like", "rejects", "fail", "pass",
		"error", "plan":
		return true
	}
	return false
}
