package syntax

import "strings"

// python extracts what a Python file holds.
type pythonWalk struct {
	*builder
	unittest map[int]bool // classes whose base is a TestCase
}

func extractPython(b *builder) {
	p := &pythonWalk{b, map[int]bool{}}
	p.t.children(0, func(c int32) { p.topLevel(c) })
}

// topLevel handles a statement of the module.
func (p *pythonWalk) topLevel(n int32) {
	defs, imps := len(p.f.Definitions), len(p.f.Imports)
	p.walk(n, -1)
	if isComment(p.t.kind(n)) || p.t.kind(n) == errorKind {
		return
	}
	simple := len(p.f.Definitions) == defs && len(p.f.Imports) == imps
	switch p.t.kind(n) {
	case "if_statement", "try_statement", "with_statement", "for_statement", "while_statement", "match_statement":
		simple = true
	}
	if simple {
		o := p.t.nodes[n]
		p.f.Statements = append(p.f.Statements, p.t.span(o.from, p.trimEnd(o.from, o.to)))
	}
}

// walk visits a node inside definition def.
func (p *pythonWalk) walk(n int32, def int) {
	switch p.t.kind(n) {
	case "function_definition", "class_definition", "decorated_definition":
		p.definition(n, def)
		return
	case "import_statement", "import_from_statement", "future_import_statement":
		p.imports(n, def)
		return
	case "expression_statement", "type_alias_statement":
		p.assignments(n, def)
	case "call":
		p.callExpr(n, def)
	case "attribute":
		p.attribute(n)
	case "subscript":
		p.subscript(n)
	case "type":
		p.typeUse(n)
	case "assignment", "named_expression", "for_statement", "for_in_clause", "augmented_assignment":
		p.bindTarget(p.t.child(n, "left"), def, p.assignedType(n))
		p.bindSelf(n, def)
		p.bindTarget(p.t.child(n, "name"), def, "")
	case "as_pattern_target":
		p.bindTarget(p.t.firstNamed(n), def, "")
	case "lambda_parameters":
		p.parameters(n, def)
	}
	p.t.children(n, func(c int32) { p.walk(c, def) })
}

func (p *pythonWalk) definition(outer int32, def int) {
	n := outer
	if p.t.kind(outer) == "decorated_definition" {
		n = p.t.child(outer, "definition")
	}
	body := p.t.child(n, "body")
	name := p.t.text(p.t.child(n, "name"))
	if n == none || body == none || name == "" {
		p.t.children(outer, func(c int32) { p.walk(c, def) })
		return
	}
	s := spec{parent: def, outer: outer, body: body, name: name, head: p.t.nodes[n].from,
		exported: exportedPython(name), bodyFrom: p.colonEnd(n, body)}
	s.kind = Class
	if p.t.kind(n) == "function_definition" {
		s.kind, s.typ = Function, p.typeName(p.t.child(n, "return_type"))
		if def >= 0 && p.f.Definitions[def].Kind == Class {
			s.kind = Method
			if name == "__init__" {
				s.kind = Constructor
			}
		} else {
			s.exported = s.exported && def < 0
		}
	}
	i := p.define(s)
	if def >= 0 && p.f.Definitions[def].Kind != Class {
		p.bind(def, name, "")
	}
	p.decorators(outer, def)
	if s.kind == Class {
		p.classHead(n, i)
	} else {
		p.parameters(p.t.child(n, "parameters"), i)
		p.walk2(p.t.child(n, "parameters"), i)
		p.walk2(p.t.child(n, "return_type"), i)
		p.functionTest(outer, n, i)
	}
	p.t.children(body, func(c int32) { p.walk(c, i) })
}

func (p *pythonWalk) walk2(n int32, def int) {
	if n != none {
		p.walk(n, def)
	}
}

// exportedPython: no leading underscore, or a special method.
func exportedPython(name string) bool {
	return !strings.HasPrefix(name, "_") || strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
}

// colonEnd is the offset after the colon that precedes the body.
func (p *pythonWalk) colonEnd(n, body int32) uint32 {
	at := p.t.nodes[body].from
	for c := p.t.nodes[n].first; c != none && c != body; c = p.t.nodes[c].next {
		if p.t.kind(c) == ":" {
			at = p.t.nodes[c].to
		}
	}
	return at
}

