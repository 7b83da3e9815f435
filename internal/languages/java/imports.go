package java

import (
	"path"
	"strings"

	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/syntax"
)

// resolver resolves Java's packages.
type resolver struct {
	imports.NoReExports
	*imports.Graph
}

// NewResolver makes the resolver of a graph.
func NewResolver(g *imports.Graph) imports.Resolver { return &resolver{Graph: g} }

// Handles are the names that a file defines.
func (g *resolver) Handles(path string, _ imports.Occurrence) []imports.Handle {
	return g.NameHandles(path, 0, "")
}

// A Java package may lie in several directories (main and test sources, several
// modules of a build). A class is looked for by the file of its name in a
// directory that ends in the package's path.

// fileOf is the file of a class that is named after it: of several source
// trees that hold the package, the one that shares the longest path with the
// file that asks; "" if there is none or no telling.
func (g *resolver) fileOf(f *syntax.File, pkg, name string) string {
	suffix := strings.ReplaceAll(pkg, ".", "/")
	best, bestShared, ambiguous := "", -1, false
	for _, s := range g.Named(name + ".java") {
		if s.Dir != suffix && !strings.HasSuffix(s.Dir, "/"+suffix) && suffix != "" {
			continue
		}
		if g.PackageOf(s) != pkg {
			continue
		}
		switch shared := sharedPrefix(path.Dir(f.Path), s.Dir); {
		case shared > bestShared:
			best, bestShared, ambiguous = s.Path, shared, false
		case shared == bestShared:
			ambiguous = true
		}
	}
	if ambiguous {
		return ""
	}
	return best
}

// class is a class in the file of its name.
func (g *resolver) class(f *syntax.File, pkg, name string) (imports.Entity, bool) {
	p := g.fileOf(f, pkg, name)
	if p == "" {
		return imports.Entity{}, false
	}
	other, ok := g.File(p)
	if !ok {
		return imports.Entity{}, false
	}
	return g.TopLevel(other, name)
}

// sharedPrefix counts the leading path elements that two directories share.
func sharedPrefix(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// Scope is what a type name means in a file, in the order of the language:
// declared in it, imported by name, of the same package, imported by a wildcard.
func (g *resolver) Scope(f *syntax.File, name string, _ int) (imports.Entity, bool) {
	if e, ok := g.TopLevel(f, name); ok {
		return e, true
	}
	for i := range f.Imports {
		im := &f.Imports[i]
		if !im.Static && im.Names[0].Name == name {
			return g.imported(f, im.Module, name)
		}
	}
	if e, ok := g.class(f, f.Package, name); ok {
		return e, true
	}
	if e, ok := g.sibling(f, name); ok {
		return e, true
	}
	var found []imports.Entity
	for i := range f.Imports {
		im := &f.Imports[i]
		if !im.Static && im.Names[0].Name == "*" {
			if e, ok := g.imported(f, im.Module, name); ok {
				found = append(found, e)
			}
		}
	}
	if len(found) != 1 {
		return imports.Entity{}, false
	}
	return found[0], true
}

// sibling is a type of the same directory that lies in a file of another
// name, which only types that are not public may.
func (g *resolver) sibling(f *syntax.File, name string) (imports.Entity, bool) {
	var files []*syntax.File
	for _, s := range g.FilesIn(path.Dir(f.Path)) {
		if s.Path == f.Path || s.Language != Language || !g.Words(s).Has(imports.MentionOf(name, imports.Declared)) {
			continue
		}
		if other, ok := g.File(s.Path); ok {
			files = append(files, other)
		}
	}
	return g.Find(files, name)
}

// imported is the type of an import: of a package, or nested in a class.
func (g *resolver) imported(f *syntax.File, module, name string) (imports.Entity, bool) {
	if e, ok := g.class(f, module, name); ok {
		return e, true
	}
	outer, ok := g.qualified(f, module)
	if !ok {
		return imports.Entity{}, false
	}
	return g.Member(outer, name, 1)
}

// qualified is the class of a full name "a.b.Outer.Inner".
func (g *resolver) qualified(f *syntax.File, full string) (imports.Entity, bool) {
	parts := strings.Split(full, ".")
	for i, part := range parts {
		if part == "" || part[0] < 'A' || part[0] > 'Z' {
			continue
		}
		e, ok := g.class(f, strings.Join(parts[:i], "."), part)
		for _, inner := range parts[i+1:] {
			if ok {
				e, ok = g.Member(e, inner, 1)
			}
		}
		return e, ok
	}
	return imports.Entity{}, false
}

// BareCall is a statically imported method.
func (g *resolver) BareCall(f *syntax.File, c syntax.Call) (imports.Entity, bool) {
	var found []imports.Entity
	for i := range f.Imports {
		im := &f.Imports[i]
		if !im.Static || im.Names[0].Name != c.Name && im.Names[0].Name != "*" {
			continue
		}
		if class, ok := g.qualified(f, im.Module); ok {
			if e, ok := g.Member(class, c.Name, 1); ok {
				found = append(found, e)
			}
		}
	}
	if len(found) != 1 {
		return imports.Entity{}, false
	}
	return found[0], true
}

// Edges are the files that a Java file uses: those it imports, those of a
// package it imports whole and names a class of, and those of its own package.
func (g *resolver) Edges(f, _ *syntax.File) imports.EdgeSet {
	set := imports.EdgeSet{}
	imported := map[string]bool{} // names that mean what an import says
	for i := range f.Imports {
		im := &f.Imports[i]
		name := im.Names[0].Name
		switch {
		case im.Static:
			if p := g.qualifiedFile(f, im.Module); p != "" {
				set.Add(p, imports.ByImport, im.Lines.Start, strings.TrimPrefix(name, "*"))
			}
		case name != "*":
			imported[name] = true
			if p := g.qualifiedFile(f, im.Module+"."+name); p != "" {
				set.Add(p, imports.ByImport, im.Lines.Start, name)
			}
		}
	}
	for i := range f.Uses {
		if u := &f.Uses[i]; u.Receiver == "" && isClassName(u.Name) && !imported[u.Name] {
			g.use(set, f, u)
		}
	}
	return set
}

func isClassName(name string) bool {
	return name != "" && 'A' <= name[0] && name[0] <= 'Z' && !strings.Contains(name, ".")
}

// use adds the file of a type that no import names: from the file itself, its package, or a package that is imported
// whole.
func (g *resolver) use(set imports.EdgeSet, f *syntax.File, u *syntax.Use) {
	for i := range f.Definitions {
		if imports.IsType(f.Definitions[i].Kind) && f.Definitions[i].Name == u.Name {
			return
		}
	}
	if p := g.fileOf(f, f.Package, u.Name); p != "" {
		set.Add(p, imports.ByPackage, u.Line, u.Name)
		return
	}
	if e, ok := g.sibling(f, u.Name); ok {
		set.Add(e.Path, imports.ByPackage, u.Line, u.Name)
		return
	}
	found, line := "", 0
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Static || im.Names[0].Name != "*" {
			continue
		}
		p := g.fileOf(f, im.Module, u.Name)
		if p != "" && found != "" {
			return
		}
		if p != "" {
			found, line = p, im.Lines.Start
		}
	}
	if found != "" {
		set.Add(found, imports.ByImport, line, u.Name)
	}
}

// qualifiedFile is the file of the outermost class in a full name.
func (g *resolver) qualifiedFile(f *syntax.File, full string) string {
	parts := strings.Split(full, ".")
	for i, part := range parts {
		if isClassName(part) {
			return g.fileOf(f, strings.Join(parts[:i], "."), part)
		}
	}
	return ""
}
