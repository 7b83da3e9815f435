package python

import (
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// python extracts what a Python file holds.
type walker struct {
	*syntax.Builder
	unittest map[int]bool // classes whose base is a TestCase
}

// parameters binds the names of a parameter list.
func (p *walker) parameters(list syntax.Node, def int) {
	list.Each(func(c syntax.Node) {
		name, kind := c, ""
		switch c.Kind() {
		case "typed_parameter":
			kind = p.typeName(c.Child("type"))
			name = c.FirstNamed()
		case "typed_default_parameter":
			kind = p.typeName(c.Child("type"))
			name = c.Child("name")
		case "default_parameter":
			name = c.Child("name")
		}
		p.bindTarget(name, def, kind)
	})
}

// bindTarget binds the names of an assignment target.
func (p *walker) bindTarget(n syntax.Node, def int, kind string) {
	if !n.Exists() || def < 0 || p.Definitions[def].Kind == syntax.Class {
		return
	}
	switch n.Kind() {
	case "identifier":
		p.Bind(def, n.Text(), kind)
	case "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "dictionary_splat_pattern",
		"as_pattern_target":
		n.Each(func(c syntax.Node) { p.bindTarget(c, def, "") })
	}
}

// bindSelf records the type of self.name.
func (p *walker) bindSelf(n syntax.Node, def int) {
	left, value := n.Child("left"), n.Child("right")
	if left.Kind() != "attribute" || left.Child("object").Text() != "self" {
		return
	}
	name := ""
	if value.Kind() == "identifier" {
		name = value.Text()
	}
	p.BindField(def, left.Child("attribute").Text(), p.assignedType(n), name)
}

// typeName is the name of an annotation, a forward reference in quotes included;
// "" for any other form.
func (p *walker) typeName(n syntax.Node) string {
	text := n.Dotted()
	if s, ok := n.FirstNamed().Literal(); ok {
		text = s
	}
	if strings.ContainsAny(text, "?[]| ") {
		return ""
	}
	return text
}

// assignedType is the type that an assignment gives its target: its annotation,
// or what its value calls.
func (p *walker) assignedType(n syntax.Node) string {
	if t := n.Child("type"); t.Exists() {
		return p.typeName(t)
	}
	if v := n.Child("right"); v.Kind() == "call" {
		if name := v.Child("function").Dotted(); name != "?" {
			return name + "()"
		}
	}
	return ""
}

func (p *walker) callExpr(n syntax.Node, def int) {
	fn, args := n.Child("function"), n.Child("arguments")
	switch fn.Kind() {
	case "identifier":
		p.Call(fn.Text(), "", n, def, args)
	case "attribute":
		p.Call(fn.Child("attribute").Text(), fn.Child("object").Dotted(), n, def, args)
	}
}

// attribute records a.b where it is not what a call calls.
func (p *walker) attribute(n syntax.Node) {
	parent := n.Parent()
	if parent.Kind() == "call" && parent.Child("function") == n {
		return
	}
	if object := n.Child("object").Dotted(); object != "self" && object != "cls" {
		p.Use(n.Child("attribute").Text(), object, n)
	}
}

func (p *walker) subscript(n syntax.Node) {
	if key, ok := n.Child("subscript").Literal(); ok {
		p.Use(key, n.Child("value").Dotted(), n)
	}
}

// typeUse records a plain name in a type; other forms have children of their own.
func (p *walker) typeUse(n syntax.Node) {
	if c := n.FirstNamed(); c.Kind() == "identifier" {
		p.Use(c.Text(), "", c)
	}
}

func (p *walker) imports(n syntax.Node, def int) {
	base := syntax.Import{Kind: syntax.ImportStatic, Def: def, Lines: n.TrimmedLines()}
	if n.Kind() == "import_statement" {
		n.Each(func(c syntax.Node) {
			i := base
			switch c.Kind() {
			case "dotted_name":
				i.Module = p.Intern(c.Dotted())
			case "aliased_import":
				i.Module = p.Intern(c.Child("name").Dotted())
				i.Alias = p.Intern(c.Child("alias").Text())
			default:
				return
			}
			p.Imports = append(p.Imports, i)
		})
		return
	}
	module := n.Child("module_name")
	if n.Kind() == "future_import_statement" {
		base.Module = "__future__"
	}
	if module.Kind() == "relative_import" {
		base.Level = strings.Count(module.ChildOf("import_prefix").Text(), ".")
		module = module.ChildOf("dotted_name")
	}
	if module.Exists() {
		base.Module = p.Intern(module.Dotted())
	}
	n.Each(func(c syntax.Node) {
		switch {
		case c.Kind() == "wildcard_import":
			base.Names = append(base.Names, syntax.ImportedName{Name: "*"})
		case c.Field() != "name":
		case c.Kind() == "aliased_import":
			base.Names = append(base.Names, syntax.ImportedName{Name: p.Intern(c.Child("name").Dotted()),
				Alias: p.Intern(c.Child("alias").Text())})
		default:
			base.Names = append(base.Names, syntax.ImportedName{Name: p.Intern(c.Dotted())})
		}
	})
	p.Imports = append(p.Imports, base)
}
