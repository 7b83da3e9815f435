package rust

import (
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

func extract(b *syntax.Builder) {
	w := &walker{Builder: b}
	w.items(b.Root(), -1)
}

// kinds are the items with a name that hold no other items.
var kinds = map[string]syntax.Kind{
	"struct_item": syntax.Struct, "union_item": syntax.Struct, "enum_item": syntax.Enum, "type_item": syntax.Type,
	"associated_type": syntax.Type,
	"const_item":      syntax.Constant, "static_item": syntax.Variable, "macro_definition": syntax.Function,
	"function_item": syntax.Function, "function_signature_item": syntax.Function,
}

// items visits the items of a file, a module or an impl block, each with the
// attributes before it.
func (w *walker) items(n syntax.Node, def int) {
	var attributes []syntax.Node
	n.Each(func(c syntax.Node) {
		switch kind := c.Kind(); {
		case kind == "attribute_item":
			attributes = append(attributes, c)
			return
		case c.IsComment():
			return
		case w.item(c, def, attributes):
		case kind == "inner_attribute_item", kind == syntax.ErrorKind, kind == "empty_statement",
			kind == "visibility_modifier":
		default:
			w.walk(c, def)
			if def < 0 {
				w.Statement(c)
			}
		}
		attributes = nil
	})
}

// item defines an item; false for what is none.
func (w *walker) item(n syntax.Node, def int, attributes []syntax.Node) bool {
	switch kind := n.Kind(); kind {
	case "use_declaration":
		w.use(n, def)
	case "extern_crate_declaration":
		name := w.Intern(n.Child("name").Text())
		w.addImport(n, def, syntax.Import{Kind: syntax.ImportStatic, Module: name, Alias: w.Intern(n.Child("alias").Text())})
	case "mod_item":
		w.module(n, def, attributes)
	case "impl_item", "trait_item":
		w.block(n, def, attributes)
	case "foreign_mod_item":
		w.items(n.Child("body"), def)
	default:
		if kinds[kind] == "" {
			return false
		}
		w.named(n, kinds[kind], def, attributes)
	}
	return true
}

// spec begins the definition of an item.
func (w *walker) spec(n syntax.Node, kind syntax.Kind, def int, attributes []syntax.Node) syntax.Spec {
	s := syntax.Spec{Kind: kind, Name: n.Child("name").Text(), Parent: def, Outer: n, Body: n.Child("body")}
	if len(attributes) > 0 {
		s.Start, s.Lines, s.Head = attributes[0], syntax.Node{}, n.From()
	}
	s.Exported = n.ChildOf("visibility_modifier").Exists()
	if def >= 0 {
		switch d := &w.Definitions[def]; d.Kind {
		case syntax.Interface, syntax.Enum:
			s.Exported = true
		case syntax.Implementation:
			s.Exported = s.Exported || len(d.Bases) > 0 // of a trait
		}
	}
	return s
}

// module defines a module with a body; one in another file is an import.
func (w *walker) module(n syntax.Node, def int, attributes []syntax.Node) {
	body := n.Child("body")
	name := n.Child("name").Text()
	if !body.Exists() {
		w.addImport(n, def, syntax.Import{Kind: syntax.ImportModule, Module: w.Intern(name), Alias: w.Intern(name)})
		return
	}
	s := w.spec(n, syntax.Namespace, def, attributes)
	i := w.Define(s)
	for _, a := range attributes {
		if isTestOnly(a) {
			w.Test(i, syntax.RoleSuite)
			w.Definitions[i].InTests = true
		}
	}
	w.items(body, i)
}

// block defines the impl block of a type, or a trait, with its members. Its name is the type's.
func (w *walker) block(n syntax.Node, def int, attributes []syntax.Node) {
	kind, name := syntax.Interface, n.Child("name").Text()
	if n.Kind() == "impl_item" {
		kind, name = syntax.Implementation, w.typeName(n.Child("type"))
		name = name[strings.LastIndexByte(name, '.')+1:]
	}
	s := w.spec(n, kind, def, attributes)
	s.Name = name
	if name == "" { // of a tuple, a slice or a parameter
		s.Name = n.Child("type").Text()
	}
	i := w.Define(s)
	d := &w.Definitions[i]
	switch {
	case kind == syntax.Interface:
		n.Child("bounds").Each(func(c syntax.Node) { w.base(c, i) })
	case n.Child("trait").Exists():
		w.base(n.Child("trait"), i)
		d.Exported = true
	default:
		d.Exported = true // what its members are is theirs
	}
	w.self = append(w.self, name)
	n.Each(func(c syntax.Node) {
		if f := c.Field(); f != "name" && f != "body" {
			w.walk(c, i)
		}
	})
	w.items(n.Child("body"), i)
	w.self = w.self[:len(w.self)-1]
}

func (w *walker) base(n syntax.Node, i int) {
	if name := w.typeName(n); name != "" {
		w.Definitions[i].Bases = append(w.Definitions[i].Bases, w.Intern(name))
	}
}

// named defines a function, a type without code, a constant or a macro.
func (w *walker) named(n syntax.Node, kind syntax.Kind, def int, attributes []syntax.Node) {
	s := w.spec(n, kind, def, attributes)
	switch kind {
	case syntax.Function:
		s.Type = w.typeName(n.Child("return_type"))
		if def >= 0 && (w.Definitions[def].Kind == syntax.Implementation || w.Definitions[def].Kind == syntax.Interface) {
			s.Kind = syntax.Method
		}
	case syntax.Struct:
		if s.Body.Kind() == "ordered_field_declaration_list" {
			s.Body = syntax.Node{}
		}
	case syntax.Constant, syntax.Variable:
		s.Type = w.typeName(n.Child("type"))
		switch v := n.Child("value"); v.Kind() {
		case "array_expression":
			s.Body = v
		case "reference_expression":
			s.Body = v.ChildOf("array_expression")
		}
	}
	if n.Kind() == "macro_definition" {
		s.Exported = true // where it is seen is not said by a modifier
	}
	i := w.Define(s)
	switch {
	case kind == syntax.Struct, kind == syntax.Enum:
		w.fields(n.Child("body"), i)
	case kind == syntax.Function && n.Kind() != "macro_definition":
		w.functionTest(n, i, attributes)
	}
	if n.Kind() != "macro_definition" {
		n.Each(func(c syntax.Node) {
			if c.Field() != "name" {
				w.walk(c, i)
			}
		})
	}
	w.attributes(attributes, i)
}

// fields defines the fields of a struct and the variants of an enumeration.
func (w *walker) fields(body syntax.Node, parent int) {
	var attributes []syntax.Node
	body.Each(func(c syntax.Node) {
		kind := syntax.Field
		switch c.Kind() {
		case "attribute_item":
			attributes = append(attributes, c)
			return
		case "enum_variant":
			kind = syntax.Constant
		case "field_declaration":
		default:
			return
		}
		s := w.spec(c, kind, parent, attributes)
		s.Body, s.Type = syntax.Node{}, w.typeName(c.Child("type"))
		if next := c.NextSibling(); next.Kind() == "," {
			s.End = next
		}
		i := w.Define(s)
		w.attributes(attributes, i)
		attributes = nil
	})
}

// attributes records the paths in attributes: of macros and of traits to derive.
func (w *walker) attributes(attributes []syntax.Node, def int) {
	for _, a := range attributes {
		w.walk(a, def)
	}
}

// walk visits a node inside definition def.
func (w *walker) walk(n syntax.Node, def int) {
	switch n.Kind() {
	case "call_expression":
		w.callee(n.Child("function"), n, def, n.Child("arguments"))
	case "macro_invocation":
		w.macro(n, def)
		return
	case "field_expression":
		if p := n.Parent(); p.Kind() != "generic_function" && (p.Kind() != "call_expression" || p.Child("function") != n) {
			if object := n.Child("value").Dotted(); object != "self" {
				w.Use(n.Child("field").Text(), object, n)
			}
		}
	case "type_identifier":
		if name := n.Text(); name != "Self" {
			w.Use(name, "", n)
		}
	case "scoped_identifier", "scoped_type_identifier":
		w.pathUse(n)
		return
	case "parameter":
		w.bindPattern(n.Child("pattern"), def, w.typeName(n.Child("type")))
	case "let_declaration":
		w.local(n, def)
	case "let_condition", "for_expression", "match_arm":
		w.bindPattern(n.Child("pattern"), def, "")
	case "closure_parameters":
		n.Each(func(c syntax.Node) { w.bindPattern(c, def, "") })
	case "block":
		w.block2(n, def)
		return
	}
	n.Each(func(c syntax.Node) { w.walk(c, def) })
}

// block2 visits the statements of a block. An item among them is a definition.
func (w *walker) block2(n syntax.Node, def int) {
	var attributes []syntax.Node
	n.Each(func(c syntax.Node) {
		if c.Kind() == "attribute_item" {
			attributes = append(attributes, c)
			return
		}
		if !w.item(c, def, attributes) {
			w.walk(c, def)
		}
		attributes = nil
	})
}

// local binds the names of a let statement.
func (w *walker) local(n syntax.Node, def int) {
	typ := w.typeName(n.Child("type"))
	if typ == "" {
		typ = w.valueType(n.Child("value"))
	}
	w.bindPattern(n.Child("pattern"), def, typ)
}

// valueType is the type of a literal of a struct, or what a call of a path
// returns. What "?" and "await" take off is taken off a function's type too.
func (w *walker) valueType(n syntax.Node) string {
	switch n.Kind() {
	case "try_expression", "await_expression", "reference_expression":
		return w.valueType(n.FirstNamed())
	case "struct_expression":
		return w.typeName(n.Child("name"))
	case "call_expression":
		fn := n.Child("function")
		if k := fn.Kind(); k == "identifier" || k == "scoped_identifier" {
			if path := w.path(fn); path != "" {
				return path + "()"
			}
		}
	}
	return ""
}

// bindPattern binds the names of a pattern; the type is that of a pattern that is
// only a name.
func (w *walker) bindPattern(n syntax.Node, def int, typ string) {
	switch n.Kind() {
	case "identifier", "shorthand_field_identifier":
		// others are constants and variants
		if name := n.Text(); name[0] >= 'a' && name[0] <= 'z' || name[0] == '_' && len(name) > 1 {
			w.Bind(def, name, typ)
		}
	case "mut_pattern", "ref_pattern", "reference_pattern":
		w.bindPattern(n.FirstNamed(), def, typ)
		if c := n.ChildOf("identifier"); c.Exists() {
			w.bindPattern(c, def, typ)
		}
	case "parameter":
		w.bindPattern(n.Child("pattern"), def, w.typeName(n.Child("type")))
	case "field_pattern":
		if p := n.Child("pattern"); p.Exists() {
			w.bindPattern(p, def, "")
			return
		}
		w.bindPattern(n.Child("name"), def, "")
	case "tuple_struct_pattern", "struct_pattern", "tuple_pattern", "slice_pattern", "captured_pattern", "match_pattern",
		"or_pattern":
		n.Each(func(c syntax.Node) {
			if f := c.Field(); f != "type" && f != "condition" {
				w.bindPattern(c, def, "")
			}
		})
	}
}

func (w *walker) callee(fn, n syntax.Node, def int, args syntax.Node) {
	if fn.Kind() == "generic_function" {
		fn = fn.Child("function")
	}
	switch fn.Kind() {
	case "identifier":
		w.Call(fn.Text(), "", n, def, args)
	case "field_expression":
		w.Call(fn.Child("field").Text(), fn.Child("value").Dotted(), n, def, args)
	case "scoped_identifier":
		receiver := w.path(fn.Child("path"))
		if receiver == "" && fn.Child("path").Exists() && fn.Child("path").Kind() != "self" {
			receiver = "?"
		}
		w.Call(fn.Child("name").Text(), receiver, n, def, args)
	}
}

// macro records the call of a macro, and the calls among its arguments.
func (w *walker) macro(n syntax.Node, def int) {
	name := n.Child("macro")
	receiver := ""
	if name.Kind() == "scoped_identifier" {
		receiver = w.path(name.Child("path"))
		name = name.Child("name")
	}
	args := n.ChildOf("token_tree")
	w.Call(name.Text(), receiver, n, def, syntax.Node{})
	w.tokens(args, def)
}

// tokens records calls and paths in the arguments of a macro, which have no
// syntax of their own: a row of names joined by dots or double colons, and what is
// in parentheses behind it.
func (w *walker) tokens(n syntax.Node, def int) {
	var names []string
	last := syntax.Node{}
	joined := false
	flush := func() {
		if len(names) > 1 && last.Exists() && names[0] != "self" {
			w.Use(names[len(names)-1], strings.Join(names[:len(names)-1], "."), last)
		} else if len(names) == 1 && isTypeName(names[0]) {
			w.Use(names[0], "", last)
		}
		names, joined = nil, false
	}
	for c := n.FirstChild(); c.Exists(); c = c.NextSibling() {
		switch kind := c.Kind(); kind {
		case "identifier", "self", "crate", "super":
			if !joined {
				flush()
			}
			names, last, joined = append(names, w.segment(c)), c, false
		case ".", "::":
			joined = len(names) > 0
			if !joined && kind == "." {
				names, joined = []string{"?"}, true // a member of what came before
			}
		case "token_tree":
			if c.Begins("(") && len(names) > 0 && !joined {
				w.Call(names[len(names)-1], strings.Join(names[:len(names)-1], "."), last, def, syntax.Node{})
				names = nil
			}
			flush()
			w.tokens(c, def)
		default: // the bracket that closes is the last
			flush()
		}
	}
}

// pathUse records the last name of a path, and the first as far as it is a type's.
func (w *walker) pathUse(n syntax.Node) {
	p := n.Parent()
	called := p.Kind() == "call_expression" && p.Child("function") == n
	before := w.path(n.Child("path"))
	if before != "" && !called {
		w.Use(n.Child("name").Text(), before, n)
	}
	if first, _, _ := strings.Cut(before, "."); isTypeName(first) {
		w.Use(first, "", n)
	}
	n.Child("path").Child("type_arguments").Each(func(c syntax.Node) { w.walk(c, -1) })
}
