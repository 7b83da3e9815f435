package java

import (
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// javaTests and javaHooks are the annotations of JUnit 4 and 5 and of TestNG.
var (
	javaTests = map[string]bool{"Test": true, "ParameterizedTest": true, "RepeatedTest": true, "TestFactory": true,
		"TestTemplate": true, "Theory": true}
	javaHooks = map[string]bool{
		"Before": true, "After": true, "BeforeClass": true, "AfterClass": true, "BeforeEach": true, "AfterEach": true,
		"BeforeAll": true, "AfterAll": true, "BeforeMethod": true, "AfterMethod": true, "DataProvider": true, "Bean": true,
	}
)

// methodTest classifies a method for JUnit; JUnit 3 uses names and a base class named TestCase.
func (j *walker) methodTest(n syntax.Node, i int) {
	var role syntax.Role
	m := n.ChildOf("modifiers")
	m.Each(func(c syntax.Node) {
		name := c.Child("name").Dotted()
		name = name[strings.LastIndexByte(name, '.')+1:]
		switch {
		case javaTests[name]:
			role = syntax.RoleCase
		case javaHooks[name] && name != "Bean":
			role = syntax.RoleFixture
		}
	})
	d := &j.Definitions[i]
	if role == "" && d.Parent >= 0 && j.junit3(d.Parent) {
		switch {
		case strings.HasPrefix(d.Name, "test"):
			role = syntax.RoleCase
		case d.Name == "setUp", d.Name == "tearDown":
			role = syntax.RoleFixture
		}
	}
	if role == "" {
		return
	}
	j.Test(i, role)
	if p := d.Parent; p >= 0 {
		j.Test(p, syntax.RoleSuite)
	}
	if role == syntax.RoleCase {
		j.assertions(n.Child("body"), i)
	}
}

func (j *walker) junit3(class int) bool {
	for _, base := range j.Definitions[class].Bases {
		if strings.HasSuffix(base, "TestCase") {
			return true
		}
	}
	return false
}

// assertions collects the statements below n that check something.
func (j *walker) assertions(n syntax.Node, i int) {
	n.Each(func(c syntax.Node) {
		switch c.Kind() {
		case "assert_statement":
			j.Assertion(i, c)
			return
		case "expression_statement":
			if j.checks(c.FirstNamed()) {
				j.Assertion(i, c)
				return
			}
		case "local_variable_declaration": // Throwable t = assertThrows(...)
			if j.checks(c.ChildOf("variable_declarator").Child("value")) {
				j.Assertion(i, c)
				return
			}
		}
		j.assertions(c, i)
	})
}

// checks reports whether a call, or the call that a chain begins with, asserts.
func (j *walker) checks(call syntax.Node) bool {
	for call.Kind() == "method_invocation" {
		name := call.Child("name").Text()
		if strings.HasPrefix(name, "assert") || strings.HasPrefix(name, "verify") || name == "fail" || name == "then" ||
			strings.HasPrefix(name, "expect") {
			return true
		}
		call = call.Child("object")
	}
	return false
}
