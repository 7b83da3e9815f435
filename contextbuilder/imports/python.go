package imports

import (
	"path"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// pythonModules resolves Python's modules.
type pythonModules struct {
	g *Graph
	// roots are the directories that an absolute import may start from whoever
	// imports: the repository, each project in it, and their src and lib folders.
	roots []string
}

func newPythonModules(g *Graph) *pythonModules {
	seen := map[string]bool{}
	add := func(dir string) {
		for _, d := range []string{dir, path.Join(dir, "src"), path.Join(dir, "lib"), path.Join(dir, "python")} {
			if d == "." || g.index.dirs[d] {
				seen[d] = true
			}
		}
	}
	add(".")
	for _, base := range []string{"pyproject.toml", "setup.py", "setup.cfg"} {
		for _, p := range g.index.configs[base] {
			add(path.Dir(p))
		}
	}
	p := &pythonModules{g: g}
	for d := range seen {
		// A folder that is itself a package is imported through its parent.
		if _, ok := g.index.entries[path.Join(d, "__init__.py")]; !ok {
			p.roots = append(p.roots, d)
		}
	}
	slices.Sort(p.roots)
	return p
}

// packageRoot is the directory that python puts on its path for a file: the
// first one upwards that is not a package.
func (p *pythonModules) packageRoot(file string) string {
	dir := path.Dir(file)
	for dir != "." {
		if _, ok := p.g.index.entries[path.Join(dir, "__init__.py")]; !ok {
			break
		}
		dir = path.Dir(dir)
	}
	return dir
}

// at is the module or package that lies at a path without extension.
func (p *pythonModules) at(base string) (entity, bool) {
	for _, suffix := range []string{"/__init__.py", ".py", ".pyi", "/__init__.pyi"} {
		if file := base + suffix; p.g.index.isSource(file) {
			return entity{path: file, def: whole}, true
		}
	}
	if p.g.index.dirs[base] && base != "." {
		return entity{dir: base}, true
	}
	return entity{}, false
}

// module resolves the module of an import as the file sees it.
func (p *pythonModules) module(file string, level int, module string) (entity, bool) {
	rel := strings.ReplaceAll(module, ".", "/")
	if level > 0 {
		dir := path.Dir(file)
		for range level - 1 {
			if dir == "." {
				return entity{}, false
			}
			dir = path.Dir(dir)
		}
		if rel == "" {
			if init := path.Join(dir, "__init__.py"); p.g.index.isSource(init) {
				return entity{path: init, def: whole}, true
			}
			return entity{dir: dir}, true
		}
		return p.at(path.Join(dir, rel))
	}
	return p.absolute(file, rel)
}

// absolute looks in the file's own root and in the project roots above it,
// nearest first; then in the others, where there must be no two answers. A bare
// directory answers only when no file does.
func (p *pythonModules) absolute(file, rel string) (entity, bool) {
	own := p.packageRoot(file)
	above := []string{own}
	var others []string
	for _, r := range p.roots {
		switch {
		case r == own:
		case r == "." || strings.HasPrefix(file, r+"/"):
			above = append(above, r)
		default:
			others = append(others, r)
		}
	}
	slices.SortStableFunc(above[1:], func(a, b string) int { return len(b) - len(a) })
	var namespace entity
	for _, r := range above {
		if e, ok := p.at(path.Join(r, rel)); ok {
			if e.path != "" {
				return e, true
			}
			namespace = e
		}
	}
	var found []entity
	for _, r := range others {
		if e, ok := p.at(path.Join(r, rel)); ok && e.path != "" {
			found = append(found, e)
		}
	}
	if len(found) == 1 {
		return found[0], true
	}
	return namespace, namespace.dir != "" && len(found) == 0
}

// PythonModule is the file of the module that an import in a Python file names,
// with the number of leading dots; false where it is none of the repository's.
func (g *Graph) PythonModule(file string, level int, module string) (string, bool) {
	e, ok := g.python.module(file, level, module)
	return e.path, ok && e.path != ""
}

// inNamespace is the module of a name inside a directory.
func (p *pythonModules) inNamespace(dir, name string) (entity, bool) {
	return p.at(path.Join(dir, name))
}

// scope is what a name means at the top level of a file: its last definition,
// else what its imports bind it to, else what one of its wildcard imports gives.
func (p *pythonModules) scope(f *syntax.File, name string, depth int) (entity, bool) {
	if e, ok := p.g.topLevel(f, name); ok {
		return e, true
	}
	for i := range f.Imports {
		if e, ok := p.bound(f, &f.Imports[i], name, depth); ok {
			return e, true
		}
	}
	var found []entity
	for i := range f.Imports {
		im := &f.Imports[i]
		if len(im.Names) != 1 || im.Names[0].Name != "*" || strings.HasPrefix(name, "_") {
			continue
		}
		if m, ok := p.module(f.Path, im.Level, im.Module); ok && m.path != "" && m.path != f.Path {
			if e, ok := p.g.member(m, name, depth+1); ok && !slices.Contains(found, e) {
				found = append(found, e)
			}
		}
	}
	if len(found) != 1 {
		return entity{}, false
	}
	return found[0], true
}

// bound is what an import binds a name to.
func (p *pythonModules) bound(f *syntax.File, im *syntax.Import, name string, depth int) (entity, bool) {
	if len(im.Names) == 0 {
		first, _, _ := strings.Cut(im.Module, ".")
		switch {
		case im.Alias == name && name != "":
			return p.module(f.Path, 0, im.Module)
		case im.Alias == "" && first == name:
			return p.module(f.Path, 0, first)
		}
		return entity{}, false
	}
	for _, n := range im.Names {
		if n.Name == "*" || n.Local() != name {
			continue
		}
		if m, ok := p.module(f.Path, im.Level, im.Module); ok {
			return p.from(f, m, n.Name, depth)
		}
	}
	return entity{}, false
}

// from is what "from m import name" takes: what the module defines or imports,
// else the submodule of that name.
func (p *pythonModules) from(f *syntax.File, m entity, name string, depth int) (entity, bool) {
	if m.path == "" {
		return p.inNamespace(m.dir, name)
	}
	if m.path == f.Path {
		if path.Base(m.path) == "__init__.py" {
			return p.at(path.Join(path.Dir(m.path), name))
		}
		return entity{}, false
	}
	return p.g.member(m, name, depth+1)
}

// exported is an attribute of a module. A submodule wins over an import of the
// same name in its package: "from .celery import celery" in an __init__ hides
// the submodule, and which of the two is meant depends on the order of imports.
func (p *pythonModules) exported(f *syntax.File, name string, depth int) (entity, bool) {
	if e, ok := p.g.topLevel(f, name); ok {
		return e, true
	}
	if strings.HasPrefix(path.Base(f.Path), "__init__.") {
		if e, ok := p.at(path.Join(path.Dir(f.Path), name)); ok && e.path != "" {
			return e, true
		}
	}
	return p.scope(f, name, depth+1)
}

// edges are the files that a Python file imports; see edgesOf.
func (p *pythonModules) edges(f, to *syntax.File) edgeSet {
	set := edgeSet{}
	for i := range f.Imports {
		im := &f.Imports[i]
		m, ok := p.module(f.Path, im.Level, im.Module)
		if !ok {
			continue
		}
		if len(im.Names) == 0 {
			if m.path != "" {
				local := im.Alias
				if local == "" {
					local = im.Module
				}
				set.add(m.path, ByImport, im.Lines.Start)
				p.g.usedEdges(set, f, to, m, local, im.Lines.Start)
			}
			continue
		}
		for _, n := range im.Names {
			if m.path == f.Path || p.g.mayLead(m, n.Name, to) {
				p.fromEdge(set, f, to, im, m, n.Name)
			}
		}
	}
	return set
}

// fromEdge adds the edges of one name of a from-import: to the module, and to
// where the name comes from when the module only passes it on.
func (p *pythonModules) fromEdge(set edgeSet, f, to *syntax.File, im *syntax.Import, m entity, name string) {
	line := im.Lines.Start
	if name == "*" {
		if m.path != "" {
			set.add(m.path, ByImport, line)
		}
		return
	}
	e, ok := p.from(f, m, name, 0)
	switch {
	case ok && e.path == "":
	case !ok:
		if m.path != "" && m.path != f.Path && im.Module != "" {
			set.add(m.path, ByImport, line)
		}
	case e.def == whole: // a submodule
		set.add(e.path, ByImport, line)
		local := name
		for _, n := range im.Names {
			if n.Name == name {
				local = n.Local()
			}
		}
		p.g.usedEdges(set, f, to, e, local, line)
	case e.path == m.path:
		set.add(e.path, ByImport, line, name)
	default:
		if m.path != "" {
			set.add(m.path, ByImport, line, name)
		}
		set.add(e.path, ByReExport, line, p.g.nameOf(e))
	}
}

// localNames are the names by which a file knows another one and what it has, as far
// as those are imported from a module by name, or given to a module.
func (p *pythonModules) localNames(f *syntax.File, of string) []string {
	to, _ := p.g.File(of)
	var out []string
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Alias != "" {
			out = append(out, im.Alias)
		}
		m, ok := p.module(f.Path, im.Level, im.Module)
		for _, n := range im.Names {
			if !ok || n.Name == "*" || m.path != f.Path && !p.g.mayLead(m, n.Name, to) {
				continue
			}
			if e, ok := p.from(f, m, n.Name, 0); m.path == of || ok && e.path == of {
				out = append(out, n.Local())
			}
		}
	}
	return out
}

