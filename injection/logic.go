package injection

import (
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// The kinds of this file leave a program that runs and does something else. No rule
// proves that. A call of the function does, if it differs from the original's
// (collectors/python). What operators change is known from mutmut, cosmic-ray and
// SWE-smith; the slips are those that people make.

// inFunction is the innermost function around a node; false outside of functions.
func inFunction(n syntax.Node) (syntax.Node, bool) {
	for p := n.Parent(); p.Exists(); p = p.Parent() {
		if p.Is("function_definition") {
			return p, true
		}
	}
	return syntax.Node{}, false
}

// inCode reports whether a node is a part of a function's body that runs: no default,
// no annotation, nothing for type checkers.
func inCode(n syntax.Node) bool {
	f, ok := inFunction(n)
	body := f.Child("body")
	return ok && body.From() <= n.From() && n.To() <= body.To() && unreached(n) == ""
}

// everywhere is an operator that looks at each node of the functions' bodies.
func everywhere(kind string, slip func(s *Source, n syntax.Node) (Edit, string, bool)) Operator {
	return Operator{Kind: kind, Find: func(s *Source) []Mutation {
		var out []Mutation
		s.Root().Walk(func(n syntax.Node) bool {
			if e, intended, ok := slip(s, n); ok && inCode(n) {
				out = append(out, Mutation{Kind: kind, Edits: []Edit{e}, Intended: intended})
			}
			return true
		})
		return out
	}}
}

// wrongVariable (W1) reads one of two variables of a function for the other: both
// parameters of one type, or both assigned in the same way, and both there before.
var wrongVariable = Operator{Kind: "W1", Find: func(s *Source) []Mutation {
	n := s.names()
	var out []Mutation
	for _, u := range n.uses {
		scope := n.scopes[u.scope]
		if scope.kind != functionScope || !inCode(u.node) || receiver(u.name) || len(scope.bound[u.name]) == 0 ||
			n.usedIn(u.name, u.scope) < 2 {
			continue
		}
		var fit []string
		for name, bound := range scope.bound {
			if name != u.name && !receiver(name) && name[0] != '_' && likeEachOther(scope.bound[u.name], bound) &&
				(wayOf(bound[0]) != untyped || common(name, u.name) > 0) && bound[0].From() < u.node.From() &&
				statementOf(bound[0]) != statementOf(u.node) {
				fit = append(fit, name)
			}
		}
		if len(fit) > 0 {
			out = append(out, renaming("W1", u, drawn(fit, u.node.From())[0]))
		}
	}
	return out
}}

// usedIn counts the uses of a name in a scope.
func (n *names) usedIn(name string, scope int) int {
	count := 0
	for _, u := range n.uses {
		if u.name == name && u.scope == scope {
			count++
		}
	}
	return count
}

// likeEachOther reports whether two variables may hold the same sort of thing: two
// parameters with the same annotation or none, two results of the same function, or two
// parts of one value.
func likeEachOther(a, b []syntax.Node) bool {
	return len(a) > 0 && len(b) > 0 && wayOf(a[0]) != "" && wayOf(a[0]) == wayOf(b[0])
}

// untyped is the way of a parameter without a type. Two such parameters are confused
// only if their names are alike.
const untyped = "parameter"

// wayOf is how a variable gets its value, with the declared type if there is one; ""
// if it is unknown.
func wayOf(bound syntax.Node) string {
	switch p := bound.Parent(); p.Kind() {
	case "parameters", "default_parameter":
		return untyped
	case "typed_parameter", "typed_default_parameter":
		return "parameter " + p.Child("type").Text()
	case "assignment":
		if right := p.Child("right"); right.Is("call") {
			return "call " + right.Child("function").Text()
		}
	case "pattern_list", "tuple_pattern":
		return "part of " + p.Text()
	}
	return ""
}

// swappedArguments (W2) exchanges two arguments side by side.
var swappedArguments = everywhere("W2", func(s *Source, n syntax.Node) (Edit, string, bool) {
	if !n.Is("argument_list") {
		return Edit{}, "", false
	}
	args := n.NamedChildren()
	for i := 1; i < len(args); i++ {
		a, b := args[i-1], args[i]
		// such as isinstance(x, tuple)
		fixed := builtins()[a.Text()] || builtins()[b.Text()] || builtins()[n.Parent().Child("function").Text()]
		if !fixed && a.Is("identifier", "attribute") && b.Is("identifier", "attribute") && a.Text() != b.Text() &&
			a.Lines() == b.Lines() {
			old := string(s.Source()[a.From():b.To()])
			between := string(s.Source()[a.To():b.From()])
			return Edit{Offset: a.From(), Line: a.Lines().Start, Old: old, New: b.Text() + between + a.Text()}, a.Text(), true
		}
	}
	return Edit{}, "", false
})

// inverted are the words of a condition, and what turns it round.
var inverted = map[string]string{"==": "!=", "!=": "==", "is": "is not", "is not": "is", "in": "not in", "not in": "in",
	"and": "or", "or": "and"}

// invertedCondition (W3) has a condition the wrong way round.
var invertedCondition = everywhere("W3", func(s *Source, n syntax.Node) (Edit, string, bool) {
	if argument := n.Child("argument"); n.Is("not_operator") && argument.Exists() {
		return s.removing(n.From(), argument.From()), n.Text(), n.Lines() == argument.Lines()
	}
	return operator(s, n, inverted)
})

// boundary are the comparisons that differ for equals alone.
var boundary = map[string]string{"<": "<=", "<=": "<", ">": ">=", ">=": ">"}

// offByOne (W4) has a comparison wrong for equals, or leaves out that one is added or
// taken away. What is compared with a tuple, as sys.version_info is, is longer and never
// its equal.
var offByOne = everywhere("W4", func(s *Source, n syntax.Node) (Edit, string, bool) {
	if n.Is("binary_operator") && n.Child("right").Text() == "1" {
		left := n.Child("left")
		by := strings.TrimSpace(string(s.Source()[left.To():n.Child("right").From()]))
		return s.removing(left.To(), n.To()), n.Text(), (by == "+" || by == "-") && n.Lines() == left.Lines() &&
			!n.Parent().Is("parenthesized_expression")
	}
	e, intended, ok := operator(s, n, boundary)
	return e, intended, ok && !n.ChildOf("tuple").Exists()
})

// operator replaces the operator between the two sides of a comparison or a boolean
// operation.
func operator(s *Source, n syntax.Node, by map[string]string) (Edit, string, bool) {
	if !n.Is("comparison_operator", "boolean_operator") {
		return Edit{}, "", false
	}
	sides := n.NamedChildren()
	if len(sides) != 2 || n.Lines().Start != n.Lines().End {
		return Edit{}, "", false
	}
	between := string(s.Source()[sides[0].To():sides[1].From()])
	word := strings.TrimSpace(between)
	other, ok := by[strings.Join(strings.Fields(word), " ")]
	at := sides[0].To() + strings.Index(between, word)
	return Edit{Offset: at, Line: n.Lines().Start, Old: word, New: other}, n.Text(), ok
}

// missingAwait (W5) calls a coroutine and does not wait for it.
var missingAwait = everywhere("W5", func(s *Source, n syntax.Node) (Edit, string, bool) {
	if !n.Is("await") || !n.FirstNamed().Exists() {
		return Edit{}, "", false
	}
	return s.removing(n.From(), n.FirstNamed().From()), "await", true
})

// lostReturn (W6) calls and does not return what the call gives, in one of several
// branches.
var lostReturn = everywhere("W6", func(s *Source, n syntax.Node) (Edit, string, bool) {
	value := n.FirstNamed()
	if !n.Is("return_statement") || !value.Is("call", "await") {
		return Edit{}, "", false
	}
	f, ok := inFunction(n)
	if !ok {
		return Edit{}, "", false
	}
	returns := 0
	f.Walk(func(c syntax.Node) bool {
		if c.Is("return_statement") && c.FirstNamed().Exists() {
			returns++
		}
		return true
	})
	return s.removing(n.From(), value.From()), "return", returns > 1
})

// mutableDefault (W7) makes what a function fills a default of its, which all calls
// share.
var mutableDefault = Operator{Kind: "W7", Find: func(s *Source) []Mutation {
	var out []Mutation
	s.Root().Walk(func(n syntax.Node) bool {
		if !n.Is("default_parameter", "typed_default_parameter") || n.Child("value").Text() != "None" {
			return true
		}
		f, ok := inFunction(n.Child("value"))
		if !ok {
			return true
		}
		name := n.Child("name").Text()
		for _, c := range f.Child("body").NamedChildren() {
			if fresh := freshFor(c, name); fresh != "" {
				if e, ok := s.dropBlock(c); ok {
					out = append(out, Mutation{Kind: "W7", Edits: []Edit{replacing(n.Child("value"), fresh), e}, Intended: name})
				}
			}
		}
		return true
	})
	return out
}}

// freshFor is the empty container that "if NAME is None: NAME = []" gives; "" for
// other statements.
func freshFor(n syntax.Node, name string) string {
	body := n.Child("consequence").NamedChildren()
	if !n.Is("if_statement") || n.Child("alternative").Exists() || n.Child("condition").Text() != name+" is None" ||
		len(body) != 1 {
		return ""
	}
	value, ok := strings.CutPrefix(body[0].Text(), name+" = ")
	if !ok || !slices.Contains([]string{"[]", "{}", "set()", "list()", "dict()"}, value) {
		return ""
	}
	return value
}

// dropBlock removes a statement with the lines that it has.
func (s *Source) dropBlock(n syntax.Node) (Edit, bool) {
	if n.Next().Lines().Start == n.Lines().End || len(n.Parent().NamedChildren()) < 2 {
		return Edit{}, false
	}
	from, to := lineStart(s.Source(), n.From()), lineEnd(s.Source(), n.To())
	return s.removing(from, to), strings.TrimSpace(string(s.Source()[from:n.From()])) == ""
}

// closers are the calls that end what was begun.
var closers = []string{"close", "release", "disconnect", "shutdown", "unlock", "stop", "flush"}

// unclosed (W8) leaves out the call that closes or releases something.
var unclosed = everywhere("W8", func(s *Source, n syntax.Node) (Edit, string, bool) {
	call := n.FirstNamed()
	if n.Is("expression_statement") && call.Is("await") {
		call = call.FirstNamed()
	}
	if !n.Is("expression_statement") || !call.Is("call") ||
		!slices.Contains(closers, call.Child("function").Child("attribute").Text()) {
		return Edit{}, "", false
	}
	e, ok := dropStatement(s, n)
	return e, n.Text(), ok
})

// swallowedError (W9) handles an error and does not raise it, or another, again.
var swallowedError = everywhere("W9", func(s *Source, n syntax.Node) (Edit, string, bool) {
	if !n.Is("raise_statement") || !n.Parent().Parent().Is("except_clause") || strings.Contains(n.Text(), "\n") {
		return Edit{}, "", false
	}
	if e, ok := dropStatement(s, n); ok {
		return e, n.Text(), true
	}
	return replacing(n, "pass"), n.Text(), true
})
