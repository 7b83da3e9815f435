package imports

import (
	"slices"
	"sort"
	"strings"

	"github.com/prforge/prforge/internal/syntax"
)

// EdgeSet gathers edges by target and kind.
type EdgeSet map[edgeKey]*Edge

type edgeKey struct {
	to  string
	why Why
}

// Add notes an edge; several to one target become one, with the first line and
// all names.
func (s EdgeSet) Add(to string, why Why, line int, names ...string) {
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
func (s EdgeSet) list(from string) []Edge {
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
// any where it is nil: as far as it can be told without parsing the module.
func (g *Graph) MayLeadTo(module Entity, name string, to *syntax.File) bool {
	source := g.index.sources[module.Path]
	if to == nil || module.Path == to.Path || module.Def != Whole || source == nil {
		return true
	}
	return g.resolver(source.Language.Family).MayLead(source, name)
}
