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
	if p.unittest[i] || strings.HasPrefix(name, "Test") && len(name) > len("Test") || strings.HasPrefix(name, "test_") { // as some projects tell pytest
		p.test(i, RoleSuite)
	}
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
