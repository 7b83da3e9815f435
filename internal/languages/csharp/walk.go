package csharp

import (
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

func extract(b *syntax.Builder) {
	w := &walker{b}
	w.declarations(b.Root(), -1)
}

// types maps the declarations of types to their kinds.
var types = map[string]syntax.Kind{
	"class_declaration": syntax.Class, "interface_declaration": syntax.Interface, "struct_declaration": syntax.Struct,
	"enum_declaration": syntax.Enum, "record_declaration": syntax.Record, "record_struct_declaration": syntax.Record,
	"delegate_declaration": syntax.Type,
}

// declarations visits what a file, a namespace or a type holds.
func (w *walker) declarations(n syntax.Node, def int) {
	n.Each(func(c syntax.Node) {
		switch c.Kind() {
		case "using_directive":
			w.using(c)
		case "namespace_declaration", "file_scoped_namespace_declaration":
			if w.Package == "" {
				w.Package = w.Intern(c.Child("name").Dotted())
			}
			w.declarations(c.Child("body"), def)
		case "preproc_if", "preproc_elif", "preproc_else":
			w.declarations(c, def)
		default:
			w.declaration(c, def)
		}
	})
}

func (w *walker) declaration(n syntax.Node, def int) {
	switch kind := n.Kind(); {
	case types[kind] != "":
		w.typeDeclaration(n, def)
	case def >= 0:
		w.member(n, def)
	case n.IsComment(), kind == syntax.ErrorKind, kind == "identifier", kind == "qualified_name":
	default:
		w.walk(n, -1)
		if kind == "global_statement" || kind == "global_attribute" {
			w.Statement(n)
		}
	}
}

// modifiers says whether a declaration is visible outside its type, and where it
// begins behind its attributes.
func modifiers(n syntax.Node) (has map[string]bool, head int) {
	has = map[string]bool{}
	for c := n.FirstChild(); c.Exists(); c = c.NextSibling() {
		switch k := c.Kind(); {
		case k == "modifier":
			has[c.Text()] = true
		case k != "attribute_list" && !c.IsComment() && head == 0:
			head = c.From()
		}
		if c.Kind() == "modifier" && head == 0 {
			head = c.From()
		}
	}
	return has, head
}

func (w *walker) spec(n syntax.Node, kind syntax.Kind, def int) (syntax.Spec, map[string]bool) {
	s := syntax.Spec{Kind: kind, Name: n.Child("name").Text(), Parent: def, Outer: n, Body: n.Child("body")}
	if s.Body.Kind() == "arrow_expression_clause" {
		s.Body = syntax.Node{} // see member
	}
	has, head := modifiers(n)
	s.Head = head
	s.Exported = has["public"] || has["protected"] || has["internal"]
	if def >= 0 {
		switch w.Definitions[def].Kind {
		case syntax.Interface, syntax.Enum:
			s.Exported = true
		}
	} else {
		s.Exported = !has["private"] && !has["file"] // internal without a word
	}
	return s, has
}

func (w *walker) typeDeclaration(n syntax.Node, def int) {
	s, _ := w.spec(n, types[n.Kind()], def)
	i := w.Define(s)
	w.base(n.ChildOf("base_list"), i)
	n.Each(func(c syntax.Node) {
		switch {
		case c.Field() == "name", c.Field() == "body", c.Kind() == "modifier":
		case c.Kind() == "parameter_list": // a primary constructor's are seen in the whole type
			c.Each(func(p syntax.Node) { w.Bind(i, p.Child("name").Text(), w.typeName(p.Child("type"))) })
			w.walk(c, i)
		case c.Kind() != "base_list":
			w.walk(c, i)
		}
	})
	if s.Kind == syntax.Enum {
		s.Body.Each(func(c syntax.Node) {
			if c.Kind() == "enum_member_declaration" {
				m, _ := w.spec(c, syntax.Constant, i)
				m.Body = syntax.Node{}
				if next := c.NextSibling(); next.Kind() == "," {
					m.End = next
				}
				w.Define(m)
			}
		})
		return
	}
	w.declarations(s.Body, i)
}

// base collects the types of a base list.
func (w *walker) base(n syntax.Node, i int) {
	n.Each(func(c syntax.Node) {
		if c.Kind() == "argument_list" {
			w.walk(c, i)
			return
		}
		if c.Kind() == "primary_constructor_base_type" {
			c = c.Child("type")
		}
		if name := w.typeName(c); name != "" {
			w.Definitions[i].Bases = append(w.Definitions[i].Bases, w.Intern(name))
		}
		w.typeUses(c)
	})
}

// member defines a member of a type.
func (w *walker) member(n syntax.Node, def int) {
	kind, name := syntax.Method, ""
	switch n.Kind() {
	case "method_declaration", "destructor_declaration":
	case "operator_declaration", "conversion_operator_declaration":
		name = "operator"
	case "indexer_declaration":
		name = "this"
	case "constructor_declaration":
		kind = syntax.Constructor
	case "property_declaration", "event_declaration":
		kind = syntax.Field
	case "field_declaration", "event_field_declaration":
		w.fields(n, def)
		return
	default:
		w.walk(n, def)
		return
	}
	s, has := w.spec(n, kind, def)
	if name != "" {
		s.Name = name
	}
	if kind == syntax.Constructor && has["static"] {
		s.Kind = syntax.Method
	}
	s.Type = w.typeName(n.Child("returns"))
	if t := n.Child("type"); t.Exists() {
		s.Type = w.typeName(t)
	}
	if a := n.Child("accessors"); a.Exists() {
		s.Body = a
	}
	i := w.Define(s)
	arrow := n.ChildOf("arrow_expression_clause")
	if end := n.ChildOf(";"); arrow.Exists() && end.Exists() && arrow.Lines().Start != end.Lines().End {
		w.SetBody(i, arrow, end)
	}
	if kind == syntax.Field {
		w.Bind(def, s.Name, s.Type)
	}
	n.Each(func(c syntax.Node) {
		if c.Field() != "name" {
			w.walk(c, i)
		}
	})
	w.methodTest(n, i)
}

func (w *walker) fields(n syntax.Node, def int) {
	s, has := w.spec(n, syntax.Field, def)
	if has["const"] || has["static"] && has["readonly"] {
		s.Kind = syntax.Constant
	}
	list := n.ChildOf("variable_declaration")
	s.Type = w.typeName(list.Child("type"))
	i := def
	list.Each(func(c syntax.Node) {
		if c.Kind() != "variable_declarator" {
			return
		}
		s.Name, s.Body = c.Child("name").Text(), c.ChildOf("initializer_expression")
		i = w.Define(s)
		w.Bind(def, s.Name, s.Type)
	})
	n.Each(func(c syntax.Node) { w.walk(c, i) })
}

// walk visits a node inside definition def.
func (w *walker) walk(n syntax.Node, def int) {
	switch kind := n.Kind(); kind {
	case "invocation_expression":
		w.invocation(n, def)
	case "object_creation_expression":
		w.construct(w.typeName(n.Child("type")), n, def, n.Child("arguments"))
	case "member_access_expression":
		w.selector(n)
	case "attribute":
		name := n.Child("name").Dotted()
		w.Use(name, "", n)
		w.Use(name+"Attribute", "", n)
	case "type_argument_list":
		n.Each(w.typeUses)
		return
	case "parameter", "declaration_pattern", "catch_declaration", "declaration_expression":
		w.Bind(def, n.Child("name").Text(), w.typeName(n.Child("type")))
	case "foreach_statement":
		w.Bind(def, n.Child("left").Text(), w.typeName(n.Child("type")))
	case "implicit_parameter":
		w.Bind(def, n.Text(), "")
	case "variable_declaration":
		w.locals(n, def)
	case "local_function_statement":
		s, _ := w.spec(n, syntax.Function, def)
		s.Exported, s.Type = false, w.typeName(n.Child("type"))
		i := w.Define(s)
		n.Each(func(c syntax.Node) {
			if c.Field() != "name" {
				w.walk(c, i)
			}
		})
		return
	default:
		if types[kind] != "" {
			w.typeDeclaration(n, def)
			return
		}
	}
	n.Each(func(c syntax.Node) {
		if f := c.Field(); f == "type" || f == "returns" {
			w.typeUses(c)
			return
		}
		w.walk(c, def)
	})
}

// locals binds local variables; "var" takes the type of its value, and "new()" is
// the construction of the type that is declared.
func (w *walker) locals(n syntax.Node, def int) {
	declared := w.typeName(n.Child("type"))
	n.Each(func(c syntax.Node) {
		if c.Kind() != "variable_declarator" {
			return
		}
		typ := declared
		c.Each(func(v syntax.Node) {
			if v.Kind() == "implicit_object_creation_expression" {
				w.construct(declared, v, def, v.ChildOf("argument_list"))
			}
			if typ == "" {
				typ = w.valueType(v)
			}
		})
		if def >= 0 && !isType(w.Definitions[def].Kind) {
			w.Bind(def, c.Child("name").Text(), typ)
		}
	})
}

func isType(k syntax.Kind) bool {
	return k == syntax.Class || k == syntax.Struct || k == syntax.Interface || k == syntax.Record
}

// valueType is the type of a new object, or what a call of names joined by dots
// returns.
func (w *walker) valueType(n syntax.Node) string {
	switch n.Kind() {
	case "await_expression":
		return w.valueType(n.FirstNamed())
	case "object_creation_expression":
		return w.typeName(n.Child("type"))
	case "invocation_expression":
		if fn := n.Child("function").Dotted(); fn != "?" && fn != "" {
			return fn + "()"
		}
	}
	return ""
}

func (w *walker) construct(typ string, n syntax.Node, def int, args syntax.Node) {
	dot := strings.LastIndexByte(typ, '.')
	w.Call(typ[dot+1:], typ[:max(dot, 0)], n, def, args)
}

func (w *walker) invocation(n syntax.Node, def int) {
	fn, args := n.Child("function"), n.Child("arguments")
	switch fn.Kind() {
	case "identifier", "generic_name":
		if name := nameOf(fn); name != "nameof" {
			w.Call(name, "", n, def, args)
		}
	case "member_access_expression":
		name := fn.Child("name")
		w.Call(nameOf(name), receiver(fn, name), n, def, args)
	case "member_binding_expression": // x?.Name()
		object := "?"
		for p := n.Parent(); p.Exists(); p = p.Parent() {
			if p.Kind() == "conditional_access_expression" {
				object = p.Child("condition").Dotted()
				break
			}
		}
		w.Call(nameOf(fn.Child("name")), object, n, def, args)
	}
}

// selector records the type-like name that a chain of selectors begins with, with
// what is taken from it.
func (w *walker) selector(n syntax.Node) {
	p := n.Parent()
	if p.Kind() == "member_access_expression" {
		return // the outermost of the chain says it all
	}
	parts := strings.Split(n.Dotted(), ".")
	if first := parts[0]; first == "" || first[0] < 'A' || first[0] > 'Z' {
		return // no type, as "?" is none; members have capitals too
	}
	if called := p.Kind() == "invocation_expression" && p.Child("function") == n; len(parts) > 1 &&
		(!called || len(parts) > 2) {
		w.Use(parts[1], parts[0], n)
	}
	w.Use(parts[0], "", n)
}

// typeUses records the names in a type.
func (w *walker) typeUses(n syntax.Node) {
	switch n.Kind() {
	case "identifier":
		w.Use(n.Text(), "", n)
	case "generic_name":
		w.Use(n.ChildOf("identifier").Text(), "", n)
		n.ChildOf("type_argument_list").Each(w.typeUses)
	case "qualified_name":
		text := n.Dotted()
		if dot := strings.LastIndexByte(text, '.'); dot > 0 {
			w.Use(text[dot+1:], text[:dot], n)
			first, _, _ := strings.Cut(text, ".")
			w.Use(first, "", n)
		}
	default:
		n.Each(w.typeUses)
	}
}

// using records a using directive: of a namespace, of the members of a type, or of
// another name.
func (w *walker) using(n syntax.Node) {
	i := syntax.Import{Kind: syntax.ImportStatic, Def: -1, Lines: n.TrimmedLines()}
	if n.ChildOf("global").Exists() {
		i.Kind = syntax.ImportReExport // for all files of the project
	}
	i.Static = n.ChildOf("static").Exists()
	i.Alias = w.Intern(n.Child("name").Text())
	n.Each(func(c syntax.Node) {
		if c.Field() != "name" && !c.IsComment() {
			i.Module = w.Intern(c.Dotted())
		}
	})
	w.Imports = append(w.Imports, i)
}
