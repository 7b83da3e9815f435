package syntax

import "strings"

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
		case p.t.field(c) != "name":
		case p.t.kind(c) == "aliased_import":
			base.Names = append(base.Names, ImportedName{p.intern(p.t.dotted(p.t.child(c, "name"))), p.intern(p.t.text(p.t.child(c, "alias")))})
		default:
			base.Names = append(base.Names, ImportedName{Name: p.intern(p.t.dotted(c))})
		}
	})
	p.f.Imports = append(p.f.Imports, base)
}