func (p *pythonWalk) decorators(outer int32, def int) {
	p.t.children(outer, func(c int32) {
		if p.t.kind(c) != "decorator" {
			return
		}
		if e := p.t.firstNamed(c); p.t.kind(e) == "identifier" {
			p.use(p.t.text(e), "", e)
		} else if e != none {
			p.walk(e, def)
		}
	})
}

func (p *pythonWalk) classHead(n int32, i int) {
	p.t.children(p.t.child(n, "superclasses"), func(c int32) {
		switch p.t.kind(c) {
		case "identifier":
			p.use(p.t.text(c), "", c)
		case "attribute":
			p.attribute(c)
		default:
			p.walk(c, i)
			c = p.t.firstNamed(c)
			if p.t.kind(c) != "identifier" && p.t.kind(c) != "attribute" || p.t.kind(p.t.nodes[c].parent) == "keyword_argument" {
				return
			}
		}
		base := p.t.dotted(c)
		p.f.Definitions[i].Bases = append(p.f.Definitions[i].Bases, p.intern(base))
		if strings.HasSuffix(base, "TestCase") {
			p.unittest[i] = true
		}
	})
	name := p.f.Definitions[i].Name
	if p.unittest[i] || strings.HasPrefix(name, "Test") && len(name) > len("Test") {
		p.test(i, RoleSuite)
	}
}

// parameters binds the names of a parameter list.
func (p *pythonWalk) parameters(list int32, def int) {
	p.t.children(list, func(c int32) {
		name, kind := c, ""
		switch p.t.kind(c) {
		case "typed_parameter":
			kind = p.typeName(p.t.child(c, "type"))
			name = p.t.firstNamed(c)
		case "typed_default_parameter":
			kind = p.typeName(p.t.child(c, "type"))
			name = p.t.child(c, "name")
		case "default_parameter":
			name = p.t.child(c, "name")
		}
		p.bindTarget(name, def, kind)
	})
}

// bindTarget binds the names of an assignment target.
func (p *pythonWalk) bindTarget(n int32, def int, kind string) {
	if n == none || def < 0 || p.f.Definitions[def].Kind == Class {
		return
	}
	switch p.t.kind(n) {
	case "identifier":
		p.bind(def, p.t.text(n), kind)
	case "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "dictionary_splat_pattern", "as_pattern_target":
		p.t.children(n, func(c int32) { p.bindTarget(c, def, "") })
	}
}

// bindSelf records the type of self.name.
func (p *pythonWalk) bindSelf(n int32, def int) {
	left, value := p.t.child(n, "left"), p.t.child(n, "right")
	if p.t.kind(left) != "attribute" || p.t.text(p.t.child(left, "object")) != "self" {
		return
	}
	name := ""
	if p.t.kind(value) == "identifier" {
		name = p.t.text(value)
	}
	p.bindField(def, p.t.text(p.t.child(left, "attribute")), p.assignedType(n), name)
}

// typeName is the name of an annotation, a forward reference in quotes included;
// "" for any other form.
func (p *pythonWalk) typeName(n int32) string {
	text := p.t.dotted(n)
	if s, ok := p.t.literal(p.t.firstNamed(n)); ok {
		text = s
	}
	if strings.ContainsAny(text, "?[]| ") {
		return ""
	}
	return text
}

// assignedType is the type that an assignment gives its target: its annotation,
// or what its value calls.
func (p *pythonWalk) assignedType(n int32) string {
	if t := p.t.child(n, "type"); t != none {
		return p.typeName(t)
	}
	if v := p.t.child(n, "right"); p.t.kind(v) == "call" {
		if name := p.t.dotted(p.t.child(v, "function")); name != "?" {
			return name + "()"
		}
	}
	return ""
}

