package csharp

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/syntax"
)

// resolver resolves C#'s namespaces: a type is looked for in the files that say
// that they are of a namespace, wherever they are.
type resolver struct {
	imports.NoReExports
	*imports.Graph
	byNamespace map[string][]*imports.Source // nil until it is needed
	global      map[string][]syntax.Import   // usings for all files of a project, by its folder
}

// NewResolver makes the resolver of a graph.
func NewResolver(g *imports.Graph) imports.Resolver {
	return &resolver{Graph: g, global: map[string][]syntax.Import{}}
}

// files lists the files of a namespace.
func (r *resolver) files(namespace string) []*imports.Source {
	if r.byNamespace == nil {
		r.byNamespace = map[string][]*imports.Source{}
		for _, s := range r.Sources(&family) {
			name := r.PackageOf(s)
			r.byNamespace[name] = append(r.byNamespace[name], s)
		}
	}
	return r.byNamespace[namespace]
}

// inNamespace is the type of a name in a namespace, of its files the nearest to
// the one that asks. A type in parts is where its first part is.
func (r *resolver) inNamespace(f *syntax.File, namespace, name string) (imports.Entity, bool) {
	var best imports.Entity
	shared, ambiguous := -1, false
	for _, s := range r.files(namespace) {
		if s.Path == f.Path || !r.Words(s).Has(imports.MentionOf(name, imports.Declared)) {
			continue
		}
		other, ok := r.File(s.Path)
		if !ok {
			continue
		}
		e, ok := r.TopLevel(other, name)
		if !ok {
			continue
		}
		n := sharedPrefix(f.Path, s.Path)
		switch d, _ := r.Definition(e); {
		case n > shared, n == shared && isPartial(d) && path.Base(s.Path) == name+".cs":
			best, shared, ambiguous = e, n, false
		case n == shared && !isPartial(d):
			ambiguous = true
		}
	}
	return best, shared >= 0 && !ambiguous
}

func isPartial(d *syntax.Definition) bool {
	return slices.Contains(strings.Fields(d.Signature), "partial")
}

