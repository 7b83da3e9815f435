package rust

import (
	"path"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/syntax"
)

// NewResolver makes the resolver of a graph.
func NewResolver(g *imports.Graph) imports.Resolver { return &resolver{g: g} }

// modulesAround counts the modules of a file that a definition lies in, itself
// included.
func modulesAround(f *syntax.File, def int) int {
	n := 0
	for ; def >= 0; def = f.Definitions[def].Parent {
		if f.Definitions[def].Kind == syntax.Namespace {
			n++
		}
	}
	return n
}

// module resolves a path that a file says, as seen from inside definition def.
func (r *resolver) module(f *syntax.File, def int, module string, depth int) (imports.Entity, bool) {
	if depth > r.g.MaxDepth() {
		return imports.Entity{}, false
	}
	here := imports.Entity{Path: f.Path, Def: imports.Whole}
	if module == "" {
		return here, true
	}
	names := strings.Split(module, ".")
	e, ok, inside := here, true, modulesAround(f, def)
	switch names[0] {
	case "crate":
		e, names = imports.Entity{Path: r.root(f.Path), Def: imports.Whole}, names[1:]
	case "self":
		names = names[1:]
		if inside > 0 {
			return imports.Entity{}, false
		}
	case parent:
		for len(names) > 0 && names[0] == parent && ok {
			if names = names[1:]; inside > 0 {
				inside--
			} else {
				e, ok = r.above(e.Path)
			}
		}
		if inside > 0 {
			return imports.Entity{}, false // another module of the same file
		}
	default:
		if e, ok = r.crate(f.Path, names[0]); !ok {
			e, ok = r.g.Visible(f, def, names[0], depth+1)
		}
		names = names[1:]
	}
	for _, name := range names {
		if !ok {
			break
		}
		e, ok = r.g.Member(e, name, depth+1)
	}
	return e, ok
}

// Scope is what a name means at the top level of a file: its definition, a module
// in another file, what a declaration brings in by name, a crate, or what one of
// the wildcards gives.
func (r *resolver) Scope(f *syntax.File, name string, depth int) (imports.Entity, bool) {
	switch name {
	case "crate", parent:
		return r.module(f, -1, name, depth)
	}
	if e, ok := r.g.TopLevel(f, name); ok {
		return e, true
	}
	return r.imported(f, name, depth, func(*syntax.Import) bool { return true })
}

// imported looks for a name among the imports of a file for which asked is true.
func (r *resolver) imported(f *syntax.File, name string, depth int, asked func(*syntax.Import) bool) (imports.Entity,
	bool) {
	var wild []imports.Entity
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Kind == syntax.ImportModule && im.Alias == name {
			return r.child(f.Path, name)
		}
		if !asked(im) {
			continue
		}
		for _, n := range im.Names {
			switch {
			case n.Name == "*":
				m, ok := r.module(f, im.Def, im.Module, depth+1)
				if !ok || m.Path == f.Path {
					continue
				}
				if e, ok := r.g.Member(m, name, depth+1); ok && !slices.Contains(wild, e) {
					wild = append(wild, e)
				}
			case n.Local() == name:
				if im.Module == "" {
					return r.crate(f.Path, n.Name)
				}
				m, ok := r.module(f, im.Def, im.Module, depth+1)
				if !ok || m.Path == f.Path && m.Def == imports.Whole && n.Name == name {
					return imports.Entity{}, false
				}
				return r.g.Member(m, n.Name, depth+1)
			}
		}
	}
	if e, ok := r.crate(f.Path, name); ok {
		return e, true
	}
	if len(wild) != 1 {
		return imports.Entity{}, false
	}
	return wild[0], true
}

