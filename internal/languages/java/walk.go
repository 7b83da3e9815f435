package java

import (
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

func extract(b *syntax.Builder) {
	j := &walker{b}
	b.Root().Each(func(c syntax.Node) { j.topLevel(c) })
}

// javaTypes maps the declarations of types to their kinds.
var javaTypes = map[string]syntax.Kind{
	"class_declaration": syntax.Class, "interface_declaration": syntax.Interface, "enum_declaration": syntax.Enum,
	"record_declaration": syntax.Record, "annotation_type_declaration": syntax.Annotation,
}

func (j *walker) topLevel(n syntax.Node) {
	switch kind := n.Kind(); {
	case kind == "package_declaration":
		j.Package = j.Intern(n.ChildOf("scoped_identifier", "identifier").Dotted())
	case kind == "import_declaration":
		j.imports(n)
	case javaTypes[kind] != "":
		j.typeDecl(n, -1)
	case syntax.IsComment(kind), kind == syntax.ErrorKind, kind == ";":
	default:
		j.member(n, -1)
		j.Statement(n)
	}
}

// imports splits "a.b.C" into the module "a.b" and the name "C", "a.b.*" into
// "a.b" and "*".
func (j *walker) imports(n syntax.Node) {
	full := n.ChildOf("scoped_identifier", "identifier").Dotted()
	i := syntax.Import{Kind: syntax.ImportStatic, Def: -1, Static: n.ChildOf("static").Exists(), Lines: n.Lines()}
	if n.ChildOf("asterisk").Exists() {
		i.Module, i.Names = j.Intern(full), []syntax.ImportedName{{Name: "*"}}
	} else {
		dot := strings.LastIndexByte(full, '.')
		i.Module, i.Names = j.Intern(full[:max(dot, 0)]), []syntax.ImportedName{{Name: j.Intern(full[dot+1:])}}
	}
	j.Imports = append(j.Imports, i)
}

// modifiers says whether a declaration is visible outside its package or to
// subclasses, and where it begins behind its leading annotations.
func (j *walker) modifiers(n syntax.Node) (exported bool, head int) {
	m := n.ChildOf("modifiers")
	if !m.Exists() {
		return false, 0
	}
	head = n.From()
	leading := true
	for c := m.FirstChild(); c.Exists(); c = c.NextSibling() {
		switch k := c.Kind(); {
		case k == "annotation" || k == "marker_annotation":
			if leading {
				head = j.AfterSpace(c)
			}
		case syntax.IsComment(k):
		default:
			leading = false
			exported = exported || k == "public" || k == "protected"
		}
	}
	return exported, head
}

func (j *walker) typeDecl(n syntax.Node, def int) {
	s := syntax.Spec{Kind: javaTypes[n.Kind()], Name: n.Child("name").Text(), Parent: def, Outer: n, Body: n.Child("body")}
	s.Exported, s.Head = j.modifiers(n)
	s.Exported = s.Exported || j.inInterface(def)
	if s.Kind == syntax.Enum {
		s.Wrap = syntax.WrapEnum
	}
	i := j.Define(s)
	for _, field := range []string{"superclass", "interfaces"} {
		j.bases(n.Child(field), i)
	}
	j.bases(n.ChildOf("extends_interfaces"), i)
	n.Each(func(c syntax.Node) {
		switch {
		case c == s.Body:
		case c.Field() == "name":
		default:
			j.walk(c, i)
		}
	})
	if s.Kind == syntax.Record {
		j.recordFields(n, i)
	}
	j.members(s.Body, i)
}

func (j *walker) inInterface(def int) bool {
	return def >= 0 && (j.Definitions[def].Kind == syntax.Interface || j.Definitions[def].Kind == syntax.Annotation)
}

// recordFields binds a record's components, which its methods know.
func (j *walker) recordFields(n syntax.Node, i int) {
	n.Child("parameters").Each(func(c syntax.Node) {
		j.Bind(i, c.Child("name").Text(), j.typeName(c.Child("type")))
	})
}

// bases collects the types of an extends or implements clause.
func (j *walker) bases(n syntax.Node, i int) {
	n.Each(func(c syntax.Node) {
		if c.Kind() == "type_list" {
			j.bases(c, i)
			return
		}
		if name := j.typeName(c); name != "" {
			j.Definitions[i].Bases = append(j.Definitions[i].Bases, j.Intern(name))
		}
	})
}

func (j *walker) members(body syntax.Node, def int) {
	body.Each(func(c syntax.Node) {
		if c.Kind() == "enum_body_declarations" {
			j.members(c, def)
			return
		}
		j.member(c, def)
	})
}

func (j *walker) member(n syntax.Node, def int) {
	s := syntax.Spec{Name: n.Child("name").Text(), Parent: def, Outer: n, Body: n.Child("body")}
	switch kind := n.Kind(); kind {
	case "method_declaration", "annotation_type_element_declaration":
		s.Kind, s.Type = syntax.Method, j.typeName(n.Child("type"))
	case "constructor_declaration", "compact_constructor_declaration":
		s.Kind = syntax.Constructor
	case "field_declaration", "constant_declaration":
		j.fields(n, def)
		return
	default:
		if javaTypes[kind] != "" {
			j.typeDecl(n, def)
			return
		}
		j.walk(n, def)
		return
	}
	s.Exported, s.Head = j.modifiers(n)
	s.Exported = s.Exported || j.inInterface(def)
	i := j.Define(s)
	n.Each(func(c syntax.Node) { j.walk(c, i) })
	j.methodTest(n, i)
}

func (j *walker) fields(n syntax.Node, def int) {
	exported, head := j.modifiers(n)
	kind := j.typeName(n.Child("type"))
	isConstant := j.inInterface(def)
	if m := n.ChildOf("modifiers"); m.Exists() {
		isConstant = isConstant || m.ChildOf("static").Exists() && m.ChildOf("final").Exists()
	}
	i := def
	for c := n.FirstChild(); c.Exists(); c = c.NextSibling() {
		if c.Field() != "declarator" {
			continue
		}
		s := syntax.Spec{Kind: syntax.Field, Name: c.Child("name").Text(), Parent: def, Outer: n, Head: head,
			Exported: exported || j.inInterface(def), Type: kind}
		if isConstant {
			s.Kind = syntax.Constant
		}
		if v := c.Child("value"); v.Kind() == "array_initializer" {
			s.Body = v
		}
		i = j.Define(s)
		j.Bind(def, s.Name, kind)
	}
	n.Each(func(c syntax.Node) { j.walk(c, i) })
}

// walk visits a node inside definition def.
func (j *walker) walk(n syntax.Node, def int) {
	switch kind := n.Kind(); kind {
	case "method_invocation":
		object := n.Child("object")
		receiver := ""
		if object.Exists() {
			receiver = object.Dotted()
		}
		j.Call(n.Child("name").Text(), receiver, n, def, n.Child("arguments"))
		j.selector(object)
	case "object_creation_expression":
		j.construct(n, def)
	case "type_identifier":
		j.Use(n.Text(), "", n)
	case "scoped_type_identifier":
		j.scopedType(n)
		return
	case "annotation", "marker_annotation":
		j.Use(n.Child("name").Dotted(), "", n)
	case "field_access", "method_reference":
		j.selector(n)
	case "formal_parameter", "catch_formal_parameter", "resource", "enhanced_for_statement", "instanceof_expression",
		"record_pattern_component":
		j.Bind(def, n.Child("name").Text(), j.typeName(n.Child("type")))
	case "spread_parameter":
		j.Bind(def, n.ChildOf("variable_declarator").Child("name").Text(), "")
	case "local_variable_declaration":
		j.locals(n, def)
	case "lambda_expression":
		if p := n.Child("parameters"); p.Kind() == "identifier" {
			j.Bind(def, p.Text(), "")
		}
	case "inferred_parameters", "type_pattern":
		n.Each(func(c syntax.Node) {
			if c.Kind() == "identifier" {
				j.Bind(def, c.Text(), "")
			}
		})
	default:
		if javaTypes[kind] != "" {
			j.typeDecl(n, def)
			return
		}
	}
	n.Each(func(c syntax.Node) { j.walk(c, def) })
}

// locals binds local variables; "var" takes the type of a constructor call.
func (j *walker) locals(n syntax.Node, def int) {
	kind := j.typeName(n.Child("type"))
	for c := n.FirstChild(); c.Exists(); c = c.NextSibling() {
		if c.Field() != "declarator" {
			continue
		}
		k := kind
		if v := c.Child("value"); k == "" && v.Kind() == "object_creation_expression" {
			k = j.typeName(v.Child("type"))
		}
		j.Bind(def, c.Child("name").Text(), k)
	}
}

func (j *walker) construct(n syntax.Node, def int) {
	full := j.typeName(n.Child("type"))
	dot := strings.LastIndexByte(full, '.')
	j.Call(full[dot+1:], full[:max(dot, 0)], n, def, n.Child("arguments"))
}

// selector records the class-like name that a chain of selectors begins with,
// with what is taken from it.
func (j *walker) selector(n syntax.Node) {
	if !n.Exists() {
		return
	}
	text := n.Dotted()
	if n.Kind() == "method_reference" {
		text = n.FirstNamed().Dotted()
	}
	parts := strings.Split(text, ".")
	for i, part := range parts {
		if part == "?" || part == "" || part[0] < 'A' || part[0] > 'Z' {
			continue
		}
		if i+1 < len(parts) {
			j.Use(parts[i+1], strings.Join(parts[:i+1], "."), n)
		}
		j.Use(part, strings.Join(parts[:i], "."), n)
		return
	}
}

func (j *walker) scopedType(n syntax.Node) {
	text := n.Dotted()
	if dot := strings.LastIndexByte(text, '.'); dot > 0 {
		j.Use(text[dot+1:], text[:dot], n)
		first, _, _ := strings.Cut(text, ".")
		j.Use(first, "", n)
	}
	n.Each(func(c syntax.Node) {
		if c.Kind() == "generic_type" {
			c.Each(func(c syntax.Node) { j.walk(c, -1) })
		}
	})
}
