package python

import (
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

func extract(b *syntax.Builder) {
	p := &walker{b, map[int]bool{}}
	b.Root().Each(func(c syntax.Node) { p.topLevel(c) })
}

// topLevel handles a statement of the module.
func (p *walker) topLevel(n syntax.Node) {
	defs, imps := len(p.Definitions), len(p.Imports)
	p.walk(n, -1)
	if n.IsComment() || n.Kind() == syntax.ErrorKind {
		return
	}
	simple := len(p.Definitions) == defs && len(p.Imports) == imps
	switch n.Kind() {
	case "if_statement", "try_statement", "with_statement", "for_statement", "while_statement", "match_statement":
		simple = true
	}
	if simple {
		p.Statement(n)
	}
}

// walk visits a node inside definition def.
func (p *walker) walk(n syntax.Node, def int) {
	switch n.Kind() {
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
		p.bindTarget(n.Child("left"), def, p.assignedType(n))
		p.bindSelf(n, def)
		p.bindTarget(n.Child("name"), def, "")
	case "as_pattern_target":
		p.bindTarget(n.FirstNamed(), def, "")
	case "lambda_parameters":
		p.parameters(n, def)
	}
	n.Each(func(c syntax.Node) { p.walk(c, def) })
}

func (p *walker) definition(outer syntax.Node, def int) {
	n := outer
	if outer.Kind() == "decorated_definition" {
		n = outer.Child("definition")
	}
	body := n.Child("body")
	name := n.Child("name").Text()
	if !body.Exists() || name == "" {
		outer.Each(func(c syntax.Node) { p.walk(c, def) })
		return
	}
	s := syntax.Spec{Parent: def, Outer: outer, Body: body, Name: name, Head: n.From(),
		Exported: exportedPython(name), BodyFrom: p.colonEnd(n, body)}
	s.Kind = syntax.Class
	if n.Kind() == "function_definition" {
		s.Kind, s.Type = syntax.Function, p.typeName(n.Child("return_type"))
		if def >= 0 && p.Definitions[def].Kind == syntax.Class {
			s.Kind = syntax.Method
			if name == "__init__" {
				s.Kind = syntax.Constructor
			}
		} else {
			s.Exported = s.Exported && def < 0
		}
	}
	i := p.Define(s)
	if def >= 0 && p.Definitions[def].Kind != syntax.Class {
		p.Bind(def, name, "")
	}
	p.decorators(outer, def)
	if s.Kind == syntax.Class {
		p.classHead(n, i)
	} else {
		p.parameters(n.Child("parameters"), i)
		p.walk2(n.Child("parameters"), i)
		p.walk2(n.Child("return_type"), i)
		p.functionTest(outer, n, i)
	}
	body.Each(func(c syntax.Node) { p.walk(c, i) })
}

func (p *walker) walk2(n syntax.Node, def int) {
	if n.Exists() {
		p.walk(n, def)
	}
}

// exportedPython: no leading underscore, or a special method.
func exportedPython(name string) bool {
	return !strings.HasPrefix(name, "_") || strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
}

// colonEnd is the offset after the colon that precedes the body.
func (p *walker) colonEnd(n, body syntax.Node) int {
	at := body.From()
	for c := n.FirstChild(); c.Exists() && c != body; c = c.NextSibling() {
		if c.Kind() == ":" {
			at = c.To()
		}
	}
	return at
}

func (p *walker) decorators(outer syntax.Node, def int) {
	outer.Each(func(c syntax.Node) {
		if c.Kind() != "decorator" {
			return
		}
		if e := c.FirstNamed(); e.Kind() == "identifier" {
			p.Use(e.Text(), "", e)
		} else if e.Exists() {
			p.walk(e, def)
		}
	})
}

func (p *walker) classHead(n syntax.Node, i int) {
	n.Child("superclasses").Each(func(c syntax.Node) {
		switch c.Kind() {
		case "identifier":
			p.Use(c.Text(), "", c)
		case "attribute":
			p.attribute(c)
		default:
			p.walk(c, i)
			c = c.FirstNamed()
			if c.Kind() != "identifier" && c.Kind() != "attribute" || c.Parent().Kind() == "keyword_argument" {
				return
			}
		}
		base := c.Dotted()
		p.Definitions[i].Bases = append(p.Definitions[i].Bases, p.Intern(base))
		if strings.HasSuffix(base, "TestCase") {
			p.unittest[i] = true
		}
	})
	name := p.Definitions[i].Name
	// as some projects tell pytest
	if p.unittest[i] || strings.HasPrefix(name, "Test") && len(name) > len("Test") || strings.HasPrefix(name, "test_") {
		p.Test(i, syntax.RoleSuite)
	}
}

// assignments defines the variables that a statement of the module or of a class
// assigns.
func (p *walker) assignments(n syntax.Node, def int) {
	inClass := def >= 0 && p.Definitions[def].Kind == syntax.Class
	parent := n.Parent()
	if def < 0 && parent != p.Root() || def >= 0 && !inClass || inClass && parent.Kind() != "block" {
		return
	}
	if n.Kind() == "type_alias_statement" {
		name := n.FirstNamed().FirstNamed()
		p.Define(syntax.Spec{Kind: syntax.Type, Name: name.Text(), Parent: def, Outer: n,
			Exported: exportedPython(name.Text())})
		return
	}
	a := n.ChildOf("assignment")
	if !a.Exists() {
		return
	}
	left, value := a.Child("left"), a.Child("right")
	targets := []syntax.Node{left}
	if left.Kind() == "pattern_list" {
		targets = nil
		left.Each(func(c syntax.Node) { targets = append(targets, c) })
	}
	for _, c := range targets {
		if c.Kind() != "identifier" {
			continue
		}
		name := c.Text()
		s := syntax.Spec{Kind: syntax.Variable, Name: name, Parent: def, Outer: n, Exported: exportedPython(name),
			Type: p.assignedType(a)}
		switch {
		case inClass:
			s.Kind = syntax.Field
			p.BindField(def, name, s.Type, "")
		case name == strings.ToUpper(name) && strings.ToLower(name) != name:
			s.Kind = syntax.Constant
		}
		switch value.Kind() {
		case "dictionary", "list", "set", "tuple", "call", "list_comprehension", "dictionary_comprehension",
			"parenthesized_expression", "concatenated_string", "string":
			s.Body = value
		}
		p.Define(s)
	}
}