// sharedPrefix counts the folders that two paths begin with alike.
func sharedPrefix(a, b string) int {
	x, y := strings.Split(path.Dir(a), "/"), strings.Split(path.Dir(b), "/")
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// usings are the using directives of a file and those of its project.
func (r *resolver) usings(f *syntax.File) []syntax.Import {
	return slices.Concat(f.Imports, r.globals(r.project(f.Path)))
}

// project is the folder of the project that a file belongs to: the first one
// upwards that has a project file; "" if there is none.
func (r *resolver) project(file string) string {
	best, found := "", false
	for _, p := range r.Configs(projectFile) {
		if dir := path.Dir(p); dir == "." || strings.HasPrefix(file, dir+"/") {
			if !found || len(dir) > len(best) {
				best, found = dir, true
			}
		}
	}
	return best
}

// projectUsing matches an item of a project file that is a using for all files.
var projectUsing = regexp.MustCompile(`<Using\s+Include="([\w.]+)"([^>]*)>`)

// globals are the usings that a project's files share.
func (r *resolver) globals(dir string) []syntax.Import {
	if dir == "" {
		return nil
	}
	if known, ok := r.global[dir]; ok {
		return known
	}
	var out []syntax.Import
	r.global[dir] = nil
	for _, p := range r.Configs(projectFile) {
		if path.Dir(p) != dir {
			continue
		}
		if src, ok := r.ReadConfig(p); ok {
			for _, m := range projectUsing.FindAllSubmatch(src, -1) {
				out = append(out, syntax.Import{Module: string(m[1]), Static: bytes.Contains(m[2], []byte(`Static="true"`)),
					Def: -1})
			}
		}
	}
	for _, s := range r.Holding(r.Sources(&family), []imports.Handle{imports.NewHandle(0, "global", "using")}) {
		if r.project(s.Path) != dir {
			continue
		}
		if other, ok := r.File(s.Path); ok {
			for _, im := range other.Imports {
				if im.Kind == syntax.ImportReExport {
					im.Lines = syntax.Span{} // of another file
					out = append(out, im)
				}
			}
		}
	}
	r.global[dir] = out
	return out
}

// Scope is what the name of a type means in a file: declared in it, of its
// namespace or one around that, of another name, or of one namespace that a using
// names.
func (r *resolver) Scope(f *syntax.File, name string, _ int) (imports.Entity, bool) {
	e, _, ok := r.find(f, name)
	return e, ok
}

// find is Scope with the line of the using that leads to the type; 0 where it
// needs none.
func (r *resolver) find(f *syntax.File, name string) (e imports.Entity, line int, ok bool) {
	if e, ok := r.TopLevel(f, name); ok {
		return e, 0, true
	}
	for namespace := f.Package; namespace != ""; {
		if e, ok := r.inNamespace(f, namespace, name); ok {
			return e, 0, true
		}
		namespace = namespace[:max(strings.LastIndexByte(namespace, '.'), 0)]
	}
	var found []imports.Entity
	for _, im := range r.usings(f) {
		switch {
		case im.Alias == name:
			e, ok := r.qualified(f, im.Module)
			return e, im.Lines.Start, ok
		case im.Alias != "" || im.Static:
		default:
			if e, ok := r.inNamespace(f, im.Module, name); ok && !slices.Contains(found, e) {
				found, line = append(found, e), im.Lines.Start
			}
		}
	}
	if len(found) == 1 {
		return found[0], line, true
	}
	if len(found) == 0 && f.Package != "" {
		e, ok = r.inNamespace(f, "", name)
		return e, 0, ok
	}
	return imports.Entity{}, 0, false
}

// qualified is the type of a full name "A.B.Outer.Inner".
func (r *resolver) qualified(f *syntax.File, full string) (imports.Entity, bool) {
	parts := strings.Split(full, ".")
	for i := len(parts) - 1; i > 0; i-- {
		e, ok := r.inNamespace(f, strings.Join(parts[:i], "."), parts[i])
		for _, inner := range parts[i+1:] {
			if ok {
				e, ok = r.Member(e, inner, 1)
			}
		}
		if ok {
			return e, true
		}
	}
	return imports.Entity{}, false
}

// Outside is a member of a type that is in parts, in another file of the namespace.
func (r *resolver) Outside(f *syntax.File, typ *syntax.Definition, name string, _ int) (imports.Entity, bool) {
	if !isPartial(typ) {
		return imports.Entity{}, false
	}
	var found []imports.Entity
	for _, s := range r.files(f.Package) {
		if w := r.Words(s); s.Path == f.Path || !w.Has(imports.MentionOf(typ.Name, imports.Declared)) ||
			!w.Has(imports.MentionOf(name, imports.Bare)) {
			continue
		}
		other, ok := r.File(s.Path)
		if !ok {
			continue
		}
		for i := range other.Definitions {
			if m := &other.Definitions[i]; m.Name == name && m.Parent >= 0 &&
				other.Definitions[m.Parent].Qualified == typ.Qualified {
				found = append(found, imports.Entity{Path: s.Path, Def: i})
				break
			}
		}
	}
	if len(found) != 1 {
		return imports.Entity{}, false
	}
	return found[0], true
}

// BareCall is a function inside the methods around, or a member of a type that
// "using static" names.
func (r *resolver) BareCall(f *syntax.File, c syntax.Call) (imports.Entity, bool) {
	for i := range f.Definitions {
		if d := &f.Definitions[i]; d.Name == c.Name && d.Kind == syntax.Function {
			for at := c.Def; at >= 0; at = f.Definitions[at].Parent {
				if d.Parent == at {
					return imports.Entity{Path: f.Path, Def: i}, true
				}
			}
		}
	}
	var found []imports.Entity
	for _, im := range r.usings(f) {
		if !im.Static {
			continue
		}
		if class, ok := r.qualified(f, im.Module); ok {
			if e, ok := r.Member(class, c.Name, 1); ok {
				found = append(found, e)
			}
		}
	}
	if len(found) != 1 {
		return imports.Entity{}, false
	}
	return found[0], true
}

// Edges are the files that a C# file uses: those of the types that it names.
func (r *resolver) Edges(f, to *syntax.File) imports.EdgeSet {
	set := imports.EdgeSet{}
	seen := map[string]bool{}
	use := func(name string, at int) {
		if seen[name] || name == "" || name[0] < 'A' || name[0] > 'Z' || !r.MayHave(to, name) {
			return
		}
		seen[name] = true
		for i := range f.Definitions {
			if d := &f.Definitions[i]; d.Name == name && imports.IsType(d.Kind) {
				return
			}
		}
		e, line, ok := r.find(f, name)
		switch {
		case !ok || e.Path == f.Path:
		case line > 0:
			set.Add(e.Path, imports.ByImport, line, name)
		default:
			set.Add(e.Path, imports.ByPackage, at, name)
		}
	}
	for i := range f.Uses {
		if u := &f.Uses[i]; u.Receiver == "" && !u.Local {
			use(u.Name, u.Line)
		}
	}
	for i := range f.Calls {
		c := &f.Calls[i]
		first, _, _ := strings.Cut(c.Receiver, ".")
		switch {
		case c.Receiver == "":
			use(c.Name, c.Line)
		case !c.Local:
			use(first, c.Line)
		}
	}
	for i := range f.Imports {
		if im := &f.Imports[i]; im.Static || im.Alias != "" {
			if e, ok := r.qualified(f, im.Module); ok {
				set.Add(e.Path, imports.ByImport, im.Lines.Start, r.NameOf(e))
			}
		}
	}
	r.parts(set, f)
	return set
}

// parts adds the other files of types that are in parts.
func (r *resolver) parts(set imports.EdgeSet, f *syntax.File) {
	for i := range f.Definitions {
		d := &f.Definitions[i]
		if d.Parent >= 0 || !isPartial(d) {
			continue
		}
		for _, s := range r.files(f.Package) {
			if s.Path == f.Path || !r.Words(s).Has(imports.MentionOf(d.Name, imports.Declared)) {
				continue
			}
			if other, ok := r.File(s.Path); ok {
				if _, ok := r.TopLevel(other, d.Name); ok {
					set.Add(s.Path, imports.ByPackage, d.Lines.Start, d.Name)
				}
			}
		}
	}
}

// Handles are the names that a file defines.
func (r *resolver) Handles(path string, _ imports.Occurrence) []imports.Handle {
	return r.NameHandles(path, 0, "")
}