// assignments defines the variables that a statement of the module or of a class
// assigns.
func (p *pythonWalk) assignments(n int32, def int) {
	inClass := def >= 0 && p.f.Definitions[def].Kind == Class
	parent := p.t.nodes[n].parent
	if def < 0 && parent != 0 || def >= 0 && !inClass || inClass && p.t.kind(parent) != "block" {
		return
	}
	if p.t.kind(n) == "type_alias_statement" {
		name := p.t.firstNamed(p.t.firstNamed(n))
		p.define(spec{kind: Type, name: p.t.text(name), parent: def, outer: n, body: none, exported: exportedPython(p.t.text(name))})
		return
	}
	a := p.t.childOf(n, "assignment")
	if a == none {
		return
	}
	left, value := p.t.child(a, "left"), p.t.child(a, "right")
	targets := []int32{left}
	if p.t.kind(left) == "pattern_list" {
		targets = nil
		p.t.children(left, func(c int32) { targets = append(targets, c) })
	}
	for _, c := range targets {
		if p.t.kind(c) != "identifier" {
			continue
		}
		name := p.t.text(c)
		s := spec{kind: Variable, name: name, parent: def, outer: n, exported: exportedPython(name), typ: p.assignedType(a)}
		switch {
		case inClass:
			s.kind = Field
			p.bindField(def, name, s.typ, "")
		case name == strings.ToUpper(name) && strings.ToLower(name) != name:
			s.kind = Constant
		}
		switch p.t.kind(value) {
		case "dictionary", "list", "set", "tuple", "call", "list_comprehension", "dictionary_comprehension", "parenthesized_expression", "concatenated_string", "string":
			s.body = value
		}
		p.define(s)
	}
}

func (p *pythonWalk) callExpr(n int32, def int) {
	fn, args := p.t.child(n, "function"), p.t.child(n, "arguments")
	switch p.t.kind(fn) {
	case "identifier":
		p.call(p.t.text(fn), "", n, def, args)
	case "attribute":
		p.call(p.t.text(p.t.child(fn, "attribute")), p.t.dotted(p.t.child(fn, "object")), n, def, args)
	}
}

// attribute records a.b where it is not what a call calls.
func (p *pythonWalk) attribute(n int32) {
	parent := p.t.nodes[n].parent
	if p.t.kind(parent) == "call" && p.t.child(parent, "function") == n {
		return
	}
	if object := p.t.dotted(p.t.child(n, "object")); object != "self" && object != "cls" {
		p.use(p.t.text(p.t.child(n, "attribute")), object, n)
	}
}

func (p *pythonWalk) subscript(n int32) {
	if key, ok := p.t.literal(p.t.child(n, "subscript")); ok {
		p.use(key, p.t.dotted(p.t.child(n, "value")), n)
	}
}

// typeUse records a plain name in a type; other forms have children of their own.
func (p *pythonWalk) typeUse(n int32) {
	if c := p.t.firstNamed(n); p.t.kind(c) == "identifier" {
		p.use(p.t.text(c), "", c)
	}
}

func (p *pythonWalk) imports(n int32, def int) {
	base := Import{Kind: ImportStatic, Def: def, Lines: p.t.span(p.t.nodes[n].from, p.trimEnd(p.t.nodes[n].from, p.t.nodes[n].to))}
	if p.t.kind(n) == "import_statement" {
		p.t.children(n, func(c int32) {
			i := base
			switch p.t.kind(c) {
			case "dotted_name":
				i.Module = p.intern(p.t.dotted(c))
			case "aliased_import":
				i.Module = p.intern(p.t.dotted(p.t.child(c, "name")))
				i.Alias = p.intern(p.t.text(p.t.child(c, "alias")))
			default:
				return
			}
			p.f.Imports = append(p.f.Imports, i)
		})
		return
	}
	module := p.t.child(n, "module_name")
	if p.t.kind(n) == "future_import_statement" {
		base.Module = "__future__"
	}
	if p.t.kind(module) == "relative_import" {
		base.Level = strings.Count(p.t.text(p.t.childOf(module, "import_prefix")), ".")
		module = p.t.childOf(module, "dotted_name")
	}
	if module != none {
		base.Module = p.intern(p.t.dotted(module))
	}
	p.t.children(n, func(c int32) {
		switch {
		case p.t.kind(c) == "wildcard_import":
			base.Names = append(base.Names, ImportedName{Name: "*"})
		case p.t.nodes[c].field != "name":
		case p.t.kind(c) == "aliased_import":
			base.Names = append(base.Names, ImportedName{p.intern(p.t.dotted(p.t.child(c, "name"))), p.intern(p.t.text(p.t.child(c, "alias")))})
		default:
			base.Names = append(base.Names, ImportedName{Name: p.intern(p.t.dotted(c))})
		}
	})
	p.f.Imports = append(p.f.Imports, base)
}
