package imports

import (
	"path"
	"strings"

	"github.com/prforge/prforge/contextbuilder/syntax"
)

// A Java package may lie in several directories (main and test sources, several
// modules of a build). A class is looked for by the file of its name in a
// directory that ends in the package's path.

// javaDirs are the directories with sources of a package, nearest to the file
// first: its own, then by the length of the path they share with it.
func (g *Graph) javaClass(f *syntax.File, pkg, name string) (entity, bool) {
	suffix := strings.ReplaceAll(pkg, ".", "/")
	var best []entity
	bestShared := -1
	for _, p := range g.index.byBase[name+".java"] {
		dir := path.Dir(p)
		if dir != suffix && !strings.HasSuffix(dir, "/"+suffix) && !(suffix == "" && dir == ".") {
			continue
		}
		shared := sharedPrefix(path.Dir(f.Path), dir)
		if shared < bestShared {
			continue
		}
		other, ok := g.File(p)
		if !ok || other.Package != pkg {
			continue
		}
		e, ok := topLevel(other, name)
		if !ok {
			continue
		}
		if shared > bestShared {
			best, bestShared = nil, shared
		}
		best = append(best, e)
	}
	if len(best) != 1 {
		return entity{}, false
	}
	return best[0], true
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

// javaScope is what a type name means in a file, in the order of the language:
// declared in it, imported by name, of the same package, imported by a wildcard.
func (g *Graph) javaScope(f *syntax.File, name string) (entity, bool) {
	if e, ok := topLevel(f, name); ok {
		return e, true
	}
	for i := range f.Imports {
		im := &f.Imports[i]
		if !im.Static && im.Names[0].Name == name {
			return g.javaImported(f, im.Module, name)
		}
	}
	if e, ok := g.javaClass(f, f.Package, name); ok {
		return e, true
	}
	if e, ok := g.javaSibling(f, name); ok {
		return e, true
	}
	var found []entity
	for i := range f.Imports {
		im := &f.Imports[i]
		if !im.Static && im.Names[0].Name == "*" {
			if e, ok := g.javaImported(f, im.Module, name); ok {
				found = append(found, e)
			}
		}
	}
	if len(found) != 1 {
		return entity{}, false
	}
	return found[0], true
}

// javaSibling is a type of the same directory that lies in a file of another
// name, which only types that are not public may.
func (g *Graph) javaSibling(f *syntax.File, name string) (entity, bool) {
	var files []*syntax.File
	for _, p := range g.index.byDir[path.Dir(f.Path)] {
		if p == f.Path || path.Ext(p) != ".java" || !g.words(p).has(name) {
			continue
		}
		if other, ok := g.File(p); ok {
			files = append(files, other)
		}
	}
	return find(files, name)
}

// javaImported is the type of an import: of a package, or nested in a class.
func (g *Graph) javaImported(f *syntax.File, module, name string) (entity, bool) {
	if e, ok := g.javaClass(f, module, name); ok {
		return e, true
	}
	outer, ok := g.javaQualified(f, module)
	if !ok {
		return entity{}, false
	}
	return g.member(outer, name, 1)
}

// javaQualified is the class of a full name "a.b.Outer.Inner".
func (g *Graph) javaQualified(f *syntax.File, full string) (entity, bool) {
	parts := strings.Split(full, ".")
	for i, part := range parts {
		if part == "" || part[0] < 'A' || part[0] > 'Z' {
			continue
		}
		e, ok := g.javaClass(f, strings.Join(parts[:i], "."), part)
		for _, inner := range parts[i+1:] {
			if ok {
				e, ok = g.member(e, inner, 1)
			}
		}
		return e, ok
	}
	return entity{}, false
}

// javaBareCall resolves a call without a receiver: a method of the classes
// around it or of what they extend, a statically imported method, or the
// construction of a class.
func (g *Graph) javaBareCall(f *syntax.File, c syntax.Call) (entity, bool) {
	if c.Name != "" && 'A' <= c.Name[0] && c.Name[0] <= 'Z' {
		if e, ok := g.visible(f, c.Def, c.Name, 0); ok {
			return e, true
		}
	}
	for at := c.Def; at >= 0; at = f.Definitions[at].Parent {
		if isType(f.Definitions[at].Kind) {
			if e, ok := g.memberOfType(f, at, c.Name, 0); ok {
				return e, true
			}
		}
	}
	var found []entity
	for i := range f.Imports {
		im := &f.Imports[i]
		if !im.Static || im.Names[0].Name != c.Name && im.Names[0].Name != "*" {
			continue
		}
		if class, ok := g.javaQualified(f, im.Module); ok {
			if e, ok := g.member(class, c.Name, 1); ok {
				found = append(found, e)
			}
		}
	}
	if len(found) != 1 {
		return entity{}, false
	}
	return found[0], true
}

// javaEdges are the files that a Java file uses: those it imports, those of a
// package it imports whole and names a class of, and those of its own package.
func (g *Graph) javaEdges(f *syntax.File) edgeSet {
	set := edgeSet{}
	for i := range f.Imports {
		im := &f.Imports[i]
		name := im.Names[0].Name
		switch {
		case im.Static:
			if e, ok := g.javaQualified(f, im.Module); ok {
				set.add(e.path, ByImport, im.Lines.Start, strings.TrimPrefix(name, "*"))
			}
		case name != "*":
			if e, ok := g.javaImported(f, im.Module, name); ok {
				set.add(e.path, ByImport, im.Lines.Start, name)
			}
		}
	}
	for i := range f.Uses {
		u := &f.Uses[i]
		if u.Receiver != "" || u.Name == "" || u.Name[0] < 'A' || u.Name[0] > 'Z' || strings.Contains(u.Name, ".") {
			continue
		}
		e, ok := g.javaScope(f, u.Name)
		if !ok || e.path == f.Path {
			continue
		}
		other, ok := g.File(e.path)
		if !ok {
			continue
		}
		if line, wild := wildcardOf(f, other.Package); wild && other.Package != f.Package {
			set.add(e.path, ByImport, line, u.Name)
		} else if other.Package == f.Package {
			set.add(e.path, ByPackage, u.Line, u.Name)
		}
	}
	return set
}

// wildcardOf is the line of the file's import of all of a package.
func wildcardOf(f *syntax.File, pkg string) (int, bool) {
	for i := range f.Imports {
		im := &f.Imports[i]
		if !im.Static && im.Module == pkg && im.Names[0].Name == "*" {
			return im.Lines.Start, true
		}
	}
	return 0, false
}
