package script

import (
	"path"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/syntax"
)

// resolver resolves the modules of JavaScript and TypeScript as Node and
// the TypeScript compiler do, to sources instead of build products.
type resolver struct {
	imports.NoReExports
	g        *imports.Graph
	loaded   bool
	packages map[string]*scriptPackage // by directory
	byName   map[string][]string       // directories, by package name
	configs  map[string]*tsconfig      // by path, resolved through "extends"
	aliases  map[string][]string       // file -> specifiers that lead to it by configuration
	resolved map[specifier]string      // "" where nothing was found
}

// NewResolver makes the resolver of a graph.
func NewResolver(g *imports.Graph) imports.Resolver { return &resolver{g: g} }

// scriptExtensions are tried in this order on a specifier without one.
var scriptExtensions = []string{".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs"}

// written maps the extension of a build product, by which TypeScript sources
// import each other, to those of its source.
var written = map[string][]string{
	".js": {".ts", ".tsx", ".d.ts", ".jsx"}, ".jsx": {".tsx"}, ".mjs": {".mts", ".d.mts"}, ".cjs": {".cts", ".d.cts"},
}

// file is the source at a path as a specifier gives it: as it is, as the source
// of a build product, with an extension, or as a directory's index.
func (s *resolver) file(p string) (string, bool) {
	if f, ok := s.asWritten(p); ok {
		return f, true
	}
	for _, e := range scriptExtensions {
		if s.isScript(p + e) {
			return p + e, true
		}
	}
	if !s.g.HasFolder(p) {
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
func (s *resolver) asWritten(p string) (string, bool) {
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

func (s *resolver) isScript(p string) bool {
	source := s.g.Source(p)
	return source != nil && source.Language.Family == &family
}

// specifier is what files of a directory import.
type specifier struct{ dir, spec string }

// resolve is the file that a specifier means in a file of the repository.
func (s *resolver) resolve(from, spec string) (string, bool) {
	s.load()
	key := specifier{path.Dir(from), spec}
	to, ok := s.resolved[key]
	if !ok {
		to, _ = s.find(from, spec)
		s.resolved[key] = to
	}
	return to, to != ""
}

func (s *resolver) find(from, spec string) (string, bool) {
	switch {
	case spec == "." || spec == ".." || strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../"):
		p, ok := imports.Join(path.Dir(from), spec)
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
func (s *resolver) byPackage(spec string) (string, bool) {
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

// Scope is what a name means at the top level of a file: a definition, or what
// an import binds it to.
func (s *resolver) Scope(f *syntax.File, name string, depth int) (imports.Entity, bool) {
	if e, ok := s.g.TopLevel(f, name); ok {
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
			return imports.Entity{}, false
		}
		for _, n := range im.Names {
			if n.Local() != name {
				continue
			}
			to, ok := s.resolve(f.Path, im.Module)
			switch {
			case !ok || to == f.Path:
				return imports.Entity{}, false
			case n.Name == "*":
				return imports.Entity{Path: to, Def: imports.Whole}, true
			}
			return s.g.Member(imports.Entity{Path: to, Def: imports.Whole}, n.Name, depth+1)
		}
	}
	return imports.Entity{}, false
}

// module is what require gives: what the file assigns to module.exports, or its
// exports as a whole.
func (s *resolver) module(p string, depth int) (imports.Entity, bool) {
	f, ok := s.g.File(p)
	if !ok {
		return imports.Entity{}, false
	}
	for _, e := range f.Exports {
		if e.Name != "module.exports" {
			continue
		}
		if d, ok := s.g.TopLevel(f, e.Local); ok {
			return d, true
		}
		if e.Local != "" && depth < s.g.MaxDepth() {
			if found, ok := s.Scope(f, e.Local, depth+1); ok {
				return found, true
			}
		}
	}
	return imports.Entity{Path: p, Def: imports.Whole}, true
}

// Exported is a public name of a module: exported by name or clause, assigned to
// exports, or passed on from another module.
func (s *resolver) Exported(f *syntax.File, name string, depth int) (imports.Entity, bool) {
	for _, e := range f.Exports {
		if e.Name != name {
			continue
		}
		if e.Local == "" {
			return imports.Entity{}, false
		}
		if d, ok := s.g.TopLevel(f, e.Local); ok {
			return d, true
		}
		if depth < s.g.MaxDepth() && e.Local != name || !s.imports(f, name) {
			return s.Scope(f, e.Local, depth+1)
		}
		return s.Scope(f, name, depth+1)
	}
	if e, ok := s.g.TopLevel(f, name); ok {
		if d, _ := s.g.Definition(e); d.Exported {
			return e, true
		}
	}
	if e, ok := s.passedOn(f, name, depth); ok {
		return e, true
	}
	return s.ofAssigned(f, name, depth)
}

// ofAssigned is a name of what a file assigns to module.exports. Under interoperation that is also the default.
func (s *resolver) ofAssigned(f *syntax.File, name string, depth int) (imports.Entity, bool) {
	e, ok := s.module(f.Path, depth+1)
	if !ok || e.Path == f.Path && e.Def == imports.Whole {
		return imports.Entity{}, false
	}
	if name == "default" {
		return e, true
	}
	return s.g.Member(e, name, depth+1)
}

func (s *resolver) imports(f *syntax.File, name string) bool {
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
func (s *resolver) passedOn(f *syntax.File, name string, depth int) (imports.Entity, bool) {
	var found []imports.Entity
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
			m := imports.Entity{Path: to, Def: imports.Whole}
			switch {
			case n.Name == "*" && n.Alias == name:
				return m, true
			case n.Name == "*" && n.Alias == "" && name != "default":
				if e, ok := s.g.Member(m, name, depth+1); ok && !slices.Contains(found, e) {
					found = append(found, e)
				}
			case n.Name != "*" && n.Local() == name:
				return s.g.Member(m, n.Name, depth+1)
			}
		}
	}
	if len(found) != 1 {
		return imports.Entity{}, false
	}
	return found[0], true
}

// reExports reports whether a file passes anything of other modules on.
func (s *resolver) reExports(f *syntax.File) bool {
	for i := range f.Imports {
		if f.Imports[i].Kind == syntax.ImportReExport {
			return true
		}
	}
	for _, e := range f.Exports {
		if _, ok := s.g.TopLevel(f, e.Local); !ok {
			return true
		}
	}
	return false
}

// Edges are the files that a script imports.
func (s *resolver) Edges(f, _ *syntax.File) imports.EdgeSet {
	set := imports.EdgeSet{}
	for i := range f.Imports {
		im := &f.Imports[i]
		to, ok := s.resolve(f.Path, im.Module)
		if !ok {
			continue
		}
		line := im.Lines.Start
		m := imports.Entity{Path: to, Def: imports.Whole}
		set.Add(to, imports.ByImport, line)
		if im.Alias != "" {
			s.g.UsedEdges(set, f, nil, m, im.Alias, line)
			if e, ok := s.module(to, 0); ok {
				s.g.NameEdge(set, to, line, e, "")
			}
		}
		for _, n := range im.Names {
			if n.Name == "*" {
				if n.Alias != "" {
					s.g.UsedEdges(set, f, nil, m, n.Alias, line)
				}
				continue
			}
			e, ok := s.g.Member(m, n.Name, 0)
			if !ok {
				continue
			}
			s.g.NameEdge(set, to, line, e, n.Name)
			if e.Def == imports.Whole { // a namespace passed on: export * as ns
				s.g.UsedEdges(set, f, nil, e, n.Local(), line)
			}
		}
	}
	return set
}

// Handles: an importer names the file, or its directory for an index, or writes
// dots alone, or a specifier that configuration leads to the file.
func (s *resolver) Handles(file string, as imports.Occurrence) []imports.Handle {
	s.load()
	name := imports.Stem(file)
	out := []imports.Handle{imports.TextHandle(as, name)}
	if name == "index" || s.isMain(file) {
		out = append(out, imports.TextHandle(as, path.Base(path.Dir(file))), imports.NewHandle(as, imports.DotsWord))
	}
	for _, spec := range s.aliases[file] {
		out = append(out, imports.TextHandle(as, spec))
	}
	return out
}

// MayRename is always true: scripts rename in too many ways to decide without parsing.
func (s *resolver) MayRename(...string) bool { return true }

// Leading lists the candidates that export something and are used by files that
// are not found yet.
func (s *resolver) Leading(c *imports.Closure, candidates []*imports.Source) []*imports.Source {
	exporting := s.g.Holding(candidates, imports.EachHandle(0, []string{"export", "exports"}))
	var news []*imports.Source
	for _, f := range c.Files() {
		if !c.IsFound(f.Path) {
			news = append(news, f)
		}
	}
	return s.g.UsedByOthers(exporting, news)
}

// PassedOn are the handles of a file that passes on what it has of another one.
func (s *resolver) PassedOn(c *imports.Closure, by string) []imports.Handle {
	f, ok := s.g.File(by)
	if !ok || !s.reExports(f) || len(s.g.EdgesTo(by, c.Path)) == 0 {
		return nil
	}
	return s.Handles(by, 0)
}
