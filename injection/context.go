package injection

import (
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// statementOf is the statement around a node: the innermost node directly in a
// block or the module.
func statementOf(n syntax.Node) syntax.Node {
	for n.Exists() && !n.Parent().Is("block", "module") {
		if !n.Parent().Exists() {
			return n
		}
		n = n.Parent()
	}
	return n
}

// The reasons why a use may not raise when its statement runs.
const (
	inAnnotation = "annotation"     // often never evaluated
	isLazy       = "lazy"           // evaluated only when something before it says so
	inHandler    = "handler_type"   // evaluated only when something was raised
	isSwallowed  = "swallowed"      // the error is caught nearby
	isDead       = "dead_code"      // never runs
	isTypeOnly   = "type_checking"  // runs in type checkers only
	isTarget     = "bound_not_read" // deleted, or assigned in place
)

// doubt is why the use is not strict: its error may not be raised and seen whenever its statement runs. "" is
// certainty.
func doubt(n syntax.Node) string {
	for at, p := n, n.Parent(); p.Exists(); at, p = p, p.Parent() {
		if d := doubtIn(at, p); d != "" {
			return d
		}
		if p.Is("function_definition", "lambda") && at.Field() == "body" {
			break // what happens around the definition does not happen around the call
		}
	}
	return unreached(n)
}

// doubtIn is what a parent says of one of its children.
func doubtIn(at, p syntax.Node) string {
	switch p.Kind() {
	case "type":
		return inAnnotation
	case "lambda":
		if at.Field() == "body" {
			return isLazy
		}
	case "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression":
		if at != p.ChildOf("for_in_clause") {
			return isLazy
		}
	case "for_in_clause":
		if at.Field() != "right" {
			return isLazy
		}
	case "boolean_operator":
		if at.Field() == "right" {
			return isLazy
		}
	case "conditional_expression", "comparison_operator", "assert_statement":
		return lateOperand(at, p)
	case "elif_clause":
		if at.Field() == "condition" {
			return isLazy
		}
	case "case_clause":
		if !at.Is("block") {
			return isLazy
		}
	case "for_statement":
		if at.Field() == "left" {
			return isLazy
		}
	case "except_clause", "except_group_clause":
		if !at.Is("block") {
			return inHandler
		}
	case "delete_statement":
		if n := at; n.Is("identifier") {
			return isTarget
		}
	case "try_statement":
		if at.Field() == "body" && swallows(p) || returnsInFinally(p) {
			return isSwallowed
		}
	case "with_statement":
		if at.Field() == "body" && suppresses(p) {
			return isSwallowed
		}
	case "function_definition":
		if at.Field() == "body" && p.Child("name").Text() == "__del__" {
			return isSwallowed
		}
	}
	return ""
}

// lateOperand: of "a if b else c" only b, of "a < b < c" only a and b, of
// "assert a, b" only a is always evaluated.
func lateOperand(at, p syntax.Node) string {
	operands := p.NamedChildren()
	late := false
	switch {
	case p.Is("conditional_expression"):
		late = len(operands) > 1 && at != operands[1]
	case p.Is("comparison_operator"):
		late = len(operands) > 2 && at != operands[0] && at != operands[1]
	default:
		late = len(operands) > 0 && at != operands[0]
	}
	if late {
		return isLazy
	}
	return ""
}

// swallows reports whether a try statement may catch a NameError or, at a
// module's top, an ImportError: a bare handler, one of a broad class, or one
// whose class does not show in its name.
func swallows(try syntax.Node) bool {
	for _, c := range try.Children() {
		if !c.Is("except_clause", "except_group_clause") {
			continue
		}
		kind := c.NamedChildren()[0]
		if kind.Is("as_pattern") {
			kind = kind.NamedChildren()[0]
		}
		types := []syntax.Node{kind}
		if kind.Is("tuple", "list_splat", "parenthesized_expression") {
			types = kind.NamedChildren()
		}
		if slices.ContainsFunc(types, mayCatch) {
			return true
		}
	}
	return false
}

// broad are the classes that catch what an injected fault raises.
var broad = map[string]bool{
	"BaseException": true, "Exception": true, "NameError": true, "UnboundLocalError": true, "ImportError": true,
	"ModuleNotFoundError": true, "StandardError": true, "BaseExceptionGroup": true, "ExceptionGroup": true,
}

// mayCatch: a name in capitals and small letters is a class, which catches only
// its own kind; anything else may be a tuple of classes, or no type at all.
func mayCatch(t syntax.Node) bool {
	if !t.Is("identifier", "attribute") {
		return true
	}
	name := t.Text()[strings.LastIndex(t.Text(), ".")+1:]
	classLike := strings.ToLower(name) != name && strings.ToUpper(name) != name && strings.ToUpper(name[:1]) == name[:1] &&
		name[0] != '_'
	return broad[name] || !classLike
}

// returnsInFinally: a return, break or continue there drops the error.
func returnsInFinally(try syntax.Node) bool {
	found := false
	try.ChildOf("finally_clause").Walk(func(n syntax.Node) bool {
		found = found || n.Is("return_statement", "break_statement", "continue_statement")
		return !n.Is("function_definition", "lambda", "class_definition")
	})
	return found
}

// suppresses: contextlib.suppress and what test libraries call the same.
func suppresses(with syntax.Node) bool {
	head := with.ChildOf("with_clause").Text()
	for _, word := range []string{"suppress", "raises", "assertRaises", "ignor", "catch"} {
		if strings.Contains(head, word) {
			return true
		}
	}
	return false
}

// unreached says whether a node lies in code that never runs: behind a jump in
// its block, or behind a condition that is known.
func unreached(n syntax.Node) string {
	for at, p := n, n.Parent(); p.Exists(); at, p = p, p.Parent() {
		switch p.Kind() {
		case "block", "module":
			for _, sibling := range p.NamedChildren() {
				if sibling == at {
					break
				}
				if sibling.Is("return_statement", "raise_statement", "continue_statement", "break_statement") {
					return isDead
				}
			}
		case "if_statement", "while_statement":
			if d := guard(at, p); d != "" {
				return d
			}
		}
	}
	return ""
}

func guard(at, p syntax.Node) string {
	condition := p.Child("condition").Text()
	switch {
	case strings.Contains(condition, "TYPE_CHECKING"):
		return isTypeOnly
	case at.Field() == "consequence" || at.Field() == "body":
		switch condition {
		case "False", "0", "None", "()", "[]", "''", `""`:
			return isDead
		}
	case at.Is("else_clause", "elif_clause") && (condition == "True" || condition == "1"):
		return isDead
	}
	return ""
}
