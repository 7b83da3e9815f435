package script

import (
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// variables defines the variables of a declaration at the top level or in a
// namespace, and elsewhere those that hold a function; the others are bound.
func (s *walker) variables(n syntax.Node, def int) {
	outer, exported := s.outer(n)
	open := def < 0 && outer.Parent().Kind() == "program" || def >= 0 && s.Definitions[def].Kind == syntax.Namespace
	n.Each(func(c syntax.Node) {
		if c.Kind() != "variable_declarator" {
			return
		}
		name, value := c.Child("name"), c.Child("value")
		value = s.chained(name, value, def)
		inner := def
		if fn := s.functionValue(value); name.Kind() == "identifier" && (open || fn.Exists()) && !s.isRequire(value) {
			inner = s.variable(outer, c, value, fn, def, exported)
		}
		if k := name.Kind(); open && (k == "object_pattern" || k == "array_pattern") && !s.isRequire(value) {
			s.patternVariables(outer, name, def, exported)
		}
		if !open {
			s.bindPattern(name, def, s.variableType(c, value))
		}
		if inner != def && value.Kind() == "object" {
			s.objectMembers(value, inner)
			return
		}
		s.children(c, inner)
	})
}

// isRequire: what a variable takes from require("x") is an import, no definition.
func (s *walker) isRequire(n syntax.Node) bool {
	for n.Kind() == "member_expression" {
		n = n.Child("object")
	}
	fn := n.Child("function")
	_, ok := n.Child("arguments").FirstNamed().Literal()
	return ok && fn.Kind() == "identifier" && fn.Text() == "require"
}

// children visits the children of a node but for its name and a function that
// became a definition: that one's parts are visited instead.
func (s *walker) children(n syntax.Node, def int) {
	n.Each(func(c syntax.Node) {
		if c.Field() == "name" {
			return
		}
		if f := s.functionValue(c); f.Exists() && f.Kind() == "class" {
			s.class(f, def)
			return
		}
		s.walk(c, def)
	})
}

// patternVariables defines the names of "const { a, b: [c] } = value".
func (s *walker) patternVariables(outer, n syntax.Node, def int, exported bool) {
	switch n.Kind() {
	case "identifier", "shorthand_property_identifier_pattern":
		s.Define(syntax.Spec{Kind: syntax.Variable, Name: n.Text(), Parent: def, Outer: outer, Exported: exported})
	case "pair_pattern":
		s.patternVariables(outer, n.Child("value"), def, exported)
	case "assignment_pattern", "object_assignment_pattern":
		s.patternVariables(outer, n.FirstNamed(), def, exported)
	case "object_pattern", "array_pattern", "rest_pattern":
		n.Each(func(c syntax.Node) { s.patternVariables(outer, c, def, exported) })
	}
}

// chained follows "const x = module.exports = value" to the value, and notes that
// x is what the module exports.
func (s *walker) chained(name, value syntax.Node, def int) syntax.Node {
	for value.Kind() == "assignment_expression" {
		if value.Child("left").Dotted() == moduleExports && def < 0 && name.Kind() == "identifier" {
			s.export(moduleExports, s.Intern(name.Text()))
		}
		value = value.Child("right")
	}
	return value
}

func (s *walker) variable(outer, declarator, value, fn syntax.Node, def int, exported bool) int {
	sp := syntax.Spec{Kind: syntax.Variable, Name: declarator.Child("name").Text(), Parent: def, Outer: outer,
		Exported: exported, Type: s.variableType(declarator, value)}
	if fn.Exists() {
		sp.Type = s.resultType(fn)
	}
	switch {
	case fn.Kind() == "class":
		sp.Kind, sp.Body = syntax.Class, fn.Child("body")
	case fn.Exists():
		sp.Kind, sp.Body = syntax.Function, fn.Child("body")
	case outer.Begins("const ") || outer.Begins("export const "):
		sp.Kind = syntax.Constant
	}
	if !fn.Exists() {
		sp.Body = s.braced(value)
		if value.Kind() == "object" {
			sp.Wrap = syntax.WrapObject
		}
	}
	return s.Define(sp)
}

// unwrapped is the expression under TypeScript's "as const" and "satisfies T".
func (s *walker) unwrapped(n syntax.Node) syntax.Node {
	for n.Kind() == "as_expression" || n.Kind() == "satisfies_expression" {
		n = n.FirstNamed()
	}
	return n
}

func (s *walker) variableType(declarator, value syntax.Node) string {
	if t := s.annotated(declarator); t != "" {
		return t
	}
	switch value.Kind() {
	case "new_expression":
		return s.typeName(value.Child("constructor"))
	case "call_expression":
		if fn := value.Child("function").Dotted(); fn != "?" && fn != "" {
			return fn + "()"
		}
	}
	return ""
}

// objectMembers defines the functions directly inside an object literal.
func (s *walker) objectMembers(object syntax.Node, def int) {
	object.Each(func(c syntax.Node) {
		sp := syntax.Spec{Kind: syntax.Method, Parent: def, Outer: c, Exported: true}
		switch c.Kind() {
		case "method_definition":
			sp.Name, sp.Body = c.Child("name").Text(), c.Child("body")
		case "pair":
			if f := s.functionValue(c.Child("value")); f.Exists() && f.Kind() != "class" &&
				c.Child("key").Kind() == "property_identifier" {
				sp.Name, sp.Body = c.Child("key").Text(), f.Child("body")
			}
		}
		if sp.Name == "" {
			s.walk(c, def)
			return
		}
		i := s.Define(sp)
		c.Each(func(c syntax.Node) { s.walk(c, i) })
	})
}

// assignment handles "exports.x = ...", "module.exports = ...",
// "A.prototype.x = function" and "a.b = function". False if the statement is
// none of them.
func (s *walker) assignment(n syntax.Node, def int) bool {
	a := n.ChildOf("assignment_expression")
	if !a.Exists() {
		return false
	}
	left, value := a.Child("left"), a.Child("right")
	targets := []string{left.Dotted()}
	for value.Kind() == "assignment_expression" {
		targets = append(targets, value.Child("left").Dotted())
		value = value.Child("right")
	}
	fn := s.functionValue(value)
	if field, ok := syntax.SelfField(targets[0]); ok {
		name := ""
		if value.Kind() == "identifier" {
			name = value.Text()
		}
		s.BindField(def, field, s.variableType(syntax.Node{}, value), name)
	}
	if !fn.Exists() && left.Kind() == "subscript_expression" {
		return false
	}
	name, isModule := "", false
	for _, target := range targets {
		switch {
		case target == "module.exports", target == "exports" && len(targets) > 1:
			isModule = isModule || def < 0
		case strings.HasPrefix(target, "exports."), strings.HasPrefix(target, "module.exports."):
			name = target[strings.LastIndexByte(target, '.')+1:]
			if def < 0 {
				s.export(s.Intern(name), s.localName(value, name))
			}
		case name == "" && strings.Contains(target, "."):
			name = target
		}
	}
	return s.assigned(n, value, fn, name, isModule, def)
}

// localName is the name by which an exported value is known in the file: that of
// the variable, or the public one of a value that is defined in the export.
func (s *walker) localName(value syntax.Node, name string) string {
	if value.Kind() == "identifier" {
		name = value.Text()
	}
	return s.Intern(name)
}

// memberName is localName for a pair of an exported object: only functions are
// defined there.
func (s *walker) memberName(value syntax.Node, name string) string {
	switch {
	case value.Kind() == "identifier":
		return s.Intern(value.Text())
	case s.functionValue(value).Exists():
		return s.Intern(name)
	}
	return ""
}

// moduleExports is the public name of what "module.exports = x" exports.
const moduleExports = "module.exports"

func (s *walker) assigned(n, value, fn syntax.Node, name string, isModule bool, def int) bool {
	if isModule {
		s.moduleExport(value, fn)
		if name == "" {
			name = moduleExports
			if own := fn.Child("name").Text(); own != "" {
				name = own
			}
		}
	}
	qualified := strings.ReplaceAll(strings.ReplaceAll(name, ".prototype.", "."), "this.", "")
	last := qualified[strings.LastIndexByte(qualified, '.')+1:]
	object := value.Kind() == "object" && isModule
	public := def < 0 && strings.Contains(n.ChildOf("assignment_expression").Child("left").Dotted(), "exports.") &&
		value.Kind() != "identifier"
	if last == "" || !fn.Exists() && !object && !public || strings.Contains(name, "?") {
		return false
	}
	sp := syntax.Spec{Kind: syntax.Function, Name: last, Parent: def, Outer: n, Exported: def < 0, Body: fn.Child("body")}
	if name == moduleExports {
		sp.Name = moduleExports
	}
	switch {
	case object:
		sp.Kind, sp.Body, sp.Wrap = syntax.Variable, value, syntax.WrapObject
	case !fn.Exists():
		sp.Kind, sp.Body, sp.Type = syntax.Variable, s.braced(value), s.variableType(syntax.Node{}, value)
	case fn.Kind() == "class":
		sp.Kind = syntax.Class
	case strings.Contains(name, ".prototype."):
		sp.Kind = syntax.Method
	}
	i := s.Define(sp)
	if sp.Kind != syntax.Variable && strings.Contains(qualified, ".") && def < 0 && name != moduleExports &&
		!strings.HasPrefix(name, "exports.") {
		s.Definitions[i].Qualified = s.Intern(strings.TrimPrefix(qualified, "module.exports."))
	}
	switch {
	case object:
		s.objectMembers(value, i)
	case !fn.Exists():
		s.walk(value, i)
	case fn.Kind() == "class":
		s.class(fn, i)
	default:
		fn.Each(func(c syntax.Node) { s.walk(c, i) })
		s.binders(fn, fn.Kind(), i)
	}
	return true
}

// braced is an object or array literal, which a stub may leave out, or none.
func (s *walker) braced(n syntax.Node) syntax.Node {
	if v := s.unwrapped(n); v.Kind() == "object" || v.Kind() == "array" {
		return v
	}
	return syntax.Node{}
}

// moduleExport records what "module.exports = value" makes public.
func (s *walker) moduleExport(value, fn syntax.Node) {
	switch value.Kind() {
	case "identifier":
		s.export(moduleExports, s.Intern(value.Text()))
	case "object":
		value.Each(func(c syntax.Node) {
			switch c.Kind() {
			case "shorthand_property_identifier":
				name := s.Intern(c.Text())
				s.export(name, name)
			case "pair":
				key, v := c.Child("key"), c.Child("value")
				if key.Kind() == "property_identifier" {
					s.export(s.Intern(key.Text()), s.memberName(v, key.Text()))
				}
			case "method_definition":
				name := s.Intern(c.Child("name").Text())
				s.export(name, name)
			}
		})
	default:
		if fn.Exists() {
			name := fn.Child("name").Text()
			if name == "" {
				name = moduleExports
			}
			s.export(moduleExports, s.Intern(name))
		}
	}
}
