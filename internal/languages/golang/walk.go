package golang

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prforge/prforge/internal/syntax"
)

func extract(b *syntax.Builder) {
	g := &walker{b}
	b.Root().Each(func(c syntax.Node) { g.topLevel(c) })
}

func (g *walker) topLevel(n syntax.Node) {
	switch n.Kind() {
	case "package_clause":
		g.Package = g.Intern(n.FirstNamed().Text())
	case "import_declaration":
		g.imports(n)
	case "function_declaration", "method_declaration":
		g.function(n)
	case "type_declaration", "const_declaration", "var_declaration":
		g.group(n)
	case "comment", syntax.ErrorKind:
	default:
		g.walk(n, -1)
		g.Statement(n)
	}
}

func (g *walker) imports(n syntax.Node) {
	specs := func(c syntax.Node) {
		if c.Kind() != "import_spec" {
			return
		}
		module, _ := c.Child("path").Literal()
		g.Imports = append(g.Imports, syntax.Import{
			Kind: syntax.ImportStatic, Module: g.Intern(module), Alias: g.Intern(c.Child("name").Text()),
			Lines: c.Lines(), Def: -1,
		})
	}
	n.Each(specs)
	n.ChildOf("import_spec_list").Each(specs)
}

// exportedGo: the first letter is a capital.
func exportedGo(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

func (g *walker) function(n syntax.Node) {
	name, body := n.Child("name").Text(), syntax.Node{}
	if b := n.Child("body"); b.Exists() {
		body = b
	}
	s := syntax.Spec{Kind: syntax.Function, Name: name, Parent: -1, Outer: n, Body: body, Exported: exportedGo(name),
		Type: g.resultType(n.Child("result"))}
	receiver := n.Child("receiver").ChildOf("parameter_declaration")
	receiverType := ""
	if receiver.Exists() {
		s.Kind = syntax.Method
		receiverType = g.typeName(receiver.Child("type"))
		s.Exported = s.Exported && exportedGo(receiverType)
	}
	i := g.Define(s)
	if receiverType != "" {
		g.Definitions[i].Qualified = g.Intern(receiverType + "." + name)
		g.Bind(i, receiver.Child("name").Text(), receiverType)
	}
	g.functionTest(n, i, receiverType)
	n.Each(func(c syntax.Node) { g.walk(c, i) })
	if g.Definitions[i].Test != nil && body.Exists() {
		g.assertions(body, i)
	}
}

// resultType is the type of a function's first result.
func (g *walker) resultType(n syntax.Node) string {
	if n.Kind() == "parameter_list" {
		return g.typeName(n.ChildOf("parameter_declaration").Child("type"))
	}
	return g.typeName(n)
}

// valueType is the type that a value gives the variable that it is assigned to:
// of a literal, or what a call of names joined by dots returns.
func (g *walker) valueType(n syntax.Node) string {
	switch n.Kind() {
	case "composite_literal", "unary_expression":
		return g.typeName(n)
	case "call_expression":
		if fn := n.Child("function").Dotted(); fn != "?" {
			return fn + "()"
		}
	}
	return ""
}

// group defines the specs of a const, var or type declaration.
func (g *walker) group(n syntax.Node) {
	lead := strings.TrimSuffix(n.Kind(), "_declaration") + " "
	grouped := n.ChildOf("(").Exists() || n.ChildOf("var_spec_list").Exists()
	each := func(c syntax.Node) {
		switch c.Kind() {
		case "type_spec", "type_alias", "const_spec", "var_spec":
			g.spec(n, c, grouped, lead)
		}
	}
	n.Each(each)
	n.ChildOf("var_spec_list").Each(each)
}

// spec defines one spec of a declaration. A constant without a value of its own
// means nothing alone: its text is the whole group.
func (g *walker) spec(decl, n syntax.Node, grouped bool, lead string) {
	s := syntax.Spec{Parent: -1, Outer: decl, Lines: n}
	value := n.Child("value")
	s.Type = g.typeName(n.Child("type"))
	if s.Type == "" {
		s.Type = g.valueType(value.FirstNamed())
	}
	if grouped && (lead != "const " || value.Exists()) {
		s.Outer, s.Lead = n, lead
	}
	if !grouped {
		s.Lines = decl
	}
	switch lead {
	case "type ":
		g.typeSpec(s, n)
		return
	case "const ":
		s.Kind = syntax.Constant
	case "var ":
		s.Kind = syntax.Variable
		if v := value.FirstNamed(); v.Kind() == "composite_literal" && !v.NextSibling().Exists() {
			s.Body = v.Child("body")
		}
	}
	first := -1
	for c := n.FirstChild(); c.Exists(); c = c.NextSibling() {
		if c.Field() == "name" && c.Kind() == "identifier" {
			s.Name = c.Text()
			s.Exported = exportedGo(s.Name)
			if i := g.Define(s); first < 0 {
				first = i
			}
		}
	}
	n.Each(func(c syntax.Node) { g.walk(c, first) })
}

func (g *walker) typeSpec(s syntax.Spec, n syntax.Node) {
	s.Kind, s.Name = syntax.Type, n.Child("name").Text()
	s.Exported = exportedGo(s.Name)
	typ := n.Child("type")
	switch typ.Kind() {
	case "struct_type":
		s.Kind, s.Body = syntax.Struct, typ.ChildOf("field_declaration_list")
	case "interface_type":
		s.Kind = syntax.Interface
	}
	i := g.Define(s)
	if s.Kind == syntax.Interface {
		g.interfaceBody(typ, i)
	}
	s.Body.Each(func(c syntax.Node) { g.structField(c, i) })
	typ.Each(func(c syntax.Node) { g.interfaceMember(c, i) })
	n.Each(func(c syntax.Node) { g.walk(c, i) })
}

// interfaceBody finds the braces: the grammar has no node for the body.
func (g *walker) interfaceBody(typ syntax.Node, i int) {
	if open := typ.ChildOf("{"); open.Exists() && typ.ChildOf("}").Exists() {
		g.SetBody(i, open, typ)
	}
}

func (g *walker) structField(n syntax.Node, parent int) {
	if n.Kind() != "field_declaration" {
		return
	}
	named := false
	for c := n.FirstChild(); c.Exists(); c = c.NextSibling() {
		if c.Field() == "name" {
			named = true
			name := c.Text()
			g.Define(syntax.Spec{Kind: syntax.Field, Name: name, Parent: parent, Outer: n, Exported: exportedGo(name),
				Type: g.typeName(n.Child("type"))})
		}
	}
	if !named {
		g.base(parent, n.Child("type"))
	}
}

func (g *walker) base(def int, typ syntax.Node) {
	if name := g.typeName(typ); name != "" {
		g.Definitions[def].Bases = append(g.Definitions[def].Bases, g.Intern(name))
	}
}

func (g *walker) interfaceMember(n syntax.Node, parent int) {
	switch n.Kind() {
	case "method_elem", "method_spec":
		name := n.Child("name").Text()
		g.Define(syntax.Spec{Kind: syntax.Method, Name: name, Parent: parent, Outer: n, Exported: exportedGo(name),
			Type: g.resultType(n.Child("result"))})
	case "type_elem":
		if c := n.FirstNamed(); !c.NextSibling().Exists() {
			g.base(parent, c)
		}
	}
}

// walk visits a node inside definition def.
func (g *walker) walk(n syntax.Node, def int) {
	switch n.Kind() {
	case "call_expression":
		g.callExpr(n, def)
		if inner := g.subtest(n, def); inner >= 0 {
			n.Each(func(c syntax.Node) { g.walk(c, inner) })
			return
		}
	case "selector_expression":
		parent := n.Parent()
		if parent.Kind() != "call_expression" || parent.Child("function") != n {
			g.Use(n.Child("field").Text(), n.Child("operand").Dotted(), n)
		}
	case "qualified_type":
		g.Use(n.Child("name").Text(), n.Child("package").Text(), n)
		return
	case "type_identifier":
		g.Use(n.Text(), "", n)
	case "parameter_declaration", "variadic_parameter_declaration", "var_spec", "const_spec":
		kind := g.typeName(n.Child("type"))
		g.bindFields(n, "name", def, kind)
	case "type_parameter_declaration":
		g.bindFields(n, "name", def, "")
	case "short_var_declaration", "range_clause", "receive_statement":
		g.bindList(n, def)
	case "type_switch_statement":
		n.Child("alias").Each(func(c syntax.Node) { g.Bind(def, c.Text(), "") })
	}
	n.Each(func(c syntax.Node) { g.walk(c, def) })
}

func (g *walker) bindFields(n syntax.Node, field string, def int, kind string) {
	if def >= 0 && g.Definitions[def].Kind != syntax.Function && g.Definitions[def].Kind != syntax.Method &&
		g.Definitions[def].Kind != syntax.Case {
		return
	}
	for c := n.FirstChild(); c.Exists(); c = c.NextSibling() {
		if c.Field() == field {
			g.Bind(def, c.Text(), kind)
		}
	}
}

// bindList binds the left side of := with the type of a composite literal on the
// right where there is one for one.
func (g *walker) bindList(n syntax.Node, def int) {
	left, right := n.Child("left"), n.Child("right")
	value := syntax.Node{}
	if right.Kind() == "expression_list" {
		value = right.FirstNamed()
	}
	left.Each(func(c syntax.Node) {
		kind := ""
		if value.Exists() {
			kind = g.valueType(value)
			value = value.NextSibling()
			for value.Exists() && !value.IsNamed() {
				value = value.NextSibling()
			}
		}
		if c.Kind() == "identifier" {
			g.Bind(def, c.Text(), kind)
		}
	})
}

func (g *walker) callExpr(n syntax.Node, def int) {
	fn, args := n.Child("function"), n.Child("arguments")
	switch fn.Kind() {
	case "index_expression", "type_instantiation_expression":
		fn = fn.FirstNamed()
	}
	switch fn.Kind() {
	case "identifier":
		g.Call(fn.Text(), "", n, def, args)
	case "selector_expression":
		g.Call(fn.Child("field").Text(), fn.Child("operand").Dotted(), n, def, args)
	}
}
