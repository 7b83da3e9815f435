package rust

import (
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// walker extracts what a Rust file holds.
type walker struct {
	*syntax.Builder
	self []string // names of the types whose impl or trait blocks are around, innermost last
}

// parent is how a path says "super", which is a name that nothing else has.
const parent = "::super"

// segment is one part of a path, as it is joined by dots: "Self" is the object's
// type, as "self" is in front of a method.
func (w *walker) segment(n syntax.Node) string {
	switch text := n.Text(); text {
	case "super":
		return parent
	case "Self":
		return "self"
	default:
		return text
	}
}

// path is a path without type arguments, its parts joined by dots; "" for what is
// none. A "self" at the beginning is left out: it is the module itself.
func (w *walker) path(n syntax.Node) string {
	switch n.Kind() {
	case "identifier", "type_identifier", "crate", "super", "metavariable":
		return w.segment(n)
	case "scoped_identifier", "scoped_type_identifier":
		before := n.Child("path")
		name := w.segment(n.Child("name"))
		if !before.Exists() || before.Kind() == "self" {
			return name
		}
		if p := w.path(before); p != "" {
			return p + "." + name
		}
	case "generic_type", "generic_type_with_turbofish":
		return w.path(n.Child("type"))
	}
	return ""
}

// transparent are the types through which one gets at what they hold.
var transparent = map[string]bool{"Arc": true, "Box": true, "Rc": true, "Pin": true, "Option": true, "Result": true}

// typeName is the name of a type without references and type arguments; "" for
// types without a name.
func (w *walker) typeName(n syntax.Node) string {
	switch n.Kind() {
	case "type_identifier":
		name := n.Text()
		if name == "Self" && len(w.self) > 0 {
			return w.self[len(w.self)-1]
		}
		return name
	case "scoped_type_identifier":
		return w.path(n)
	case "generic_type":
		name := w.path(n.Child("type"))
		if transparent[name[strings.LastIndexByte(name, '.')+1:]] {
			return w.typeName(n.Child("type_arguments").FirstNamed())
		}
		return name
	case "reference_type":
		return w.typeName(n.Child("type"))
	case "dynamic_type", "abstract_type":
		return w.typeName(n.Child("trait"))
	case "bounded_type":
		return w.typeName(n.FirstNamed())
	}
	return ""
}

func (w *walker) addImport(n syntax.Node, def int, i syntax.Import) {
	i.Def, i.Lines = def, n.TrimmedLines()
	w.Imports = append(w.Imports, i)
}

// use splits a use declaration into one import for each module.
func (w *walker) use(n syntax.Node, def int) {
	kind := syntax.ImportStatic
	if n.ChildOf("visibility_modifier").Exists() {
		kind = syntax.ImportReExport
	}
	w.useTree(n.Child("argument"), "", func(module string, name syntax.ImportedName) {
		last := len(w.Imports) - 1
		if last >= 0 && w.Imports[last].Module == module && w.Imports[last].Lines == n.TrimmedLines() &&
			w.Imports[last].Def == def {
			w.Imports[last].Names = append(w.Imports[last].Names, name)
			return
		}
		w.addImport(n, def, syntax.Import{Kind: kind, Module: w.Intern(module), Names: []syntax.ImportedName{name}})
	})
}

// useTree goes through the leaves of a use declaration, each with the module
// before it.
func (w *walker) useTree(n syntax.Node, before string, leaf func(module string, name syntax.ImportedName)) {
	join := func(path string) string {
		if before == "" || path == "" {
			return before + path
		}
		return before + "." + path
	}
	split := func(path, alias string) {
		full := join(path)
		dot := strings.LastIndexByte(full, '.')
		name := syntax.ImportedName{Name: w.Intern(full[dot+1:])}
		if alias != name.Name {
			name.Alias = w.Intern(alias)
		}
		leaf(full[:max(dot, 0)], name)
	}
	switch n.Kind() {
	case "scoped_use_list":
		n.Child("list").Each(func(c syntax.Node) { w.useTree(c, join(w.usePath(n.Child("path"))), leaf) })
	case "use_list":
		n.Each(func(c syntax.Node) { w.useTree(c, before, leaf) })
	case "use_wildcard":
		leaf(join(w.usePath(n.FirstNamed())), syntax.ImportedName{Name: "*"})
	case "use_as_clause":
		if n.Child("path").Kind() == "self" {
			split("", n.Child("alias").Text())
			return
		}
		split(w.usePath(n.Child("path")), n.Child("alias").Text())
	case "self":
		split("", "")
	default:
		if path := w.usePath(n); path != "" {
			split(path, "")
		}
	}
}

// usePath is a path in a use declaration. It keeps "self" at the beginning, because
// any other first name may be that of a crate.
func (w *walker) usePath(n syntax.Node) string {
	switch n.Kind() {
	case "self":
		return "self"
	case "scoped_identifier":
		before, name := w.usePath(n.Child("path")), w.segment(n.Child("name"))
		if before == "" {
			return name
		}
		return before + "." + name
	}
	return w.path(n)
}

func isTypeName(name string) bool { return name != "" && 'A' <= name[0] && name[0] <= 'Z' }
