package imports

import (
	"path"
	"slices"
	"sort"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/prforge/prforge/internal/syntax"
)

// goModules resolves Go's packages: a package is a directory of a module.
type goModules struct {
	g       *Graph
	loaded  bool
	modules []goModule // longest directory first
}

// goModule is one go.mod.
type goModule struct {
	dir, path string
	replaced  map[string]string // module path -> directory in the repository
}

func (m *goModules) load() {
	if m.loaded {
		return
	}
	m.loaded = true
	for _, p := range m.g.index.configs["go.mod"] {
		src, ok := m.g.read(p)
		if !ok {
			continue
		}
		f, err := modfile.ParseLax(p, src, nil)
		if err != nil || f.Module == nil {
			m.g.note(p, "not a go.mod")
			continue
		}
		mod := goModule{dir: path.Dir(p), path: f.Module.Mod.Path, replaced: map[string]string{}}
		for _, r := range f.Replace {
			if !strings.HasPrefix(r.New.Path, ".") {
				continue
			}
			if dir, ok := join(mod.dir, r.New.Path); ok {
				mod.replaced[r.Old.Path] = dir
			}
		}
		m.modules = append(m.modules, mod)
	}
	sort.SliceStable(m.modules, func(i, j int) bool { return len(m.modules[i].dir) > len(m.modules[j].dir) })
}

// moduleOf is the module that a file belongs to.
func (m *goModules) moduleOf(file string) (goModule, bool) {
	m.load()
	for _, mod := range m.modules {
		if mod.dir == "." || strings.HasPrefix(file, mod.dir+"/") {
			return mod, true
		}
	}
	return goModule{}, false
}

// dir is the directory of the package that a file imports: in its own module, in
// a module that it replaces by a directory, or in another module of the
// repository by that one's path. The longest module path wins, as in the go
// command.
func (m *goModules) dir(file, importPath string) (string, bool) {
	own, ok := m.moduleOf(file)
	if !ok {
		return "", false
	}
	best, dir := "", ""
	try := func(modulePath, moduleDir string) {
		rest, ok := strings.CutPrefix(importPath+"/", modulePath+"/")
		if ok && len(modulePath) > len(best) {
			best, dir = modulePath, path.Join(moduleDir, rest)
		}
	}
	try(own.path, own.dir)
	for _, name := range sortedKeys(own.replaced) {
		try(name, own.replaced[name])
	}
	for _, mod := range m.modules {
		try(mod.path, mod.dir)
	}
	if best == "" || len(m.g.index.byDir[dir]) == 0 {
		return "", false
	}
	return dir, m.internalAllowed(file, dir)
}

// internalAllowed: code under internal/ is for the tree around it alone.
func (m *goModules) internalAllowed(file, dir string) bool {
	i := strings.LastIndex("/"+dir+"/", "/internal/")
	if i <= 0 {
		return true
	}
	return strings.HasPrefix(file, dir[:i-1]+"/")
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// members are the files of a package that may define a name: test files only
// for importers in tests of the same package.
func (m *goModules) members(dir, word string, tests bool) []*syntax.File {
	var out []*syntax.File
	named := mentionOf(word, bare)
	for _, s := range m.g.index.byDir[dir] {
		if s.language != syntax.Go || strings.HasSuffix(s.path, "_test.go") && !tests || word != "" && !m.g.words(s).has(named) {
			continue
		}
		if f, ok := m.g.File(s.path); ok {
			out = append(out, f)
		}
	}
	return out
}

// find is the only definition of that qualified name in the files. Files for
// other platforms may define it again: then it is ambiguous.
func (g *Graph) find(files []*syntax.File, qualified string) (entity, bool) {
	var found []entity
	for _, f := range files {
		if e, ok := g.topLevel(f, qualified); ok {
			found = append(found, e)
		}
	}
	if len(found) != 1 {
		return entity{}, false
	}
	return found[0], true
}

// member is a name of a package seen from outside.
func (m *goModules) member(e entity, name string) entity {
	if name == "" || name[0] < 'A' || name[0] > 'Z' {
		return entity{}
	}
	found, _ := m.g.find(m.members(e.dir, name, false), name)
	return found
}

// method is a method of a type of the file's package, in any of its files.
func (m *goModules) method(f *syntax.File, typ, name string) (entity, bool) {
	return m.g.find(m.samePackage(f, name), typ+"."+name)
}

// samePackage are the files of a file's own package that may mention a word.
func (m *goModules) samePackage(f *syntax.File, word string) []*syntax.File {
	var out []*syntax.File
	for _, other := range m.members(path.Dir(f.Path), word, strings.HasSuffix(f.Path, "_test.go")) {
		if other.Package == f.Package {
			out = append(out, other)
		}
	}
	return out
}

// scope is what a name means at the top level of a file: of its package, else an
// imported package.
func (m *goModules) scope(f *syntax.File, name string) (entity, bool) {
	if e, ok := m.g.topLevel(f, name); ok {
		return e, true
	}
	for i := range f.Imports {
		im := &f.Imports[i]
		if m.localName(f, im) != name {
			continue
		}
		if dir, ok := m.dir(f.Path, im.Module); ok {
			return entity{dir: dir}, true
		}
		return entity{}, false
	}
	return m.g.find(m.samePackage(f, name), name)
}

// localName is the name by which a file knows an imported package: its alias,
// the package clause where it lies in the repository, else the last element of
// the path that is no version.
func (m *goModules) localName(f *syntax.File, im *syntax.Import) string {
	if im.Alias != "" {
		return im.Alias
	}
	last := lastElement(im.Module)
	dir, ok := m.dir(f.Path, im.Module)
	if !ok {
		return last
	}
	for _, s := range m.g.index.byDir[dir] {
		if s.language == syntax.Go && !strings.HasSuffix(s.path, "_test.go") {
			if member, ok := m.g.File(s.path); ok && member.Package != "" && member.Package != "main" {
				return member.Package
			}
		}
	}
	return last
}

// lastElement is the last element of an import path that is no version.
func lastElement(importPath string) string {
	last := path.Base(importPath)
	if len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		last = path.Base(path.Dir(importPath))
	}
	return last
}

