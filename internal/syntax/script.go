package syntax

import "strings"

// scriptWalk extracts what a JavaScript or TypeScript file holds.
type scriptWalk struct {
	*builder
	exported map[string]bool // local names that export clauses and module.exports name
}

func extractScript(b *builder) {
	s := &scriptWalk{b, map[string]bool{}}
	s.t.children(0, func(c int32) { s.topLevel(c) })
	for _, e := range s.f.Exports {
		s.exported[e.Local] = true
	}
	for i := range s.f.Definitions {
		if d := &s.f.Definitions[i]; d.Parent < 0 && s.exported[d.Name] {
			d.Exported = true
		}
	}
	sortExports(s.f)
}

func (s *scriptWalk) topLevel(n int32) {
	if isComment(s.t.kind(n)) || s.t.kind(n) == errorKind || s.t.kind(n) == "hash_bang_line" {
		return
	}
	defs, imps := len(s.f.Definitions), len(s.f.Imports)
	s.walk(n, -1)
	direct := false
	for i := defs; i < len(s.f.Definitions); i++ {
		d := &s.f.Definitions[i]
		direct = direct || d.from <= s.t.nodes[n].from && d.to >= s.trimEnd(s.t.nodes[n].from, s.t.nodes[n].to)
	}
	imported := len(s.f.Imports) > imps && s.f.Imports[imps].Lines == s.t.span(s.t.nodes[n].from, s.trimEnd(s.t.nodes[n].from, s.t.nodes[n].to))
	if !direct && !imported {
		o := s.t.nodes[n]
		s.f.Statements = append(s.f.Statements, s.t.span(o.from, s.trimEnd(o.from, o.to)))
	}
}

// scriptKinds maps declarations with a name and, mostly, a body to their kinds.
var scriptKinds = map[string]Kind{
	"function_declaration": Function, "generator_function_declaration": Function, "function_signature": Function,
	"class_declaration": Class, "abstract_class_declaration": Class, "interface_declaration": Interface,
	"type_alias_declaration": Type, "enum_declaration": Enum, "internal_module": Namespace, "module": Namespace,
}

// walk visits a node inside definition def.
func (s *scriptWalk) walk(n int32, def int) {
	kind := s.t.kind(n)
	if k := scriptKinds[kind]; k != "" && s.t.child(n, "name") != none {
		s.declaration(n, k, def)
		return
	}
	switch kind {
	case "import_statement":
		s.importStatement(n)
		return
	case "export_statement":
		if s.exportStatement(n, def) {
			return
		}
	case "lexical_declaration", "variable_declaration":
		s.variables(n, def)
		return
	case "expression_statement":
		if s.assignment(n, def) || s.suite(n, def) || s.handler(n, def) {
			return
		}
	case "call_expression":
		s.callExpr(n, def)
	case "new_expression":
		s.callee(s.t.child(n, "constructor"), n, def, s.t.child(n, "arguments"))
	case "member_expression":
		s.member(n)
	case "subscript_expression":
		if key, ok := s.t.literal(s.t.child(n, "index")); ok {
			s.use(key, s.t.dotted(s.t.child(n, "object")), n)
		}
	case "type_identifier":
		s.use(s.t.text(n), "", n)
	case "nested_type_identifier":
		s.use(s.t.text(s.t.child(n, "name")), s.t.dotted(s.t.child(n, "module")), n)
		return
	case "jsx_opening_element", "jsx_self_closing_element":
		s.jsx(n)
	}
	s.binders(n, kind, def)
	s.t.children(n, func(c int32) { s.walk(c, def) })
}

// outer climbs from a declaration to the export or declare statement around it.
func (s *scriptWalk) outer(n int32) (int32, bool) {
	exported := false
	for {
		p := s.t.nodes[n].parent
		switch s.t.kind(p) {
		case "export_statement":
			exported = true
		case "ambient_declaration":
		case "expression_statement":
			if s.t.kind(n) != "internal_module" {
				return n, exported
			}
		default:
			return n, exported
		}
		n = p
	}
}

