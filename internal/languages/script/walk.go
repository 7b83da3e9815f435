package script

import (
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// walker extracts what a JavaScript or TypeScript file holds.
type walker struct {
	*syntax.Builder
	exported map[string]bool // local names that export clauses and module.exports name
}

func extract(b *syntax.Builder) {
	s := &walker{b, map[string]bool{}}
	b.Root().Each(func(c syntax.Node) { s.topLevel(c) })
	for _, e := range s.Exports {
		s.exported[e.Local] = true
	}
	for i := range s.Definitions {
		if d := &s.Definitions[i]; d.Parent < 0 && s.exported[d.Name] {
			d.Exported = true
		}
	}
	sortExports(s.File)
}

func (s *walker) topLevel(n syntax.Node) {
	if n.IsComment() || n.Kind() == syntax.ErrorKind || n.Kind() == "hash_bang_line" {
		return
	}
	defs, imps := len(s.Definitions), len(s.Imports)
	s.walk(n, -1)
	direct := false
	for i := defs; i < len(s.Definitions); i++ {
		direct = direct || s.IsAllOf(i, n)
	}
	imported := len(s.Imports) > imps && s.Imports[imps].Lines == n.TrimmedLines()
	if !direct && !imported {
		s.Statement(n)
	}
}

// scriptKinds maps declarations with a name and, mostly, a body to their kinds.
var scriptKinds = map[string]syntax.Kind{
	"function_declaration": syntax.Function, "generator_function_declaration": syntax.Function,
	"function_signature": syntax.Function,
	"class_declaration":  syntax.Class, "abstract_class_declaration": syntax.Class,
	"interface_declaration":  syntax.Interface,
	"type_alias_declaration": syntax.Type, "enum_declaration": syntax.Enum, "internal_module": syntax.Namespace,
	"module": syntax.Namespace,
}

// walk visits a node inside definition def.
func (s *walker) walk(n syntax.Node, def int) {
	kind := n.Kind()
	if k := scriptKinds[kind]; k != "" && n.Child("name").Exists() {
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
		s.callee(n.Child("constructor"), n, def, n.Child("arguments"))
	case "member_expression":
		s.member(n)
	case "subscript_expression":
		if key, ok := n.Child("index").Literal(); ok {
			s.Use(key, n.Child("object").Dotted(), n)
		}
	case "type_identifier":
		s.Use(n.Text(), "", n)
	case "nested_type_identifier":
		s.Use(n.Child("name").Text(), "", n)
		return
	case "jsx_opening_element", "jsx_self_closing_element":
		s.jsx(n)
	}
	s.binders(n, kind, def)
	n.Each(func(c syntax.Node) { s.walk(c, def) })
}

// outer climbs from a declaration to the export or declare statement around it.
func (s *walker) outer(n syntax.Node) (syntax.Node, bool) {
	exported := false
	for {
		p := n.Parent()
		switch p.Kind() {
		case "export_statement":
			exported = true
		case "ambient_declaration":
		case "expression_statement":
			if n.Kind() != "internal_module" {
				return n, exported
			}
		default:
			return n, exported
		}
		n = p
	}
}

// declaration defines a function, class, interface, type, enum or namespace.
func (s *walker) declaration(n syntax.Node, kind syntax.Kind, def int) {
	name := n.Child("name").Text()
	if text, ok := n.Child("name").Literal(); ok {
		name = text
	}
	outer, exported := s.outer(n)
	sp := syntax.Spec{Kind: kind, Name: name, Parent: def, Outer: outer, Body: n.Child("body"), Exported: exported ||
		s.inAmbient(n, def)}
	sp.Type = s.resultType(n)
	s.afterDecorators(outer, &sp)
	i := s.Define(sp)
	if def >= 0 && s.isFunction(def) {
		s.Bind(def, name, "")
	}
	switch kind {
	case syntax.Class:
		s.class(n, i)
	case syntax.Interface:
		s.heritage(n.ChildOf("extends_type_clause", "extends_clause"), i)
		s.members(sp.Body, i)
	case syntax.Namespace:
		sp.Body.Each(func(c syntax.Node) { s.walk(c, i) })
	default:
		n.Each(func(c syntax.Node) {
			if c.Field() != "name" {
				s.walk(c, i)
			}
		})
	}
}

// inAmbient: everything in a declared module is visible.
func (s *walker) inAmbient(n syntax.Node, def int) bool {
	return def >= 0 && s.Definitions[def].Kind == syntax.Namespace && n.Parent().Kind() == "ambient_declaration"
}

func (s *walker) isFunction(def int) bool {
	switch s.Definitions[def].Kind {
	case syntax.Function, syntax.Method, syntax.Constructor, syntax.Suite, syntax.Case, syntax.Hook, syntax.Handler:
		return true
	}
	return false
}

// afterDecorators sets where the declaration begins behind its decorators.
func (s *walker) afterDecorators(n syntax.Node, sp *syntax.Spec) {
	for c := n.FirstChild(); c.Exists(); c = c.NextSibling() {
		if c.Kind() != "decorator" {
			if c.From() > n.From() {
				sp.Head = c.From()
			}
			return
		}
	}
}

// functionValue is the function or class that a value is, or none.
func (s *walker) functionValue(n syntax.Node) syntax.Node {
	switch n.Kind() {
	case "arrow_function", "function_expression", "function", "generator_function", "class":
		return n
	case "parenthesized_expression":
		return s.functionValue(n.FirstNamed())
	}
	return syntax.Node{}
}

// member records a.b where it is not what a call calls.
func (s *walker) member(n syntax.Node) {
	p := n.Parent()
	if p.Kind() == "call_expression" && p.Child("function") == n {
		return
	}
	if object := n.Child("object").Dotted(); object != "this" {
		s.Use(n.Child("property").Text(), object, n)
	}
}

func (s *walker) jsx(n syntax.Node) {
	name := n.Child("name")
	text := name.Dotted()
	if dot := strings.LastIndexByte(text, '.'); dot > 0 {
		s.Use(text[dot+1:], text[:dot], n)
	} else if text != "" && 'A' <= text[0] && text[0] <= 'Z' {
		s.Use(text, "", n)
	}
}

func (s *walker) callExpr(n syntax.Node, def int) {
	fn, args := n.Child("function"), n.Child("arguments")
	module, literal := args.FirstNamed().Literal()
	switch {
	case fn.Kind() == "import" && literal:
		s.require(n, syntax.ImportDynamic, module, def)
	case fn.Kind() == "identifier" && fn.Text() == "require" && literal:
		s.require(n, syntax.ImportRequire, module, def)
	default:
		s.callee(fn, n, def, args)
	}
}

func (s *walker) callee(fn, n syntax.Node, def int, args syntax.Node) {
	switch fn.Kind() {
	case "identifier", "super":
		s.Call(fn.Text(), "", n, def, args)
	case "member_expression":
		s.Call(fn.Child("property").Text(), fn.Child("object").Dotted(), n, def, args)
	}
}