// edges are the files that a Go file uses; see edgesOf.
func (m *goModules) edges(f, to *syntax.File) edgeSet {
	set := edgeSet{}
	for i := range f.Imports {
		im := &f.Imports[i]
		dir, ok := m.dir(f.Path, im.Module)
		if !ok || to != nil && dir != path.Dir(to.Path) {
			continue
		}
		local := m.localName(f, im)
		if local == "_" {
			for _, member := range m.members(dir, "", false) {
				set.add(member.Path, ByImport, im.Lines.Start)
			}
			continue
		}
		for _, name := range selected(f, local) {
			if !m.g.mayDefine(to, name) {
				continue
			}
			if e := m.member(entity{dir: dir}, name); e.path != "" {
				set.add(e.path, ByImport, im.Lines.Start, name)
			}
		}
	}
	if to == nil || path.Dir(f.Path) == path.Dir(to.Path) {
		m.packageEdges(f, to, set)
	}
	return set
}

// mayDefine reports whether a file defines a name at its top level; nil is any
// file.
func (g *Graph) mayDefine(f *syntax.File, qualified string) bool {
	if f == nil {
		return true
	}
	_, ok := g.topLevel(f, qualified)
	return ok
}

// selected are the names that a file takes from a package.
func selected(f *syntax.File, local string) []string {
	var out []string
	for i := range f.Calls {
		c := &f.Calls[i]
		if c.Receiver == local && !c.Local || local == "." && c.Receiver == "" && !c.Local {
			out = append(out, c.Name)
		}
		if c.Receiver != local && strings.HasPrefix(c.Receiver, local+".") && !c.Local {
			first, _, _ := strings.Cut(c.Receiver[len(local)+1:], ".")
			out = append(out, first)
		}
	}
	for i := range f.Uses {
		u := &f.Uses[i]
		if u.Receiver == local && !u.Local || local == "." && u.Receiver == "" {
			out = append(out, u.Name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// packageEdges adds the files of the own package whose names are used: types,
// functions, and methods of variables whose type is known.
func (m *goModules) packageEdges(f, to *syntax.File, set edgeSet) {
	for i := range f.Uses {
		u := &f.Uses[i]
		if u.Receiver != "" || !m.g.mayDefine(to, u.Name) {
			continue
		}
		if e, ok := m.own(f, u.Name); ok {
			set.add(e.path, ByPackage, u.Line, u.Name)
		}
	}
	for i := range f.Calls {
		c := &f.Calls[i]
		switch {
		case c.Local && c.Type != "" && !strings.Contains(c.Type, ".") && m.g.mayDefine(to, c.Type+"."+c.Name):
			if e, ok := m.method(f, c.Type, c.Name); ok {
				set.add(e.path, ByPackage, c.Line, c.Type+"."+c.Name)
			}
		case c.Receiver == "" && !c.Local && m.g.mayDefine(to, c.Name):
			if e, ok := m.own(f, c.Name); ok {
				set.add(e.path, ByPackage, c.Line, c.Name)
			}
		}
	}
}

// own is a name of the own package defined in another file.
func (m *goModules) own(f *syntax.File, name string) (entity, bool) {
	if _, ok := m.g.topLevel(f, name); ok {
		return entity{}, false
	}
	return m.g.find(m.samePackage(f, name), name)
}

// handles: importers of the package name its path and one of the file's
// definitions, or import it for what it does; files of the package name one of its
// definitions.
func (m *goModules) handles(file string) []handle {
	dir := path.Dir(file)
	out := m.g.nameHandles(file, 0, dir)
	if mod, ok := m.moduleOf(file); ok {
		rel := strings.TrimPrefix(strings.TrimPrefix(dir, mod.dir), "/")
		importPath := path.Join(mod.path, rel)
		if mod.dir == "." {
			importPath = path.Join(mod.path, dir)
		}
		named := textHandle(imported, path.Base(importPath)).mentions
		out = append(out, handle{mentions: append([]mention{mentionOf("_", imported)}, named...)})
		for _, name := range m.g.topNames(file) {
			out = append(out, handle{mentions: append([]mention{mentionOf(name, 0)}, named...)})
		}
	}
	return out
}
