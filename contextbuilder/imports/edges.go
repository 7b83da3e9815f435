package imports

import (
	"slices"
	"sort"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// edgeSet gathers edges by target and kind.
type edgeSet map[edgeKey]*Edge

type edgeKey struct {
	to  string
	why Why
}

// add notes an edge; several to one target become one, with the first line and
// all names.
func (s edgeSet) add(to string, why Why, line int, names ...string) {
	e := s[edgeKey{to, why}]
	if e == nil {
		e = &Edge{To: to, Why: why, Line: line}
		s[edgeKey{to, why}] = e
	}
	e.Line = min(e.Line, line)
	for _, n := range names {
		if n != "" {
			e.Names = append(e.Names, n)
		}
	}
}

// list is the edges from a file, by target and kind; edges to itself are left
// out, and so is an edge by re-export or package to a file that is imported.
func (s edgeSet) list(from string) []Edge {
	out := make([]Edge, 0, len(s))
	for k, e := range s {
		if e.To == from {
			continue
		}
		if direct := s[edgeKey{k.to, ByImport}]; direct != nil && k.why != ByImport {
			direct.Names = append(direct.Names, e.Names...)
			continue
		}
		e.From = from
		out = append(out, *e)
	}
	for i := range out {
		// Read again: names of a dropped edge may have been added meanwhile.
		names := slices.Clone(s[edgeKey{out[i].To, out[i].Why}].Names)
		slices.Sort(names)
		out[i].Names = slices.Compact(names)
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].To != out[j].To {
			return out[i].To < out[j].To
		}
		return out[i].Why < out[j].Why
	})
	return out
}

// nameEdge notes where a name taken from module to is defined: in the module
// itself, or in one that it passes on.
func (g *Graph) nameEdge(set edgeSet, to string, line int, e entity, name string) {
	defined := g.nameOf(e)
	if e.path == to {
		set.add(to, ByImport, line, defined)
		return
	}
	set.add(to, ByImport, line, name)
	set.add(e.path, ByReExport, line, defined)
}

// usedEdges notes what the file takes from module m through its local name, or
// what of it may come from one file.
func (g *Graph) usedEdges(set edgeSet, f, to *syntax.File, m entity, local string, line int) {
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
			if !g.mayLead(e, part, to) {
				break
			}
			next, ok := g.member(e, part, 0)
			if !ok || next.path == "" {
				break
			}
			if e = next; first == "" {
				first = part
			}
			if e.def != whole {
				break
			}
		}
		if e != m {
			g.nameEdge(set, m.path, line, e, first)
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

// mayLead reports whether a name of a module may be one of the given file, or of
// any where it is nil: as far as it can be told without parsing the module.
func (g *Graph) mayLead(module entity, name string, to *syntax.File) bool {
	if to == nil || module.path == to.Path || module.def != whole || g.index.familyOf(module.path) != syntax.FamilyPython {
		return true
	}
	w := g.words(g.index.sources[module.path])
	return stem(module.path) == "__init__" || w.has(wildcardImport) || w.has(mentionOf(name, bound))
}
