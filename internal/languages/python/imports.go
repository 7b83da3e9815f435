package python

import (
	"path"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/syntax"
)

// resolver resolves Python's modules.
type resolver struct {
	imports.NoReExports
	g *imports.Graph
	// roots are the directories from which an absolute import may start, for any importing file: the repository, each
	// project in it, and their src and lib folders.
	roots []string
	// renamed are the words of what files import under another name; nil until they are
	// needed.
	renamed map[imports.Mention]bool
}

// NewResolver makes the resolver of a graph.
func NewResolver(g *imports.Graph) imports.Resolver {
	seen := map[string]bool{}
	add := func(dir string) {
		for _, d := range []string{dir, path.Join(dir, "src"), path.Join(dir, "lib"), path.Join(dir, "python")} {
			if d == "." || g.HasFolder(d) {
				seen[d] = true
			}
		}
	}
	add(".")
	for _, base := range []string{"pyproject.toml", "setup.py", "setup.cfg"} {
		for _, p := range g.Configs(base) {
			add(path.Dir(p))
		}
	}
	p := &resolver{g: g}
	for d := range seen {
		// A folder that is itself a package is imported through its parent.
		if ok := g.HasFile(path.Join(d, "__init__.py")); !ok {
			p.roots = append(p.roots, d)
		}
	}
	slices.Sort(p.roots)
	return p
}

// packageRoot is the directory that python puts on its path for a file: the
// first one upwards that is not a package.
func (p *resolver) packageRoot(file string) string {
	dir := path.Dir(file)
	for dir != "." {
		if ok := p.g.HasFile(path.Join(dir, "__init__.py")); !ok {
			break
		}
		dir = path.Dir(dir)
	}
	return dir
}

// at is the module or package that lies at a path without extension.
func (p *resolver) at(base string) (imports.Entity, bool) {
	for _, suffix := range []string{"/__init__.py", ".py", ".pyi", "/__init__.pyi"} {
		if file := base + suffix; p.g.Source(file) != nil {
			return imports.Entity{Path: file, Def: imports.Whole}, true
		}
	}
	if p.g.HasFolder(base) && base != "." {
		return imports.Entity{Of: &family, Dir: base}, true
	}
	return imports.Entity{}, false
}

// module resolves the module of an import as the file sees it.
func (p *resolver) module(file string, level int, module string) (imports.Entity, bool) {
	rel := strings.ReplaceAll(module, ".", "/")
	if level > 0 {
		dir := path.Dir(file)
		for range level - 1 {
			if dir == "." {
				return imports.Entity{}, false
			}
			dir = path.Dir(dir)
		}
		if rel == "" {
			if init := path.Join(dir, "__init__.py"); p.g.Source(init) != nil {
				return imports.Entity{Path: init, Def: imports.Whole}, true
			}
			return imports.Entity{Of: &family, Dir: dir}, true
		}
		return p.at(path.Join(dir, rel))
	}
	return p.absolute(file, rel)
}

// absolute looks in the file's own root and in the project roots above it,
// nearest first; then in the others, where there must be no two answers. A bare
// directory answers only when no file does.
func (p *resolver) absolute(file, rel string) (imports.Entity, bool) {
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
	var namespace imports.Entity
	for _, r := range above {
		if e, ok := p.at(path.Join(r, rel)); ok {
			if e.Path != "" {
				return e, true
			}
			namespace = e
		}
	}
	var found []imports.Entity
	for _, r := range others {
		if e, ok := p.at(path.Join(r, rel)); ok && e.Path != "" {
			found = append(found, e)
		}
	}
	if len(found) == 1 {
		return found[0], true
	}
	return namespace, namespace.Dir != "" && len(found) == 0
}

// Module is the file of the module that an import in a Python file names, with
// the number of leading dots; false where it is none of the repository's.
func Module(g *imports.Graph, file string, level int, module string) (string, bool) {
	e, ok := g.Resolver(&family).(*resolver).module(file, level, module)
	return e.Path, ok && e.Path != ""
}

// InFolder is the module of a name inside a directory.
func (p *resolver) InFolder(dir, name string) (imports.Entity, bool) {
	return p.at(path.Join(dir, name))
}

// Scope is what a name means at the top level of a file: its last definition,
// else what its imports bind it to, else what one of its wildcard imports gives.
func (p *resolver) Scope(f *syntax.File, name string, depth int) (imports.Entity, bool) {
	if e, ok := p.g.TopLevel(f, name); ok {
		return e, true
	}
	for i := range f.Imports {
		if e, ok := p.bound(f, &f.Imports[i], name, depth); ok {
			return e, true
		}
	}
	var found []imports.Entity
	for i := range f.Imports {
		im := &f.Imports[i]
		if len(im.Names) != 1 || im.Names[0].Name != "*" || strings.HasPrefix(name, "_") {
			continue
		}
		if m, ok := p.module(f.Path, im.Level, im.Module); ok && m.Path != "" && m.Path != f.Path {
			if e, ok := p.g.Member(m, name, depth+1); ok && !slices.Contains(found, e) {
				found = append(found, e)
			}
		}
	}
	if len(found) != 1 {
		return imports.Entity{}, false
	}
	return found[0], true
}

