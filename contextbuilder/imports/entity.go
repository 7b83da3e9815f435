package imports

import (
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// entity is what a name may mean: a definition, a file as a module, or a
// Go package or Python namespace as a directory.
type entity struct {
	path string
	def  int    // index of a definition of path; whole for the module
	dir  string // directory, when path is ""
}

// whole is the file itself, not one of its definitions.
const whole = -1

// definition is the definition behind an entity.
func (g *Graph) definition(e entity) (*syntax.Definition, bool) {
	f, ok := g.File(e.path)
	if !ok || e.def < 0 || e.def >= len(f.Definitions) {
		return nil, false
	}
	return &f.Definitions[e.def], true
}

func (g *Graph) location(e entity) (Location, bool) {
	d, ok := g.definition(e)
	if !ok {
		return Location{}, false
	}
	return Location{Path: e.path, Def: e.def, Definition: *d}, true
}

// scopeKey asks what a name means in a file.
type scopeKey struct {
	file *syntax.File
	name string
}

// scopeAnswer is the answer, kept for the next time.
type scopeAnswer struct {
	is entity
	ok bool
}

// scope is what a name means at the top level of a file.
func (g *Graph) scope(f *syntax.File, name string, depth int) (entity, bool) {
	if depth > g.opts.MaxReExports {
		return entity{}, false
	}
	key := scopeKey{f, name}
	if known, ok := g.scopes[key]; ok {
		return known.is, known.ok
	}
	e, ok := g.scopeOf(f, name, depth)
	if ok || depth == 0 { // a miss further down may be the depth's
		g.scopes[key] = scopeAnswer{e, ok}
	}
	return e, ok
}

func (g *Graph) scopeOf(f *syntax.File, name string, depth int) (entity, bool) {
	switch f.Language.Family() {
	case syntax.FamilyPython:
		return g.python.scope(f, name, depth)
	case syntax.FamilyGo:
		return g.golang.scope(f, name)
	case syntax.FamilyJava:
		return g.javaScope(f, name)
	case syntax.FamilyScript:
		return g.script.scope(f, name, depth)
	}
	return entity{}, false
}

// member is what a name means inside an entity.
func (g *Graph) member(e entity, name string, depth int) (entity, bool) {
	if depth > g.opts.MaxReExports {
		return entity{}, false
	}
	if e.path == "" {
		if f := g.golang.member(e, name); f.path != "" {
			return f, true
		}
		return g.python.inNamespace(e.dir, name)
	}
	f, ok := g.File(e.path)
	if !ok {
		return entity{}, false
	}
	if e.def == whole {
		switch f.Language.Family() {
		case syntax.FamilyPython:
			return g.python.exported(f, name, depth)
		case syntax.FamilyScript:
			return g.script.exported(f, name, depth)
		}
		return entity{}, false
	}
	d := &f.Definitions[e.def]
	switch d.Kind {
	case syntax.Field, syntax.Variable, syntax.Constant:
		if found, ok := g.memberOfType(f, e.def, name, depth); ok {
			return found, true
		}
		t, ok := g.typeOf(f, d.Parent, d.Type, depth+1)
		if !ok || t == e {
			return entity{}, false
		}
		return g.member(t, name, depth+1)
	}
	return g.memberOfType(f, e.def, name, depth)
}

// typeOf is the type by that name, or that a call of that name returns, as seen
// from inside definition def.
func (g *Graph) typeOf(f *syntax.File, def int, typ string, depth int) (entity, bool) {
	if typ == "" || depth > g.opts.MaxReExports {
		return entity{}, false
	}
	name, called := strings.CutSuffix(typ, "()")
	e, ok := g.chain(f, def, strings.Split(name, "."), depth+1)
	if !ok || !called {
		return e, ok && e.def != whole
	}
	d, ok := g.definition(e)
	if !ok || isType(d.Kind) { // Python: the call of a class makes one
		return e, ok
	}
	in, ok := g.File(e.path)
	if !ok || d.Kind != syntax.Function && d.Kind != syntax.Method {
		return entity{}, false
	}
	return g.typeOf(in, e.def, d.Type, depth+1)
}

// memberOfType looks for a member of a class, interface, struct or object, then
// in what it is made from. Of overloads the answer is the first.
func (g *Graph) memberOfType(f *syntax.File, def int, name string, depth int) (entity, bool) {
	d := &f.Definitions[def]
	for i := range f.Definitions {
		m := &f.Definitions[i]
		if m.Name == name && (m.Parent == def || m.Parent < 0 && d.Parent < 0 && m.Qualified == d.Name+"."+name) {
			return entity{path: f.Path, def: i}, true
		}
	}
	if f.Language == syntax.Go && isType(d.Kind) {
		if e, ok := g.golang.method(f, d.Name, name); ok {
			return e, true
		}
	}
	for _, base := range d.Bases {
		b, ok := g.chain(f, def, strings.Split(base, "."), depth+1)
		if !ok || b.path == f.Path && b.def == def {
			continue
		}
		if e, ok := g.member(b, name, depth+1); ok {
			return e, true
		}
	}
	return entity{}, false
}

// chain resolves names joined by dots as seen from inside definition def of a
// file.
func (g *Graph) chain(f *syntax.File, def int, names []string, depth int) (entity, bool) {
	e, ok := g.visible(f, def, names[0], depth)
	for _, name := range names[1:] {
		if !ok {
			return entity{}, false
		}
		e, ok = g.member(e, name, depth)
	}
	return e, ok
}

// visible is what a name means inside definition def: something nested in the
// definitions around, then the file's scope.
func (g *Graph) visible(f *syntax.File, def int, name string, depth int) (entity, bool) {
	for at := def; at >= 0; at = f.Definitions[at].Parent {
		if isType(f.Definitions[at].Kind) && f.Language != syntax.Java {
			continue // a class body is no scope for its methods
		}
		for i := range f.Definitions {
			if f.Definitions[i].Parent == at && f.Definitions[i].Name == name && named(f.Definitions[i].Kind) {
				if f.Language != syntax.Java || isType(f.Definitions[i].Kind) {
					return entity{path: f.Path, def: i}, true
				}
			}
		}
	}
	return g.scope(f, name, depth)
}

func isType(k syntax.Kind) bool {
	switch k {
	case syntax.Class, syntax.Interface, syntax.Enum, syntax.Record, syntax.Annotation, syntax.Struct, syntax.Type:
		return true
	}
	return false
}

// named reports whether a definition's name is an identifier of the language.
func named(k syntax.Kind) bool {
	return k != syntax.Suite && k != syntax.Case && k != syntax.Hook && k != syntax.Handler
}

// topLevel is the top-level definition with the name, the last one where a file
// defines it more than once (overloads come before the implementation).
func (g *Graph) topLevel(f *syntax.File, name string) (entity, bool) {
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
	return entity{path: f.Path, def: i}, ok
}