// Exported is a name of a module: what its file defines, a module in a file of its
// own, or what it passes on.
func (r *resolver) Exported(f *syntax.File, name string, depth int) (imports.Entity, bool) {
	if name == parent {
		return r.above(f.Path)
	}
	if e, ok := r.g.TopLevel(f, name); ok {
		return e, true
	}
	if e, ok := r.child(f.Path, name); ok {
		return e, true
	}
	return r.imported(f, name, depth, func(im *syntax.Import) bool { return im.Kind == syntax.ImportReExport })
}

// Outside is a member of a type: a field, or what one of the blocks for the type
// defines, in its own file or another one of the crate, or what their traits do.
func (r *resolver) Outside(f *syntax.File, typ *syntax.Definition, name string, depth int) (imports.Entity, bool) {
	home, ok := r.g.Visible(f, typ.Parent, typ.Name, depth+1)
	if !ok {
		home = imports.Entity{Path: f.Path}
	}
	root := r.root(f.Path)
	if e, ok := r.memberIn(f, typ.Name, name); ok {
		return e, true
	}
	var found []imports.Entity
	for _, s := range r.g.Holding(r.g.Sources(&family), []imports.Handle{imports.NewHandle(0, typ.Name, name)}) {
		if s.Path == f.Path || r.root(s.Path) != root {
			continue
		}
		other, ok := r.g.File(s.Path)
		if !ok {
			continue
		}
		if e, ok := r.memberIn(other, typ.Name, name); ok {
			if there, ok := r.g.Visible(other, -1, typ.Name, depth+1); ok && there == home {
				found = append(found, e)
			}
		}
	}
	if len(found) == 0 {
		found = r.ofTraits(f, typ.Name, name, depth+1)
		if there, ok := r.g.File(home.Path); ok && home.Path != f.Path {
			found = append(found, r.ofTraits(there, typ.Name, name, depth+1)...)
		}
	}
	if len(found) == 1 {
		return found[0], true
	}
	return imports.Entity{}, false
}

// ofTraits lists what the traits of a type do for it, as far as the blocks of a file
// say which those are.
func (r *resolver) ofTraits(f *syntax.File, typ, name string, depth int) []imports.Entity {
	var out []imports.Entity
	for i := range f.Definitions {
		d := &f.Definitions[i]
		if d.Kind != syntax.Implementation || d.Name != typ {
			continue
		}
		for _, base := range d.Bases {
			trait, ok := r.g.Visible(f, d.Parent, base, depth)
			if !ok {
				continue
			}
			if t, ok := r.g.Definition(trait); !ok || t.Kind != syntax.Interface {
				continue
			}
			if e, ok := r.g.Member(trait, name, depth); ok && !slices.Contains(out, e) {
				out = append(out, e)
			}
		}
	}
	return out
}

// memberIn is a member of a type by its name that a file defines.
func (r *resolver) memberIn(f *syntax.File, typ, name string) (imports.Entity, bool) {
	for i := range f.Definitions {
		m := &f.Definitions[i]
		if m.Name != name || m.Parent < 0 {
			continue
		}
		if p := &f.Definitions[m.Parent]; p.Name == typ && imports.IsType(p.Kind) {
			return imports.Entity{Path: f.Path, Def: i}, true
		}
	}
	return imports.Entity{}, false
}

// Edges are the files that a Rust file uses: its child modules, what it brings in
// by name, and what it names by a whole path.
func (r *resolver) Edges(f, _ *syntax.File) imports.EdgeSet {
	set := imports.EdgeSet{}
	for i := range f.Imports {
		im := &f.Imports[i]
		line := im.Lines.Start
		if im.Kind == syntax.ImportModule {
			if e, ok := r.child(f.Path, im.Alias); ok {
				set.Add(e.Path, imports.ByImport, line)
				r.g.UsedEdges(set, f, nil, e, im.Alias, line)
			}
			continue
		}
		m, ok := r.module(f, im.Def, im.Module, 0)
		if !ok || im.Module == "" {
			continue
		}
		for _, n := range im.Names {
			r.edge(set, f, im, m, n)
		}
	}
	r.pathEdges(set, f)
	return set
}

