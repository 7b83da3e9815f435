package syntax

// binders records the names that a node binds inside functions.
func (s *scriptWalk) binders(n int32, kind string, def int) {
	switch kind {
	case "required_parameter", "optional_parameter":
		s.bindPattern(s.t.child(n, "pattern"), def, s.annotated(n))
		if s.t.childOf(n, "accessibility_modifier", "readonly") != none { // a field as well
			s.bindField(def, s.t.text(s.t.child(n, "pattern")), s.annotated(n), "")
		}
	case "formal_parameters":
		s.t.children(n, func(c int32) {
			if k := s.t.kind(c); k != "required_parameter" && k != "optional_parameter" {
				s.bindPattern(c, def, "")
			}
		})
	case "arrow_function":
		s.bindPattern(s.t.child(n, "parameter"), def, "")
	case "catch_clause":
		s.bindPattern(s.t.child(n, "parameter"), def, "")
	case "for_in_statement":
		s.bindPattern(s.t.child(n, "left"), def, "")
	}
}

// annotated is the plain type name of a node's annotation.
func (s *scriptWalk) annotated(n int32) string {
	a := s.t.childOf(n, "type_annotation")
	if a == none {
		return ""
	}
	return s.typeName(s.t.firstNamed(a))
}

// resultType is the annotated type of what a function returns.
func (s *scriptWalk) resultType(n int32) string {
	if a := s.t.child(n, "return_type"); s.t.kind(a) == "type_annotation" {
		return s.typeName(s.t.firstNamed(a))
	}
	return ""
}

func (s *scriptWalk) typeName(n int32) string {
	switch s.t.kind(n) {
	case "type_identifier", "nested_type_identifier", "identifier", "member_expression":
		if name := s.t.dotted(n); name != "?" {
			return name
		}
	case "generic_type":
		return s.typeName(s.t.child(n, "name"))
	}
	return ""
}

func (s *scriptWalk) bindPattern(n int32, def int, kind string) {
	switch s.t.kind(n) {
	case "identifier", "shorthand_property_identifier_pattern":
		s.bind(def, s.t.text(n), kind)
	case "pair_pattern":
		s.bindPattern(s.t.child(n, "value"), def, "")
	case "assignment_pattern", "object_assignment_pattern":
		s.bindPattern(s.t.firstNamed(n), def, "")
	case "object_pattern", "array_pattern", "rest_pattern":
		s.t.children(n, func(c int32) { s.bindPattern(c, def, "") })
	}
}

func (s *scriptWalk) class(n int32, i int) {
	h := s.t.childOf(n, "class_heritage")
	if c := s.t.childOf(h, "extends_clause", "implements_clause"); c != none {
		s.t.children(h, func(c int32) { s.heritage(c, i) })
	} else {
		s.heritage(h, i)
	}
	s.t.children(n, func(c int32) {
		if f := s.t.field(c); f != "name" && f != "body" {
			s.walk(c, i)
		}
	})
	s.members(s.t.child(n, "body"), i)
}

func (s *scriptWalk) heritage(n int32, i int) {
	s.t.children(n, func(c int32) {
		if s.t.kind(c) == "type_arguments" {
			return
		}
		if name := s.typeName(c); name != "" {
			s.f.Definitions[i].Bases = append(s.f.Definitions[i].Bases, s.intern(name))
			if s.t.kind(c) == "identifier" {
				s.use(name, "", c)
			}
		}
	})
}

// members defines the members of a class or interface.
func (s *scriptWalk) members(body int32, def int) {
	start := none // first of the decorators before a member
	s.t.children(body, func(c int32) {
		kind := s.t.kind(c)
		if kind == "decorator" {
			if start == none {
				start = c
			}
			s.walk(c, def)
			return
		}
		if isComment(kind) {
			return
		}
		s.memberOf(c, def, start)
		start = none
	})
}

func (s *scriptWalk) memberOf(n int32, def int, start int32) {
	name := s.t.child(n, "name")
	if name == none {
		name = s.t.child(n, "property")
	}
	sp := spec{name: s.t.text(name), parent: def, outer: n, body: s.t.child(n, "body"), start: max(start, 0)}
	if start != none {
		sp.head = s.t.nodes[n].from
	}
	if next := s.t.nodes[n].next; s.t.kind(next) == ";" || s.t.kind(next) == "," {
		sp.end = next
	}
	sp.exported = !s.hidden(n, name)
	switch s.t.kind(n) {
	case "method_definition", "abstract_method_signature", "method_signature":
		sp.kind = Method
		if sp.name == "constructor" {
			sp.kind = Constructor
		}
	case "public_field_definition", "field_definition", "property_signature":
		sp.kind = Field
		if f := s.functionValue(s.t.child(n, "value")); f != none {
			sp.kind, sp.body = Method, s.t.child(f, "body")
		}
	default:
		s.walk(n, def)
		return
	}
	if name == none {
		s.walk(n, def)
		return
	}
	switch sp.kind {
	case Field:
		sp.typ = s.variableType(n, s.t.child(n, "value"))
		s.bind(def, sp.name, sp.typ)
	case Method:
		sp.typ = s.resultType(n)
	}
	s.afterDecorators(n, &sp)
	i := s.define(sp)
	s.t.children(n, func(c int32) { s.walk(c, i) })
}

// hidden: private by keyword or by name.
func (s *scriptWalk) hidden(n, name int32) bool {
	access := s.t.text(s.t.childOf(n, "accessibility_modifier"))
	return access == "private" || s.t.kind(name) == "private_property_identifier"
}
