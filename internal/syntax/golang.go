package syntax

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// goWalk extracts what a Go file holds.
type goWalk struct{ *builder }

func extractGo(b *builder) {
	g := &goWalk{b}
	g.t.children(0, func(c int32) { g.topLevel(c) })
}

func (g *goWalk) topLevel(n int32) {
	switch g.t.kind(n) {
	case "package_clause":
		g.f.Package = g.intern(g.t.text(g.t.firstNamed(n)))
	case "import_declaration":
		g.imports(n)
	case "function_declaration", "method_declaration":
		g.function(n)
	case "type_declaration", "const_declaration", "var_declaration":
		g.group(n)
	case "comment", errorKind:
	default:
		g.walk(n, -1)
		g.f.Statements = append(g.f.Statements, g.t.span(g.t.nodes[n].from, g.trimEnd(g.t.nodes[n].from, g.t.nodes[n].to)))
	}
}

func (g *goWalk) imports(n int32) {
	specs := func(c int32) {
		if g.t.kind(c) != "import_spec" {
			return
		}
		module, _ := g.t.literal(g.t.child(c, "path"))
		g.f.Imports = append(g.f.Imports, Import{
			Kind: ImportStatic, Module: g.intern(module), Alias: g.intern(g.t.text(g.t.child(c, "name"))),
			Lines: g.t.span(g.t.nodes[c].from, g.t.nodes[c].to), Def: -1,
		})
	}
	g.t.children(n, specs)
	g.t.children(g.t.childOf(n, "import_spec_list"), specs)
}

