package imports

import (
	"slices"
	"sort"
)

// edgeSet gathers edges by target and tie.
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

// list is the edges from a file, by target and tie; edges to itself are left
// out, and so is a tie by re-export or package to a file that is imported.
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
		// Read again: names of a dropped tie may have been added meanwhile.
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
