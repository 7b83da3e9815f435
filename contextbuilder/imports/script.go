package imports

import (
	"path"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// scriptModules resolves the modules of JavaScript and TypeScript as Node and
// the TypeScript compiler do, to sources instead of build products.
type scriptModules struct {
	g        *Graph
	loaded   bool
	packages map[string]*scriptPackage // by directory
	byName   map[string][]string       // directories, by package name
	configs  map[string]*tsconfig      // by path, resolved through "extends"
	aliases  map[string][]string       // file -> specifiers that lead to it by configuration
	resolved map[specifier]string      // "" where nothing was found
}

// scriptExtensions are tried in this order on a specifier without one.
var scriptExtensions = []string{".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs"}

// written maps the extension of a build product, by which TypeScript sources
// import each other, to those of its source.
var written = map[string][]string{
	".js": {".ts", ".tsx", ".d.ts", ".jsx"}, ".jsx": {".tsx"}, ".mjs": {".mts", ".d.mts"}, ".cjs": {".cts", ".d.cts"},
}

// file is the source at a path as a specifier gives it: as it is, as the source
// of a build product, with an extension, or as a directory's index.
func (s *scriptModules) file(p string) (string, bool) {
	if f, ok := s.asWritten(p); ok {
		return f, true
	}
	for _, e := range scriptExtensions {
		if s.isScript(p + e) {
			return p + e, true
		}
	}
	if !s.g.index.dirs[p] {
		return "", false
	}
	if pkg := s.packages[p]; pkg != nil && p != "." {
		if f, ok := s.entry(pkg, "."); ok {
			return f, true
		}
	}
	for _, e := range scriptExtensions {
		if q := path.Join(p, "index"+e); s.isScript(q) {
			return q, true
		}
	}
	return "", false
}

// asWritten is the source at exactly the path, or the one that a build product
// there is made from.
func (s *scriptModules) asWritten(p string) (string, bool) {
	if s.isScript(p) {
		return p, true
	}
	ext := path.Ext(p)
	for _, e := range written[ext] {
		if q := strings.TrimSuffix(p, ext) + e; s.isScript(q) {
			return q, true
		}
	}
	return "", false
}

func (s *scriptModules) isScript(p string) bool {
	return s.g.index.familyOf(p) == syntax.FamilyScript
}

// specifier is what files of a directory import.
type specifier struct{ dir, spec string }

// resolve is the file that a specifier means in a file of the repository.
func (s *scriptModules) resolve(from, spec string) (string, bool) {
	s.load()
	key := specifier{path.Dir(from), spec}
	to, ok := s.resolved[key]
	if !ok {
		to, _ = s.find(from, spec)
		s.resolved[key] = to
	}
	return to, to != ""
}

func (s *scriptModules) find(from, spec string) (string, bool) {
	switch {
	case spec == "." || spec == ".." || strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../"):
		p, ok := join(path.Dir(from), spec)
		if !ok {
			return "", false
		}
		return s.file(p)
	case strings.HasPrefix(spec, "#"):
		if pkg := s.packageOf(from); pkg != nil {
			return s.mapped(pkg, pkg.imports, spec)
		}
		return "", false
	case strings.HasPrefix(spec, "/"), strings.Contains(spec, ":"):
		return "", false
	}
	if f, ok := s.byConfig(from, spec); ok {
		return f, true
	}
	return s.byPackage(spec)
}

// byPackage resolves "name" and "name/sub" where name is a package of the
// repository. Two packages of one name are ambiguous.
func (s *scriptModules) byPackage(spec string) (string, bool) {
	parts := strings.SplitN(spec, "/", 3)
	name, sub := parts[0], strings.Join(parts[1:], "/")
	if strings.HasPrefix(spec, "@") && len(parts) > 1 {
		name, sub = parts[0]+"/"+parts[1], strings.Join(parts[2:], "/")
	}
	dirs := s.byName[name]
	if len(dirs) != 1 {
		return "", false
	}
	key := "."
	if sub != "" {
		key = "./" + sub
	}
	return s.entry(s.packages[dirs[0]], key)
}

// scope is what a name means at the top level of a file: a definition, or what
// an import binds it to.
func (s *scriptModules) scope(f *syntax.File, name string, depth int) (entity, bool) {
	if e, ok := s.g.topLevel(f, name); ok {
		return e, true
	}
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Kind == syntax.ImportReExport {
			continue
		}
		if im.Alias == name {
			if to, ok := s.resolve(f.Path, im.Module); ok {
				return s.module(to, depth)
			}
			return entity{}, false
		}
		for _, n := range im.Names {
			if n.Local() != name {
				continue
			}
			to, ok := s.resolve(f.Path, im.Module)
			switch {
			case !ok || to == f.Path:
				return entity{}, false
			case n.Name == "*":
				return entity{path: to, def: whole}, true
			}
			return s.g.member(entity{path: to, def: whole}, n.Name, depth+1)
		}
	}
	return entity{}, false
}