// takesAll reports whether a file imports all names of one of the given files.
func (p *pythonModules) takesAll(f *syntax.File, from map[string]bool) bool {
	for i := range f.Imports {
		im := &f.Imports[i]
		if len(im.Names) == 1 && im.Names[0].Name == "*" {
			if m, ok := p.module(f.Path, im.Level, im.Module); ok && from[m.path] {
				return true
			}
		}
	}
	return false
}

// handles: an importer names the module in a statement that imports, or in its code
// behind the folder that it is in; unless it lies inside that folder, it names that
// too. Of a package it names the directory or, inside, what the package has.
func (p *pythonModules) handles(file string) []handle {
	dir, name := path.Dir(file), stem(file)
	if name != "__init__" {
		out := p.behind(dir, name)
		if _, ok := p.g.index.entries[path.Join(dir, "__init__.py")]; !ok || dir == "." {
			return append(out, newHandle(bound, name))
		}
		inside := newHandle(bound, name)
		inside.under = dir
		return append(out, inside, newHandle(bound, name, path.Base(dir)))
	}
	out := append(p.behind(path.Dir(dir), path.Base(dir)), newHandle(bound, path.Base(dir)))
	has := p.g.topNames(file)
	if f, ok := p.g.File(file); ok {
		for i := range f.Imports {
			for _, n := range f.Imports[i].Names {
				has = append(has, n.Local())
			}
		}
	}
	for _, h := range eachHandle(bound, has) {
		if dir != "." {
			h.under = dir
		}
		out = append(out, h)
	}
	return out
}

// behind are handles of a name that is used as an attribute of its folder, or of
// another name for that.
func (p *pythonModules) behind(dir, name string) []handle {
	if dir == "." {
		return nil
	}
	folder := path.Base(dir)
	return []handle{{mentions: []mention{pairOf(folder, name)}}, {mentions: []mention{mentionOf(folder, renamed), mentionOf(name, imported)}}}
}

// nameOf is the name of the definition behind an entity; "" for a module.
func (g *Graph) nameOf(e entity) string {
	if d, ok := g.definition(e); ok {
		return d.Name
	}
	return ""
}
