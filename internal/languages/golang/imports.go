package golang

import (
	"path"
	"slices"
	"sort"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/syntax"
)

// resolver resolves Go's packages: a package is a directory of a module.
type resolver struct {
	imports.NoReExports
	g       *imports.Graph
	loaded  bool
	modules []goModule // longest directory first
}

// goModule is one go.mod.
type goModule struct {
	dir, path string
	replaced  map[string]string // module path -> directory in the repository
}

// NewResolver makes the resolver of a graph.
func NewResolver(g *imports.Graph) imports.Resolver { return &resolver{g: g} }

func (m *resolver) load() {
	if m.loaded {
		return
	}
	m.loaded = true
	for _, p := range m.g.Configs("go.mod") {
		src, ok := m.g.ReadConfig(p)
		if !ok {
			continue
		}
		f, err := modfile.ParseLax(p, src, nil)
		if err != nil || f.Module == nil {
			m.g.Note(p, "not a go.mod")
			continue
		}
		mod := goModule{dir: path.Dir(p), path: f.Module.Mod.Path, replaced: map[string]string{}}
		for _, r := range f.Replace {
			if !strings.HasPrefix(r.New.Path, ".") {
				continue
			}
			if dir, ok := imports.Join(mod.dir, r.New.Path); ok {
				mod.replaced[r.Old.Path] = dir
			}
		}
		m.modules = append(m.modules, mod)
	}
	sort.SliceStable(m.modules, func(i, j int) bool { return len(m.modules[i].dir) > len(m.modules[j].dir) })
}

