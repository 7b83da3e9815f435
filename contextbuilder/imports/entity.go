package imports

import (
	"strings"

	"github.com/prforge/prforge/contextbuilder/syntax"
)

// entity is what a name may stand for: a definition, a file as a module, or a
// Go package or Python namespace as a directory.
type entity struct {
	path string
	def  int    // index of a definition of path; whole for the module
	dir  string // directory, when path is ""
	ext  bool   // Go: the external test package of dir
}

// whole stands for the file itself, not one of its definitions.
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
	return k != syntax.Suite && k != syntax.Case && k != syntax.Hook
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

// target resolves a call to a definition; false when it cannot be told.
func (g *Graph) target(f *syntax.File, c syntax.Call) (entity, bool) {
	e, ok := g.callee(f, c)
	if !ok {
		return entity{}, false
	}
	d, ok := g.definition(e)
	if !ok || d.Kind == syntax.Field || d.Kind == syntax.Namespace || d.Kind == syntax.Type {
		return entity{}, false
	}
	if f.Language == syntax.Java {
		return g.overload(e, c)
	}
	return e, true
}

func (g *Graph) callee(f *syntax.File, c syntax.Call) (entity, bool) {
	switch {
	case c.Receiver == "?":
		return entity{}, false
	case c.Receiver == "":
		if f.Language == syntax.Java {
			return g.javaBareCall(f, c)
		}
		if e, ok := g.nested(f, c); ok || c.Local {
			return e, ok
		}
		return g.scope(f, c.Name, 0)
	case isSelf(c.Receiver):
		class := enclosingType(f, c.Def)
		if class < 0 {
			return entity{}, false
		}
		if c.Receiver == "super" {
			return g.inherited(f, class, c.Name)
		}
		return g.memberOfType(f, class, c.Name, 0)
	}
	e, rest, ok := g.receiver(f, c)
	for _, name := range append(rest, c.Name) {
		if ok {
			e, ok = g.member(e, name, 0)
		}
	}
	return e, ok
}

// receiver is what the receiver of a call begins with, and the names that follow:
// a local variable or field by its type, else what the file knows by that name.
func (g *Graph) receiver(f *syntax.File, c syntax.Call) (entity, []string, bool) {
	names := strings.Split(c.Receiver, ".")
	switch {
	case isSelf(names[0]) && c.Type == "":
		class := enclosingType(f, c.Def)
		return entity{path: f.Path, def: class}, names[1:], class >= 0
	case isSelf(names[0]):
		e, ok := g.typeOf(f, c.Def, c.Type, 0)
		return e, names[2:], ok
	case c.Local:
		e, ok := g.typeOf(f, c.Def, c.Type, 0)
		return e, names[1:], ok
	}
	e, ok := g.visible(f, c.Def, names[0], 0)
	return e, names[1:], ok
}

func isSelf(receiver string) bool {
	return receiver == "self" || receiver == "cls" || receiver == "this" || receiver == "super"
}

// enclosingType is the class around a definition; -1 if there is none. For a
// function assigned to a prototype or an object there is none.
func enclosingType(f *syntax.File, def int) int {
	for ; def >= 0; def = f.Definitions[def].Parent {
		if isType(f.Definitions[def].Kind) {
			return def
		}
	}
	return -1
}

func (g *Graph) inherited(f *syntax.File, class int, name string) (entity, bool) {
	for _, base := range f.Definitions[class].Bases {
		if b, ok := g.chain(f, class, strings.Split(base, "."), 1); ok && (b.path != f.Path || b.def != class) {
			if e, ok := g.member(b, name, 1); ok {
				return e, true
			}
		}
	}
	return entity{}, false
}

// nested is a function defined inside the functions around the call.
func (g *Graph) nested(f *syntax.File, c syntax.Call) (entity, bool) {
	for at := c.Def; at >= 0; at = f.Definitions[at].Parent {
		for i := range f.Definitions {
			d := &f.Definitions[i]
			if d.Parent == at && d.Name == c.Name && d.Kind == syntax.Function {
				return entity{path: f.Path, def: i}, true
			}
		}
	}
	return entity{}, false
}

// overload picks among Java methods of one name and class the only one that
// takes as many arguments as the call has; false if several or none do. A call of
// a class is one of its constructors, or the class where it has none.
func (g *Graph) overload(e entity, c syntax.Call) (entity, bool) {
	f, ok := g.File(e.path)
	if !ok {
		return entity{}, false
	}
	d := &f.Definitions[e.def]
	parent, name := d.Parent, d.Name
	construct := isType(d.Kind)
	if construct {
		parent = e.def
	}
	var fits, all []int
	for i := range f.Definitions {
		m := &f.Definitions[i]
		if m.Parent != parent || m.Name != name || construct != (m.Kind == syntax.Constructor) {
			continue
		}
		all = append(all, i)
		if n := syntax.Parameters(m.Signature); n == c.Args || n < 0 && c.Args >= -n-1 {
			fits = append(fits, i)
		}
	}
	switch {
	case len(fits) == 1:
		return entity{path: e.path, def: fits[0]}, true
	case len(all) == 1:
		return entity{path: e.path, def: all[0]}, true
	case construct:
		return e, true
	}
	return entity{}, false
}
