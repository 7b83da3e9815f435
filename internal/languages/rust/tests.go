package rust

import (
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// isTestOnly reports whether an attribute is #[cfg(test)], or a condition in which
// test is one of several.
func isTestOnly(attribute syntax.Node) bool {
	a := attribute.ChildOf("attribute")
	return a.FirstNamed().Text() == "cfg" && hasTest(a.Child("arguments"))
}

// hasTest looks for the word below a condition, but not below "not".
func hasTest(n syntax.Node) bool {
	found, not := false, false
	n.Each(func(c syntax.Node) {
		if c.Kind() == "token_tree" && !not {
			found = found || hasTest(c)
		}
		found = found || c.Text() == "test"
		not = c.Text() == "not"
	})
	return found
}

// functionTest says what a function is to cargo test: the attribute that makes it
// one has "test" as its last name, or is of a library for tables of cases.
func (w *walker) functionTest(n syntax.Node, i int, attributes []syntax.Node) {
	role := syntax.Role("")
	for _, a := range attributes {
		path := a.ChildOf("attribute").FirstNamed()
		name := path.Text()
		switch name[strings.LastIndexByte(name, ':')+1:] {
		case "test", "rstest", "test_case", "quickcheck", "proptest", "bench", "wasm_bindgen_test":
			role = syntax.RoleCase
		case "fixture":
			role = syntax.RoleFixture
		}
	}
	if role == "" {
		return
	}
	t := w.Test(i, role)
	if role == syntax.RoleCase {
		w.assertions(n.Child("body"), i)
		n.Child("parameters").Each(func(c syntax.Node) {
			if c.Kind() == "parameter" && c.Child("pattern").Kind() == "identifier" {
				t.Fixtures = append(t.Fixtures, w.Intern(c.Child("pattern").Text()))
			}
		})
	}
}

// assertions collects the statements below n that check something.
func (w *walker) assertions(n syntax.Node, i int) {
	n.Each(func(c syntax.Node) {
		if c.Kind() == "expression_statement" && checks(c.FirstNamed()) {
			w.Assertion(i, c)
			return
		}
		w.assertions(c, i)
	})
}

// checks reports whether an expression is a macro or a call that asserts, or a
// chain of calls behind one.
func checks(n syntax.Node) bool {
	switch n.Kind() {
	case "macro_invocation":
		name := n.Child("macro").Text()
		name = name[strings.LastIndexByte(name, ':')+1:]
		return strings.HasPrefix(name, "assert") || strings.HasPrefix(name, "debug_assert") ||
			strings.HasPrefix(name, "prop_assert") || name == "panic" || name == "matches"
	case "call_expression":
		name := n.Child("function").Text()
		if fn := n.Child("function"); fn.Kind() == "field_expression" {
			name = fn.Child("field").Text()
			if checks(fn.Child("value")) {
				return true
			}
		}
		name = name[strings.LastIndexByte(name, ':')+1:]
		return strings.HasPrefix(name, "assert")
	case "await_expression", "try_expression":
		return checks(n.FirstNamed())
	}
	return false
}