// moduleOf is the module that a file belongs to.
func (m *resolver) moduleOf(file string) (goModule, bool) {
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
func (m *resolver) dir(file, importPath string) (string, bool) {
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
	for _, name := range imports.SortedKeys(own.replaced) {
		try(name, own.replaced[name])
	}
	for _, mod := range m.modules {
		try(mod.path, mod.dir)
	}
	if best == "" || len(m.g.FilesIn(dir)) == 0 {
		return "", false
	}
	return dir, m.internalAllowed(file, dir)
}

// internalAllowed: code under internal/ is for the tree around it alone.
func (m *resolver) internalAllowed(file, dir string) bool {
	i := strings.LastIndex("/"+dir+"/", "/internal/")
	if i <= 0 {
		return true
	}
	return strings.HasPrefix(file, dir[:i-1]+"/")
}

// members are the files of a package that may define a name: test files only
// for importers in tests of the same package.
func (m *resolver) members(dir, word string, tests bool) []*syntax.File {
	var out []*syntax.File
	named := imports.MentionOf(word, imports.Bare)
	for _, s := range m.g.FilesIn(dir) {
		if s.Language != Language || isTestFile(s.Path) && !tests || word != "" && !m.g.Words(s).Has(named) {
			continue
		}
		if f, ok := m.g.File(s.Path); ok {
			out = append(out, f)
		}
	}
	return out
}

// InFolder is a name of a package seen from outside.
func (m *resolver) InFolder(dir, name string) (imports.Entity, bool) {
	if name == "" || name[0] < 'A' || name[0] > 'Z' {
		return imports.Entity{}, false
	}
	return m.g.Find(m.members(dir, name, false), name)
}

// Outside is a method of a type of the file's package, in any of its files.
func (m *resolver) Outside(f *syntax.File, typ *syntax.Definition, name string, _ int) (imports.Entity, bool) {
	return m.method(f, typ.Name, name)
}

// method is a method of a type of the file's package, in any of its files.
func (m *resolver) method(f *syntax.File, typ, name string) (imports.Entity, bool) {
	return m.g.Find(m.samePackage(f, name), typ+"."+name)
}

// samePackage are the files of a file's own package that may mention a word.
func (m *resolver) samePackage(f *syntax.File, word string) []*syntax.File {
	var out []*syntax.File
	for _, other := range m.members(path.Dir(f.Path), word, isTestFile(f.Path)) {
		if other.Package == f.Package {
			out = append(out, other)
		}
	}
	return out
}

// Scope is what a name means at the top level of a file: of its package, else an
// imported package.
func (m *resolver) Scope(f *syntax.File, name string, _ int) (imports.Entity, bool) {
	if e, ok := m.g.TopLevel(f, name); ok {
		return e, true
	}
	for i := range f.Imports {
		im := &f.Imports[i]
		if m.localName(f, im) != name {
			continue
		}
		if dir, ok := m.dir(f.Path, im.Module); ok {
			return imports.Entity{Dir: dir, Of: &family}, true
		}
		return imports.Entity{}, false
	}
	return m.g.Find(m.samePackage(f, name), name)
}

// localName is the name by which a file knows an imported package: its alias,
// the package clause where it lies in the repository, else the last element of
// the path that is no version.
func (m *resolver) localName(f *syntax.File, im *syntax.Import) string {
	if im.Alias != "" {
		return im.Alias
	}
	last := lastElement(im.Module)
	dir, ok := m.dir(f.Path, im.Module)
	if !ok {
		return last
	}
	for _, s := range m.g.FilesIn(dir) {
		if s.Language == Language && !isTestFile(s.Path) {
			if member, ok := m.g.File(s.Path); ok && member.Package != "" && member.Package != "main" {
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

// Edges are the files that a Go file uses.
func (m *resolver) Edges(f, to *syntax.File) imports.EdgeSet {
	set := imports.EdgeSet{}
	for i := range f.Imports {
		im := &f.Imports[i]
		dir, ok := m.dir(f.Path, im.Module)
		if !ok || to != nil && dir != path.Dir(to.Path) {
			continue
		}
		local := m.localName(f, im)
		if local == "_" {
			for _, member := range m.members(dir, "", false) {
				set.Add(member.Path, imports.ByImport, im.Lines.Start)
			}
			continue
		}
		for _, name := range selected(f, local) {
			if !m.g.MayHave(to, name) {
				continue
			}
			if e, ok := m.InFolder(dir, name); ok {
				set.Add(e.Path, imports.ByImport, im.Lines.Start, name)
			}
		}
	}
	if to == nil || path.Dir(f.Path) == path.Dir(to.Path) {
		m.packageEdges(f, to, set)
	}
	return set
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
func (m *resolver) packageEdges(f, to *syntax.File, set imports.EdgeSet) {
	for i := range f.Uses {
		u := &f.Uses[i]
		if u.Receiver != "" || !m.g.MayHave(to, u.Name) {
			continue
		}
		if e, ok := m.own(f, u.Name); ok {
			set.Add(e.Path, imports.ByPackage, u.Line, u.Name)
		}
	}
	for i := range f.Calls {
		c := &f.Calls[i]
		switch {
		case c.Local && c.Type != "" && !strings.Contains(c.Type, ".") && m.g.MayHave(to, c.Type+"."+c.Name):
			if e, ok := m.method(f, c.Type, c.Name); ok {
				set.Add(e.Path, imports.ByPackage, c.Line, c.Type+"."+c.Name)
			}
		case c.Receiver == "" && !c.Local && m.g.MayHave(to, c.Name):
			if e, ok := m.own(f, c.Name); ok {
				set.Add(e.Path, imports.ByPackage, c.Line, c.Name)
			}
		}
	}
}

// own is a name of the own package defined in another file.
func (m *resolver) own(f *syntax.File, name string) (imports.Entity, bool) {
	if _, ok := m.g.TopLevel(f, name); ok {
		return imports.Entity{}, false
	}
	return m.g.Find(m.samePackage(f, name), name)
}

// Handles: importers of the package name its path and one of the file's
// definitions, or import it for what it does; files of the package name one of its
// definitions.
func (m *resolver) Handles(file string, _ imports.Occurrence) []imports.Handle {
	dir := path.Dir(file)
	out := m.g.NameHandles(file, 0, dir)
	if mod, ok := m.moduleOf(file); ok {
		rel := strings.TrimPrefix(strings.TrimPrefix(dir, mod.dir), "/")
		importPath := path.Join(mod.path, rel)
		if mod.dir == "." {
			importPath = path.Join(mod.path, dir)
		}
		named := imports.TextHandle(imports.Imported, path.Base(importPath)).Mentions
		out = append(out,
			imports.Handle{Mentions: append([]imports.Mention{imports.MentionOf("_", imports.Imported)}, named...)})
		for _, name := range m.g.TopNames(file) {
			out = append(out, imports.Handle{Mentions: append([]imports.Mention{imports.MentionOf(name, 0)}, named...)})
		}
	}
	return out
}
