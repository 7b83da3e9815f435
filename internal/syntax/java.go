package syntax

import "strings"

// javaWalk extracts what a Java file holds.
type javaWalk struct{ *builder }

func extractJava(b *builder) {
	j := &javaWalk{b}
	j.t.children(0, func(c int32) { j.topLevel(c) })
}

// javaTypes maps the declarations of types to their kinds.
var javaTypes = map[string]Kind{
	"class_declaration": Class, "interface_declaration": Interface, "enum_declaration": Enum,
	"record_declaration": Record, "annotation_type_declaration": Annotation,
}

func (j *javaWalk) topLevel(n int32) {
	switch kind := j.t.kind(n); {
	case kind == "package_declaration":
		j.f.Package = j.intern(j.t.dotted(j.t.childOf(n, "scoped_identifier", "identifier")))
	case kind == "import_declaration":
		j.imports(n)
	case javaTypes[kind] != "":
		j.typeDecl(n, -1)
	case isComment(kind), kind == errorKind, kind == ";":
	default:
		j.member(n, -1)
		j.f.Statements = append(j.f.Statements, j.t.span(j.t.nodes[n].from, j.trimEnd(j.t.nodes[n].from, j.t.nodes[n].to)))
	}
}

// imports splits "a.b.C" into the module "a.b" and the name "C", "a.b.*" into
// "a.b" and "*".
func (j *javaWalk) imports(n int32) {
	full := j.t.dotted(j.t.childOf(n, "scoped_identifier", "identifier"))
	i := Import{Kind: ImportStatic, Def: -1, Static: j.t.childOf(n, "static") != none, Lines: j.t.span(j.t.nodes[n].from, j.t.nodes[n].to)}
	if j.t.childOf(n, "asterisk") != none {
		i.Module, i.Names = j.intern(full), []ImportedName{{Name: "*"}}
	} else {
		dot := strings.LastIndexByte(full, '.')
		i.Module, i.Names = j.intern(full[:max(dot, 0)]), []ImportedName{{Name: j.intern(full[dot+1:])}}
	}
	j.f.Imports = append(j.f.Imports, i)
}

// modifiers says whether a declaration is visible outside its package or to
// subclasses, and where it begins behind its leading annotations.
func (j *javaWalk) modifiers(n int32) (exported bool, head uint32) {
	m := j.t.childOf(n, "modifiers")
	if m == none {
		return false, 0
	}
	head = j.t.nodes[n].from
	leading := true
	for c := j.t.nodes[m].first; c != none; c = j.t.nodes[c].next {
		switch k := j.t.kind(c); {
		case k == "annotation" || k == "marker_annotation":
			if leading {
				head = j.afterSpace(j.t.nodes[c].to)
			}
		case isComment(k):
		default:
			leading = false
			exported = exported || k == "public" || k == "protected"
		}
	}
	return exported, head
}

// afterSpace is the first offset from at on that is not white space.
func (j *javaWalk) afterSpace(at uint32) uint32 {
	for int(at) < len(j.t.src) && strings.IndexByte(" \t\n", j.t.src[at]) >= 0 {
		at++
	}
	return at
}

func (j *javaWalk) typeDecl(n int32, def int) {
	s := spec{kind: javaTypes[j.t.kind(n)], name: j.t.text(j.t.child(n, "name")), parent: def, outer: n, body: j.t.child(n, "body")}
	s.exported, s.head = j.modifiers(n)
	s.exported = s.exported || j.inInterface(def)
	if s.kind == Enum {
		s.wrap = wrapEnum
	}
	i := j.define(s)
	for _, field := range []string{"superclass", "interfaces"} {
		j.bases(j.t.child(n, field), i)
	}
	j.bases(j.t.childOf(n, "extends_interfaces"), i)
	j.t.children(n, func(c int32) {
		switch {
		case c == s.body:
		case j.t.field(c) == "name":
		default:
			j.walk(c, i)
		}
	})
	if s.kind == Record {
		j.recordFields(n, i)
	}
	j.members(s.body, i)
}

func (j *javaWalk) inInterface(def int) bool {
	return def >= 0 && (j.f.Definitions[def].Kind == Interface || j.f.Definitions[def].Kind == Annotation)
}

// recordFields binds a record's components, which its methods know.
func (j *javaWalk) recordFields(n int32, i int) {
	j.t.children(j.t.child(n, "parameters"), func(c int32) {
		j.bind(i, j.t.text(j.t.child(c, "name")), j.typeName(j.t.child(c, "type")))
	})
}

// bases collects the types of an extends or implements clause.
func (j *javaWalk) bases(n int32, i int) {
	j.t.children(n, func(c int32) {
		if j.t.kind(c) == "type_list" {
			j.bases(c, i)
			return
		}
		if name := j.typeName(c); name != "" {
			j.f.Definitions[i].Bases = append(j.f.Definitions[i].Bases, j.intern(name))
		}
	})
}

// typeName is a type's name without type arguments and annotations; "" for
// primitive types and arrays.
func (j *javaWalk) typeName(n int32) string {
	switch j.t.kind(n) {
	case "type_identifier", "scoped_type_identifier":
		if name := j.t.dotted(n); name != "?" && name != "var" {
			return name
		}
	case "generic_type", "annotated_type":
		return j.typeName(j.t.childOf(n, "type_identifier", "scoped_type_identifier", "generic_type"))
	}
	return ""
}

func (j *javaWalk) members(body int32, def int) {
	j.t.children(body, func(c int32) {
		if j.t.kind(c) == "enum_body_declarations" {
			j.members(c, def)
			return
		}
		j.member(c, def)
	})
}