// exportedGo: the first letter is a capital.
func exportedGo(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

func (g *goWalk) function(n int32) {
	name, body := g.t.text(g.t.child(n, "name")), none
	if b := g.t.child(n, "body"); b != none {
		body = b
	}
	s := spec{kind: Function, name: name, parent: -1, outer: n, body: body, exported: exportedGo(name), typ: g.resultType(g.t.child(n, "result"))}
	receiver := g.t.childOf(g.t.child(n, "receiver"), "parameter_declaration")
	receiverType := ""
	if receiver != none {
		s.kind = Method
		receiverType = g.typeName(g.t.child(receiver, "type"))
		s.exported = s.exported && exportedGo(receiverType)
	}
	i := g.define(s)
	if receiverType != "" {
		g.f.Definitions[i].Qualified = g.intern(receiverType + "." + name)
		g.bind(i, g.t.text(g.t.child(receiver, "name")), receiverType)
	}
	g.functionTest(n, i, receiverType)
	g.t.children(n, func(c int32) { g.walk(c, i) })
	if t := g.f.Definitions[i].Test; t != nil && body != none {
		g.assertions(body, i)
		if t.Role == RoleCase {
			g.tableNames(body, i)
		}
	}
}

// resultType is the type of a function's first result.
func (g *goWalk) resultType(n int32) string {
	if g.t.kind(n) == "parameter_list" {
		return g.typeName(g.t.child(g.t.childOf(n, "parameter_declaration"), "type"))
	}
	return g.typeName(n)
}

// valueType is the type that a value gives the variable that it is assigned to:
// of a literal, or what a call of names joined by dots returns.
func (g *goWalk) valueType(n int32) string {
	switch g.t.kind(n) {
	case "composite_literal", "unary_expression":
		return g.typeName(n)
	case "call_expression":
		if fn := g.t.dotted(g.t.child(n, "function")); fn != "?" {
			return fn + "()"
		}
	}
	return ""
}

// typeName is the name of a type without pointer and type arguments: "T",
// "pkg.T"; "" for types without a name.
func (g *goWalk) typeName(n int32) string {
	for n != none {
		switch g.t.kind(n) {
		case "type_identifier", "qualified_type":
			return g.t.dotted(n)
		case "pointer_type", "parenthesized_type":
			n = g.t.firstNamed(n)
		case "generic_type":
			n = g.t.child(n, "type")
		case "unary_expression": // &T{}
			if n = g.t.firstNamed(n); g.t.kind(n) != "composite_literal" {
				return ""
			}
		case "composite_literal":
			n = g.t.child(n, "type")
		default:
			return ""
		}
	}
	return ""
}

// group defines the specs of a const, var or type declaration.
func (g *goWalk) group(n int32) {
	lead := strings.TrimSuffix(g.t.kind(n), "_declaration") + " "
	grouped := g.t.childOf(n, "(") != none || g.t.childOf(n, "var_spec_list") != none
	each := func(c int32) {
		switch g.t.kind(c) {
		case "type_spec", "type_alias", "const_spec", "var_spec":
			g.spec(n, c, grouped, lead)
		}
	}
	g.t.children(n, each)
	g.t.children(g.t.childOf(n, "var_spec_list"), each)
}

// spec defines one spec of a declaration. A constant without a value of its own
// means nothing alone: its text is the whole group.
func (g *goWalk) spec(decl, n int32, grouped bool, lead string) {
	s := spec{parent: -1, outer: decl, body: none, lines: n}
	value := g.t.child(n, "value")
	s.typ = g.typeName(g.t.child(n, "type"))
	if s.typ == "" {
		s.typ = g.valueType(g.t.firstNamed(value))
	}
	if grouped && (lead != "const " || value != none) {
		s.outer, s.lead = n, lead
	}
	if !grouped {
		s.lines = decl
	}
	switch lead {
	case "type ":
		g.typeSpec(s, n)
		return
	case "const ":
		s.kind = Constant
	case "var ":
		s.kind = Variable
		if v := g.t.firstNamed(value); g.t.kind(v) == "composite_literal" && g.t.nodes[v].next == none {
			s.body = g.t.child(v, "body")
		}
	}
	first := -1
	for c := g.t.nodes[n].first; c != none; c = g.t.nodes[c].next {
		if g.t.field(c) == "name" && g.t.kind(c) == "identifier" {
			s.name = g.t.text(c)
			s.exported = exportedGo(s.name)
			if i := g.define(s); first < 0 {
				first = i
			}
		}
	}
	g.t.children(n, func(c int32) { g.walk(c, first) })
}

func (g *goWalk) typeSpec(s spec, n int32) {
	s.kind, s.name = Type, g.t.text(g.t.child(n, "name"))
	s.exported = exportedGo(s.name)
	typ := g.t.child(n, "type")
	switch g.t.kind(typ) {
	case "struct_type":
		s.kind, s.body = Struct, g.t.childOf(typ, "field_declaration_list")
	case "interface_type":
		s.kind = Interface
	}
	i := g.define(s)
	if s.kind == Interface {
		g.interfaceBody(typ, i)
	}
	g.t.children(s.body, func(c int32) { g.structField(c, i) })
	g.t.children(typ, func(c int32) { g.interfaceMember(c, i) })
	g.t.children(n, func(c int32) { g.walk(c, i) })
}

// interfaceBody finds the braces: the grammar has no node for the body.
func (g *goWalk) interfaceBody(typ int32, i int) {
	if open := g.t.childOf(typ, "{"); open != none && g.t.childOf(typ, "}") != none {
		d := &g.f.Definitions[i]
		d.bodyFrom, d.bodyTo = g.t.nodes[open].from, g.t.nodes[typ].to
		d.Body = g.t.span(d.bodyFrom, d.bodyTo)
		d.Signature = g.signature(d.lead, d.head, d.bodyFrom)
	}
}

func (g *goWalk) structField(n int32, parent int) {
	if g.t.kind(n) != "field_declaration" {
		return
	}
	named := false
	for c := g.t.nodes[n].first; c != none; c = g.t.nodes[c].next {
		if g.t.field(c) == "name" {
			named = true
			name := g.t.text(c)
			g.define(spec{kind: Field, name: name, parent: parent, outer: n, exported: exportedGo(name), typ: g.typeName(g.t.child(n, "type"))})
		}
	}
	if !named {
		g.base(parent, g.t.child(n, "type"))
	}
}

func (g *goWalk) base(def int, typ int32) {
	if name := g.typeName(typ); name != "" {
		g.f.Definitions[def].Bases = append(g.f.Definitions[def].Bases, g.intern(name))
	}
}

func (g *goWalk) interfaceMember(n int32, parent int) {
	switch g.t.kind(n) {
	case "method_elem", "method_spec":
		name := g.t.text(g.t.child(n, "name"))
		g.define(spec{kind: Method, name: name, parent: parent, outer: n, exported: exportedGo(name), typ: g.resultType(g.t.child(n, "result"))})
	case "type_elem":
		if c := g.t.firstNamed(n); g.t.nodes[c].next == none {
			g.base(parent, c)
		}
	}
}

// walk visits a node inside definition def.
func (g *goWalk) walk(n int32, def int) {
	switch g.t.kind(n) {
	case "call_expression":
		g.callExpr(n, def)
		if inner := g.subtest(n, def); inner >= 0 {
			g.t.children(n, func(c int32) { g.walk(c, inner) })
			return
		}
	case "selector_expression":
		parent := g.t.nodes[n].parent
		if g.t.kind(parent) != "call_expression" || g.t.child(parent, "function") != n {
			g.use(g.t.text(g.t.child(n, "field")), g.t.dotted(g.t.child(n, "operand")), n)
		}
	case "qualified_type":
		g.use(g.t.text(g.t.child(n, "name")), g.t.text(g.t.child(n, "package")), n)
		return
	case "type_identifier":
		g.use(g.t.text(n), "", n)
	case "parameter_declaration", "variadic_parameter_declaration", "var_spec", "const_spec":
		kind := g.typeName(g.t.child(n, "type"))
		g.bindFields(n, "name", def, kind)
	case "type_parameter_declaration":
		g.bindFields(n, "name", def, "")
	case "short_var_declaration", "range_clause", "receive_statement":
		g.bindList(n, def)
	case "type_switch_statement":
		g.t.children(g.t.child(n, "alias"), func(c int32) { g.bind(def, g.t.text(c), "") })
	}
	g.t.children(n, func(c int32) { g.walk(c, def) })
}

func (g *goWalk) bindFields(n int32, field string, def int, kind string) {
	if def >= 0 && g.f.Definitions[def].Kind != Function && g.f.Definitions[def].Kind != Method && g.f.Definitions[def].Kind != Case {
		return
	}
	for c := g.t.nodes[n].first; c != none; c = g.t.nodes[c].next {
		if g.t.field(c) == field {
			g.bind(def, g.t.text(c), kind)
		}
	}
}

// bindList binds the left side of := with the type of a composite literal on the
// right where there is one for one.
func (g *goWalk) bindList(n int32, def int) {
	left, right := g.t.child(n, "left"), g.t.child(n, "right")
	value := none
	if g.t.kind(right) == "expression_list" {
		value = g.t.firstNamed(right)
	}
	g.t.children(left, func(c int32) {
		kind := ""
		if value != none {
			kind = g.valueType(value)
			value = g.t.nodes[value].next
			for value != none && !g.t.nodes[value].named {
				value = g.t.nodes[value].next
			}
		}
		if g.t.kind(c) == "identifier" {
			g.bind(def, g.t.text(c), kind)
		}
	})
}

func (g *goWalk) callExpr(n int32, def int) {
	fn, args := g.t.child(n, "function"), g.t.child(n, "arguments")
	switch g.t.kind(fn) {
	case "index_expression", "type_instantiation_expression":
		fn = g.t.firstNamed(fn)
	}
	switch g.t.kind(fn) {
	case "identifier":
		g.call(g.t.text(fn), "", n, def, args)
	case "selector_expression":
		g.call(g.t.text(g.t.child(fn, "field")), g.t.dotted(g.t.child(fn, "operand")), n, def, args)
	}
}
