package syntax

import "strings"

// goTesters are the types that the testing package hands to a test function.
var goTesters = map[string]bool{"testing.T": true, "testing.B": true, "testing.F": true, "testing.TB": true, "testing.M": true}

// goSuiteHooks are the methods that testify's and gocheck's suites call around
// their tests.
var goSuiteHooks = map[string]bool{
	"SetupSuite": true, "SetupTest": true, "SetupSubTest": true, "TearDownSuite": true, "TearDownTest": true,
	"TearDownSubTest": true, "BeforeTest": true, "AfterTest": true, "SetUpSuite": true, "SetUpTest": true,
}

// functionTest says what a function of a test file is to go test. By the go
// command's rule tests live in files named *_test.go; helpers live anywhere.
func (g *goWalk) functionTest(n int32, i int, receiver string) {
	d := &g.f.Definitions[i]
	tester := ""
	g.t.children(g.t.child(n, "parameters"), func(c int32) {
		if name := g.typeName(g.t.child(c, "type")); tester == "" && goTesters[name] {
			tester = name
		}
	})
	inTestFile := strings.HasSuffix(g.f.Path, "_test.go")
	switch {
	case inTestFile && receiver != "" && goSuiteHooks[d.Name], tester == "testing.M":
		g.test(i, RoleFixture)
	case inTestFile && receiver != "" && isGoTest(d.Name, "Test"):
		g.test(i, RoleCase)
	case inTestFile && receiver == "" && tester != "" && (isGoTest(d.Name, "Test") || isGoTest(d.Name, "Benchmark") || isGoTest(d.Name, "Fuzz")),
		inTestFile && receiver == "" && isGoTest(d.Name, "Example"):
		g.test(i, RoleCase)
	case tester != "":
		g.test(i, RoleHelper)
	}
}

// isGoTest follows the go command: the prefix is not followed by a lower-case
// letter.
func isGoTest(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	return ok && (rest == "" || strings.ToLower(rest[:1]) != rest[:1] || !('a' <= rest[0] && rest[0] <= 'z'))
}

// subtest defines a t.Run with a literal name; -1 for any other call.
func (g *goWalk) subtest(n int32, def int) int {
	if def < 0 || g.f.Definitions[def].Test == nil || g.t.kind(g.t.nodes[n].parent) != "expression_statement" {
		return -1
	}
	fn, args := g.t.child(n, "function"), g.t.child(n, "arguments")
	if g.t.kind(fn) != "selector_expression" || g.t.text(g.t.child(fn, "field")) != "Run" {
		return -1
	}
	name, ok := g.t.literal(g.t.firstNamed(args))
	lit := g.t.childOf(args, "func_literal")
	if !ok || lit == none || g.t.child(lit, "body") == none {
		return -1
	}
	body := g.t.child(lit, "body")
	i := g.define(spec{kind: Case, name: name, parent: def, outer: g.t.nodes[n].parent, body: body})
	g.f.Definitions[i].Signature = g.intern(g.t.text(fn) + "(" + g.t.text(g.t.firstNamed(args)) + ")")
	g.test(i, RoleCase)
	g.f.Definitions[def].Test.Subtests = append(g.f.Definitions[def].Test.Subtests, g.intern(name))
	g.assertions(body, i)
	return i
}

// tableNames collects the literal names of a table test's cases.
func (g *goWalk) tableNames(n int32, i int) {
	if g.t.kind(n) == "keyed_element" {
		key := g.t.firstNamed(n)
		switch g.t.text(key) {
		case "name", "desc", "description", "testName", "Name", "scenario", "title":
			value := g.t.nodes[key].next
			for value != none && !g.t.nodes[value].named {
				value = g.t.nodes[value].next
			}
			if s, ok := g.t.literal(g.t.firstNamed(value)); ok {
				t := g.f.Definitions[i].Test
				t.Subtests = append(t.Subtests, g.intern(s))
			}
			return
		}
	}
	g.t.children(n, func(c int32) { g.tableNames(c, i) })
}

// failing are the methods of testing.T that report a failure.
var failing = map[string]bool{"Error": true, "Errorf": true, "Fatal": true, "Fatalf": true, "Fail": true, "FailNow": true}

// maxConditionLines is the height up to which the if around a failure is shown
// with it: it holds the condition that is asserted.
const maxConditionLines = 12

// assertions collects the statements below n that check something. Subtests
// have their own.
func (g *goWalk) assertions(n int32, i int) {
	g.t.children(n, func(c int32) {
		switch g.t.kind(c) {
		case "expression_statement":
			call := g.t.firstNamed(c)
			if g.isSubtest(call) {
				return
			}
			if g.checks(call) {
				g.assertion(i, c)
				return
			}
		case "if_statement":
			s := g.t.span(g.t.nodes[c].from, g.t.nodes[c].to)
			if s.size() < maxConditionLines && g.fails(c) {
				g.assertion(i, c)
				return
			}
		}
		g.assertions(c, i)
	})
}

func (g *goWalk) isSubtest(call int32) bool {
	fn, args := g.t.child(call, "function"), g.t.child(call, "arguments")
	_, ok := g.t.literal(g.t.firstNamed(args))
	return ok && g.t.text(g.t.child(fn, "field")) == "Run" && g.t.childOf(args, "func_literal") != none
}

// fails reports whether the statements directly inside an if report a failure.
func (g *goWalk) fails(n int32) bool {
	found := false
	var look func(n int32)
	look = func(n int32) {
		g.t.children(n, func(c int32) {
			switch g.t.kind(c) {
			case "expression_statement":
				found = found || g.checks(g.t.firstNamed(c))
			case "block", "statement_list", "if_statement":
				look(c)
			}
		})
	}
	look(n)
	return found
}

// checks reports whether a call asserts: a failing method of testing.T, or a
// call of testify, gomega, gocheck, is or gotest.tools.
func (g *goWalk) checks(call int32) bool {
	if g.t.kind(call) != "call_expression" {
		return false
	}
	fn := g.t.child(call, "function")
	if g.t.kind(fn) == "identifier" {
		name := g.t.text(fn)
		return name == "Expect" || name == "Eventually" || name == "Consistently" || strings.HasPrefix(strings.ToLower(name), "assert") || strings.HasPrefix(name, "require")
	}
	name, operand := g.t.text(g.t.child(fn, "field")), g.t.child(fn, "operand")
	if g.t.kind(operand) == "call_expression" {
		return g.checks(operand)
	}
	root, _, _ := strings.Cut(g.t.dotted(operand), ".")
	switch root {
	case "assert", "require", "is", "must", "check", "qt", "td":
		return true
	case "t", "b", "f", "tb", "s", "suite", "ts", "c":
		return failing[name] || strings.HasPrefix(name, "Assert") || strings.HasPrefix(name, "Require") || root != "t" && (name == "Equal" || name == "NoError" || name == "True" || name == "False" || name == "Check")
	}
	return strings.HasPrefix(name, "Assert") || strings.HasPrefix(name, "Require") || strings.HasSuffix(g.t.dotted(operand), ".Require") || name == "Expect" || name == "ExpectThat"
}
