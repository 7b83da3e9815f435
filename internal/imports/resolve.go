package imports

import (
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// target resolves a call to a definition; false if it is unknown.
func (g *Graph) target(f *syntax.File, c syntax.Call) (Entity, bool) {
	e, ok := g.callee(f, c)
	if !ok {
		return Entity{}, false
	}
	d, ok := g.Definition(e)
	if !ok || d.Kind == syntax.Field || d.Kind == syntax.Namespace || d.Kind == syntax.Type {
		return Entity{}, false
	}
	if f.Language.Overloads {
		return g.overload(e, c)
	}
	return e, true
}

func (g *Graph) callee(f *syntax.File, c syntax.Call) (Entity, bool) {
	switch {
	case c.Receiver == "?":
		return Entity{}, false
	case c.Receiver == "":
		if f.Language.ImplicitThis {
			return g.bareCall(f, c)
		}
		if e, ok := g.nested(f, c); ok || c.Local {
			return e, ok
		}
		return g.scope(f, c.Name, 0)
	case isSelf(c.Receiver):
		class := enclosingType(f, c.Def)
		if class < 0 {
			return Entity{}, false
		}
		if c.Receiver == "super" {
			return g.inherited(f, class, c.Name)
		}
		return g.MemberOfType(f, class, c.Name, 0)
	}
	e, rest, ok := g.receiver(f, c)
	for _, name := range append(rest, c.Name) {
		if ok {
			e, ok = g.Member(e, name, 0)
		}
	}
	return e, ok
}

// receiver is what the receiver of a call begins with, and the names that follow:
// a local variable or field by its type, else what the file knows by that name.
func (g *Graph) receiver(f *syntax.File, c syntax.Call) (Entity, []string, bool) {
	names := strings.Split(c.Receiver, ".")
	switch {
	case isSelf(names[0]) && c.Type == "":
		class := enclosingType(f, c.Def)
		return Entity{Path: f.Path, Def: class}, names[1:], class >= 0
	case isSelf(names[0]):
		e, ok := g.typeOf(f, c.Def, c.Type, 0)
		return e, names[2:], ok
	case c.Local:
		e, ok := g.typeOf(f, c.Def, c.Type, 0)
		return e, names[1:], ok
	}
	e, ok := g.Visible(f, c.Def, names[0], 0)
	return e, names[1:], ok
}

func isSelf(receiver string) bool {
	return receiver == "self" || receiver == "cls" || receiver == "this" || receiver == "super"
}

// enclosingType is the class around a definition; -1 if there is none. For a
// function assigned to a prototype or an object there is none.
func enclosingType(f *syntax.File, def int) int {
	for ; def >= 0; def = f.Definitions[def].Parent {
		if IsType(f.Definitions[def].Kind) {
			return def
		}
	}
	return -1
}

// bareCall resolves a call without a receiver where methods may use the members of
// their types: the construction of a type, a member of the types around it or of
// what they extend, or what the language has beside them.
func (g *Graph) bareCall(f *syntax.File, c syntax.Call) (Entity, bool) {
	if c.Name != "" && 'A' <= c.Name[0] && c.Name[0] <= 'Z' {
		if e, ok := g.Visible(f, c.Def, c.Name, 0); ok {
			return e, true
		}
	}
	for at := c.Def; at >= 0; at = f.Definitions[at].Parent {
		if IsType(f.Definitions[at].Kind) {
			if e, ok := g.MemberOfType(f, at, c.Name, 0); ok {
				return e, true
			}
		}
	}
	return g.Resolver(f.Language.Family).BareCall(f, c)
}

func (g *Graph) inherited(f *syntax.File, class int, name string) (Entity, bool) {
	for _, base := range f.Definitions[class].Bases {
		if b, ok := g.chain(f, class, strings.Split(base, "."), 1); ok && (b.Path != f.Path || b.Def != class) {
			if e, ok := g.Member(b, name, 1); ok {
				return e, true
			}
		}
	}
	return Entity{}, false
}

// nested is a function defined inside the functions around the call.
func (g *Graph) nested(f *syntax.File, c syntax.Call) (Entity, bool) {
	for at := c.Def; at >= 0; at = f.Definitions[at].Parent {
		for i := range f.Definitions {
			d := &f.Definitions[i]
			if d.Parent == at && d.Name == c.Name && d.Kind == syntax.Function {
				return Entity{Path: f.Path, Def: i}, true
			}
		}
	}
	return Entity{}, false
}

// overload picks among methods of one name and class the only one that
// takes as many arguments as the call has; false if several or none do. A call of
// a class is one of its constructors, or the class where it has none.
func (g *Graph) overload(e Entity, c syntax.Call) (Entity, bool) {
	f, ok := g.File(e.Path)
	if !ok {
		return Entity{}, false
	}
	d := &f.Definitions[e.Def]
	parent, name := d.Parent, d.Name
	construct := IsType(d.Kind)
	if construct {
		parent = e.Def
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
		return Entity{Path: e.Path, Def: fits[0]}, true
	case len(all) == 1:
		return Entity{Path: e.Path, Def: all[0]}, true
	case construct:
		return e, true
	}
	return Entity{}, false
}
