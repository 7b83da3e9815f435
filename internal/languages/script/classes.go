package script

import "github.com/prforge/prforge/internal/syntax"

// binders records the names that a node binds inside functions.
func (s *walker) binders(n syntax.Node, kind string, def int) {
	switch kind {
	case "required_parameter", "optional_parameter":
		s.bindPattern(n.Child("pattern"), def, s.annotated(n))
		if n.ChildOf("accessibility_modifier", "readonly").Exists() { // a field as well
			s.BindField(def, n.Child("pattern").Text(), s.annotated(n), "")
		}
	case "formal_parameters":
		n.Each(func(c syntax.Node) {
			if k := c.Kind(); k != "required_parameter" && k != "optional_parameter" {
				s.bindPattern(c, def, "")
			}
		})
	case "arrow_function":
		s.bindPattern(n.Child("parameter"), def, "")
	case "catch_clause":
		s.bindPattern(n.Child("parameter"), def, "")
	case "for_in_statement":
		s.bindPattern(n.Child("left"), def, "")
	}
}

// annotated is the plain type name of a node's annotation.
func (s *walker) annotated(n syntax.Node) string {
	a := n.ChildOf("type_annotation")
	if !a.Exists() {
		return ""
	}
	return s.typeName(a.FirstNamed())
}

// resultType is the annotated type of what a function returns.
func (s *walker) resultType(n syntax.Node) string {
	if a := n.Child("return_type"); a.Kind() == "type_annotation" {
		return s.typeName(a.FirstNamed())
	}
	return ""
}

func (s *walker) typeName(n syntax.Node) string {
	switch n.Kind() {
	case "type_identifier", "nested_type_identifier", "identifier", "member_expression":
		if name := n.Dotted(); name != "?" {
			return name
		}
	case "generic_type":
		return s.typeName(n.Child("name"))
	}
	return ""
}

func (s *walker) bindPattern(n syntax.Node, def int, kind string) {
	switch n.Kind() {
	case "identifier", "shorthand_property_identifier_pattern":
		s.Bind(def, n.Text(), kind)
	case "pair_pattern":
		s.bindPattern(n.Child("value"), def, "")
	case "assignment_pattern", "object_assignment_pattern":
		s.bindPattern(n.FirstNamed(), def, "")
	case "object_pattern", "array_pattern", "rest_pattern":
		n.Each(func(c syntax.Node) { s.bindPattern(c, def, "") })
	}
}

func (s *walker) class(n syntax.Node, i int) {
	h := n.ChildOf("class_heritage")
	if c := h.ChildOf("extends_clause", "implements_clause"); c.Exists() {
		h.Each(func(c syntax.Node) { s.heritage(c, i) })
	} else {
		s.heritage(h, i)
	}
	n.Each(func(c syntax.Node) {
		if f := c.Field(); f != "name" && f != "body" {
			s.walk(c, i)
		}
	})
	s.members(n.Child("body"), i)
}

func (s *walker) heritage(n syntax.Node, i int) {
	n.Each(func(c syntax.Node) {
		if c.Kind() == "type_arguments" {
			return
		}
		if name := s.typeName(c); name != "" {
			s.Definitions[i].Bases = append(s.Definitions[i].Bases, s.Intern(name))
			if c.Kind() == "identifier" {
				s.Use(name, "", c)
			}
		}
	})
}

// members defines the members of a class or interface.
func (s *walker) members(body syntax.Node, def int) {
	start := syntax.Node{} // first of the decorators before a member
	body.Each(func(c syntax.Node) {
		kind := c.Kind()
		if kind == "decorator" {
			if !start.Exists() {
				start = c
			}
			s.walk(c, def)
			return
		}
		if syntax.IsComment(kind) {
			return
		}
		s.memberOf(c, def, start)
		start = syntax.Node{}
	})
}

func (s *walker) memberOf(n syntax.Node, def int, start syntax.Node) {
	name := n.Child("name")
	if !name.Exists() {
		name = n.Child("property")
	}
	sp := syntax.Spec{Name: name.Text(), Parent: def, Outer: n, Body: n.Child("body"), Start: start}
	if start.Exists() {
		sp.Head = n.From()
	}
	if next := n.NextSibling(); next.Kind() == ";" || next.Kind() == "," {
		sp.End = next
	}
	sp.Exported = !s.hidden(n, name)
	switch n.Kind() {
	case "method_definition", "abstract_method_signature", "method_signature":
		sp.Kind = syntax.Method
		if sp.Name == "constructor" {
			sp.Kind = syntax.Constructor
		}
	case "public_field_definition", "field_definition", "property_signature":
		sp.Kind = syntax.Field
		if f := s.functionValue(n.Child("value")); f.Exists() {
			sp.Kind, sp.Body = syntax.Method, f.Child("body")
		}
	default:
		s.walk(n, def)
		return
	}
	if !name.Exists() {
		s.walk(n, def)
		return
	}
	switch sp.Kind {
	case syntax.Field:
		sp.Type = s.variableType(n, n.Child("value"))
		s.Bind(def, sp.Name, sp.Type)
	case syntax.Method:
		sp.Type = s.resultType(n)
	}
	s.afterDecorators(n, &sp)
	i := s.Define(sp)
	n.Each(func(c syntax.Node) { s.walk(c, i) })
}

// hidden: private by keyword or by name.
func (s *walker) hidden(n, name syntax.Node) bool {
	access := n.ChildOf("accessibility_modifier").Text()
	return access == "private" || name.Kind() == "private_property_identifier"
}
