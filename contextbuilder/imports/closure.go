package imports

import (
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// closure gathers the files that may use one file, directly or through files that
// pass its names on.
type closure struct {
	g       *Graph
	path    string
	family  syntax.Family
	found   map[string]bool // with the file itself
	passing map[string]bool // those found that pass names on, with the file itself
}

// next finds the files that have one of the handles, and answers the handles of
// those that pass names on; false if there are too many files.
func (c *closure) next(handles []handle) ([]handle, bool) {
	files := c.g.index.family[c.family]
	candidates, ok := c.g.mentioning(files, handles, "importers of "+c.path)
	if !ok {
		return nil, false
	}
	for _, f := range candidates {
		c.found[f.path] = true
	}
	candidates = slices.DeleteFunc(candidates, func(f *sourceFile) bool { return c.passing[f.path] })
	var out []handle
	for _, f := range c.leading(candidates, files) {
		more := c.passedOn(f.path)
		c.passing[f.path] = len(more) > 0
		out = append(out, more...)
	}
	return out, true
}

// leading lists those of the candidates that have to be parsed, by path: another
// file may use them that would be found through them alone.
func (c *closure) leading(candidates, files []*sourceFile) []*sourceFile {
	switch c.family {
	case syntax.FamilyScript:
		exporting := c.g.holding(candidates, eachHandle(0, []string{"export", "exports"}))
		return c.g.named(exporting, c.news(files))
	case syntax.FamilyPython:
		return c.leadingModules(candidates, files)
	}
	return nil // no name is passed on in Go and Java
}

// leadingModules is leading for Python. A module that imports all of another one
// passes on what that passes on, whoever names it; a package what it imports; any
// other module the names of the file, or the file.
func (c *closure) leadingModules(candidates, files []*sourceFile) []*sourceFile {
	news := c.news(files)
	naming := news
	if named := append(c.g.topNames(c.path), stem(c.path)); !c.g.mayBeRenamed(c.family, named...) {
		candidates = c.g.holding(candidates, eachHandle(bound, append(named, wildcardWord)))
		naming = c.g.holding(news, eachHandle(imported, append(named, wildcardWord)))
	}
	var whole, packages, modules []*sourceFile
	for _, f := range candidates {
		switch {
		case c.g.words(f).has(wildcardImport):
			whole = append(whole, f)
		case stem(f.path) == "__init__":
			packages = append(packages, f)
		default:
			modules = append(modules, f)
		}
	}
	out := slices.Concat(c.g.named(whole, files), c.g.named(packages, news), c.g.named(modules, naming))
	slices.SortFunc(out, func(a, b *sourceFile) int { return strings.Compare(a.path, b.path) })
	return out
}

// news lists those of some files that are not found yet, and those that pass on
// whatever is found to be passed on to them.
func (c *closure) news(files []*sourceFile) []*sourceFile {
	var out []*sourceFile
	for _, f := range files {
		if !c.found[f.path] || c.g.words(f).has(wildcardImport) {
			out = append(out, f)
		}
	}
	return out
}

// passedOn are handles for the files that may get names of the file through
// another one: those that use the other one, and in Python, where every module
// passes its imports on, name one of them too.
func (c *closure) passedOn(by string) []handle {
	g, file := c.g, c.path
	f, ok := g.File(by)
	if !ok {
		return nil
	}
	if c.family == syntax.FamilyScript {
		if !g.script.reExports(f) || len(g.edgesTo(by, file)) == 0 {
			return nil
		}
		return g.handles(by, 0)
	}
	tied := g.edgesTo(by, file)
	switch {
	case g.python.takesAll(f, c.passing):
		return append(g.handles(by, 0), g.nameHandles(file, imported, "")...)
	case len(tied) > 0:
		names := append(g.python.localNames(f, file), wildcardWord, stem(file))
		for _, e := range tied {
			names = append(names, e.Names...)
		}
		var out []handle
		for _, h := range g.handles(by, 0) {
			for _, name := range names {
				named := h
				named.mentions = append(slices.Clone(h.mentions), mentionOf(name, imported))
				out = append(out, named)
			}
		}
		return out
	}
	return nil
}