// module is what require gives: what the file assigns to module.exports, or its
// exports as a whole.
func (s *scriptModules) module(p string, depth int) (entity, bool) {
	f, ok := s.g.File(p)
	if !ok {
		return entity{}, false
	}
	for _, e := range f.Exports {
		if e.Name != "module.exports" {
			continue
		}
		if d, ok := s.g.topLevel(f, e.Local); ok {
			return d, true
		}
		if e.Local != "" && depth < s.g.opts.MaxReExports {
			if found, ok := s.scope(f, e.Local, depth+1); ok {
				return found, true
			}
		}
	}
	return entity{path: p, def: whole}, true
}

// exported is a public name of a module: exported by name or clause, assigned to
// exports, or passed on from another module.
func (s *scriptModules) exported(f *syntax.File, name string, depth int) (entity, bool) {
	for _, e := range f.Exports {
		if e.Name != name {
			continue
		}
		if e.Local == "" {
			return entity{}, false
		}
		if d, ok := s.g.topLevel(f, e.Local); ok {
			return d, true
		}
		if depth < s.g.opts.MaxReExports && e.Local != name || !s.imports(f, name) {
			return s.scope(f, e.Local, depth+1)
		}
		return s.scope(f, name, depth+1)
	}
	if e, ok := s.g.topLevel(f, name); ok {
		if d, _ := s.g.definition(e); d.Exported {
			return e, true
		}
	}
	if name == "default" {
		// Under interoperation the default of a CommonJS module is the module.
		if e, ok := s.module(f.Path, depth+1); ok && e.def != whole {
			return e, true
		}
	}
	return s.passedOn(f, name, depth)
}

func (s *scriptModules) imports(f *syntax.File, name string) bool {
	for i := range f.Imports {
		for _, n := range f.Imports[i].Names {
			if n.Local() == name && f.Imports[i].Kind != syntax.ImportReExport {
				return true
			}
		}
	}
	return false
}

// passedOn looks through "export ... from". A name given by two wildcards is
// ambiguous, as in the language.
func (s *scriptModules) passedOn(f *syntax.File, name string, depth int) (entity, bool) {
	var found []entity
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Kind != syntax.ImportReExport {
			continue
		}
		for _, n := range im.Names {
			to, ok := s.resolve(f.Path, im.Module)
			if !ok || to == f.Path {
				continue
			}
			m := entity{path: to, def: whole}
			switch {
			case n.Name == "*" && n.Alias == name:
				return m, true
			case n.Name == "*" && n.Alias == "" && name != "default":
				if e, ok := s.g.member(m, name, depth+1); ok && !slices.Contains(found, e) {
					found = append(found, e)
				}
			case n.Name != "*" && n.Local() == name:
				return s.g.member(m, n.Name, depth+1)
			}
		}
	}
	if len(found) != 1 {
		return entity{}, false
	}
	return found[0], true
}

// reExports reports whether a file passes anything of other modules on.
func (s *scriptModules) reExports(f *syntax.File) bool {
	for i := range f.Imports {
		if f.Imports[i].Kind == syntax.ImportReExport {
			return true
		}
	}
	for _, e := range f.Exports {
		if _, ok := s.g.topLevel(f, e.Local); !ok {
			return true
		}
	}
	return false
}

// edges are the files that a script imports.
func (s *scriptModules) edges(f *syntax.File) edgeSet {
	set := edgeSet{}
	for i := range f.Imports {
		im := &f.Imports[i]
		to, ok := s.resolve(f.Path, im.Module)
		if !ok {
			continue
		}
		line := im.Lines.Start
		m := entity{path: to, def: whole}
		set.add(to, ByImport, line)
		if im.Alias != "" {
			s.g.usedEdges(set, f, nil, m, im.Alias, line)
			if e, ok := s.module(to, 0); ok && e.def != whole {
				s.g.nameEdge(set, to, line, e, "")
			}
		}
		for _, n := range im.Names {
			if n.Name == "*" {
				if n.Alias != "" {
					s.g.usedEdges(set, f, nil, m, n.Alias, line)
				}
				continue
			}
			e, ok := s.g.member(m, n.Name, 0)
			if !ok {
				continue
			}
			s.g.nameEdge(set, to, line, e, n.Name)
			if e.def == whole { // a namespace passed on: export * as ns
				s.g.usedEdges(set, f, nil, e, n.Local(), line)
			}
		}
	}
	return set
}

// handles: an importer names the file, or its directory for an index, or writes
// dots alone, or a specifier that configuration leads to the file.
func (s *scriptModules) handles(file string, as occurrence) []handle {
	s.load()
	name := stem(file)
	out := []handle{textHandle(as, name)}
	if name == "index" || s.isMain(file) {
		out = append(out, textHandle(as, path.Base(path.Dir(file))), newHandle(as, dotsWord))
	}
	for _, spec := range s.aliases[file] {
		out = append(out, textHandle(as, spec))
	}
	return out
}
