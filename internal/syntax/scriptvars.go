package syntax

import "strings"

// variables defines the variables of a declaration at the top level or in a
// namespace, and elsewhere those that hold a function; the others are bound.
func (s *scriptWalk) variables(n int32, def int) {
	outer, exported := s.outer(n)
	open := def < 0 && s.t.kind(s.t.nodes[outer].parent) == "program" || def >= 0 && s.f.Definitions[def].Kind == Namespace
	s.t.children(n, func(c int32) {
		if s.t.kind(c) != "variable_declarator" {
			return
		}
		name, value := s.t.child(c, "name"), s.t.child(c, "value")
		value = s.chained(name, value, def)
		inner := def
		if fn := s.functionValue(value); s.t.kind(name) == "identifier" && (open || fn != none) && !s.isRequire(value) {
			inner = s.variable(outer, c, value, fn, def, exported)
		}
		if k := s.t.kind(name); open && (k == "object_pattern" || k == "array_pattern") && !s.isRequire(value) {
			s.patternVariables(outer, name, def, exported)
		}
		if !open || def >= 0 && s.isFunction(def) {
			s.bindPattern(name, def, s.variableType(c, value))
		}
		if inner != def && s.t.kind(value) == "object" {
			s.objectMembers(value, inner)
			return
		}
		s.children(c, inner)
	})
}

// isRequire: what a variable takes from require("x") is an import, no definition.
func (s *scriptWalk) isRequire(n int32) bool {
	for s.t.kind(n) == "member_expression" {
		n = s.t.child(n, "object")
	}
	fn := s.t.child(n, "function")
	_, ok := s.t.literal(s.t.firstNamed(s.t.child(n, "arguments")))
	return ok && s.t.kind(fn) == "identifier" && s.t.text(fn) == "require"
}

// children visits the children of a node but for its name and a function that
// became a definition: that one's parts are visited instead.
func (s *scriptWalk) children(n int32, def int) {
	s.t.children(n, func(c int32) {
		if s.t.field(c) == "name" {
			return
		}
		if f := s.functionValue(c); f != none && s.t.kind(f) == "class" {
			s.class(f, def)
			return
		}
		s.walk(c, def)
	})
}

// patternVariables defines the names of "const { a, b: [c] } = value".
func (s *scriptWalk) patternVariables(outer, n int32, def int, exported bool) {
	switch s.t.kind(n) {
	case "identifier", "shorthand_property_identifier_pattern":
		s.define(spec{kind: Variable, name: s.t.text(n), parent: def, outer: outer, exported: exported})
	case "pair_pattern":
		s.patternVariables(outer, s.t.child(n, "value"), def, exported)
	case "assignment_pattern", "object_assignment_pattern":
		s.patternVariables(outer, s.t.firstNamed(n), def, exported)
	case "object_pattern", "array_pattern", "rest_pattern":
		s.t.children(n, func(c int32) { s.patternVariables(outer, c, def, exported) })
	}
}

// chained follows "const x = module.exports = value" to the value, and notes that
// x is what the module exports.
func (s *scriptWalk) chained(name, value int32, def int) int32 {
	for s.t.kind(value) == "assignment_expression" {
		if s.t.dotted(s.t.child(value, "left")) == moduleExports && def < 0 && s.t.kind(name) == "identifier" {
			s.f.Exports = append(s.f.Exports, Export{moduleExports, s.intern(s.t.text(name))})
		}
		value = s.t.child(value, "right")
	}
	return value
}

func (s *scriptWalk) variable(outer, declarator, value, fn int32, def int, exported bool) int {
	sp := spec{kind: Variable, name: s.t.text(s.t.child(declarator, "name")), parent: def, outer: outer, exported: exported, typ: s.variableType(declarator, value)}
	if fn != none {
		sp.typ = s.resultType(fn)
	}
	switch {
	case s.t.kind(fn) == "class":
		sp.kind, sp.body = Class, s.t.child(fn, "body")
	case fn != none:
		sp.kind, sp.body = Function, s.t.child(fn, "body")
	case s.t.begins(outer, "const ") || s.t.begins(outer, "export const "):
		sp.kind = Constant
	}
	if fn == none {
		sp.body = s.braced(value)
		if s.t.kind(value) == "object" {
			sp.wrap = wrapObject
		}
	}
	return s.define(sp)
}

// unwrapped is the expression under TypeScript's "as const" and "satisfies T".
func (s *scriptWalk) unwrapped(n int32) int32 {
	for s.t.kind(n) == "as_expression" || s.t.kind(n) == "satisfies_expression" {
		n = s.t.firstNamed(n)
	}
	return n
}

func (s *scriptWalk) variableType(declarator, value int32) string {
	if t := s.annotated(declarator); t != "" {
		return t
	}
	switch s.t.kind(value) {
	case "new_expression":
		return s.typeName(s.t.child(value, "constructor"))
	case "call_expression":
		if fn := s.t.dotted(s.t.child(value, "function")); fn != "?" && fn != "" {
			return fn + "()"
		}
	}
	return ""
}

// objectMembers defines the functions directly inside an object literal.
func (s *scriptWalk) objectMembers(object int32, def int) {
	s.t.children(object, func(c int32) {
		sp := spec{kind: Method, parent: def, outer: c, exported: true}
		switch s.t.kind(c) {
		case "method_definition":
			sp.name, sp.body = s.t.text(s.t.child(c, "name")), s.t.child(c, "body")
		case "pair":
			if f := s.functionValue(s.t.child(c, "value")); f != none && s.t.kind(f) != "class" && s.t.kind(s.t.child(c, "key")) == "property_identifier" {
				sp.name, sp.body = s.t.text(s.t.child(c, "key")), s.t.child(f, "body")
			}
		}
		if sp.name == "" {
			s.walk(c, def)
			return
		}
		i := s.define(sp)
		s.t.children(c, func(c int32) { s.walk(c, i) })
	})
}