// declaration defines a function, class, interface, type, enum or namespace.
func (s *scriptWalk) declaration(n int32, kind Kind, def int) {
	name := s.t.text(s.t.child(n, "name"))
	if text, ok := s.t.literal(s.t.child(n, "name")); ok {
		name = text
	}
	outer, exported := s.outer(n)
	sp := spec{kind: kind, name: name, parent: def, outer: outer, body: s.t.child(n, "body"), exported: exported || s.inAmbient(n, def)}
	sp.typ = s.resultType(n)
	s.afterDecorators(outer, &sp)
	i := s.define(sp)
	if def >= 0 && s.isFunction(def) {
		s.bind(def, name, "")
	}
	switch kind {
	case Class:
		s.class(n, i)
	case Interface:
		s.heritage(s.t.childOf(n, "extends_type_clause", "extends_clause"), i)
		s.members(sp.body, i)
	case Namespace:
		s.t.children(sp.body, func(c int32) { s.walk(c, i) })
	default:
		s.t.children(n, func(c int32) {
			if s.t.field(c) != "name" {
				s.walk(c, i)
			}
		})
	}
}

// inAmbient: everything in a declared module is visible.
func (s *scriptWalk) inAmbient(n int32, def int) bool {
	return def >= 0 && s.f.Definitions[def].Kind == Namespace && s.t.kind(s.t.nodes[n].parent) == "ambient_declaration"
}

func (s *scriptWalk) isFunction(def int) bool {
	switch s.f.Definitions[def].Kind {
	case Function, Method, Constructor, Suite, Case, Hook, Handler:
		return true
	}
	return false
}

// afterDecorators sets where the declaration begins behind its decorators.
func (s *scriptWalk) afterDecorators(n int32, sp *spec) {
	for c := s.t.nodes[n].first; c != none; c = s.t.nodes[c].next {
		if s.t.kind(c) != "decorator" {
			if s.t.nodes[c].from > s.t.nodes[n].from {
				sp.head = s.t.nodes[c].from
			}
			return
		}
	}
}

// functionValue is the function or class that a value is, or none.
func (s *scriptWalk) functionValue(n int32) int32 {
	switch s.t.kind(n) {
	case "arrow_function", "function_expression", "function", "generator_function", "class":
		return n
	case "parenthesized_expression":
		return s.functionValue(s.t.firstNamed(n))
	}
	return none
}

// member records a.b where it is not what a call calls.
func (s *scriptWalk) member(n int32) {
	p := s.t.nodes[n].parent
	if s.t.kind(p) == "call_expression" && s.t.child(p, "function") == n {
		return
	}
	if object := s.t.dotted(s.t.child(n, "object")); object != "this" {
		s.use(s.t.text(s.t.child(n, "property")), object, n)
	}
}

func (s *scriptWalk) jsx(n int32) {
	name := s.t.child(n, "name")
	text := s.t.dotted(name)
	if dot := strings.LastIndexByte(text, '.'); dot > 0 {
		s.use(text[dot+1:], text[:dot], n)
	} else if text != "" && 'A' <= text[0] && text[0] <= 'Z' {
		s.use(text, "", n)
	}
}

func (s *scriptWalk) callExpr(n int32, def int) {
	fn, args := s.t.child(n, "function"), s.t.child(n, "arguments")
	module, literal := s.t.literal(s.t.firstNamed(args))
	switch {
	case s.t.kind(fn) == "import" && literal:
		s.require(n, ImportDynamic, module, def)
	case s.t.kind(fn) == "identifier" && s.t.text(fn) == "require" && literal:
		s.require(n, ImportRequire, module, def)
	default:
		s.callee(fn, n, def, args)
	}
}

func (s *scriptWalk) callee(fn, n int32, def int, args int32) {
	switch s.t.kind(fn) {
	case "identifier", "super":
		s.call(s.t.text(fn), "", n, def, args)
	case "member_expression":
		s.call(s.t.text(s.t.child(fn, "property")), s.t.dotted(s.t.child(fn, "object")), n, def, args)
	}
}
