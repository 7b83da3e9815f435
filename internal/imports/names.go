package imports

import (
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// Definition is the definition behind an entity.
func (g *Graph) Definition(e Entity) (*syntax.Definition, bool) {
	f, ok := g.File(e.Path)
	if !ok || e.Def < 0 || e.Def >= len(f.Definitions) {
		return nil, false
	}
	return &f.Definitions[e.Def], true
}

func (g *Graph) location(e Entity) (Location, bool) {
	d, ok := g.Definition(e)
	if !ok {
		return Location{}, false
	}
	return Location{Path: e.Path, Def: e.Def, Definition: *d}, true
}

// NameOf is the name of the definition behind an entity; "" for a module.
func (g *Graph) NameOf(e Entity) string {
	if d, ok := g.Definition(e); ok {
		return d.Name
	}
	return ""
}

// scope is what a name means at the top level of a file.
func (g *Graph) scope(f *syntax.File, name string, depth int) (Entity, bool) {
	if depth > g.opts.MaxReExports {
		return Entity{}, false
	}
	key := scopeKey{f, name}
	if known, ok := g.scopes[key]; ok {
		return known.is, known.ok
	}
	e, ok := g.Resolver(f.Language.Family).Scope(f, name, depth)
	if ok || depth == 0 { // a miss further down may be the depth's
		g.scopes[key] = scopeAnswer{e, ok}
	}
	return e, ok
}

// Member is what a name means inside an entity.
func (g *Graph) Member(e Entity, name string, depth int) (Entity, bool) {
	if depth > g.opts.MaxReExports {
		return Entity{}, false
	}
	if e.Path == "" {
		return g.Resolver(e.Of).InFolder(e.Dir, name)
	}
	f, ok := g.File(e.Path)
	if !ok {
		return Entity{}, false
	}
	if e.Def == Whole {
		return g.Resolver(f.Language.Family).Exported(f, name, depth)
	}
	d := &f.Definitions[e.Def]
	switch d.Kind {
	case syntax.Field, syntax.Variable, syntax.Constant:
		if found, ok := g.MemberOfType(f, e.Def, name, depth); ok {
			return found, true
		}
		t, ok := g.typeOf(f, d.Parent, d.Type, depth+1)
		if !ok || t == e {
			return Entity{}, false
		}
		return g.Member(t, name, depth+1)
	}
	return g.MemberOfType(f, e.Def, name, depth)
}

// typeOf is the type by that name, or that a call of that name returns, as seen
// from inside definition def.
func (g *Graph) typeOf(f *syntax.File, def int, typ string, depth int) (Entity, bool) {
	if typ == "" || depth > g.opts.MaxReExports {
		return Entity{}, false
	}
	name, called := strings.CutSuffix(typ, "()")
	e, ok := g.chain(f, def, strings.Split(name, "."), depth+1)
	if !ok || !called {
		return e, ok && e.Def != Whole
	}
	d, ok := g.Definition(e)
	if !ok || IsType(d.Kind) { // Python: the call of a class makes one
		return e, ok
	}
	in, ok := g.File(e.Path)
	if !ok || d.Kind != syntax.Function && d.Kind != syntax.Method {
		return Entity{}, false
	}
	return g.typeOf(in, e.Def, d.Type, depth+1)
}

// MemberOfType looks for a member of a class, interface, struct or object, then
// in what it is made from. Of overloads the answer is the first.
func (g *Graph) MemberOfType(f *syntax.File, def int, name string, depth int) (Entity, bool) {
	d := &f.Definitions[def]
	for i := range f.Definitions {
		m := &f.Definitions[i]
		if m.Name == name && (m.Parent == def || m.Parent < 0 && d.Parent < 0 && m.Qualified == d.Name+"."+name) {
			return Entity{Path: f.Path, Def: i}, true
		}
	}
	if f.Language.OpenTypes && IsType(d.Kind) {
		if e, ok := g.Resolver(f.Language.Family).Outside(f, d, name, depth); ok {
			return e, true
		}
	}
	for _, base := range d.Bases {
		b, ok := g.chain(f, def, strings.Split(base, "."), depth+1)
		if !ok || b.Path == f.Path && b.Def == def {
			continue
		}
		if e, ok := g.Member(b, name, depth+1); ok {
			return e, true
		}
	}
	return Entity{}, false
}

// chain resolves names joined by dots as seen from inside definition def of a
// file.
func (g *Graph) chain(f *syntax.File, def int, names []string, depth int) (Entity, bool) {
	e, ok := g.Visible(f, def, names[0], depth)
	for _, name := range names[1:] {
		if !ok {
			return Entity{}, false
		}
		e, ok = g.Member(e, name, depth)
	}
	return e, ok
}

// Visible is what a name means inside definition def: something nested in the
// definitions around, then the file's scope.
func (g *Graph) Visible(f *syntax.File, def int, name string, depth int) (Entity, bool) {
	for at := def; at >= 0; at = f.Definitions[at].Parent {
		if IsType(f.Definitions[at].Kind) && !f.Language.ImplicitThis {
			continue // a class body is no scope for its methods
		}
		for i := range f.Definitions {
			if f.Definitions[i].Parent == at && f.Definitions[i].Name == name && named(f.Definitions[i].Kind) {
				if !f.Language.ImplicitThis || IsType(f.Definitions[i].Kind) {
					return Entity{Path: f.Path, Def: i}, true
				}
			}
		}
	}
	return g.scope(f, name, depth)
}

// TopLevel is the top-level definition with the name, the last one where a file
// defines it more than once (overloads come before the implementation).
func (g *Graph) TopLevel(f *syntax.File, name string) (Entity, bool) {
	names, ok := g.tops[f]
	if !ok {
		names = map[string]int{}
		for i := range f.Definitions {
			if d := &f.Definitions[i]; d.Parent < 0 && named(d.Kind) {
				names[d.Qualified] = i
			}
		}
		g.tops[f] = names
	}
	i, ok := names[name]
	return Entity{Path: f.Path, Def: i}, ok
}

// Find is the only definition of that qualified name at the top level of some
// files; false if there is none or no telling.
func (g *Graph) Find(files []*syntax.File, qualified string) (Entity, bool) {
	var found []Entity
	for _, f := range files {
		if e, ok := g.TopLevel(f, qualified); ok {
			found = append(found, e)
		}
	}
	if len(found) != 1 {
		return Entity{}, false
	}
	return found[0], true
}

// MayHave reports whether a file defines a name at its top level; nil is any
// file.
func (g *Graph) MayHave(f *syntax.File, qualified string) bool {
	if f == nil {
		return true
	}
	_, ok := g.TopLevel(f, qualified)
	return ok
}

// TopNames are the names that a file defines at its top level.
func (g *Graph) TopNames(path string) []string {
	f, ok := g.File(path)
	if !ok {
		return nil
	}
	var out []string
	for i := range f.Definitions {
		if d := &f.Definitions[i]; d.Parent < 0 && !d.InTests && d.Kind != syntax.Suite && d.Kind != syntax.Case &&
			d.Kind != syntax.Handler && d.Kind != syntax.Implementation {
			out = append(out, d.Name)
		}
	}
	return out
}

// NameHandles are the names that a file defines at its top level, for the files of
// a directory.
func (g *Graph) NameHandles(path string, as Occurrence, dir string) []Handle {
	out := EachHandle(as, g.TopNames(path))
	for i := range out {
		out[i].Dir = dir
	}
	return out
}
