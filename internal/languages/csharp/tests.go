package csharp

import (
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// tests and hooks are the attributes of xUnit, NUnit and MSTest.
var (
	tests = map[string]bool{
		"Fact": true, "Theory": true, "SkippableFact": true, "SkippableTheory": true, "Property": true,
		"Test": true, "TestCase": true, "TestCaseSource": true, "TestMethod": true, "DataTestMethod": true, "Benchmark": true,
	}
	hooks = map[string]bool{
		"SetUp": true, "TearDown": true, "OneTimeSetUp": true, "OneTimeTearDown": true, "TestInitialize": true,
		"TestCleanup":     true,
		"ClassInitialize": true, "ClassCleanup": true, "AssemblyInitialize": true, "GlobalSetup": true,
		"IterationSetup": true,
	}
)

// methodTest says what a method is to a test run.
func (w *walker) methodTest(n syntax.Node, i int) {
	var role syntax.Role
	n.Each(func(list syntax.Node) {
		if list.Kind() != "attribute_list" {
			return
		}
		list.Each(func(c syntax.Node) {
			name := c.Child("name").Dotted()
			name = strings.TrimSuffix(name[strings.LastIndexByte(name, '.')+1:], "Attribute")
			switch {
			case tests[name] || strings.HasSuffix(name, "Fact") || strings.HasSuffix(name, "Theory"):
				role = syntax.RoleCase
			case hooks[name]:
				role = syntax.RoleFixture
			}
		})
	})
	if role == "" {
		return
	}
	w.Test(i, role)
	if p := w.Definitions[i].Parent; p >= 0 {
		w.Test(p, syntax.RoleSuite)
	}
	if role == syntax.RoleCase {
		w.assertions(n.Child("body"), i)
	}
}

// assertions collects the statements below n that check something.
func (w *walker) assertions(n syntax.Node, i int) {
	n.Each(func(c syntax.Node) {
		switch c.Kind() {
		case "expression_statement":
			if checks(c.FirstNamed()) {
				w.Assertion(i, c)
				return
			}
		case "local_declaration_statement": // var e = Assert.Throws<T>(...)
			value := c.ChildOf("variable_declaration").ChildOf("variable_declarator").ChildOf("invocation_expression",
				"await_expression")
			if checks(value) {
				w.Assertion(i, c)
				return
			}
		}
		w.assertions(c, i)
	})
}

// checks reports whether a chain of calls asserts.
func checks(n syntax.Node) bool {
	for n.Exists() {
		switch n.Kind() {
		case "await_expression", "parenthesized_expression":
			n = n.FirstNamed()
		case "invocation_expression":
			n = n.Child("function")
		case "member_access_expression":
			switch name := nameOf(n.Child("name")); {
			case strings.HasPrefix(name, "Should"), strings.HasPrefix(name, "Assert"), strings.HasPrefix(name, "Verify"),
				name == "Received", name == "DidNotReceive":
				return true
			}
			n = n.Child("expression")
		case "identifier", "generic_name":
			name := nameOf(n)
			return strings.HasSuffix(name, "Assert") || strings.HasPrefix(name, "Assert") || strings.HasPrefix(name, "Verify") ||
				name == "Expect"
		default:
			return false
		}
	}
	return false
}