// edge adds where one name of an import comes from.
func (r *resolver) edge(set imports.EdgeSet, f *syntax.File, im *syntax.Import, m imports.Entity,
	n syntax.ImportedName) {
	line := im.Lines.Start
	if n.Name == "*" {
		if m.Path != f.Path {
			set.Add(m.Path, imports.ByImport, line)
			r.wildcardEdges(set, f, m, line)
		}
		return
	}
	e, ok := r.g.Member(m, n.Name, 0)
	if !ok {
		return
	}
	r.nameEdge(set, m, line, e, n.Name)
	if e.Def == imports.Whole {
		r.g.UsedEdges(set, f, nil, e, n.Local(), line)
	}
}

// nameEdge adds where a name of a module is from. A module on the way to another
// one is no more than a part of its path.
func (r *resolver) nameEdge(set imports.EdgeSet, m imports.Entity, line int, e imports.Entity, name string) {
	if e.Def == imports.Whole {
		set.Add(e.Path, imports.ByImport, line)
		return
	}
	r.g.NameEdge(set, m.Path, line, e, name)
}

// wildcardEdges adds the names that a file uses without saying where they are
// from, as far as a module that it takes all of has them.
func (r *resolver) wildcardEdges(set imports.EdgeSet, f *syntax.File, m imports.Entity, line int) {
	seen := map[string]bool{}
	take := func(name string) {
		if seen[name] || name == "" {
			return
		}
		seen[name] = true
		if _, own := r.g.TopLevel(f, name); own {
			return
		}
		if e, ok := r.g.Member(m, name, 0); ok && e.Def != imports.Whole {
			r.g.NameEdge(set, m.Path, line, e, name)
		}
	}
	for i := range f.Calls {
		if c := &f.Calls[i]; !c.Local && c.Receiver == "" {
			take(c.Name)
		}
	}
	for i := range f.Uses {
		if u := &f.Uses[i]; u.Receiver == "" {
			take(u.Name)
		}
	}
}

// pathEdges adds what calls and types name by a path from the root of the crate,
// from the module around, or from another crate.
func (r *resolver) pathEdges(set imports.EdgeSet, f *syntax.File) {
	add := func(receiver, name string, line int) {
		first, _, _ := strings.Cut(receiver, ".")
		if _, isCrate := r.crate(f.Path, first); first != "crate" && first != parent && !isCrate {
			return
		}
		m, ok := r.module(f, -1, receiver, 0)
		if !ok || m.Path == f.Path {
			return
		}
		if e, ok := r.g.Member(m, name, 0); ok {
			r.nameEdge(set, m, line, e, name)
		}
	}
	for i := range f.Calls {
		if c := &f.Calls[i]; !c.Local {
			add(c.Receiver, c.Name, c.Line)
		}
	}
	for i := range f.Uses {
		if u := &f.Uses[i]; !u.Local {
			add(u.Receiver, u.Name, u.Line)
		}
	}
}

// Handles: a file that uses another one names what that defines or passes on, its
// module, or its crate.
func (r *resolver) Handles(file string, _ imports.Occurrence) []imports.Handle {
	name := imports.Stem(file)
	if isFolderFile(file) {
		name = path.Base(path.Dir(file))
	}
	names := append(r.g.TopNames(file), name)
	r.load()
	for crate, roots := range r.crates {
		if slices.Contains(roots, file) {
			names = append(names, crate)
		}
	}
	f, ok := r.g.File(file)
	if !ok {
		return nil
	}
	for i := range f.Imports {
		if im := &f.Imports[i]; im.Kind == syntax.ImportReExport {
			for _, n := range im.Names {
				names = append(names, n.Local())
				if n.Name == "*" && r.root(file) == file {
					names = append(names, "crate")
				}
			}
		}
	}
	return imports.EachHandle(imports.Bare, names)
}