// assignment handles "exports.x = ...", "module.exports = ...",
// "A.prototype.x = function" and "a.b = function". False if the statement is
// none of them.
func (s *scriptWalk) assignment(n int32, def int) bool {
	a := s.t.childOf(n, "assignment_expression")
	if a == none {
		return false
	}
	left, value := s.t.child(a, "left"), s.t.child(a, "right")
	targets := []string{s.t.dotted(left)}
	for s.t.kind(value) == "assignment_expression" {
		targets = append(targets, s.t.dotted(s.t.child(value, "left")))
		value = s.t.child(value, "right")
	}
	fn := s.functionValue(value)
	if field, ok := selfField(targets[0]); ok {
		name := ""
		if s.t.kind(value) == "identifier" {
			name = s.t.text(value)
		}
		s.bindField(def, field, s.variableType(none, value), name)
	}
	if fn == none && s.t.kind(left) == "subscript_expression" {
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
				s.f.Exports = append(s.f.Exports, Export{s.intern(name), s.localName(value, name)})
			}
		case name == "" && strings.Contains(target, "."):
			name = target
		}
	}
	return s.assigned(n, value, fn, name, isModule, def)
}

// localName is the name by which an exported value is known in the file: that of
// the variable, or the public one of a value that is defined in the export.
func (s *scriptWalk) localName(value int32, name string) string {
	if s.t.kind(value) == "identifier" {
		name = s.t.text(value)
	}
	return s.intern(name)
}

// memberName is localName for a pair of an exported object: only functions are
// defined there.
func (s *scriptWalk) memberName(value int32, name string) string {
	switch {
	case s.t.kind(value) == "identifier":
		return s.intern(s.t.text(value))
	case s.functionValue(value) != none:
		return s.intern(name)
	}
	return ""
}

// moduleExports is the public name of what "module.exports = x" exports.
const moduleExports = "module.exports"

func (s *scriptWalk) assigned(n, value, fn int32, name string, isModule bool, def int) bool {
	if isModule {
		s.moduleExport(value, fn)
		if name == "" {
			name = moduleExports
			if own := s.t.text(s.t.child(fn, "name")); own != "" {
				name = own
			}
		}
	}
	qualified := strings.ReplaceAll(strings.ReplaceAll(name, ".prototype.", "."), "this.", "")
	last := qualified[strings.LastIndexByte(qualified, '.')+1:]
	object := s.t.kind(value) == "object" && isModule
	public := def < 0 && strings.Contains(s.t.dotted(s.t.child(s.t.childOf(n, "assignment_expression"), "left")), "exports.") && s.t.kind(value) != "identifier"
	if last == "" || fn == none && !object && !public || strings.Contains(name, "?") {
		return false
	}
	sp := spec{kind: Function, name: last, parent: def, outer: n, exported: def < 0, body: s.t.child(fn, "body")}
	if name == moduleExports {
		sp.name = moduleExports
	}
	switch {
	case object:
		sp.kind, sp.body, sp.wrap = Variable, value, wrapObject
	case fn == none:
		sp.kind, sp.body, sp.typ = Variable, s.braced(value), s.variableType(none, value)
	case s.t.kind(fn) == "class":
		sp.kind = Class
	case strings.Contains(name, ".prototype."):
		sp.kind = Method
	}
	i := s.define(sp)
	if sp.kind != Variable && strings.Contains(qualified, ".") && def < 0 && name != moduleExports && !strings.HasPrefix(name, "exports.") {
		s.f.Definitions[i].Qualified = s.intern(strings.TrimPrefix(qualified, "module.exports."))
	}
	switch {
	case object:
		s.objectMembers(value, i)
	case fn == none:
		s.walk(value, i)
	case s.t.kind(fn) == "class":
		s.class(fn, i)
	default:
		s.t.children(fn, func(c int32) { s.walk(c, i) })
		s.binders(fn, s.t.kind(fn), i)
	}
	return true
}

// braced is an object or array literal, which a stub may leave out, or none.
func (s *scriptWalk) braced(n int32) int32 {
	if v := s.unwrapped(n); s.t.kind(v) == "object" || s.t.kind(v) == "array" {
		return v
	}
	return none
}

// moduleExport records what "module.exports = value" makes public.
func (s *scriptWalk) moduleExport(value, fn int32) {
	switch s.t.kind(value) {
	case "identifier":
		s.f.Exports = append(s.f.Exports, Export{moduleExports, s.intern(s.t.text(value))})
	case "object":
		s.t.children(value, func(c int32) {
			switch s.t.kind(c) {
			case "shorthand_property_identifier":
				name := s.intern(s.t.text(c))
				s.f.Exports = append(s.f.Exports, Export{name, name})
			case "pair":
				key, v := s.t.child(c, "key"), s.t.child(c, "value")
				if s.t.kind(key) == "property_identifier" {
					s.f.Exports = append(s.f.Exports, Export{s.intern(s.t.text(key)), s.memberName(v, s.t.text(key))})
				}
			case "method_definition":
				name := s.intern(s.t.text(s.t.child(c, "name")))
				s.f.Exports = append(s.f.Exports, Export{name, name})
			}
		})
	default:
		if fn != none {
			name := s.t.text(s.t.child(fn, "name"))
			if name == "" {
				name = moduleExports
			}
			s.f.Exports = append(s.f.Exports, Export{moduleExports, s.intern(name)})
		}
	}
}
