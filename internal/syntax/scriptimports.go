package syntax

import "sort"

func (s *scriptWalk) addImport(n int32, i Import) {
	i.Module = s.intern(i.Module)
	for k := s.t.kind(s.t.nodes[n].parent); k == "variable_declarator" || k == "lexical_declaration" || k == "variable_declaration" || k == "member_expression"; k = s.t.kind(s.t.nodes[n].parent) {
		n = s.t.nodes[n].parent
	}
	i.Lines = s.t.span(s.t.nodes[n].from, s.t.nodes[n].to)
	s.f.Imports = append(s.f.Imports, i)
}

func (s *scriptWalk) importStatement(n int32) {
	module, ok := s.t.literal(s.t.child(n, "source"))
	i := Import{Kind: ImportStatic, Def: -1, TypeOnly: s.t.childOf(n, "type") != none}
	if c := s.t.childOf(n, "import_require_clause"); c != none {
		module, ok = s.t.literal(s.t.child(c, "source"))
		i.Kind, i.Alias = ImportRequire, s.intern(s.t.text(s.t.childOf(c, "identifier")))
	}
	s.t.children(s.t.childOf(n, "import_clause"), func(c int32) {
		switch s.t.kind(c) {
		case "identifier":
			i.Names = append(i.Names, ImportedName{"default", s.intern(s.t.text(c))})
		case "namespace_import":
			i.Names = append(i.Names, ImportedName{"*", s.intern(s.t.text(s.t.firstNamed(c)))})
		case "named_imports":
			s.t.children(c, func(c int32) {
				if s.t.kind(c) == "import_specifier" {
					i.Names = append(i.Names, s.specifier(c))
				}
			})
		}
	})
	if i.Module = module; ok {
		s.addImport(n, i)
	}
}

func (s *scriptWalk) specifier(n int32) ImportedName {
	text := func(c int32) string {
		if v, ok := s.t.literal(c); ok {
			return s.intern(v)
		}
		return s.intern(s.t.text(c))
	}
	name, alias := text(s.t.child(n, "name")), text(s.t.child(n, "alias"))
	if alias == name {
		alias = ""
	}
	return ImportedName{name, alias}
}

// exportStatement handles the forms without a declaration inside. False if there
// is one, or another expression to look into.
func (s *scriptWalk) exportStatement(n int32, def int) bool {
	clause := s.t.childOf(n, "export_clause")
	if source := s.t.child(n, "source"); source != none {
		s.reExport(n, clause, source)
		return true
	}
	if clause != none {
		s.t.children(clause, func(c int32) {
			if s.t.kind(c) == "export_specifier" && def < 0 {
				e := s.specifier(c)
				s.f.Exports = append(s.f.Exports, Export{e.Local(), e.Name})
			}
		})
		return true
	}
	value := s.t.child(n, "value")
	if s.t.childOf(n, "=") != none { // export = x
		value = s.t.firstNamed(n)
		if s.t.kind(value) == "identifier" && def < 0 {
			s.f.Exports = append(s.f.Exports, Export{moduleExports, s.intern(s.t.text(value))})
		}
		return false
	}
	if s.t.childOf(n, "default") == none || def >= 0 {
		return false
	}
	return s.defaultExport(n, value)
}

func (s *scriptWalk) reExport(n, clause, source int32) {
	module, ok := s.t.literal(source)
	if !ok {
		return
	}
	i := Import{Kind: ImportReExport, Module: module, Def: -1, TypeOnly: s.t.childOf(n, "type") != none}
	switch ns := s.t.childOf(n, "namespace_export"); {
	case clause != none:
		s.t.children(clause, func(c int32) {
			if s.t.kind(c) == "export_specifier" {
				i.Names = append(i.Names, s.specifier(c))
			}
		})
	case ns != none:
		i.Names = append(i.Names, ImportedName{"*", s.intern(s.t.text(s.t.firstNamed(ns)))})
	default:
		i.Names = append(i.Names, ImportedName{Name: "*"})
	}
	s.addImport(n, i)
}

