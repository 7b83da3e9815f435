package golang

import (
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// goTesters are the types that the testing package hands to a test function.
var goTesters = map[string]bool{"testing.T": true, "testing.B": true, "testing.F": true, "testing.TB": true,
	"testing.M": true}

// goSuiteHooks are the methods that testify's and gocheck's suites call around
// their tests.
var goSuiteHooks = map[string]bool{
	"SetupSuite": true, "SetupTest": true, "SetupSubTest": true, "TearDownSuite": true, "TearDownTest": true,
	"TearDownSubTest": true, "BeforeTest": true, "AfterTest": true, "SetUpSuite": true, "SetUpTest": true,
}

// functionTest says what a function of a test file is to go test. By the go
// command's rule tests live in files named *_test.go; helpers live anywhere.
func (g *walker) functionTest(n syntax.Node, i int, receiver string) {
	d := &g.Definitions[i]
	tester := ""
	n.Child("parameters").Each(func(c syntax.Node) {
		if name := g.typeName(c.Child("type")); tester == "" && goTesters[name] {
			tester = name
		}
	})
	inTestFile := strings.HasSuffix(g.Path, "_test.go")
	switch {
	case inTestFile && receiver != "" && goSuiteHooks[d.Name], tester == "testing.M":
		g.Test(i, syntax.RoleFixture)
	case inTestFile && receiver != "" && isGoTest(d.Name, "Test"):
		g.Test(i, syntax.RoleCase)
	case inTestFile && receiver == "" && tester != "" &&
		(isGoTest(d.Name, "Test") || isGoTest(d.Name, "Benchmark") || isGoTest(d.Name, "Fuzz")),
		inTestFile && receiver == "" && isGoTest(d.Name, "Example"):
		g.Test(i, syntax.RoleCase)
	case tester != "":
		g.Test(i, syntax.RoleHelper)
	}
}

// isGoTest follows the go command: the prefix is not followed by a lower-case
// letter.
func isGoTest(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	return ok && (rest == "" || strings.ToLower(rest[:1]) != rest[:1] || !('a' <= rest[0] && rest[0] <= 'z'))
}

// subtest defines a t.Run with a literal name; -1 for any other call.
func (g *walker) subtest(n syntax.Node, def int) int {
	if def < 0 || g.Definitions[def].Test == nil || n.Parent().Kind() != "expression_statement" {
		return -1
	}
	fn, args := n.Child("function"), n.Child("arguments")
	if fn.Kind() != "selector_expression" || fn.Child("field").Text() != "Run" {
		return -1
	}
	name, ok := args.FirstNamed().Literal()
	lit := args.ChildOf("func_literal")
	if !ok || !lit.Exists() || !lit.Child("body").Exists() {
		return -1
	}
	body := lit.Child("body")
	i := g.Define(syntax.Spec{Kind: syntax.Case, Name: name, Parent: def, Outer: n.Parent(), Body: body})
	g.Definitions[i].Signature = g.Intern(fn.Text() + "(" + args.FirstNamed().Text() + ")")
	g.Test(i, syntax.RoleCase)
	g.assertions(body, i)
	return i
}

// failing are the methods of testing.T that report a failure.
var failing = map[string]bool{"Error": true, "Errorf": true, "Fatal": true, "Fatalf": true, "Fail": true,
	"FailNow": true}

// maxConditionLines is the height up to which the if around a failure is shown
// with it: it holds the condition that is asserted.
const maxConditionLines = 12

// assertions collects the statements below n that check something. Subtests
// have their own.
func (g *walker) assertions(n syntax.Node, i int) {
	n.Each(func(c syntax.Node) {
		switch c.Kind() {
		case "expression_statement":
			call := c.FirstNamed()
			if g.isSubtest(call) {
				return
			}
			if g.checks(call) {
				g.Assertion(i, c)
				return
			}
		case "if_statement":
			s := c.Lines()
			if s.End-s.Start < maxConditionLines && g.fails(c) {
				g.Assertion(i, c)
				return
			}
		}
		g.assertions(c, i)
	})
}

func (g *walker) isSubtest(call syntax.Node) bool {
	fn, args := call.Child("function"), call.Child("arguments")
	_, ok := args.FirstNamed().Literal()
	return ok && fn.Child("field").Text() == "Run" && args.ChildOf("func_literal").Exists()
}

// fails reports whether the statements directly inside an if report a failure.
func (g *walker) fails(n syntax.Node) bool {
	found := false
	var look func(n syntax.Node)
	look = func(n syntax.Node) {
		n.Each(func(c syntax.Node) {
			switch c.Kind() {
			case "expression_statement":
				found = found || g.checks(c.FirstNamed())
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
func (g *walker) checks(call syntax.Node) bool {
	if call.Kind() != "call_expression" {
		return false
	}
	fn := call.Child("function")
	if fn.Kind() == "identifier" {
		name := fn.Text()
		return name == "Expect" || name == "Eventually" || name == "Consistently" ||
			strings.HasPrefix(strings.ToLower(name), "assert") || strings.HasPrefix(name, "require")
	}
	name, operand := fn.Child("field").Text(), fn.Child("operand")
	if operand.Kind() == "call_expression" {
		return g.checks(operand)
	}
	root, _, _ := strings.Cut(operand.Dotted(), ".")
	switch root {
	case "assert", "require", "is", "must", "check", "qt", "td":
		return true
	case "t", "b", "f", "tb", "s", "suite", "ts", "c":
		return failing[name] || strings.HasPrefix(name, "Assert") || strings.HasPrefix(name, "Require") || root != "t" &&
			(name == "Equal" || name == "NoError" || name == "True" || name == "False" || name == "Check")
	}
	return strings.HasPrefix(name, "Assert") || strings.HasPrefix(name, "Require") ||
		strings.HasSuffix(operand.Dotted(), ".Require") || name == "Expect" || name == "ExpectThat"
}