// bound is what an import binds a name to.
func (p *resolver) bound(f *syntax.File, im *syntax.Import, name string, depth int) (imports.Entity, bool) {
	if len(im.Names) == 0 {
		first, _, _ := strings.Cut(im.Module, ".")
		switch {
		case im.Alias == name && name != "":
			return p.module(f.Path, 0, im.Module)
		case im.Alias == "" && first == name:
			return p.module(f.Path, 0, first)
		}
		return imports.Entity{}, false
	}
	for _, n := range im.Names {
		if n.Name == "*" || n.Local() != name {
			continue
		}
		if m, ok := p.module(f.Path, im.Level, im.Module); ok {
			return p.from(f, m, n.Name, depth)
		}
	}
	return imports.Entity{}, false
}

// from is what "from m import name" takes: what the module defines or imports,
// else the submodule of that name.
func (p *resolver) from(f *syntax.File, m imports.Entity, name string, depth int) (imports.Entity, bool) {
	if m.Path == "" {
		return p.InFolder(m.Dir, name)
	}
	if m.Path == f.Path {
		if path.Base(m.Path) == "__init__.py" {
			return p.at(path.Join(path.Dir(m.Path), name))
		}
		return imports.Entity{}, false
	}
	return p.g.Member(m, name, depth+1)
}

// Exported is an attribute of a module. A submodule wins over an import of the
// same name in its package: "from .celery import celery" in an __init__ hides
// the submodule, and which of the two is meant depends on the order of imports.
func (p *resolver) Exported(f *syntax.File, name string, depth int) (imports.Entity, bool) {
	if e, ok := p.g.TopLevel(f, name); ok {
		return e, true
	}
	if strings.HasPrefix(path.Base(f.Path), "__init__.") {
		if e, ok := p.at(path.Join(path.Dir(f.Path), name)); ok && e.Path != "" {
			return e, true
		}
	}
	return p.Scope(f, name, depth+1)
}

// Edges are the files that a Python file imports.
func (p *resolver) Edges(f, to *syntax.File) imports.EdgeSet {
	set := imports.EdgeSet{}
	for i := range f.Imports {
		im := &f.Imports[i]
		m, ok := p.module(f.Path, im.Level, im.Module)
		if !ok {
			continue
		}
		if len(im.Names) == 0 {
			if m.Path != "" {
				local := im.Alias
				if local == "" {
					local = im.Module
				}
				set.Add(m.Path, imports.ByImport, im.Lines.Start)
				p.g.UsedEdges(set, f, to, m, local, im.Lines.Start)
			}
			continue
		}
		for _, n := range im.Names {
			if m.Path == f.Path || p.g.MayLeadTo(m, n.Name, to) {
				p.fromEdge(set, f, to, im, m, n.Name)
			}
		}
	}
	return set
}

// fromEdge adds the edges of one name of a from-import: to the module, and to
// where the name comes from when the module only passes it on.
func (p *resolver) fromEdge(set imports.EdgeSet, f, to *syntax.File, im *syntax.Import, m imports.Entity, name string) {
	line := im.Lines.Start
	if name == "*" {
		if m.Path != "" {
			set.Add(m.Path, imports.ByImport, line)
		}
		return
	}
	e, ok := p.from(f, m, name, 0)
	switch {
	case ok && e.Path == "":
	case !ok:
		if m.Path != "" && m.Path != f.Path && im.Module != "" {
			set.Add(m.Path, imports.ByImport, line)
		}
	case e.Def == imports.Whole: // a submodule
		set.Add(e.Path, imports.ByImport, line)
		local := name
		for _, n := range im.Names {
			if n.Name == name {
				local = n.Local()
			}
		}
		p.g.UsedEdges(set, f, to, e, local, line)
	case e.Path == m.Path:
		set.Add(e.Path, imports.ByImport, line, name)
	default:
		if m.Path != "" {
			set.Add(m.Path, imports.ByImport, line, name)
		}
		set.Add(e.Path, imports.ByReExport, line, p.g.NameOf(e))
	}
}

// Handles: an importer names the module in a statement that imports, or in its code
// behind the folder that it is in; unless it lies inside that folder, it names that
// too. Of a package it names the directory or, inside, what the package has.
func (p *resolver) Handles(file string, _ imports.Occurrence) []imports.Handle {
	dir, name := path.Dir(file), imports.Stem(file)
	if name != "__init__" {
		out := p.behind(dir, name)
		if ok := p.g.HasFile(path.Join(dir, "__init__.py")); !ok || dir == "." {
			return append(out, imports.NewHandle(imports.Bound, name))
		}
		inside := imports.NewHandle(imports.Bound, name)
		inside.Under = dir
		return append(out, inside, imports.NewHandle(imports.Bound, name, path.Base(dir)))
	}
	out := append(p.behind(path.Dir(dir), path.Base(dir)), imports.NewHandle(imports.Bound, path.Base(dir)))
	has := p.g.TopNames(file)
	if f, ok := p.g.File(file); ok {
		for i := range f.Imports {
			for _, n := range f.Imports[i].Names {
				has = append(has, n.Local())
			}
		}
	}
	for _, h := range imports.EachHandle(imports.Bound, has) {
		if dir != "." {
			h.Under = dir
		}
		out = append(out, h)
	}
	return out
}

// behind are handles of a name that is used as an attribute of its folder, or of
// another name for that.
func (p *resolver) behind(dir, name string) []imports.Handle {
	if dir == "." {
		return nil
	}
	folder := path.Base(dir)
	return []imports.Handle{{Mentions: []imports.Mention{imports.PairOf(folder, name)}},
		{Mentions: []imports.Mention{imports.MentionOf(folder, imports.Renamed), imports.MentionOf(name, imports.Imported)}}}
}