// defaultExport records "export default". A function, class or object without a
// name is defined as "default".
func (s *scriptWalk) defaultExport(n, value int32) bool {
	local := ""
	if d := s.t.child(n, "declaration"); d != none {
		local = s.t.text(s.t.child(d, "name"))
	}
	if s.t.kind(value) == "identifier" {
		local = s.t.text(value)
	}
	fn := s.functionValue(value)
	object := s.t.kind(value) == "object"
	if local == "" && (fn != none || object) {
		local = s.t.text(s.t.child(fn, "name"))
		if local == "" {
			local = "default"
		}
		s.anonymous(n, value, fn, local)
		s.f.Exports = append(s.f.Exports, Export{"default", s.intern(local)})
		return true
	}
	s.f.Exports = append(s.f.Exports, Export{"default", s.intern(local)})
	return false
}

func (s *scriptWalk) anonymous(n, value, fn int32, name string) {
	sp := spec{kind: Function, name: name, parent: -1, outer: n, body: s.t.child(fn, "body"), exported: true}
	switch {
	case fn == none:
		sp.kind, sp.body, sp.wrap = Variable, value, wrapObject
	case s.t.kind(fn) == "class":
		sp.kind = Class
	}
	i := s.define(sp)
	switch {
	case fn == none:
		s.objectMembers(value, i)
	case s.t.kind(fn) == "class":
		s.class(fn, i)
	default:
		s.t.children(fn, func(c int32) { s.walk(c, i) })
		s.binders(fn, s.t.kind(fn), i)
	}
}

// require records require("x") or import("x") with the names that the declaration around it
// gives to the module or to parts of it.
func (s *scriptWalk) require(n int32, kind ImportKind, module string, def int) {
	i := Import{Kind: kind, Module: module, Def: def}
	at := n
	p := s.t.nodes[n].parent
	if s.t.kind(p) == "await_expression" {
		p, at = s.t.nodes[p].parent, p
	}
	part := ImportedName{}
	if s.t.kind(p) == "member_expression" { // require("x").y
		part.Name = s.intern(s.t.text(s.t.child(p, "property")))
		p, at = s.t.nodes[p].parent, p
	}
	if s.t.kind(p) == "variable_declarator" && s.t.child(p, "value") == at {
		name := s.t.child(p, "name")
		switch {
		case s.t.kind(name) == "object_pattern":
			i.Names = s.patternNames(name)
		case part.Name != "":
			part.Alias = s.intern(s.t.text(name))
		default:
			i.Alias = s.intern(s.t.text(name))
		}
	}
	if part.Name != "" && i.Names == nil {
		if part.Alias == part.Name {
			part.Alias = ""
		}
		i.Names = []ImportedName{part}
	}
	s.addImport(n, i)
}

func (s *scriptWalk) patternNames(n int32) []ImportedName {
	var out []ImportedName
	s.t.children(n, func(c int32) {
		switch s.t.kind(c) {
		case "shorthand_property_identifier_pattern":
			out = append(out, ImportedName{Name: s.intern(s.t.text(c))})
		case "pair_pattern":
			key, value := s.t.child(c, "key"), s.t.child(c, "value")
			if s.t.kind(key) == "property_identifier" && s.t.kind(value) == "identifier" {
				out = append(out, ImportedName{s.intern(s.t.text(key)), s.intern(s.t.text(value))})
			}
		}
	})
	return out
}

// sortExports puts the exports in order and drops repetitions.
func sortExports(f *File) {
	sort.SliceStable(f.Exports, func(i, j int) bool { return f.Exports[i].Name < f.Exports[j].Name })
	out := f.Exports[:0]
	for _, e := range f.Exports {
		if len(out) == 0 || out[len(out)-1].Name != e.Name {
			out = append(out, e)
		}
	}
	f.Exports = out
}
