package script

import (
	"sort"

	"github.com/prforge/prforge/internal/syntax"
)

func (s *walker) addImport(n syntax.Node, i syntax.Import) {
	i.Module = s.Intern(i.Module)
	for k := n.Parent().Kind(); k == "variable_declarator" || k == "lexical_declaration" || k == "variable_declaration" ||
		k == "member_expression"; k = n.Parent().Kind() {
		n = n.Parent()
	}
	i.Lines = n.Lines()
	s.Imports = append(s.Imports, i)
}

func (s *walker) importStatement(n syntax.Node) {
	module, ok := n.Child("source").Literal()
	i := syntax.Import{Kind: syntax.ImportStatic, Def: -1}
	if c := n.ChildOf("import_require_clause"); c.Exists() {
		module, ok = c.Child("source").Literal()
		i.Kind, i.Alias = syntax.ImportRequire, s.Intern(c.ChildOf("identifier").Text())
	}
	n.ChildOf("import_clause").Each(func(c syntax.Node) {
		switch c.Kind() {
		case "identifier":
			i.Names = append(i.Names, syntax.ImportedName{Name: "default", Alias: s.Intern(c.Text())})
		case "namespace_import":
			i.Names = append(i.Names, syntax.ImportedName{Name: "*", Alias: s.Intern(c.FirstNamed().Text())})
		case "named_imports":
			c.Each(func(c syntax.Node) {
				if c.Kind() == "import_specifier" {
					i.Names = append(i.Names, s.specifier(c))
				}
			})
		}
	})
	if i.Module = module; ok {
		s.addImport(n, i)
	}
}

func (s *walker) specifier(n syntax.Node) syntax.ImportedName {
	text := func(c syntax.Node) string {
		if v, ok := c.Literal(); ok {
			return s.Intern(v)
		}
		return s.Intern(c.Text())
	}
	name, alias := text(n.Child("name")), text(n.Child("alias"))
	if alias == name {
		alias = ""
	}
	return syntax.ImportedName{Name: name, Alias: alias}
}

// exportStatement handles the forms without a declaration inside. False if there
// is one, or another expression to look into.
func (s *walker) exportStatement(n syntax.Node, def int) bool {
	clause := n.ChildOf("export_clause")
	if source := n.Child("source"); source.Exists() {
		s.reExport(n, clause, source)
		return true
	}
	if clause.Exists() {
		clause.Each(func(c syntax.Node) {
			if c.Kind() == "export_specifier" && def < 0 {
				e := s.specifier(c)
				s.export(e.Local(), e.Name)
			}
		})
		return true
	}
	value := n.Child("value")
	if n.ChildOf("=").Exists() { // export = x
		value = n.FirstNamed()
		if value.Kind() == "identifier" && def < 0 {
			s.export(moduleExports, s.Intern(value.Text()))
		}
		return false
	}
	if !n.ChildOf("default").Exists() || def >= 0 {
		return false
	}
	return s.defaultExport(n, value)
}

func (s *walker) reExport(n, clause, source syntax.Node) {
	module, ok := source.Literal()
	if !ok {
		return
	}
	i := syntax.Import{Kind: syntax.ImportReExport, Module: module, Def: -1}
	switch ns := n.ChildOf("namespace_export"); {
	case clause.Exists():
		clause.Each(func(c syntax.Node) {
			if c.Kind() == "export_specifier" {
				i.Names = append(i.Names, s.specifier(c))
			}
		})
	case ns.Exists():
		i.Names = append(i.Names, syntax.ImportedName{Name: "*", Alias: s.Intern(ns.FirstNamed().Text())})
	default:
		i.Names = append(i.Names, syntax.ImportedName{Name: "*"})
	}
	s.addImport(n, i)
}

// defaultExport records "export default". A function, class or object without a
// name is defined as "default".
func (s *walker) defaultExport(n, value syntax.Node) bool {
	local := ""
	if d := n.Child("declaration"); d.Exists() {
		local = d.Child("name").Text()
	}
	if value.Kind() == "identifier" {
		local = value.Text()
	}
	fn := s.functionValue(value)
	object := value.Kind() == "object"
	if local == "" && (fn.Exists() || object) {
		local = fn.Child("name").Text()
		if local == "" {
			local = "default"
		}
		s.anonymous(n, value, fn, local)
		s.export("default", s.Intern(local))
		return true
	}
	s.export("default", s.Intern(local))
	return false
}

func (s *walker) anonymous(n, value, fn syntax.Node, name string) {
	sp := syntax.Spec{Kind: syntax.Function, Name: name, Parent: -1, Outer: n, Body: fn.Child("body"), Exported: true}
	switch {
	case !fn.Exists():
		sp.Kind, sp.Body, sp.Wrap = syntax.Variable, value, syntax.WrapObject
	case fn.Kind() == "class":
		sp.Kind = syntax.Class
	}
	i := s.Define(sp)
	switch {
	case !fn.Exists():
		s.objectMembers(value, i)
	case fn.Kind() == "class":
		s.class(fn, i)
	default:
		fn.Each(func(c syntax.Node) { s.walk(c, i) })
		s.binders(fn, fn.Kind(), i)
	}
}

// require records require("x") or import("x") with the names that the declaration around it
// gives to the module or to parts of it.
func (s *walker) require(n syntax.Node, kind syntax.ImportKind, module string, def int) {
	i := syntax.Import{Kind: kind, Module: module, Def: def}
	at := n
	p := n.Parent()
	if p.Kind() == "await_expression" {
		p, at = p.Parent(), p
	}
	part := syntax.ImportedName{}
	if p.Kind() == "member_expression" { // require("x").y
		part.Name = s.Intern(p.Child("property").Text())
		p, at = p.Parent(), p
	}
	if p.Kind() == "variable_declarator" && p.Child("value") == at {
		name := p.Child("name")
		switch {
		case name.Kind() == "object_pattern":
			i.Names = s.patternNames(name)
		case part.Name != "":
			part.Alias = s.Intern(name.Text())
		default:
			i.Alias = s.Intern(name.Text())
		}
	}
	if part.Name != "" && i.Names == nil {
		if part.Alias == part.Name {
			part.Alias = ""
		}
		i.Names = []syntax.ImportedName{part}
	}
	s.addImport(n, i)
}

func (s *walker) patternNames(n syntax.Node) []syntax.ImportedName {
	var out []syntax.ImportedName
	n.Each(func(c syntax.Node) {
		switch c.Kind() {
		case "shorthand_property_identifier_pattern":
			out = append(out, syntax.ImportedName{Name: s.Intern(c.Text())})
		case "pair_pattern":
			key, value := c.Child("key"), c.Child("value")
			if key.Kind() == "property_identifier" && value.Kind() == "identifier" {
				out = append(out, syntax.ImportedName{Name: s.Intern(key.Text()), Alias: s.Intern(value.Text())})
			}
		}
	})
	return out
}

// sortExports puts the exports in order and drops repetitions.
func sortExports(f *syntax.File) {
	sort.SliceStable(f.Exports, func(i, j int) bool { return f.Exports[i].Name < f.Exports[j].Name })
	out := f.Exports[:0]
	for _, e := range f.Exports {
		if len(out) == 0 || out[len(out)-1].Name != e.Name {
			out = append(out, e)
		}
	}
	f.Exports = out
}

// export notes a public name and the local name behind it.
func (s *walker) export(name, local string) {
	s.Exports = append(s.Exports, syntax.Export{Name: name, Local: local})
}
