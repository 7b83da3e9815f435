package imports

import (
	"iter"
	"slices"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// Imports lists the files of the repository that the file uses, by path.
// Imports from outside the repository have no edge.
func (g *Graph) Imports(path string) []Edge {
	if out, ok := g.edges[path]; ok {
		return out
	}
	f, ok := g.File(path)
	if !ok {
		return nil
	}
	out := g.Resolver(f.Language.Family).Edges(f, nil).list(path)
	g.edges[path] = out
	return out
}

// ImportedBy goes through the files that use the file, by path: all of them, or
// those that are wanted. A file is parsed when its turn comes and it is wanted.
func (g *Graph) ImportedBy(path string, wanted func(from string) bool) iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		for _, from := range g.importers(path) {
			if wanted != nil && !wanted(from) {
				continue
			}
			for _, e := range g.EdgesTo(from, path) {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// importers are the files that may use the given one, by path. Their edges tell
// whether they do.
func (g *Graph) importers(path string) []string {
	if known, ok := g.users[path]; ok {
		return known
	}
	g.users[path] = nil
	f, ok := g.File(path)
	if !ok {
		return nil
	}
	c := Closure{g: g, Path: path, found: map[string]bool{path: true}, passing: map[string]bool{path: true},
		files: g.index.family[f.Language.Family]}
	c.resolver = g.Resolver(f.Language.Family)
	handles := c.resolver.Handles(path, 0)
	for depth := 0; depth <= g.opts.MaxReExports && len(handles) > 0; depth++ {
		if handles, ok = c.next(handles); !ok {
			return nil
		}
	}
	delete(c.found, path)
	g.users[path] = SortedKeys(c.found)
	return g.users[path]
}

// next finds the files that have one of the handles, and returns the handles of
// those that pass names on. It is false if there are too many files.
func (c *Closure) next(handles []Handle) ([]Handle, bool) {
	candidates, ok := c.g.mentioning(c.files, handles, "importers of "+c.Path)
	if !ok {
		return nil, false
	}
	for _, f := range candidates {
		c.found[f.Path] = true
	}
	candidates = slices.DeleteFunc(candidates, func(f *Source) bool { return c.passing[f.Path] })
	var out []Handle
	for _, f := range c.resolver.Leading(c, candidates) {
		more := c.resolver.PassedOn(c, f.Path)
		c.passing[f.Path] = len(more) > 0
		out = append(out, more...)
	}
	return out, true
}

// Files lists the files of the family, by path.
func (c *Closure) Files() []*Source { return c.files }

// IsFound reports whether a file is among those found so far.
func (c *Closure) IsFound(path string) bool { return c.found[path] }

// IsPassing reports whether a file is c.Path or is known to pass its names on.
func (c *Closure) IsPassing(path string) bool { return c.passing[path] }

// EdgesTo are the edges of a file to another.
func (g *Graph) EdgesTo(from, to string) []Edge {
	key := tie{from, to}
	out, known := g.ties[key]
	if known {
		return out
	}
	all, known := g.edges[from]
	if f, ok := g.File(from); ok && !known {
		if target, ok := g.File(to); ok {
			all = g.Resolver(f.Language.Family).Edges(f, target).list(from)
		}
	}
	for _, e := range all {
		if e.To == to {
			out = append(out, e)
		}
	}
	g.ties[key] = out
	return out
}

// UsedByOthers lists those of some files that another one of the files in asked may
// use.
func (g *Graph) UsedByOthers(files, asked []*Source) []*Source {
	handles := make([][]Handle, len(files))
	for i, f := range files {
		handles[i] = g.Resolver(f.Language.Family).Handles(f.Path, Imported)
	}
	q := newQuestion(slices.Concat(handles...))
	holders := make([][]*Source, len(q.handles)) // of each handle, two at most
	for _, f := range asked {
		for i := range q.heldBy(f, g.Words(f)) {
			if len(holders[i]) < 2 {
				holders[i] = append(holders[i], f)
			}
		}
	}
	var out []*Source
	for i, f := range files {
		if slices.ContainsFunc(handles[i], func(h Handle) bool {
			return slices.ContainsFunc(holders[q.find(h)], func(holder *Source) bool { return holder != f })
		}) {
			out = append(out, f)
		}
	}
	return out
}

// NameEdge notes where a name taken from module to is defined: in the module
// itself, or in one that it passes on.
func (g *Graph) NameEdge(set EdgeSet, to string, line int, e Entity, name string) {
	defined := g.NameOf(e)
	if e.Path == to {
		set.Add(to, ByImport, line, defined)
		return
	}
	set.Add(to, ByImport, line, name)
	set.Add(e.Path, ByReExport, line, defined)
}

// UsedEdges notes what the file takes from module m through its local name, or
// what of it may come from one file.
func (g *Graph) UsedEdges(set EdgeSet, f, to *syntax.File, m Entity, local string, line int) {
	seen := map[string]bool{}
	look := func(receiver, name string) {
		rest, ok := strings.CutPrefix(receiver+"."+name, local+".")
		if !ok || seen[rest] {
			return
		}
		seen[rest] = true
		e := m
		first := ""
		for _, part := range strings.Split(rest, ".") {
			if !g.MayLeadTo(e, part, to) {
				break
			}
			next, ok := g.Member(e, part, 0)
			if !ok || next.Path == "" {
				break
			}
			if e = next; first == "" {
				first = part
			}
			if e.Def != Whole {
				break
			}
		}
		if e != m {
			g.NameEdge(set, m.Path, line, e, first)
		}
	}
	for i := range f.Calls {
		if c := &f.Calls[i]; !c.Local && c.Receiver != "" {
			look(c.Receiver, c.Name)
		}
	}
	for i := range f.Uses {
		if u := &f.Uses[i]; !u.Local && u.Receiver != "" {
			look(u.Receiver, u.Name)
		}
	}
}

// MayLeadTo reports whether a name of a module may be one of the given file, or of
// any where it is nil, as far as this shows without parsing the module.
func (g *Graph) MayLeadTo(module Entity, name string, to *syntax.File) bool {
	source := g.index.sources[module.Path]
	if to == nil || module.Path == to.Path || module.Def != Whole || source == nil {
		return true
	}
	return g.Resolver(source.Language.Family).MayLead(source, name)
}
