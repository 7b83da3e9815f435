package imports

import (
	"path"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// A Java package may lie in several directories (main and test sources, several
// modules of a build). A class is looked for by the file of its name in a
// directory that ends in the package's path.

// javaFile is the file of a class that is named after it: of several source
// trees that hold the package, the one that shares the longest path with the
// file that asks; "" if there is none or no telling.
func (g *Graph) javaFile(f *syntax.File, pkg, name string) string {
	suffix := strings.ReplaceAll(pkg, ".", "/")
	best, bestShared, ambiguous := "", -1, false
	for _, s := range g.index.byBase[name+".java"] {
		if s.dir != suffix && !strings.HasSuffix(s.dir, "/"+suffix) && suffix != "" {
			continue
		}
		if g.packageOf(s) != pkg {
			continue
		}
		switch shared := sharedPrefix(path.Dir(f.Path), s.dir); {
		case shared > bestShared:
			best, bestShared, ambiguous = s.path, shared, false
		case shared == bestShared:
			ambiguous = true
		}
	}
	if ambiguous {
		return ""
	}
	return best
}

// javaClass is a class in the file of its name.
func (g *Graph) javaClass(f *syntax.File, pkg, name string) (entity, bool) {
	p := g.javaFile(f, pkg, name)
	if p == "" {
		return entity{}, false
	}
	other, ok := g.File(p)
	if !ok {
		return entity{}, false
	}
	return g.topLevel(other, name)
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
	if e, ok := g.topLevel(f, name); ok {
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
	for _, s := range g.index.byDir[path.Dir(f.Path)] {
		if s.path == f.Path || s.language != syntax.Java || !g.words(s).has(mentionOf(name, declared)) {
			continue
		}
		if other, ok := g.File(s.path); ok {
			files = append(files, other)
		}
	}
	return g.find(files, name)
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
	imported := map[string]bool{} // names that mean what an import says
	for i := range f.Imports {
		im := &f.Imports[i]
		name := im.Names[0].Name
		switch {
		case im.Static:
			if p := g.javaQualifiedFile(f, im.Module); p != "" {
				set.add(p, ByImport, im.Lines.Start, strings.TrimPrefix(name, "*"))
			}
		case name != "*":
			imported[name] = true
			if p := g.javaQualifiedFile(f, im.Module+"."+name); p != "" {
				set.add(p, ByImport, im.Lines.Start, name)
			}
		}
	}
	for i := range f.Uses {
		if u := &f.Uses[i]; u.Receiver == "" && isClassName(u.Name) && !imported[u.Name] {
			g.javaUse(set, f, u)
		}
	}
	return set
}

func isClassName(name string) bool {
	return name != "" && 'A' <= name[0] && name[0] <= 'Z' && !strings.Contains(name, ".")
}

// javaUse adds the file of a type that no import names: it is of the file
// itself, of its package, or of one package that is imported whole.
func (g *Graph) javaUse(set edgeSet, f *syntax.File, u *syntax.Use) {
	for i := range f.Definitions {
		if isType(f.Definitions[i].Kind) && f.Definitions[i].Name == u.Name {
			return
		}
	}
	if p := g.javaFile(f, f.Package, u.Name); p != "" {
		set.add(p, ByPackage, u.Line, u.Name)
		return
	}
	if e, ok := g.javaSibling(f, u.Name); ok {
		set.add(e.path, ByPackage, u.Line, u.Name)
		return
	}
	found, line := "", 0
	for i := range f.Imports {
		im := &f.Imports[i]
		if im.Static || im.Names[0].Name != "*" {
			continue
		}
		p := g.javaFile(f, im.Module, u.Name)
		if p != "" && found != "" {
			return
		}
		if p != "" {
			found, line = p, im.Lines.Start
		}
	}
	if found != "" {
		set.add(found, ByImport, line, u.Name)
	}
}

// javaQualifiedFile is the file of the outermost class in a full name.
func (g *Graph) javaQualifiedFile(f *syntax.File, full string) string {
	parts := strings.Split(full, ".")
	for i, part := range parts {
		if isClassName(part) {
			return g.javaFile(f, strings.Join(parts[:i], "."), part)
		}
	}
	return ""
}
