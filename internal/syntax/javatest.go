package syntax

import "strings"

// javaTests and javaHooks are the annotations of JUnit 4 and 5 and of TestNG.
var (
	javaTests = map[string]bool{"Test": true, "ParameterizedTest": true, "RepeatedTest": true, "TestFactory": true, "TestTemplate": true, "Theory": true}
	javaHooks = map[string]bool{
		"Before": true, "After": true, "BeforeClass": true, "AfterClass": true, "BeforeEach": true, "AfterEach": true,
		"BeforeAll": true, "AfterAll": true, "BeforeMethod": true, "AfterMethod": true, "DataProvider": true, "Bean": true,
	}
)

// methodTest says what a method is to JUnit; JUnit 3 goes by names and by a
// base class named TestCase.
func (j *javaWalk) methodTest(n int32, i int) {
	var role Role
	m := j.t.childOf(n, "modifiers")
	subtests := []string(nil)
	j.t.children(m, func(c int32) {
		name := j.t.dotted(j.t.child(c, "name"))
		name = name[strings.LastIndexByte(name, '.')+1:]
		switch {
		case javaTests[name]:
			role = RoleCase
		case javaHooks[name] && name != "Bean":
			role = RoleFixture
		case name == "DisplayName":
			if s, ok := j.t.literal(j.t.firstNamed(j.t.child(c, "arguments"))); ok {
				subtests = append(subtests, j.intern(s))
			}
		}
	})
	d := &j.f.Definitions[i]
	if role == "" && d.Parent >= 0 && j.junit3(d.Parent) {
		switch {
		case strings.HasPrefix(d.Name, "test"):
			role = RoleCase
		case d.Name == "setUp", d.Name == "tearDown":
			role = RoleFixture
		}
	}
	if role == "" {
		return
	}
	t := j.test(i, role)
	t.Subtests = subtests
	if p := d.Parent; p >= 0 {
		j.test(p, RoleSuite)
	}
	if role == RoleCase {
		j.assertions(j.t.child(n, "body"), i)
	}
}

func (j *javaWalk) junit3(class int) bool {
	for _, base := range j.f.Definitions[class].Bases {
		if strings.HasSuffix(base, "TestCase") {
			return true
		}
	}
	return false
}

// assertions collects the statements below n that check something.
func (j *javaWalk) assertions(n int32, i int) {
	j.t.children(n, func(c int32) {
		switch j.t.kind(c) {
		case "assert_statement":
			j.assertion(i, c)
			return
		case "expression_statement":
			if j.checks(j.t.firstNamed(c)) {
				j.assertion(i, c)
				return
			}
		case "local_variable_declaration": // Throwable t = assertThrows(...)
			if j.checks(j.t.child(j.t.childOf(c, "variable_declarator"), "value")) {
				j.assertion(i, c)
				return
			}
		}
		j.assertions(c, i)
	})
}

// checks reports whether a call, or the call that a chain begins with, asserts.
func (j *javaWalk) checks(call int32) bool {
	for j.t.kind(call) == "method_invocation" {
		name := j.t.text(j.t.child(call, "name"))
		if strings.HasPrefix(name, "assert") || strings.HasPrefix(name, "verify") || name == "fail" || name == "then" || strings.HasPrefix(name, "expect") {
			return true
		}
		call = j.t.child(call, "object")
	}
	return false
}