func (j *javaWalk) member(n int32, def int) {
	s := spec{name: j.t.text(j.t.child(n, "name")), parent: def, outer: n, body: j.t.child(n, "body")}
	switch kind := j.t.kind(n); kind {
	case "method_declaration", "annotation_type_element_declaration":
		s.kind, s.typ = Method, j.typeName(j.t.child(n, "type"))
	case "constructor_declaration", "compact_constructor_declaration":
		s.kind = Constructor
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
	s.exported, s.head = j.modifiers(n)
	s.exported = s.exported || j.inInterface(def)
	i := j.define(s)
	j.t.children(n, func(c int32) { j.walk(c, i) })
	j.methodTest(n, i)
}

func (j *javaWalk) fields(n int32, def int) {
	exported, head := j.modifiers(n)
	kind := j.typeName(j.t.child(n, "type"))
	isConstant := j.inInterface(def)
	if m := j.t.childOf(n, "modifiers"); m != none {
		isConstant = isConstant || j.t.childOf(m, "static") != none && j.t.childOf(m, "final") != none
	}
	i := def
	for c := j.t.nodes[n].first; c != none; c = j.t.nodes[c].next {
		if j.t.field(c) != "declarator" {
			continue
		}
		s := spec{kind: Field, name: j.t.text(j.t.child(c, "name")), parent: def, outer: n, body: none, head: head, exported: exported || j.inInterface(def), typ: kind}
		if isConstant {
			s.kind = Constant
		}
		if v := j.t.child(c, "value"); j.t.kind(v) == "array_initializer" {
			s.body = v
		}
		i = j.define(s)
		j.bind(def, s.name, kind)
	}
	j.t.children(n, func(c int32) { j.walk(c, i) })
}

// walk visits a node inside definition def.
func (j *javaWalk) walk(n int32, def int) {
	switch kind := j.t.kind(n); kind {
	case "method_invocation":
		object := j.t.child(n, "object")
		receiver := ""
		if object != none {
			receiver = j.t.dotted(object)
		}
		j.call(j.t.text(j.t.child(n, "name")), receiver, n, def, j.t.child(n, "arguments"))
		j.selector(object)
	case "object_creation_expression":
		j.construct(n, def)
	case "type_identifier":
		j.use(j.t.text(n), "", n)
	case "scoped_type_identifier":
		j.scopedType(n)
		return
	case "annotation", "marker_annotation":
		j.use(j.t.dotted(j.t.child(n, "name")), "", n)
	case "field_access", "method_reference":
		j.selector(n)
	case "formal_parameter", "catch_formal_parameter", "resource", "enhanced_for_statement", "instanceof_expression", "record_pattern_component":
		j.bind(def, j.t.text(j.t.child(n, "name")), j.typeName(j.t.child(n, "type")))
	case "spread_parameter":
		j.bind(def, j.t.text(j.t.child(j.t.childOf(n, "variable_declarator"), "name")), "")
	case "local_variable_declaration":
		j.locals(n, def)
	case "lambda_expression":
		if p := j.t.child(n, "parameters"); j.t.kind(p) == "identifier" {
			j.bind(def, j.t.text(p), "")
		}
	case "inferred_parameters", "type_pattern":
		j.t.children(n, func(c int32) {
			if j.t.kind(c) == "identifier" {
				j.bind(def, j.t.text(c), "")
			}
		})
	default:
		if javaTypes[kind] != "" {
			j.typeDecl(n, def)
			return
		}
	}
	j.t.children(n, func(c int32) { j.walk(c, def) })
}

// locals binds local variables; "var" takes the type of a constructor call.
func (j *javaWalk) locals(n int32, def int) {
	kind := j.typeName(j.t.child(n, "type"))
	for c := j.t.nodes[n].first; c != none; c = j.t.nodes[c].next {
		if j.t.field(c) != "declarator" {
			continue
		}
		k := kind
		if v := j.t.child(c, "value"); k == "" && j.t.kind(v) == "object_creation_expression" {
			k = j.typeName(j.t.child(v, "type"))
		}
		j.bind(def, j.t.text(j.t.child(c, "name")), k)
	}
}

func (j *javaWalk) construct(n int32, def int) {
	full := j.typeName(j.t.child(n, "type"))
	dot := strings.LastIndexByte(full, '.')
	j.call(full[dot+1:], full[:max(dot, 0)], n, def, j.t.child(n, "arguments"))
}

// selector records the class-like name that a chain of selectors begins with,
// with what is taken from it.
func (j *javaWalk) selector(n int32) {
	if n == none {
		return
	}
	text := j.t.dotted(n)
	if j.t.kind(n) == "method_reference" {
		text = j.t.dotted(j.t.firstNamed(n))
	}
	parts := strings.Split(text, ".")
	for i, part := range parts {
		if part == "?" || part == "" || part[0] < 'A' || part[0] > 'Z' {
			continue
		}
		if i+1 < len(parts) {
			j.use(parts[i+1], strings.Join(parts[:i+1], "."), n)
		}
		j.use(part, strings.Join(parts[:i], "."), n)
		return
	}
}

func (j *javaWalk) scopedType(n int32) {
	text := j.t.dotted(n)
	if dot := strings.LastIndexByte(text, '.'); dot > 0 {
		j.use(text[dot+1:], text[:dot], n)
		first, _, _ := strings.Cut(text, ".")
		j.use(first, "", n)
	}
	j.t.children(n, func(c int32) {
		if j.t.kind(c) == "generic_type" {
			j.t.children(c, func(c int32) { j.walk(c, -1) })
		}
	})
}
